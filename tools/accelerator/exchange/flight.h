/* How many bytes may be on their way to a client: what the path needs, and little more. What is
 * beyond that would wait in a queue in front of the slowest link, and every key press with it.
 *
 *   limit = rate x (shortest round trip + 25 ms)
 *
 *   rate    = what the client's kernel acknowledged per second, the best of the last 10 round
 *             trips, measured only while all the time bytes waited, or nearly as much was on its
 *             way as was allowed
 *   probing = every eighth round trip a quarter more, in case the path has become faster
 *
 * Until the rate no longer grows there is no limit but TCP's own (the beginning is its slow start).
 * What has arrived out of order, behind a lost packet, is not on its way any more, so a loss does
 * not stop the sender. One object for each connection. Pure: no clock.
 */
#ifndef VNCHL_ACCELERATOR_FLIGHT_H
#define VNCHL_ACCELERATOR_FLIGHT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "prerequest/tick.h"
#include "tools/accelerator/exchange/constants.h"

#ifdef __cplusplus
extern "C" {
#endif

struct flight {
    bool found;          /* the rate has stopped growing */
    double rate;         /* bytes per second; 0: not known */
    tick_t round_trip;   /* the path's shortest; 0: not known */
    double older, newer; /* best rates of this spell and of the one before */
    tick_t spell_since;  /* when this spell began */
    bool measuring;      /* as much as allowed is on its way */
    tick_t since;        /* of the sample under way */
    uint64_t delivered;  /* at its beginning */
    double grown_from;   /* the rate when it last grew */
    unsigned same;       /* samples since then */
    unsigned trips;      /* samples, for probing */
};

/* What the kernel says of the client's socket. */
struct flight_sample {
    uint64_t delivered; /* bytes that have arrived since the connection began, in any order */
    size_t in_flight;   /* bytes in the socket that have not arrived */
    tick_t round_trip;  /* the shortest; 0: not known */
    bool waits;         /* bytes wait here, or in the socket, until they may leave */
};

void flight_init(struct flight *f);
void flight_tell(struct flight *f, const struct flight_sample *s, tick_t now);

/* Bytes that may be in flight. SIZE_MAX: no limit is known. */
size_t flight_limit(const struct flight *f);

/* When there will be room again for who has `in_flight` bytes on their way, ns from now. */
tick_t flight_wait(const struct flight *f, size_t in_flight);

#ifdef __cplusplus
}
#endif
#endif
