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
/* A server that merges needs a round trip for the second of two updates after a request. */
#define UNASKED_MARGIN (30 * TICK_MS)
#define UNASKED_PROOF  3

void path_init(struct path *p)
{
    memset(p, 0, sizeof *p);
    p->rtt_since = TICK_NEVER;
    p->newest = TICK_NEVER;
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
    if (p->in_flight == 0)
        return;
    p->asked = p->sent[p->first];
    p->first = (p->first + 1) % PATH_REQUESTS;
    p->in_flight--;
}

void path_request_sent(struct path *p, tick_t now)
{
    if (p->in_flight == PATH_REQUESTS)
        answered(p);
    p->sent[(p->first + p->in_flight++) % PATH_REQUESTS] = now;
    p->newest = now;
    p->unasked = 0;
}

/* A merging server has nothing left to answer once a round trip has passed since the last request
 * and an update has come after that. */
static void look_for_counting(struct path *p, tick_t now)
{
    if (p->newest == TICK_NEVER || now - p->newest <= p->rtt + UNASKED_MARGIN)
        return;
    if (++p->unasked > UNASKED_PROOF)
        p->counting = true;
}

static bool paused(const struct path *p, tick_t now)
{
    double packets = p->rate > 0 ? PAUSE_BYTES / p->rate * (double)TICK_S : (double)PAUSE_UNKNOWN;

    return p->finished == TICK_NEVER ||
           (!p->run && (double)(now - p->finished) > (double)PAUSE + packets);
}

void path_update_begun(struct path *p, tick_t now)
{
    bool pause = paused(p, now);

    p->receiving = true;
    p->begun = pause ? now : p->finished;
    p->after_pause = pause;
    /* within a run it answers the oldest request, which would have been answered after a round trip
     */
    p->queue = pause || p->in_flight == 0 ? 0 : fmax((double)(now - p->rtt - p->sent[p->first]), 0);
    answered(p);
    if (!pause)
        return;
    look_for_counting(p, now);
    if (p->counting)
        return;
    while (p->in_flight > 0 && p->sent[p->first] <= now - p->rtt)
        answered(p);
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
        smooth(&p->service, took, p->guessed);
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
}

tick_t path_period(const struct path *p)
{
    return (tick_t)(p->service / PATH_FILL);
}

bool path_has_room(const struct path *p, tick_t period)
{
    /* where the content is the limit, one waits at the server for it */
    unsigned waits = period > path_period(p);
    double room;

    if (p->finished == TICK_NEVER)
        return p->in_flight < UNKNOWN_IN_FLIGHT;
    if ((!p->receiving && !p->run) || p->rtt_since == TICK_NEVER)
        return true;
    /* the update that arrives now is no longer in flight */
    room = fmax(ceil((double)p->rtt / (double)(period > 0 ? period : 1)), 1);
    return p->in_flight < room + waits;
}
