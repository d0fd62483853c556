/* Links: what those of every scheme have in common; file:// links, as a file manager hands them
 * over; and vnc:// links.
 *
 * Pure.
 */
#ifndef VNCHL_URI_H
#define VNCHL_URI_H

#include <stdbool.h>
#include <stddef.h>

#include "rfb/texts/reason.h"
#include "viewer/options/files/setting.h"

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

/* vnc:// links (RFC 7869): the address, and the parameters behind its '?'.
 *
 * A link comes from a page or a mail. So each parameter is obeyed or the link is refused: one that
 * was left out could be the one that keeps keys from the remote. A password is not repeated in a
 * refusal. What is obeyed is handed on as settings: ViewOnly, Shared, User, SecurityTypes; and
 * ConnectionName, which is only for the eye. */

bool is_vnc_uri(const char *text);

/* Writes what stands before the parameters to `address`, for address_parse(). */
bool vnc_uri_parse(const char *uri, char *address, size_t size, setting_taker take, void *user,
                   struct reason *why);

#ifdef __cplusplus
}
#endif
#endif
