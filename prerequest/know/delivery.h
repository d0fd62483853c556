/* What the path delivers: network, server and our decoder together, so the slowest of them.
 *
 *   rate = bytes of an update / the time from its first packet to its end, bytes per second
 *   best = the fastest piece of an update lately, bytes per second
 *
 * For example: an update of 50 kB that takes 40 ms after its first packet: about 1.2 MB per second.
 *
 * The rate is measured only while bytes come; the time between updates says nothing. It is smoothed
 * over updates. `best` fades slowly. It tells what the path can do when TCP's slow start, or a lost
 * packet, makes an update slower than the path is.
 *
 * Value type. Pure.
 */
#ifndef VNCHL_DELIVERY_H
#define VNCHL_DELIVERY_H

#include <stdbool.h>
#include <stdint.h>

#include "prerequest/know/constants.h"
#include "prerequest/tick.h"

#ifdef __cplusplus
extern "C" {
#endif

struct delivery {
    double rate; /* bytes per second; 0: not known */
    double best; /* bytes per second; 0: not known */
};

/* An update of `bytes` came in `ns` nanoseconds. `alone`: nothing of it was here when the update
 * before ended. Its first packet began the measurement then, so that packet does not count. */
void delivery_update(struct delivery *d, uint64_t bytes, double ns, bool alone);

/* A piece of an update (slowdown.h) came with `rate` bytes per second. */
void delivery_piece(struct delivery *d, double rate);

/* It is known that the path delivers `rate` bytes per second from now on. */
void delivery_change(struct delivery *d, double rate);

/* The larger of rate and best. */
double delivery_best(const struct delivery *d);

/* How long one packet takes, ns; 0: not known. */
double delivery_packet_time(const struct delivery *d);

#ifdef __cplusplus
}
#endif
#endif
