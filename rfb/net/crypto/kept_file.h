/* Files that are read at the beginning, because later the process may open none
 * (rfb/worker/confined/confine.h).
 *
 * kept_file_keep() comes before any thread starts. Afterwards any thread may look.
 */
#ifndef VNCHL_KEPT_FILE_H
#define VNCHL_KEPT_FILE_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Opens a regular file to read it; -1: there is none, or it may not be read. */
int kept_file_open(const char *path);

/* Reads the file from its beginning, and keeps its bytes for good under this name. False, with
 * errno, when it cannot be read; it is not kept then. The descriptor stays the caller's. */
bool kept_file_keep(const char *name, int fd);

/* What the file held. False: none was kept under this name. */
bool kept_file_get(const char *name, const void **bytes, size_t *size);

#ifdef __cplusplus
}
#endif
#endif
