/* How large the TCP receive window has to be for what a connection receives (VNC-HL's thesis leaves
 * that open in section 6.2).
 *
 * The kernel tunes the receive buffer by itself, up to a limit of its own. Whoever sets the buffer
 * ends the tuning, and how much may be set has another limit. So the kernel is left alone until the
 * path comes near the tuning's limit. From then on the buffer is set, always to more than it was:
 *
 *   need = bytes per second since the last look x the smallest round trip x WINDOW_HEADROOM
 *
 * For example: 4 MB per second over 500 ms need 4 MB.
 *
 * The bytes per second are the mean over a second or more. With the headroom, this is enough for
 * moments that are faster. Where the window is the limit, the mean shows it.
 *
 * All sizes are bytes as SO_RCVBUF takes them; the kernel doubles them for its own overhead.
 *
 * Pure: no clock, no socket.
 */
#ifndef VNCHL_WINDOW_H
#define VNCHL_WINDOW_H

#include <stdint.h>

#include "prerequest/decide/constants.h"
#include "prerequest/tick.h"

#ifdef __cplusplus
extern "C" {
#endif

struct window {
    int64_t bytes;    /* what the kernel's tuning may reach, or what was set since */
    int64_t allowed;  /* the most that may be set */
    int64_t wanted;   /* what was to be set last; more than `bytes` where that is not allowed */
    int64_t received; /* bytes, at the last look */
    tick_t looked;    /* when the last look was; TICK_NEVER: there was none */
};

/* `tuned`: the limit of the kernel's own tuning. INT64_MAX: not known, so the kernel is left alone.
 * `allowed`: the most that may be set. */
void window_init(struct window *w, int64_t tuned, int64_t allowed);

/* `received` bytes have come since the connection began; the smallest round trip is `rtt` ns, 0
 * when unknown. Returns what to set the buffer to; 0: leave it. Call once a second or more often.
 */
int64_t window_look(struct window *w, int64_t received, tick_t rtt, tick_t now);

#ifdef __cplusplus
}
#endif
#endif
