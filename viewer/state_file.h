/* Files of the viewer that are worth keeping and not worth failing for: in $XDG_STATE_HOME/vnchl,
 * or ~/.local/state/vnchl. Only the user can read them.
 *
 * Any thread.
 */
#ifndef VNCHL_STATE_FILE_H
#define VNCHL_STATE_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

#include "rfb/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

/* FOLDER/name. False: the environment does not tell where. */
bool state_file_path(const char *name, char out[PATH_MAX]);

/* The folder and those above it. */
bool state_file_make_folder(struct reason *why);

/* A new file takes the name when it is whole: readers never see half of it. */
struct state_file {
    FILE *f; /* to write to */
    char path[PATH_MAX], temporary[PATH_MAX + 8];
};

/* The folder must be there. False with a reason. */
bool state_file_open(struct state_file *n, const char *name, struct reason *why);
bool state_file_close(struct state_file *n, struct reason *why);

#ifdef __cplusplus
}
#endif
#endif
