/* How often a picture is drawn that moves below a page: the page is drawn again with it, which
 * takes long where no graphics card draws. So drawing leaves most of the thread's time to others.
 *
 * Pure value type, UI thread. A zeroed one holds nothing back.
 */
#ifndef VNCHL_THROTTLE_H
#define VNCHL_THROTTLE_H

#include <stdbool.h>

#include "prerequest/tick.h"

#ifdef __cplusplus
extern "C" {
#endif

/* So many times as long as it took to draw a picture the next one waits. Chosen: drawing takes a
 * quarter of the time. */
#define THROTTLE_REST 3

/* ns: no picture waits longer. Chosen: one can still see that something moves. */
#define THROTTLE_MOST (TICK_S / 2)

struct throttle {
    tick_t until; /* a picture waits until then; 0: none has to */
};

/* A picture was drawn, by then, with so many s of CPU time. */
void throttle_drew(struct throttle *t, tick_t now, double work);

/* Whether the next one has to wait. When it has waited long enough, the throttle is as at first. */
bool throttle_holds(struct throttle *t, tick_t now);

/* When it may be drawn; TICK_NEVER: nothing has to wait. */
tick_t throttle_wait(const struct throttle *t);

#ifdef __cplusplus
}
#endif
#endif
