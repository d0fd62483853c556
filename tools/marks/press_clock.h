/* When the next press of a measured run is due: a period with jitter, reproducible from a seed.
 *
 * Presses that keep time would always meet the content at the same moment of its own beat; so each
 * waits 75 to 125 % of the period. Pure value type.
 */
#ifndef VNCHL_PRESS_CLOCK_H
#define VNCHL_PRESS_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "prerequest/tick.h"

#ifdef __cplusplus
extern "C" {
#endif

struct press_clock {
    tick_t period;
    uint64_t random;
    tick_t next; /* TICK_NEVER: stopped */
};

/* Stopped. */
void press_clock_init(struct press_clock *c, tick_t period, uint64_t seed);

/* The first press is due a period from `now`. */
void press_clock_start(struct press_clock *c, tick_t now);
void press_clock_stop(struct press_clock *c);

/* True when a press is due; the next is then due a period later. Missed ones are not made up for.
 */
bool press_clock_due(struct press_clock *c, tick_t now);

#ifdef __cplusplus
}
#endif
#endif
