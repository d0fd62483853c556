/* What is known of the path to the server: its round trip, what it delivers, what is on its way.
 *
 * Everything is learnt from this end, with any server. The one thing that cannot be mistaken is a
 * pause: when nothing arrives between two updates, nothing waits in front of the path, neither in
 * the network nor in the server's socket buffer. From one pause to the next is a run; within it,
 * updates arrive as fast as the path, the server's encoder and our decoder together deliver them.
 *
 *   service   time an update takes up of the downlink, ns (its bytes / what the path delivers):
 *             from when its first packet began to come, or from the end of the one before if it
 *             waited by then, to its own end; smoothed
 *   rate      bytes a second within runs
 *   busy      share of the last second or so that the downlink was in a run
 *   rtt       the smallest of the last PATH_RTT_WINDOW, so a new route is noticed after that
 *
 * Pure: no clock, no allocation.
 */
#ifndef VNCHL_PATH_H
#define VNCHL_PATH_H

#include <stdbool.h>
#include <stdint.h>

#include "prerequest/requests.h"
#include "prerequest/tick.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PATH_RTT_WINDOW (10 * TICK_S)
/* The path is not filled beyond this share: what is left drains a queue and lets a change show. */
#define PATH_FILL 0.92

struct path {
    tick_t rtt;                          /* ns; 0: unknown */
    tick_t rtt_next, rtt_since, rtt_now; /* the latter: the newest */
    struct requests requests;
    bool receiving;   /* between the beginning and the end of an update */
    bool run;         /* bytes of the next update waited when the last one ended */
    bool after_pause; /* the newest update began after one */
    bool waited;      /* a request waited at the server for it: the content was the limit, not we */
    tick_t begun, finished;
    tick_t run_since; /* the newest pause */
    uint64_t chunk;   /* bytes that had arrived when the present chunk began; 0: none has */
    tick_t chunk_at;  /* when */
    unsigned slow;    /* chunks on end that were */
    double best;      /* bytes per second: the fastest chunk lately */
    double size;      /* bytes of an update, smoothed like service */
    bool less;        /* the newest update took less than most */
    bool stalled;     /* or far more than its bytes do at best */
    bool guessed;     /* service is that of an update that was not typical */
    double service;   /* ns */
    double rate;      /* bytes per second; 0: unknown */
    double busy;      /* 0..1 */
    double most;      /* bytes per second; 0: no limit */
    double queue;     /* ns: how long the newest update waited on its way, at most */
};

void path_init(struct path *p);

/* Takes the path for one that delivers no more bytes per second than this; 0: as it is. */
void path_limit(struct path *p, double rate);

/* A round trip was measured, ns: the kernel's smoothed one. */
void path_rtt(struct path *p, tick_t rtt, tick_t now);

void path_request_sent(struct path *p, tick_t now);

/* The header of an update has been read. */
void path_update_begun(struct path *p, tick_t now);

/* So many bytes have arrived since the connection began. True when the path has become much slower:
 * service and rate are what it takes now. */
bool path_arrived(struct path *p, uint64_t bytes, tick_t now);

/* It has been received, `bytes` long; `more`: bytes of what follows it are here already. `typical`:
 * its size says something about the next one's. */
void path_update_finished(struct path *p, uint64_t bytes, bool more, bool typical, tick_t now);

/* From now on updates are that much larger or smaller than before. */
void path_expect(struct path *p, double factor);

/* The fastest that the path has been lately, bytes per second. */
double path_best(const struct path *p);

/* Shortest period of requests that the path can answer, ns; 0: no limit known. The longer the queue
 * the longer it is; twice that when a queue has not gone in a long run. */
tick_t path_period(const struct path *p);

/* How long no request is to leave from now on, ns, so that the server shows whether it merges or
 * counts, while the content brings a frame every `gap` ns; mostly 0. */
tick_t path_probe(struct path *p, tick_t gap, tick_t now);

/* Nothing is in the way of an answer. */
bool path_idle(const struct path *p);

/* Nor is an answer on its way, as far as can be known. */
bool path_rests(const struct path *p, tick_t now);

/* Whether another request may be sent when they leave every `period` ns: what is in flight, at that
 * pace, is no more than that many round trips' worth. While the downlink pauses nothing is in the
 * way of more. */
bool path_has_room(const struct path *p, tick_t period, unsigned trips);

#ifdef __cplusplus
}
#endif
#endif
