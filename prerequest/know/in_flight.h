/* Requests in flight: those that were sent, while the update that answers them has not begun.
 *
 * A server may answer several requests with one update, and does not say how many. Two rules find
 * out what an update has answered:
 *
 *   merge  (most servers) After a pause, all requests that had reached the server: those older than
 *          a round trip. While updates come without a pause the server is behind; it then finds
 *          something new for each request, so the update answers one.
 *   count  (a server that sends one update for each request, always) One.
 *
 * A server that counts still owes an update for every request that `merge` took for answered
 * together with another one. These are `saved`.
 *
 * Value type. Pure.
 */
#ifndef VNCHL_IN_FLIGHT_H
#define VNCHL_IN_FLIGHT_H

#include <stdbool.h>

#include "prerequest/tick.h"

#ifdef __cplusplus
extern "C" {
#endif

/* So many are remembered; older ones count as answered. A PRP of 10 ms and a round trip of 2.5 s
 * need as many. */
#define IN_FLIGHT_MAX 256

struct in_flight {
    tick_t sent[IN_FLIGHT_MAX]; /* when each was sent; a ring, without those that are saved */
    unsigned first, waiting;    /* the oldest in the ring, and how many there are */
    unsigned saved;
    tick_t asked; /* when, at the earliest, the request was sent that the newest update answers */
    tick_t begun; /* when the newest update began; TICK_NEVER: none has yet */
    bool silent;  /* there was none for more than a second before it */
};

void in_flight_init(struct in_flight *f);

/* A request has been sent. */
void in_flight_sent(struct in_flight *f, tick_t now);

/* An update has begun. */
struct in_flight_update {
    bool counts; /* the server is known to count */
    bool pause;  /* nothing had arrived before it */
    tick_t rtt;  /* the smallest, ns */
};

void in_flight_update(struct in_flight *f, const struct in_flight_update *u, tick_t now);

/* How many are in flight at a server that merges, or counts. */
unsigned in_flight_count(const struct in_flight *f, bool counts);

/* When the oldest was sent that the next update may answer; TICK_NEVER: there is none. */
tick_t in_flight_oldest(const struct in_flight *f);

/* The server owes nothing for requests that were merged. */
void in_flight_forget_saved(struct in_flight *f);

#ifdef __cplusplus
}
#endif
#endif
