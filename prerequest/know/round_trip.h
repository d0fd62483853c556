/* The round trip to the server, without queues.
 *
 *   smallest = the least of what was told in the last ROUND_TRIP_WINDOW, ns
 *
 * The kernel measures round trips all the time (TCP_INFO). Each of them holds some waiting: behind
 * other packets, or for a delayed ACK. The smallest holds the least waiting. It is forgotten after
 * the window, so that a new, longer route is noticed.
 *
 * What the kernel measures may be only a part of the way: struct relayed_round_trip.
 *
 * Value types. Pure.
 */
#ifndef VNCHL_ROUND_TRIP_H
#define VNCHL_ROUND_TRIP_H

#include <stdbool.h>

#include "prerequest/know/constants.h"
#include "prerequest/tick.h"

#ifdef __cplusplus
extern "C" {
#endif

struct round_trip {
    tick_t smallest; /* ns; 0: not known */
    tick_t newest;   /* ns */
    tick_t next;     /* ns: the smallest in this half of the window */
    tick_t since;    /* when this half began; TICK_NEVER: no round trip was told yet */
};

void round_trip_init(struct round_trip *r);

/* A round trip of `rtt` ns was measured. */
void round_trip_told(struct round_trip *r, tick_t rtt, tick_t now);

bool round_trip_known(const struct round_trip *r);

/* Whether the newest is near the smallest. When it is not, the route may have become longer. Then
 * the smallest is too small. */
bool round_trip_steady(const struct round_trip *r);

/* The round trip to the server where a tunnel or a relay stands in between: the kernel measures
 * only the way to the near end of it. The handshake measured all of the way, once.
 *
 * Times are ms; 0: not known. */
struct relayed_round_trip {
    bool relayed;     /* it is known that something stands in between */
    double handshake; /* the mean round trip of the handshake */
};

/* The round trip, where the kernel has measured `kernel`. It is the kernel's, unless the handshake
 * shows that this is only a part of the way. */
double relayed_round_trip(const struct relayed_round_trip *r, double kernel);

/* The newest round trip. The kernel's minimum is of minutes. Its average (`smoothed`) shows a
 * longer route sooner; it holds delayed ACKs, which are taken off. */
double relayed_round_trip_newest(const struct relayed_round_trip *r, double smallest,
                                 double smoothed);

#ifdef __cplusplus
}
#endif
#endif
