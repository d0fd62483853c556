/* What is known of the way to the server and back, from this end, with any server.
 *
 * This module feeds the estimators, each of which knows none of the others, and answers what takes
 * several of them:
 *
 *   queue   how long the newest update waited on its way, at most, ns: how much older than a round
 *           trip the request is that it answers, less the time of its first packet. After a pause
 *           nothing waited.
 *   waited  a request waited at the server for the content: the content was the limit, not we
 *   period  the shortest period of requests that the path can answer, ns
 *   room    whether one more request may be sent
 *
 * Pure: no clock, no allocation.
 */
#ifndef VNCHL_PATH_H
#define VNCHL_PATH_H

#include <stdbool.h>
#include <stdint.h>

#include "prerequest/know/content_gap.h"
#include "prerequest/know/delivery.h"
#include "prerequest/know/downlink.h"
#include "prerequest/know/in_flight.h"
#include "prerequest/know/round_trip.h"
#include "prerequest/know/server_kind.h"
#include "prerequest/know/service.h"
#include "prerequest/know/slowdown.h"
#include "prerequest/rules.h"

#ifdef __cplusplus
extern "C" {
#endif

struct path {
    struct round_trip round_trip;
    struct downlink downlink;
    struct delivery delivery;
    struct slowdown slowdown;
    struct service service;
    struct content_gap content;
    struct in_flight in_flight;
    struct server_kind server;
    rule_set without; /* rules that are switched off */
    double most;      /* bytes per second that the user allows; 0: no limit */
    double queue;     /* ns */
    bool waited;
};

/* `most` bytes per second are to be taken, whatever the path delivers; 0: no limit. */
/* `without`: rules that are switched off. */
void path_init(struct path *p, double most, rule_set without);

/* A round trip was measured, ns: the kernel's smoothed one. */
void path_round_trip(struct path *p, tick_t rtt, tick_t now);

void path_request_sent(struct path *p, tick_t now);

/* The header of an update has been read. */
void path_update_begun(struct path *p, tick_t now);

/* So many bytes have arrived since the connection began. True when the path has become much slower:
 * the service time and the delivery rate are what it takes now. */
bool path_arrived(struct path *p, uint64_t bytes, tick_t now);

/* An update of `bytes` has been received. `more`: bytes of the next one are here already.
 * `typical`: its size says something about the next one's. */
void path_update_finished(struct path *p, uint64_t bytes, bool more, bool typical, tick_t now);

/* That update was a frame, `since` ns after the one before. */
void path_frame(struct path *p, double since);

/* Nothing has arrived after all. */
void path_ran_dry(struct path *p);

/* The server has begun to send by itself, or has stopped: what it did with requests is history. */
void path_forget_requests(struct path *p);

unsigned path_in_flight(const struct path *p);

/* The shortest period of requests that the path can answer, ns; 0: no limit is known. */
tick_t path_period(const struct path *p);

/* Whether nothing is in the way of the answer to a request. */
bool path_clear(const struct path *p);

/* Whether, besides, no answer is on its way, as far as can be known. */
bool path_at_rest(const struct path *p, tick_t now);

/* All that was asked for has come, and nothing comes. */
bool path_nothing_comes(const struct path *p);

/* Whether another request may be sent when they leave every `period` ns: at that pace, what is in
 * flight is no more than `trips` round trips hold. */
bool path_has_room(const struct path *p, tick_t period, unsigned trips);

/* The server has shown that it counts requests, or that it merges them. */
void path_server_announced(struct path *p, bool counts);

/* A request has been sent. True when requests are to leave slowly from now on, so that the server
 * shows whether it merges or counts (server_kind.h). */
bool path_begin_probe(struct path *p, tick_t now);

/* How slowly, ns; 0: they are not to. */
tick_t path_probe_period(const struct path *p);

#ifdef __cplusplus
}
#endif
#endif
