/* Reads files that somebody else may have named or made: only regular ones, of a size that fits
 * into memory. So a pipe is not waited for, and a device without an end does not fill the memory.
 *
 * Any thread.
 */
#ifndef VNCHL_PLAIN_FILE_H
#define VNCHL_PLAIN_FILE_H

#include <stddef.h>
#include <stdio.h>

#include "rfb/texts/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes. Chosen: ten times the size of a system's list of authorities. */
#define PLAIN_FILE_MAX (4 << 20)

/* To read it from its beginning. NULL with a reason, and errno: ENOENT where there is none. */
FILE *plain_file_open(const char *path, struct reason *why);

/* All bytes of an open file of any kind, with a NUL behind them; the caller frees them. Closes the
 * file. NULL as above, also when it is larger than PLAIN_FILE_MAX. */
char *plain_file_take(FILE *f, const char *path, size_t *size, struct reason *why);

/* All bytes of a regular file, in the same way. */
char *plain_file_read(const char *path, size_t *size, struct reason *why);

#ifdef __cplusplus
}
#endif
#endif
