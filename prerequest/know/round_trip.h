/* The round trip to the server, without queues.
 *
 *   smallest = the least of what was told in the last ROUND_TRIP_WINDOW, ns
 *
 * The kernel measures round trips all the time (TCP_INFO), and each holds some waiting: of packets
 * before it, of a delayed ACK. The smallest holds the least. It is forgotten after the window, so
 * that a new, longer route is noticed.
 *
 * Value type. Pure.
 */
#ifndef VNCHL_ROUND_TRIP_H
#define VNCHL_ROUND_TRIP_H

#include <stdbool.h>

#include "prerequest/tick.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A route changes seldom: ten seconds with a wrong value do little harm. */
#define ROUND_TRIP_WINDOW (10 * TICK_S)
/* So much above the smallest the route itself may be longer: queues that the kernel sees on a path
 * that is not full are shorter. */
#define ROUND_TRIP_RISE (30 * TICK_MS)

struct round_trip {
    tick_t smallest; /* ns; 0: not known */
    tick_t newest;   /* ns */
    tick_t next;     /* the smallest since `since`: that of the next half window */
    tick_t since;    /* the beginning of this half window; TICK_NEVER: none was told yet */
};

void round_trip_init(struct round_trip *r);

/* One was measured: `rtt` ns. */
void round_trip_told(struct round_trip *r, tick_t rtt, tick_t now);

bool round_trip_known(const struct round_trip *r);

/* Whether the newest is near the smallest. When it is not, the route may have become longer, and
 * the smallest may be too small. */
bool round_trip_steady(const struct round_trip *r);

#ifdef __cplusplus
}
#endif
#endif
