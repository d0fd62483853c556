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

/* A piece of an update (struct slowdown) came with `rate` bytes per second. */
void delivery_piece(struct delivery *d, double rate);

/* It is known that the path delivers `rate` bytes per second from now on. */
void delivery_change(struct delivery *d, double rate);

/* The larger of rate and best. */
double delivery_best(const struct delivery *d);

/* How long one packet takes, ns; 0: not known. */
double delivery_packet_time(const struct delivery *d);

/* Notices in the middle of an update that the path has become much slower.
 *
 * The bytes that come are cut into pieces of SLOWDOWN_PIECE or a little more. The path is slower
 * when
 *
 *   bytes of a piece / its time < usual rate / SLOWDOWN_TIMES
 *
 * for SLOWDOWN_PIECES pieces in a row. For example: at 8 Mbit/s a piece takes 12 ms; two pieces
 * in a row that take more than 30 ms each are a slower path.
 *
 * One slow piece may be a lost packet, which TCP sends again. To wait for the end of the update
 * would take seconds when a link drops to a twentieth.
 */

struct slowdown {
    uint64_t from; /* bytes that had arrived when this piece began; 0: none has begun */
    tick_t at;     /* when this piece began */
    unsigned slow; /* slow pieces in a row */
};

/* `bytes` have arrived since the connection began. Returns the rate of the piece that is complete
 * now, bytes per second; 0: none is. `usual_rate` is in bytes per second, too. */
double slowdown_arrived(struct slowdown *s, uint64_t bytes, double usual_rate, tick_t now);

/* Whether the path has become slower. */
bool slowdown_shows(const struct slowdown *s);

/* The caller knows that now, or a pause has come: slow pieces are counted afresh. */
void slowdown_reset(struct slowdown *s);

/* Nothing was arriving for a while. The next piece begins after that. */
void slowdown_gap(struct slowdown *s);

#ifdef __cplusplus
}
#endif
#endif
