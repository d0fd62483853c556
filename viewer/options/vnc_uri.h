/* vnc:// links (RFC 7869): the address, and the parameters behind its '?'.
 *
 * Pure. A link comes from a page or a mail. So each parameter is obeyed or the link is refused:
 * one that was left out could be the one that keeps keys from the remote. A password is not
 * repeated in a refusal. What is obeyed is handed on as settings: ViewOnly, Shared,
 * User, SecurityTypes; and ConnectionName, which is only for the eye.
 */
#ifndef VNCHL_VNC_URI_H
#define VNCHL_VNC_URI_H

#include "viewer/options/setting.h"

#ifdef __cplusplus
extern "C" {
#endif

bool is_vnc_uri(const char *text);

/* Writes what stands before the parameters to `address`, for address_parse(). */
bool vnc_uri_parse(const char *uri, char *address, size_t size, setting_taker take, void *user,
                   struct reason *why);

#ifdef __cplusplus
}
#endif
#endif
