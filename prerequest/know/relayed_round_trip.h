/* The round trip to the server where a tunnel or a relay stands in between: the kernel measures
 * only the way to the near end of it. The handshake measured all of the way, once.
 *
 * Value type. Pure. Times are ms; 0: not known.
 */
#ifndef VNCHL_RELAYED_ROUND_TRIP_H
#define VNCHL_RELAYED_ROUND_TRIP_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

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
