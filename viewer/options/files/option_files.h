/* What the readers of options in files share: profiles (profiles.c), connection files and
 * links (option_asked.c).
 */
#ifndef VNCHL_OPTION_FILES_H
#define VNCHL_OPTION_FILES_H

#include "viewer/options/option_table.h"

#define OPTION_PATH_BYTES 4096

/* What `from` keeps is kept by `o` from now on. */
void option_keep_all(struct options *o, struct options *from);

/* A copy of a path; "~/" is the user's home, as a shell would say it. NULL: out of memory. It lives
 * as long as the options. */
const char *option_keep_path(struct options *o, const char *path);

/* The folder of our own files. False: the environment does not tell. */
bool option_config_folder(char *out, size_t size);

/* Reads a whole text file; the caller frees it. NULL with a reason; `missing`: there is no such
 * file. */
char *option_read_text(const char *file, size_t *size, bool *missing, struct reason *why);

/* Puts the file (NULL: none) and the line (0: none) in front of the reason. Returns false. */
bool option_reason_at(const char *file, int line, struct reason *why);

#endif
