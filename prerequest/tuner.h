/* The PRP for `auto`, from the frame rate the server and the content really give.
 *
 * The thesis's rule of thumb (section 4.8) is PRP = 1 / the frame rate reachable at 0 ms. Nobody
 * tells us that rate, so it is found: once a second the period moves towards 1 / measured rate,
 * is shortened while frames keep coming as fast as they are asked for (there may be more), and is
 * lengthened when requests are wasted (several requests were answered by one update).
 *
 * Pure; part of the scheduler, which feeds it.
 */
#ifndef VNCHL_TUNER_H
#define VNCHL_TUNER_H

#include <stdbool.h>

#include "prerequest/tick.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TUNER_PRP_MIN   (10 * TICK_MS)
#define TUNER_PRP_MAX   (200 * TICK_MS)
#define TUNER_PRP_START (40 * TICK_MS) /* 25 per second: "a good PRP" of the thesis */
#define TUNER_WINDOW    TICK_S

struct tuner {
    tick_t prp;
    tick_t window_start;
    unsigned updates;  /* frames in this window */
    unsigned requests; /* requests sent in this window, of any cause */
    tick_t first, last; /* the first and last frame of the window, for the rate between them */
};

void tuner_init(struct tuner *t);

/* Forget the window, keep the period: what was measured before a pause says nothing now. */
void tuner_restart(struct tuner *t, tick_t now);

void tuner_request(struct tuner *t, tick_t now);

/* A frame has arrived. Re-tunes when the window is over. */
void tuner_frame(struct tuner *t, tick_t now);

#ifdef __cplusplus
}
#endif
#endif
