/* What is known of the way to the server and back, from this end, with any server.
 *
 * This module feeds the estimators; none of them knows another one. It answers what takes several
 * of them:
 *
 *   queue   how long the newest update waited on its way, at most, ns
 *             = age of the oldest request - round trip - time of one packet     in a run
 *             = 0                                                               after a pause
 *           For example: the request was sent 250 ms ago, the round trip is 100 ms, a packet takes
 *           1 ms: the queue is 149 ms long.
 *   waited  a request waited at the server for the newest update: the content was the limit, not
 *           the path and not our requests
 *   period  the shortest period of requests that the path can answer, ns
 *             = service / 0.92, longer with a queue
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
    double most;  /* bytes per second that the user allows; 0: no limit */
    double queue; /* ns */
    bool waited;
};

/* `most`: take no more bytes per second than this, whatever the path delivers; 0: no limit. */
void path_init(struct path *p, double most);

/* A round trip was measured, ns. */
void path_round_trip(struct path *p, tick_t rtt, tick_t now);

void path_request_sent(struct path *p, tick_t now);

/* The header of an update has been read. */
void path_update_begun(struct path *p, tick_t now);

/* `bytes` have arrived since the connection began. True when this shows that the path has become
 * much slower. Service time and delivery rate are already those of the slow path then. */
bool path_arrived(struct path *p, uint64_t bytes, tick_t now);

/* An update of `bytes` has been received. `more`: bytes of the next one are here already.
 * `typical`: updates that follow may be as large; false for a whole picture, or a refresh. */
void path_update_finished(struct path *p, uint64_t bytes, bool more, bool typical, tick_t now);

/* That update was a frame. It came `since` ns after the frame before. */
void path_frame(struct path *p, double since);

/* No byte waits after the message that has ended. */
void path_ran_dry(struct path *p);

/* The server sends by itself. So an update tells nothing about requests, and those that were sent
 * are forgotten. */
void path_forget_requests(struct path *p);

unsigned path_in_flight(const struct path *p);

/* The shortest period of requests that the path can answer, ns; 0: no limit is known. */
tick_t path_period(const struct path *p);

/* From when on an answer would come at once, if nothing comes before; 0: already, TICK_NEVER: not
 * before something changes. No byte comes or waits, and the server is not known to count. The
 * newest update waited no longer than one service time; or it is over for so long that the queue
 * in which it waited is gone (downlink.h: a pause). Requests may be in flight. */
tick_t path_clear_from(const struct path *p);

/* Whether no answer can be on its way, as far as this end can tell. */
bool path_at_rest(const struct path *p, tick_t now);

/* Whether all that was asked for has come, and nothing comes. */
bool path_nothing_comes(const struct path *p);

/* From when on one more request may be sent, if nothing comes before, when they leave every
 * `period` ns; 0: already, TICK_NEVER: not before something comes. At that pace `trips` round trips
 * hold trips * round trip / period requests; as many may be in flight, and eight more may wait at a
 * still server. Example: 2 trips of 100 ms, 27 ms: 8 requests. */
tick_t path_room_from(const struct path *p, tick_t period, unsigned trips);

/* The server has shown that it counts requests, or that it merges them. */
void path_server_announced(struct path *p, bool counts);

/* A request has been sent. True when a probe begins with it (server_kind.h): requests leave slowly
 * from now on, so that the server shows whether it merges or counts. */
bool path_begin_probe(struct path *p, tick_t now);

/* The period of the requests of a probe, ns; 0: there is no probe now. */
tick_t path_probe_period(const struct path *p);

#ifdef __cplusplus
}
#endif
#endif
