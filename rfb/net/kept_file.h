/* Files that are read at the beginning, because later the process may open none
 * (rfb/worker/confine.h).
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

/* Reads the file, and keeps it for good under this name. False, with errno, when it cannot be read;
 * it is not kept then. */
bool kept_file_keep(const char *name, const char *path);

/* What the file held. False: none was kept under this name. */
bool kept_file_get(const char *name, const void **bytes, size_t *size);

#ifdef __cplusplus
}
#endif
#endif
