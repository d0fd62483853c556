#include "prerequest/know/relayed_round_trip.h"

#include <math.h>

/* Something that we do not know of stands in between when the handshake's round trip is longer than
 * the kernel's x RELAYED_FACTOR + RELAYED_EXTRA_MS. Chosen. */
#define RELAYED_FACTOR   4
#define RELAYED_EXTRA_MS 30.0
/* ms: longer than a host waits before it acknowledges a small message, which is 40 ms on Linux. */
#define DELAYED_ACK_MS 50

double relayed_round_trip(const struct relayed_round_trip *r, double kernel)
{
    bool relayed = (r->relayed && r->handshake > kernel) ||
                   r->handshake > RELAYED_FACTOR * kernel + RELAYED_EXTRA_MS;

    return relayed ? r->handshake : kernel;
}

double relayed_round_trip_newest(const struct relayed_round_trip *r, double smallest,
                                 double smoothed)
{
    return relayed_round_trip(r, fmax(smallest, smoothed - DELAYED_ACK_MS));
}
