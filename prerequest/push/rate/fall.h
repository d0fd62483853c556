/* Whether a stream's rate falls in vain, because the queue is somebody else's.
 *
 * The flow (push/rate/flow.h) lowers its rate while blocks wait. If the queue is its own, that
 * makes it shorter. So when the rate has fallen to PUSH_FALL_FAR of what it was, the blocks that
 * leave from then on are judged: if they wait at least PUSH_FALL_WAIT of what those before waited,
 * it is not its own.
 *
 * For example: 2 MB/s, and a download begins that keeps a queue of 250 ms. At 0.5 MB/s blocks wait
 * 250 ms still.
 *
 * Pure: no clock, no allocation.
 */
#ifndef VNCHL_PUSH_FALL_H
#define VNCHL_PUSH_FALL_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct push_fall {
    double from;    /* bytes per second: the rate before; 0: it does not fall */
    double to;      /* the rate when it had fallen far; 0: it has not */
    double waited;  /* ns: how long blocks waited then, the least */
    uint32_t first; /* of the blocks that are judged */
};

/* The rate was lowered, bytes per second, as blocks waited at least `waited` ns; `newest` has left.
 * True: it has fallen far just now, and what leaves later is to be measured by itself. */
bool push_fall_lowered(struct push_fall *f, double before, double rate, double waited,
                       uint32_t newest);

/* It does not fall any more. */
void push_fall_end(struct push_fall *f);

/* All up to `oldest` have arrived, the last ones after at least `waited` ns in a queue. Returns the
 * rate to which it has fallen in vain, bytes per second; 0: that is not so, or not known yet. */
double push_fall_in_vain(struct push_fall *f, double waited, uint32_t oldest);

#ifdef __cplusplus
}
#endif
#endif
