/* Files of the viewer that are worth keeping and not worth failing for: in $XDG_STATE_HOME/vnchl,
 * or ~/.local/state/vnchl.
 *
 * Any thread.
 */
#ifndef VNCHL_STATE_FILE_H
#define VNCHL_STATE_FILE_H

#include <stdbool.h>

#include "viewer/whole_file.h"

#ifdef __cplusplus
extern "C" {
#endif

/* FOLDER/name. False: the environment does not tell where. */
bool state_file_path(const char *name, char out[PATH_MAX]);

/* The folder and those above it. */
bool state_file_make_folder(struct reason *why);

/* To write it. The folder must be there. False with a reason. */
bool state_file_open(struct whole_file *w, const char *name, struct reason *why);

/* Whether this is the first time that `what` (the name of an empty file in $XDG_STATE_HOME/vnchl)
 * happens to the user. Where that cannot be kept in mind, it is not. */
bool state_file_first_use(const char *what);

#ifdef __cplusplus
}
#endif
#endif
