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
/* A stall is forgotten sooner than it was noticed. */
#define GAIN_DOWN 0.4
#define BUSY_TIME ((double)TICK_S)
/* A request may have reached the server so much later, or its answer us earlier, than the round
 * trip says. */
#define LATE  (30 * TICK_MS)
#define EARLY (5 * TICK_MS)
/* So many updates prove what the server does, if no longer than that lies between them. */
#define PROOF      3
#define PROOF_BACK 6
#define PROOF_TIME (10 * TICK_S)
/* A server that would owe so many updates is worth a probe: time without requests for as many
 * frames as prove it, and one. */
#define PROBE_SAVED  24
#define PROBE_FRAMES 4.5
/* An update that was asked for so long before it could have come waited for the content. */
#define WAITED (4 * TICK_MS)
/* A run is not to last longer than a round trip and this. */
#define RUN_LIMIT TICK_S
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
    p->newest = TICK_NEVER;
    p->probe_next = PROBE_SAVED;
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

static void answered(struct path *p)
{
    p->asked = p->consumed = p->sent[p->first];
    p->first = (p->first + 1) % PATH_REQUESTS;
    p->in_flight--;
}

void path_request_sent(struct path *p, tick_t now)
{
    if (p->in_flight == PATH_REQUESTS)
        answered(p);
    p->sent[(p->first + p->in_flight++) % PATH_REQUESTS] = now;
    p->newest = now;
    if (now < p->probed) { /* input could not wait: another time */
        p->probe_next = p->saved + PROBE_SAVED;
        p->probed = 0;
    }
}

unsigned path_in_flight(const struct path *p)
{
    return p->in_flight + (p->server == PATH_COUNTS ? p->saved : 0);
}

static bool paused(const struct path *p, tick_t now)
{
    double packets = p->rate > 0 ? PAUSE_BYTES / p->rate * (double)TICK_S : (double)PAUSE_UNKNOWN;

    return p->finished == TICK_NEVER ||
           (!p->run && (double)(now - p->finished) > (double)PAUSE + packets);
}

/* Whether a merging server can have had a request for an update that begins now, after a pause: one
 * that was not answered, or one that may have come too late for the update before. */
static bool explained(const struct path *p, tick_t now)
{
    return p->rtt_since == TICK_NEVER || p->finished == TICK_NEVER || p->rtt_now > p->rtt + LATE ||
           p->consumed > p->begun - p->rtt - LATE ||
           (p->in_flight > 0 && p->sent[p->first] <= now - p->rtt + EARLY);
}

/* One update per request. */
static void count(struct path *p)
{
    if (p->saved > 0) {
        p->saved--;
        p->asked = p->begun - p->rtt;
    } else if (p->in_flight > 0) {
        answered(p);
    }
}

/* All that had reached the server, and at least one, if it merges. */
static void merge(struct path *p, bool pause, tick_t now)
{
    unsigned before = p->in_flight;

    if (before == 0 || p->unasked) {
        p->saved -= p->saved > 0;
        return;
    }
    answered(p);
    while (pause && p->in_flight > 0 && p->sent[p->first] <= now - p->rtt)
        answered(p);
    p->saved += before - p->in_flight - 1;
}

/* A merging server sends nothing unless asked since its last update. */
static void look_for_counting(struct path *p)
{
    if (p->begun - p->evidence_at > PROOF_TIME)
        p->evidence = 0;
    if (p->unasked) {
        p->evidence++;
        p->evidence_at = p->begun;
    }
    if (p->evidence >= PROOF) {
        p->server = PATH_COUNTS;
        p->evidence = 0;
        p->probed = 0;
        p->least = path_in_flight(p);
    } else if (p->probed != 0 && p->after_pause && p->begun - p->probed > p->rtt - EARLY) {
        /* requests arrive again, and it has been silent */
        if (p->begun - p->probed < p->rtt + p->probe)
            p->server = PATH_MERGES;
        p->probe_next = p->saved + PROBE_SAVED;
        p->probed = 0;
    }
}

/* A counting one that owes more updates than fit the path sends them: if what it owes does not
 * become less, it owes nothing. */
static void look_for_merging(struct path *p)
{
    unsigned in_flight = path_in_flight(p);

    if (in_flight < p->least || in_flight < PROBE_SAVED) {
        p->least = in_flight;
        p->evidence = 0;
    } else if (++p->evidence >= PROOF_BACK) {
        p->server = PATH_UNKNOWN;
        p->saved = 0;
        p->probe_next = PROBE_SAVED;
        p->evidence = 0;
    }
}

void path_update_begun(struct path *p, tick_t now)
{
    bool pause = paused(p, now);
    tick_t late = p->in_flight > 0 ? now - p->rtt - p->sent[p->first] : 0;

    p->unasked = !explained(p, now);
    p->waited = pause && late > WAITED;
    p->receiving = true;
    p->begun = pause ? now : p->finished;
    p->after_pause = pause;
    /* within a run it answers the oldest request, which would have been answered after a round trip
     */
    p->queue = pause ? 0 : fmax((double)late, 0);
    if (p->server == PATH_COUNTS)
        count(p);
    else
        merge(p, pause, now);
    if (pause) {
        p->chunk = 0;
        p->run_since = now;
    }
}

bool path_arrived(struct path *p, uint64_t bytes, tick_t now)
{
    double took = (double)(now - p->chunk_at), rate;

    if (p->chunk == 0 || bytes < p->chunk) {
        p->chunk = bytes;
        p->chunk_at = now;
        p->slow = 0;
    }
    if (bytes - p->chunk < CHUNK_BYTES || took <= 0)
        return false;
    rate = (double)(bytes - p->chunk) / took * (double)TICK_S;
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

static void smooth(double *value, double sample, bool afresh)
{
    double gain = sample < *value ? GAIN_DOWN : GAIN;

    *value = *value > 0 && !afresh ? *value + gain * (sample - *value) : sample;
}

static void learn_rate(struct path *p, double bytes_per_ns)
{
    p->rate += (p->rate > 0 ? GAIN : 1) * (bytes_per_ns * (double)TICK_S - p->rate);
}

void path_update_finished(struct path *p, uint64_t bytes, bool more, bool typical, tick_t now)
{
    double took = (double)(now - p->begun);
    double least = p->most > 0 ? (double)bytes * (double)TICK_S / p->most : 0;
    double since = p->finished == TICK_NEVER ? took : (double)(now - p->finished);

    if (bytes >= RATE_BYTES && took > 0)
        learn_rate(p, (double)(p->after_pause ? bytes - PACKET_BYTES : bytes) / took);
    took = fmax(took, least);
    if (since > 0)
        p->busy += (1 - exp(-since / BUSY_TIME)) * (fmin(took / since, 1) - p->busy);
    if (typical) {
        if (p->server == PATH_COUNTS)
            look_for_merging(p);
        else if (p->server == PATH_UNKNOWN)
            look_for_counting(p);
        smooth(&p->service, took, p->guessed);
        smooth(&p->size, (double)bytes, p->guessed);
        p->guessed = false;
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

    return p->server != PATH_COUNTS && p->finished != TICK_NEVER &&
           last - p->run_since > p->rtt + RUN_LIMIT;
}

tick_t path_period(const struct path *p)
{
    return (tick_t)(p->service / PATH_FILL * (drains(p) ? 2 : 1));
}

bool path_idle(const struct path *p)
{
    return !p->receiving && !p->run && p->server != PATH_COUNTS;
}

tick_t path_probe(struct path *p, tick_t gap, tick_t now)
{
    if (p->server != PATH_UNKNOWN || p->saved < p->probe_next || p->probed != 0 || !path_idle(p) ||
        p->rtt_since == TICK_NEVER)
        return 0;
    p->probe = LATE + EARLY + (tick_t)(PROBE_FRAMES * (double)gap);
    p->probed = now + p->probe;
    return p->probe;
}

bool path_has_room(const struct path *p, tick_t period)
{
    /* where the content is the limit, one waits at the server for it */
    unsigned waits = period > path_period(p), in_flight = path_in_flight(p);
    double room;

    if (p->finished == TICK_NEVER)
        return in_flight < UNKNOWN_IN_FLIGHT;
    if (p->rtt_since == TICK_NEVER)
        return true;
    if (path_idle(p))
        waits = STILL_REQUESTS;
    /* the update that arrives now is no longer in flight */
    room = fmax(ceil((double)p->rtt / (double)(period > 0 ? period : 1)), 1);
    return in_flight < room + waits;
}
