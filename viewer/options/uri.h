/* What links of every scheme have in common, and file:// links, as a file manager hands them over.
 *
 * Pure.
 */
#ifndef VNCHL_URI_H
#define VNCHL_URI_H

#include <stdbool.h>
#include <stddef.h>

#include "rfb/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Undoes %XX in the first `length` bytes. False where that is broken, hides the end of a text, or
 * does not fit into `size` bytes, the end included. */
bool uri_decode(const char *text, size_t length, char *out, size_t size);

bool is_file_uri(const char *text);

/* Writes the path that the link names. Fails with a reason where the file is on another machine, or
 * the link is broken. */
bool file_uri_path(const char *uri, char *path, size_t size, struct reason *why);

#ifdef __cplusplus
}
#endif
#endif
