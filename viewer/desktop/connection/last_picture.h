/* Whether a session that begins is given the picture of the one before, which is still shown, or
 * was kept: it tells the far end digests of it (rfb/session/push/old_picture.h).
 *
 * Digests say something of what was on the screen. So the new session must protect it as well: the
 * channel at least as strong, the same proof or one where there was none, and of two certificates
 * the same one. It must have the same size, and the one before must have been pushed. Both are with
 * the same server, by the same way. Pure.
 */
#ifndef VNCHL_LAST_PICTURE_H
#define VNCHL_LAST_PICTURE_H

#include <stdbool.h>

#include "rfb/net/address/address.h"
#include "rfb/net/route.h"
#include "rfb/session/session_stats.h"

#ifdef __cplusplus
extern "C" {
#endif

bool last_picture_helps(const struct session_stats *before, const struct session_stats *now);

/* Whether it is certain who the server of this session is, also after a long time: it has shown a
 * certificate that was accepted, or ssh has led to its machine, or its Unix socket is on this one.
 * Else somebody else may be at the same address later, so its picture is not kept. */
bool last_picture_is_proved(const struct session_stats *s, const struct address *a,
                            const struct route *route);

#ifdef __cplusplus
}
#endif
#endif
