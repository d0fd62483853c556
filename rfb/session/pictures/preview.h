/* The picture before the connection stands: a viewer that comes again uses the ticket of its last
 * session, at the same moment as it begins to connect. A far end that has been kept then pushes the
 * picture as datagrams, which only it and this viewer can seal (rfb/pusher/visits/ahead.h). Nothing
 * is said but which blocks have come: no input.
 *
 * A thread of its own draws into the session's framebuffer, until the connection's handshake is
 * over. Then the receiver draws, and begins anew. Where no ticket is taken, or nothing gets
 * through, nothing happens.
 */
#ifndef VNCHL_SESSION_PREVIEW_H
#define VNCHL_SESSION_PREVIEW_H

#include <stdbool.h>

#include "rfb/decode/framebuffer.h"
#include "rfb/session/events.h"
#include "rfb/session/session.h"

#ifdef __cplusplus
extern "C" {
#endif

struct preview;

/* All outlives it. NULL when out of memory. */
struct preview *preview_create(struct framebuffer *fb, struct events *events);
void preview_destroy(struct preview *p); /* ends it; safe on NULL */

/* Begins its thread, if there is a ticket and the preview has not been ended. False: there is none.
 */
bool preview_start(struct preview *p, const struct session_ticket *ticket, int (*path)(void));

/* Any thread; the second time it does nothing. The framebuffer is the caller's then. */
void preview_end(struct preview *p);

/* Any thread: whether the far end has answered, so that the ticket is used; whether a whole picture
 * has come by it. */
bool preview_is_answered(const struct preview *p);
bool preview_is_whole(const struct preview *p);

#ifdef __cplusplus
}
#endif
#endif
