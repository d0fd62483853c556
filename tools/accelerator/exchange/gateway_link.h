/* The link behind a gateway: websockify, for one, stands beside the server, takes what comes at
 * once, and keeps whatever its own link does not take. The kernel's figures end there. What tells
 * of the link is when the client has read each update (own_push.h). One object for each connection.
 * Pure: no clock.
 *
 *   rate    bytes of an update per time since the one before was read: while they followed each
 *           other so closely that the link always had something to carry
 *   way     the time from an update's leaving to the news that it was read, without that of its
 *           bytes: both ways, and the client's own time. The shortest since an update was alone on
 *           the link. In the beginning, and every 30 s, all that has left is waited for, so that
 *           the way can be measured.
 *
 * The next update is to come when the link has carried those before it, and 25 ms sooner, so that
 * it is never idle:
 *
 *   link is free = when the last update was read - way + bytes behind that one / rate
 *
 * Every sixteenth is asked for as soon as may be, in case the link has become faster. No more bytes
 * are on their way than it carries in 2 ways and 200 ms, but three updates may be.
 *
 * Before the rate is known it is three updates, one more for every four that were read, and at most
 *     updates read per second x time from leaving to being read x 1.25 + 2
 */
#ifndef VNCHL_ACCELERATOR_GATEWAY_LINK_H
#define VNCHL_ACCELERATOR_GATEWAY_LINK_H

#include <stdbool.h>
#include <stddef.h>

#include "prerequest/tick.h"
#include "tools/accelerator/exchange/constants.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All zero: nothing is known. */
struct gateway_link {
    unsigned trips;    /* updates that were read */
    tick_t trip;       /* from leaving to being read, of the update with the shortest way, */
    size_t trip_bytes; /* and its bytes */
    tick_t last_trip;  /* of the last one */
    tick_t alone_at;   /* when one was alone on the link, and measured */
    bool waits;        /* what has left is waited for, to measure one so */
    double rate;       /* bytes per second; 0: not known */
    tick_t read_at;    /* when updates were read last, */
    tick_t before;     /* and when before that: between the two the link carried */
    double together;   /* so many bytes, */
    bool followed;     /* and it always had something to carry */
    unsigned asked;
};

/* The client has read an update of so many bytes that had left then. */
void gateway_link_read(struct gateway_link *h, tick_t left_at, size_t bytes, tick_t now);

/* Whether there is such a link, behind a gateway with this round trip. */
bool gateway_link_exists(const struct gateway_link *h, tick_t round_trip);

/* Updates that may be on their way, when so many are read in a second; infinity once the rate is
 * known. */
double gateway_link_most(const struct gateway_link *h, double reads);

/* When the server is to be asked, so that its answer comes `server_time` later in time; TICK_NEVER:
 * not before something was read. So many updates, of so many bytes, have left and were not read,
 * the first of them at `since`. */
tick_t gateway_link_ask_at(const struct gateway_link *h, unsigned updates, size_t bytes,
                           tick_t since, tick_t server_time);
void gateway_link_asked(struct gateway_link *h);

#ifdef __cplusplus
}
#endif
#endif
