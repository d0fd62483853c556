#include "prerequest/know/path.h"

#include <math.h>
#include <string.h>

#include "prerequest/know/constants.h"
#include "prerequest/rules.h"

void path_init(struct path *p, double most)
{
    memset(p, 0, sizeof *p);
    p->most = most;
    round_trip_init(&p->round_trip);
    downlink_init(&p->downlink);
    content_gap_init(&p->content);
    path_forget_requests(p);
}

void path_round_trip(struct path *p, tick_t rtt, tick_t now)
{
    round_trip_told(&p->round_trip, rtt, now);
}

void path_request_sent(struct path *p, tick_t now)
{
    in_flight_sent(&p->in_flight, now);
    server_kind_request(&p->server, p->content.gap, now);
}

/* How long one packet takes, ns. */
static double packet_time(const struct path *p)
{
    return rule_on(RULE_FIRST_PACKET) ? delivery_packet_time(&p->delivery) : 0;
}

void path_update_begun(struct path *p, tick_t now)
{
    tick_t rtt = p->round_trip.smallest, oldest = in_flight_oldest(&p->in_flight);
    double packet = packet_time(p);
    /* The answer to the oldest request would begin a round trip after it, with no queue. So much
     * later the first packet of this update began to come. */
    double late = (double)(oldest == TICK_NEVER ? 0 : now - rtt - oldest) - packet;

    downlink_begun(&p->downlink, delivery_packet_time(&p->delivery), now);
    p->waited = p->downlink.after_pause && late > (double)PATH_WAITED;
    p->queue = p->downlink.after_pause ? 0 : fmax(late, 0);
    in_flight_update(&p->in_flight,
                     &(struct in_flight_update){.counts = server_kind_counts(&p->server),
                                                .pause = p->downlink.after_pause,
                                                .rtt = rtt},
                     now);
    if (!p->downlink.more) /* nobody sent in the time before: a piece does not reach across it */
        slowdown_gap(&p->slowdown);
    if (p->downlink.after_pause)
        slowdown_reset(&p->slowdown);
}

bool path_arrived(struct path *p, uint64_t bytes, tick_t now)
{
    double rate = slowdown_arrived(&p->slowdown, bytes, p->delivery.rate, now);

    if (rate <= 0)
        return false;
    delivery_piece(&p->delivery, rate);
    if (!rule_on(RULE_SLOWDOWN) || !slowdown_shows(&p->slowdown) || p->service.size <= 0)
        return false;
    slowdown_reset(&p->slowdown);
    delivery_change(&p->delivery, rate);
    service_slower(&p->service, rate);
    return true;
}

/* How long the first packet of the update took, ns. An update is noticed only when that packet has
 * come, so its time has to be added. */
static double first_packet(const struct path *p, uint64_t bytes)
{
    const struct downlink *d = &p->downlink;
    double part = fmin((double)bytes / DELIVERY_PACKET, 1);
    double since = downlink_unused(d) ? 0 : (double)(d->begun - d->finished);

    return fmin(part * packet_time(p), since);
}

/* Whether the update tells something about the kind of server. */
static void judge_server(struct path *p)
{
    const struct in_flight *f = &p->in_flight;
    struct server_kind_update u = {.silent = f->silent,
                                   .waiting = f->waiting,
                                   .saved = f->saved,
                                   .begun = f->begun,
                                   .rtt = p->round_trip.smallest};

    if (server_kind_update(&p->server, &u))
        in_flight_forget_saved(&p->in_flight);
}

void path_update_finished(struct path *p, uint64_t bytes, bool more, bool typical, tick_t now)
{
    double after = (double)(now - p->downlink.begun), took = after + first_packet(p, bytes);
    double allowed = p->most > 0 ? (double)bytes * (double)TICK_S / p->most : 0;
    bool stalled;

    delivery_update(&p->delivery, bytes, after, !p->downlink.more);
    stalled = took > SLOWDOWN_TIMES * (double)bytes / delivery_best(&p->delivery) * (double)TICK_S;
    took = fmax(took, allowed);
    if (typical) {
        judge_server(p);
        service_update(&p->service, took, (double)bytes, stalled);
    } else if (rule_on(RULE_GUESS)) {
        service_guess(&p->service, took);
    }
    downlink_finished(&p->downlink, took, more, now);
}

void path_frame(struct path *p, double since)
{
    if (p->server.from != TICK_NEVER) /* a probe lasts or is judged: it left out frames */
        return;
    content_gap_frame(&p->content, &(struct content_frame){.since = since,
                                                           .service = p->service.time,
                                                           .busy = p->downlink.busy,
                                                           .waited = p->waited});
}

void path_ran_dry(struct path *p)
{
    downlink_ran_dry(&p->downlink);
}

void path_forget_requests(struct path *p)
{
    in_flight_init(&p->in_flight);
    server_kind_init(&p->server);
}

unsigned path_in_flight(const struct path *p)
{
    return in_flight_count(&p->in_flight, server_kind_counts(&p->server));
}

/* Whether a queue does not go, although the run has lasted long. */
static bool queue_stays(const struct path *p)
{
    return !server_kind_counts(&p->server) && !downlink_unused(&p->downlink) &&
           p->queue > p->service.time &&
           downlink_run(&p->downlink) > p->round_trip.smallest + PATH_RUN_LIMIT;
}

tick_t path_period(const struct path *p)
{
    double period = p->service.time / (rule_on(RULE_FILL) ? PATH_FILL : 1);
    double share = fmax(p->queue / PATH_DRAIN_TIME, queue_stays(p) ? 1 : 0);

    /* by no more than the queue itself, or the path would run dry */
    if (rule_on(RULE_DRAIN))
        period += fmin(period * share, p->queue);
    return (tick_t)fmin(period, PATH_PERIOD_MOST);
}

tick_t path_clear_from(const struct path *p)
{
    if (downlink_in_use(&p->downlink) || server_kind_counts(&p->server))
        return TICK_NEVER;
    if (p->queue <= p->service.time)
        return 0;
    if (!rule_on(RULE_EMPTIED))
        return TICK_NEVER;
    return downlink_pauses_from(&p->downlink, delivery_packet_time(&p->delivery));
}

bool path_at_rest(const struct path *p, tick_t now)
{
    tick_t answered = now - p->round_trip.smallest - (tick_t)p->service.time;

    /* The oldest request should have been answered by now. Nothing is in the way of an answer, so
     * the request was answered together with another one, or it waits at the server for a change.
     */
    return !downlink_in_use(&p->downlink) &&
           (path_in_flight(p) == 0 ||
            (path_clear_from(p) <= now && in_flight_oldest(&p->in_flight) <= answered));
}

bool path_nothing_comes(const struct path *p)
{
    return path_in_flight(p) == 0 && !p->downlink.receiving && !downlink_unused(&p->downlink);
}

tick_t path_room_from(const struct path *p, tick_t period, unsigned trips)
{
    unsigned in_flight = path_in_flight(p);
    double held;

    if (!rule_on(RULE_ROOM))
        return 0;
    if (downlink_unused(&p->downlink))
        return in_flight < PATH_UNKNOWN_IN_FLIGHT ? 0 : TICK_NEVER;
    if (!round_trip_known(&p->round_trip)) /* a Unix socket: nobody knows how many it holds */
        return in_flight < PATH_STILL_REQUESTS ? 0 : TICK_NEVER;
    /* the update that is arriving now is no longer in flight */
    held =
        fmax(ceil(trips * (double)p->round_trip.smallest / (double)(period > 0 ? period : 1)), 1);
    if (in_flight < held)
        return 0;
    if (in_flight < held + PATH_STILL_REQUESTS && rule_on(RULE_STILL_ROOM))
        return path_clear_from(p);
    return TICK_NEVER;
}

void path_server_announced(struct path *p, bool counts)
{
    server_kind_announced(&p->server, counts, path_in_flight(p));
}

bool path_begin_probe(struct path *p, tick_t now)
{
    return path_clear_from(p) <= now && round_trip_steady(&p->round_trip) &&
           server_kind_begin_probe(&p->server, p->in_flight.saved, p->content.gap, now);
}

tick_t path_probe_period(const struct path *p)
{
    return server_kind_probing(&p->server)
               ? (tick_t)(SERVER_KIND_PROBE_GAPS * (double)p->content.gap)
               : 0;
}
