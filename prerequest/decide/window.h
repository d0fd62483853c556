/* How large the TCP receive window has to be for what a connection receives (VNC-HL's thesis leaves
 * that open in section 6.2).
 *
 * The kernel tunes the receive buffer by itself, up to a limit of its own. A buffer that is set
 * ends the tuning, and how much may be set has another limit. So the kernel is left alone until the
 * path comes near the tuning's limit; from then on the buffer is set, always to more than it was:
 *
 *   need  what arrived since the last look, per second, x the smallest round trip x WINDOW_HEADROOM
 *
 * The mean over a second or more: a faster moment needs no larger window than this, with the
 * headroom, and where the window is the limit the mean shows it. All sizes are what SO_RCVBUF
 * takes: the kernel doubles it for its own overhead.
 *
 * Pure: no clock, no socket.
 */
#ifndef VNCHL_WINDOW_H
#define VNCHL_WINDOW_H

#include <stdint.h>

#include "prerequest/tick.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Because what is sent next to a path that is not quite full, or is made good after a loss, has to
 * fit, too. */
#define WINDOW_HEADROOM 2
/* What is set is so many times the need: the next one, which a larger window may show, fits. */
#define WINDOW_STEP 2
/* More than this no TCP connection can have (RFC 7323). */
#define WINDOW_MAX ((int64_t)65535 << 14)

struct window {
    int64_t bytes;    /* what the kernel's tuning may reach, or what was set since */
    int64_t allowed;  /* the most that may be set */
    int64_t wanted;   /* what was to be set last; above `bytes`: more than may be; 0: nothing yet */
    int64_t received; /* by the last look */
    tick_t looked;    /* TICK_NEVER: not yet */
};

/* `tuned`: the limit of the kernel's own tuning; INT64_MAX when not known: it is left alone. */
void window_init(struct window *w, int64_t tuned, int64_t allowed);

/* `received` bytes have come since the connection began; the smallest round trip is `rtt` ns, 0
 * when unknown. Returns what to set the buffer to; 0: leave it. Call once a second or more often.
 */
int64_t window_look(struct window *w, int64_t received, tick_t rtt, tick_t now);

#ifdef __cplusplus
}
#endif
#endif
