/* What the path delivers: the bottleneck of network, server and our decoder together.
 *
 *   rate = bytes of an update / the time from its first packet to its end, bytes per second
 *   best = the fastest piece of an update lately, bytes per second
 *
 * The rate is smoothed over updates. It is measured only while bytes come: the time between updates
 * says nothing. `best` fades slowly; it tells what the path can do when TCP's slow start, or a lost
 * packet, makes an update slower than the path is.
 *
 * Value type. Pure.
 */
#ifndef VNCHL_DELIVERY_H
#define VNCHL_DELIVERY_H

#include <stdbool.h>
#include <stdint.h>

#include "prerequest/tick.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes in a full TCP packet: an Ethernet frame of 1500 without the headers of IP and TCP. */
#define DELIVERY_PACKET 1460

struct delivery {
    double rate; /* bytes per second; 0: not known */
    double best; /* bytes per second; 0: not known */
};

/* An update of `bytes` came in `ns`. `alone`: it came after a pause, so its first packet, which
 * began the measurement, does not count. */
void delivery_update(struct delivery *d, uint64_t bytes, double ns, bool alone);

/* A piece of an update came with `rate` bytes per second. */
void delivery_piece(struct delivery *d, double rate);

/* From now on the path delivers this, bytes per second. */
void delivery_change(struct delivery *d, double rate);

/* The larger of rate and best. */
double delivery_best(const struct delivery *d);

/* How long one packet takes, ns; 0: not known. */
double delivery_packet_time(const struct delivery *d);

#ifdef __cplusplus
}
#endif
#endif
