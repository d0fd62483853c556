#include "prerequest/know/round_trip.h"

#include <math.h>

void round_trip_init(struct round_trip *r)
{
    *r = (struct round_trip){.since = TICK_NEVER};
}

/* The window has two halves. The smallest of both counts. When the newer half is full, the older
 * one is forgotten. */
void round_trip_told(struct round_trip *r, tick_t rtt, tick_t now)
{
    if (r->since == TICK_NEVER) {
        r->smallest = r->next = rtt;
        r->since = now;
    }
    r->newest = rtt;
    r->next = tick_sooner(r->next, rtt);
    r->smallest = tick_sooner(r->smallest, rtt);
    if (now - r->since >= ROUND_TRIP_WINDOW / 2) {
        r->smallest = r->next;
        r->next = rtt;
        r->since = now;
    }
}

bool round_trip_known(const struct round_trip *r)
{
    return r->since != TICK_NEVER;
}

bool round_trip_steady(const struct round_trip *r)
{
    return round_trip_known(r) && r->newest <= r->smallest + ROUND_TRIP_RISE;
}

/* Something that we do not know of stands in between when the handshake's round trip is longer than
 * the kernel's x ROUND_TRIP_RELAYED_FACTOR + ROUND_TRIP_RELAYED_EXTRA_MS. */
double relayed_round_trip(const struct relayed_round_trip *r, double kernel)
{
    bool relayed = (r->relayed && r->handshake > kernel) ||
                   r->handshake > ROUND_TRIP_RELAYED_FACTOR * kernel + ROUND_TRIP_RELAYED_EXTRA_MS;

    return relayed ? r->handshake : kernel;
}

double relayed_round_trip_newest(const struct relayed_round_trip *r, double smallest,
                                 double smoothed)
{
    return relayed_round_trip(r, fmax(smallest, smoothed - ROUND_TRIP_DELAYED_ACK_MS));
}
