/* What is known of the path to the server: its round trip, what it delivers, what is on its way.
 *
 * Everything is learnt from this end, with any server. The one thing that cannot be mistaken is a
 * pause: when nothing arrives between two updates, nothing waits in front of the path, neither in
 * the network nor in the server's socket buffer. From one pause to the next is a run; within it,
 * updates arrive as fast as the path, the server's encoder and our decoder together deliver them.
 *
 *   service   time an update takes up of the downlink, ns (its bytes / what the path delivers):
 *             end of the update - (its beginning, or the end of the one before within a run),
 *             smoothed
 *   rate      bytes a second within runs
 *   busy      share of the last second or so that the downlink was in a run
 *   in flight requests sent whose update has not begun. A server may answer several requests with
 *             one update, so after a pause all requests that are older than a round trip count as
 *             answered; within a run each update answers one, because a server that is behind finds
 *             something new for every request. On a server that counts (servers of one update per
 *             request) the pause proves nothing and each update answers exactly one.
 *   rtt       the smallest of the last PATH_RTT_WINDOW, so a new route is noticed after that
 *
 * Pure: no clock, no allocation.
 */
#ifndef VNCHL_PATH_H
#define VNCHL_PATH_H

#include <stdbool.h>
#include <stdint.h>

#include "prerequest/tick.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PATH_REQUESTS   256 /* remembered; older ones count as answered */
#define PATH_RTT_WINDOW (10 * TICK_S)
/* The path is not filled beyond this share: what is left drains a queue and lets a change show. */
#define PATH_FILL 0.92

struct path {
    tick_t rtt; /* ns; 0: unknown */
    tick_t rtt_next, rtt_since;
    tick_t sent[PATH_REQUESTS]; /* times of requests in flight: a ring */
    unsigned first, in_flight;
    bool counting;    /* one update per request, always */
    unsigned unasked; /* updates in a row that no request of a merging server can explain */
    tick_t newest;    /* when the newest request was sent */
    tick_t asked;   /* when the request was sent that the newest update answers, at the earliest */
    bool receiving; /* between the beginning and the end of an update */
    bool run;       /* bytes of the next update waited when the last one ended */
    bool after_pause; /* the newest update began after one */
    tick_t begun, finished;
    bool guessed;   /* service is that of an update that was not typical */
    double service; /* ns */
    double rate;    /* bytes per second; 0: unknown */
    double busy;    /* 0..1 */
    double most;    /* bytes per second; 0: no limit */
    double queue;   /* ns: how long the last update waited on its way, at most */
};

void path_init(struct path *p);

/* Takes the path for one that delivers no more bytes per second than this; 0: as it is. */
void path_limit(struct path *p, double rate);

/* A round trip was measured, ns: the kernel's smoothed one. */
void path_rtt(struct path *p, tick_t rtt, tick_t now);

void path_request_sent(struct path *p, tick_t now);

/* The header of an update has been read. */
void path_update_begun(struct path *p, tick_t now);

/* It has been received, `bytes` long; `more`: bytes of what follows it are here already. `typical`:
 * its size says something about the next one's. */
void path_update_finished(struct path *p, uint64_t bytes, bool more, bool typical, tick_t now);

/* From now on updates are that much larger or smaller than before. */
void path_expect(struct path *p, double factor);

/* Shortest period of requests that the path can answer, ns; 0: no limit known. */
tick_t path_period(const struct path *p);

/* Whether another request may be sent when they leave every `period` ns: what is in flight, at that
 * pace, is no more than a round trip's worth. While the downlink
 * pauses nothing is in the way, so a request always may. */
bool path_has_room(const struct path *p, tick_t period);

#ifdef __cplusplus
}
#endif
#endif
