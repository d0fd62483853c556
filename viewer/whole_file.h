/* A file that others never see half of: it takes its name when it is whole. Only the user can read
 * it.
 *
 * Any thread.
 */
#ifndef VNCHL_WHOLE_FILE_H
#define VNCHL_WHOLE_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

#include "rfb/texts/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

struct whole_file {
    FILE *f;   /* to write to */
    bool sync; /* it has to be safe on the disk before it takes its name; the caller may set it */
    char path[PATH_MAX], temporary[PATH_MAX + 8];
};

/* Makes the folder in which the file is to lie, and those above it. False with a reason. */
bool whole_file_make_folder(const char *path, struct reason *why);

/* The folder must be there. False with a reason. */
bool whole_file_open(struct whole_file *w, const char *path, struct reason *why);

/* Gives it its name. False with a reason: then what had the name before still has it. */
bool whole_file_close(struct whole_file *w, struct reason *why);

/* It is not wanted: what had the name before still has it. */
void whole_file_drop(struct whole_file *w);

#ifdef __cplusplus
}
#endif
#endif
