/* Requests in flight: those that were sent, while the update that answers them has not begun.
 *
 * A server may answer several requests with one update, and does not say how many. What an update
 * has answered depends on the kind of server (server_kind.h):
 *
 *   merge  (most servers) After a pause an update answers all requests that had reached the server:
 *          those older than a round trip. In a run the server is behind. It then finds something
 *          new for each request, so an update answers one.
 *   count  (some servers) An update answers one request, always.
 *
 * For example: requests leave every 10 ms over a round trip of 100 ms. After a pause of 35 ms an
 * update begins. A server that merges had three or four requests by then; all are answered.
 *
 * `saved` are the requests that `merge` takes for answered together with another one. A server that
 * counts still owes an update for each of them.
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

/* How many are remembered. When one more is sent, the oldest counts as answered. Calculated: a PRP
 * of 10 ms over a round trip of 2.5 s has 250 in flight. */
#define IN_FLIGHT_MAX 256

struct in_flight {
    tick_t sent[IN_FLIGHT_MAX]; /* when each was sent; a ring, without those that are saved */
    unsigned first, waiting;    /* where the oldest is in the ring, and how many there are */
    unsigned saved;             /* how many a server that counts would owe besides */
    tick_t asked; /* when the newest of the requests was sent that the newest update answers */
    tick_t begun; /* when the newest update began; TICK_NEVER: none has yet */
    bool silent;  /* before it no update had begun for more than a second */
};

void in_flight_init(struct in_flight *f);

/* A request has been sent. */
void in_flight_sent(struct in_flight *f, tick_t now);

/* An update has begun. */
struct in_flight_update {
    bool counts; /* the server is known to count */
    bool pause;  /* it began after a pause */
    tick_t rtt;  /* the smallest round trip, ns */
};

void in_flight_update(struct in_flight *f, const struct in_flight_update *u, tick_t now);

/* How many are in flight. `counts`: the server counts, so it owes what is saved, too. */
unsigned in_flight_count(const struct in_flight *f, bool counts);

/* When the oldest of them was sent; TICK_NEVER: there is none. */
tick_t in_flight_oldest(const struct in_flight *f);

/* The server owes nothing for the requests that are saved. */
void in_flight_forget_saved(struct in_flight *f);

#ifdef __cplusplus
}
#endif
#endif
