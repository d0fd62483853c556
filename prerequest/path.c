#include "prerequest/path.h"

#include <math.h>
#include <string.h>

/* A silence longer than this, and longer than some packets take, is a pause. */
#define PAUSE         (2 * TICK_MS)
#define PAUSE_BYTES   3000
#define PAUSE_UNKNOWN (5 * TICK_MS) /* while the rate is not known */
/* Before anything has arrived: more might be more than a slow path sends in seconds. */
#define UNKNOWN_IN_FLIGHT 2
/* A single packet says nothing about the rate; after a pause the first one says nothing. */
#define RATE_BYTES   2000
#define PACKET_BYTES 1460
#define GAIN         0.2
#define GAIN_DOWN    0.4
#define LESS         0.75
/* What the path has been at best counts that much less with every chunk. */
#define FADES     0.95
#define BUSY_TIME ((double)TICK_S)
/* An update that was asked for so long before it could have come waited for the content. */
#define WAITED (4 * TICK_MS)
/* A run is not to last longer than a round trip and this. */
#define RUN_LIMIT TICK_S
/* A queue goes in about that time. */
#define DRAIN_TIME ((double)TICK_S / 2)
/* Beyond the smallest round trip: the route is longer. */
#define RTT_RISE (30 * TICK_MS)
/* However slow a path may seem. */
#define PERIOD_MOST (4.0 * TICK_S)
/* Beyond these more requests at a still screen are no use. */
#define STILL_REQUESTS 8
/* A path is much slower when that many chunks on end take more than SLOWER times what they would.
 */
#define CHUNK_BYTES 12000
#define CHUNKS      2
#define SLOWER      2.5

void path_init(struct path *p)
{
    memset(p, 0, sizeof *p);
    p->rtt_since = TICK_NEVER;
    requests_init(&p->requests);
    p->finished = TICK_NEVER;
}

void path_limit(struct path *p, double rate)
{
    p->most = rate;
}

/* The minimum of this window and of the one before. */
void path_rtt(struct path *p, tick_t rtt, tick_t now)
{
    if (p->rtt_since == TICK_NEVER) {
        p->rtt = p->rtt_next = rtt;
        p->rtt_since = now;
    }
    p->rtt_now = rtt;
    if (rtt < p->rtt_next)
        p->rtt_next = rtt;
    if (rtt < p->rtt)
        p->rtt = rtt;
    if (now - p->rtt_since >= PATH_RTT_WINDOW / 2) {
        p->rtt = p->rtt_next;
        p->rtt_next = rtt;
        p->rtt_since = now;
    }
}

static bool paused(const struct path *p, tick_t now)
{
    double packets = p->rate > 0 ? PAUSE_BYTES / p->rate * (double)TICK_S : (double)PAUSE_UNKNOWN;

    return p->finished == TICK_NEVER ||
           (!p->run && (double)(now - p->finished) > (double)PAUSE + packets);
}

/* A longer route is not known as such at once. */
static bool steady(const struct path *p)
{
    return p->rtt_since != TICK_NEVER && p->rtt_now <= p->rtt + RTT_RISE;
}

void path_request_sent(struct path *p, tick_t now)
{
    requests_sent(&p->requests, now);
}

/* An update is noticed when its first packet has come: so long after it began to, ns. */
static double packet_time(const struct path *p)
{
    return p->rate > 0 ? PACKET_BYTES / p->rate * (double)TICK_S : 0;
}

void path_update_begun(struct path *p, tick_t now)
{
    tick_t oldest = requests_oldest(&p->requests);
    tick_t late = oldest == TICK_NEVER ? 0 : now - p->rtt - oldest;

    p->after_pause = paused(p, now);
    p->waited = p->after_pause && (double)late - packet_time(p) > (double)WAITED;
    p->receiving = true;
    p->begun = p->run ? p->finished : now;
    /* within a run it answers the oldest request, which would have been answered after a round trip
     */
    p->queue = p->after_pause ? 0 : fmax((double)late - packet_time(p), 0);
    requests_update(&p->requests, p->rtt, steady(p), p->after_pause, now);
    if (!p->run) /* time between updates is none that bytes took */
        p->chunk = 0;
    if (p->after_pause) {
        p->slow = 0;
        p->run_since = now;
    }
}

bool path_arrived(struct path *p, uint64_t bytes, tick_t now)
{
    double took = (double)(now - p->chunk_at), rate;

    if (p->chunk == 0 || bytes < p->chunk) {
        p->chunk = bytes;
        p->chunk_at = now;
    }
    if (bytes - p->chunk < CHUNK_BYTES || took <= 0)
        return false;
    rate = (double)(bytes - p->chunk) / took * (double)TICK_S;
    p->best = fmax(FADES * p->best, rate);
    p->slow = rate * SLOWER < p->rate ? p->slow + 1 : 0;
    p->chunk = bytes;
    p->chunk_at = now;
    if (p->slow < CHUNKS || p->size <= 0)
        return false;
    p->slow = 0;
    p->rate = rate;
    p->service = fmax(p->service, p->size / rate * (double)TICK_S);
    return true;
}

double path_best(const struct path *p)
{
    return fmax(p->best, p->rate);
}

static void smooth(double *value, double sample, double gain)
{
    *value = *value > 0 ? *value + gain * (sample - *value) : sample;
}

/* One that took less than most may be the smaller of two that make a frame. Several on end show
 * that updates have become smaller, and one after a stall that the stall is over. */
static void learn_service(struct path *p, double took, double bytes, bool stalled)
{
    bool less = took < LESS * p->service;
    double gain = p->guessed ? 1 : less && (p->less || p->stalled) ? GAIN_DOWN : GAIN;

    smooth(&p->service, took, gain);
    smooth(&p->size, bytes, gain);
    p->less = less;
    p->stalled = stalled;
    p->guessed = false;
}

static void learn_rate(struct path *p, double bytes_per_ns)
{
    p->rate += (p->rate > 0 ? GAIN : 1) * (bytes_per_ns * (double)TICK_S - p->rate);
}

/* How long the packet took with which an update began, ns. */
static double first_packet(const struct path *p, uint64_t bytes)
{
    double part = fmin((double)bytes / PACKET_BYTES, 1);
    double since = p->finished == TICK_NEVER ? 0 : (double)(p->begun - p->finished);

    return fmin(part * packet_time(p), since);
}

void path_update_finished(struct path *p, uint64_t bytes, bool more, bool typical, tick_t now)
{
    double after = (double)(now - p->begun), took = after + first_packet(p, bytes);
    double least = p->most > 0 ? (double)bytes * (double)TICK_S / p->most : 0;
    double since = p->finished == TICK_NEVER ? took : (double)(now - p->finished);
    bool stalled;

    if (bytes >= RATE_BYTES && after > 0)
        learn_rate(p, (double)(p->run ? bytes : bytes - PACKET_BYTES) / after);
    stalled = took > SLOWER * (double)bytes / path_best(p) * (double)TICK_S;
    took = fmax(took, least);
    if (since > 0)
        p->busy += (1 - exp(-since / BUSY_TIME)) * (fmin(took / since, 1) - p->busy);
    if (typical) {
        requests_judge(&p->requests, p->rtt, p->after_pause);
        learn_service(p, took, (double)bytes, stalled);
    } else if (p->service <= 0) { /* better than nothing */
        p->service = took;
        p->guessed = true;
    }
    p->receiving = false;
    p->run = more;
    p->finished = now;
}

void path_expect(struct path *p, double factor)
{
    p->service *= factor;
    p->size *= factor;
}

static bool drains(const struct path *p)
{
    tick_t last = p->receiving ? p->begun : p->finished;

    return p->requests.server != SERVER_COUNTS && p->finished != TICK_NEVER &&
           p->queue > p->service && last - p->run_since > p->rtt + RUN_LIMIT;
}

tick_t path_period(const struct path *p)
{
    double period = p->service / PATH_FILL;

    /* no longer than the queue itself, or the path would run dry */
    period += fmin(period * fmax(p->queue / DRAIN_TIME, drains(p) ? 1 : 0), p->queue);
    return (tick_t)fmin(period, PERIOD_MOST);
}

bool path_idle(const struct path *p)
{
    return !p->receiving && !p->run && p->queue <= p->service &&
           p->requests.server != SERVER_COUNTS;
}

tick_t path_probe(struct path *p, tick_t gap, tick_t now)
{
    return path_idle(p) && steady(p) ? requests_probe(&p->requests, gap, now) : 0;
}

bool path_rests(const struct path *p, tick_t now)
{
    /* one that should have been answered was, together with another, or waits for what comes */
    return !p->receiving && !p->run &&
           (requests_in_flight(&p->requests) == 0 ||
            (path_idle(p) && requests_oldest(&p->requests) <= now - p->rtt - (tick_t)p->service));
}

bool path_has_room(const struct path *p, tick_t period, unsigned trips)
{
    /* where the content is the limit, one waits at the server for it */
    unsigned waits = period > path_period(p), in_flight = requests_in_flight(&p->requests);
    double room;

    if (p->finished == TICK_NEVER)
        return in_flight < UNKNOWN_IN_FLIGHT;
    if (p->rtt_since == TICK_NEVER)
        return true;
    if (path_idle(p))
        waits = STILL_REQUESTS;
    /* the update that arrives now is no longer in flight */
    room = fmax(ceil(trips * (double)p->rtt / (double)(period > 0 ? period : 1)), 1);
    return in_flight < room + waits;
}
