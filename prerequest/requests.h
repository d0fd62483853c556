/* Requests in flight: sent, and the update that answers them has not begun.
 *
 * A server may answer several requests with one update, so after a pause (path.h) all requests that
 * are older than a round trip count as answered; within a run each update answers one, because a
 * server that is behind finds something new for every request.
 *
 * Some servers count instead: one update for each request, always. What a merging server answers
 * together with another request, a counting one owes still ("saved"), and sends whatever the path
 * has become meanwhile. The two are told apart by updates that come although a merging server
 * cannot have had a request for them. While requests leave steadily there are none such, so once
 * that a server would owe much, one gap is left in the requests: a probe. Silence after it says
 * that the server merges; another probe follows after four times as many requests.
 *
 * Pure: no clock, no allocation.
 */
#ifndef VNCHL_REQUESTS_H
#define VNCHL_REQUESTS_H

#include <stdbool.h>

#include "prerequest/tick.h"

#ifdef __cplusplus
extern "C" {
#endif

#define REQUESTS_MAX 256 /* remembered; older ones count as answered */

/* How a server answers several requests. Held to merge them until the contrary shows. */
enum server_kind { SERVER_UNKNOWN, SERVER_MERGES, SERVER_COUNTS };

struct requests {
    tick_t sent[REQUESTS_MAX]; /* a ring: when they were, without the saved ones */
    unsigned first, waiting;
    unsigned saved;
    tick_t answered; /* when the newest request was sent that a merging server has answered */
    tick_t asked;    /* when, at the earliest, the one that the newest update answers */
    tick_t begun;    /* the newest update; TICK_NEVER: none yet */
    bool unasked;    /* a merging server cannot have had a request for it */
    bool silent;     /* before it, for long */
    enum server_kind server;
    unsigned evidence;     /* against that */
    unsigned least;        /* SERVER_COUNTS: in flight lately */
    unsigned probe_at;     /* saved requests at which a probe is worth it */
    unsigned cuts;         /* probes that input cut short */
    tick_t probe, probing; /* how long, until when; the latter 0: none */
};

void requests_init(struct requests *r);

void requests_sent(struct requests *r, tick_t now);

unsigned requests_in_flight(const struct requests *r);

/* When the oldest one that the next update may answer was sent; TICK_NEVER: there is none. */
tick_t requests_oldest(const struct requests *r);

/* An update has begun, after a pause or not. `rtt`: the smallest, ns; not `steady`: unknown, or it
 * has become longer than that. */
void requests_update(struct requests *r, tick_t rtt, bool steady, bool pause, tick_t now);

/* That update is one of pixels that something on the screen caused: what it tells of the server. */
void requests_judge(struct requests *r, tick_t rtt, bool pause);

/* A request has been sent, while nothing is in the way of its answer: how long no other is to
 * leave, ns, where the content brings a frame every `gap` ns; mostly 0. */
tick_t requests_probe(struct requests *r, tick_t gap, tick_t now);

#ifdef __cplusplus
}
#endif
#endif
