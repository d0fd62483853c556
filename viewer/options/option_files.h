/* What the readers of options in files share: profiles (option_profiles.c), connection files and
 * links (option_asked.c).
 */
#ifndef VNCHL_OPTION_FILES_H
#define VNCHL_OPTION_FILES_H

#include "viewer/options/option_table.h"

/* A copy of a path; "~/" is the user's home, as a shell would say it. NULL: out of memory. It lives
 * as long as the options. */
const char *option_keep_path(struct options *o, const char *path);

/* Reads a whole text file; the caller frees it. NULL with a reason; `missing`: there is no such
 * file. */
char *option_read_text(const char *file, size_t *size, bool *missing, struct reason *why);

/* Puts the file (NULL: none) and the line (0: none) in front of the reason. Returns false. */
bool option_reason_at(const char *file, int line, struct reason *why);

#endif
