#include "tools/accelerator/hidden.h"

#include <string.h>

#define BUSY_LEAST (50 * TICK_MS) /* shorter measurements are of requests that came together */
#define SMOOTH     0.25           /* the newest measurement's share, if it is slower */
#define WAIT_MOST  TICK_S         /* for a request behind the time when the link is free */
#define MOST_S     3600           /* nothing is waited for longer */

void hidden_init(struct hidden *h)
{
    memset(h, 0, sizeof *h);
}

static tick_t time_of(double bytes, double rate)
{
    double s = bytes / rate;

    return s < MOST_S ? (tick_t)(s * (double)TICK_S) : (tick_t)MOST_S * TICK_S;
}

/* What such a trip took without its bytes; all of it while the rate is not known. */
static tick_t way_of(const struct hidden *h, size_t bytes, tick_t trip)
{
    tick_t carrying = h->rate > 0 ? time_of((double)bytes, h->rate) : 0;

    return trip > carrying ? trip - carrying : 0;
}

static tick_t way(const struct hidden *h)
{
    return way_of(h, h->trip_bytes, h->trip);
}

/* Whether the link still carried the update before when this one came to it. */
static bool followed(const struct hidden *h, tick_t left_at)
{
    return h->trips > 0 && left_at + way(h) <= h->read_at;
}

static void measure_rate(struct hidden *h, size_t bytes, tick_t took)
{
    double rate;

    h->carried += (double)bytes;
    h->busy += took;
    if (h->busy < BUSY_LEAST)
        return;
    rate = h->carried / tick_to_s(h->busy);
    h->rate = h->rate > rate ? h->rate + (rate - h->rate) * SMOOTH : rate;
    h->carried = 0;
    h->busy = 0;
}

static void measure_way(struct hidden *h, size_t bytes, tick_t trip, bool alone, tick_t now)
{
    bool again = h->waits && alone;
    bool slower =
        h->trip > HIDDEN_OWN && way(h) == 0; /* the link: what was measured fits no more */

    if (h->trips == 0 || again || slower || way_of(h, bytes, trip) < way(h)) {
        h->trip = trip;
        h->trip_bytes = bytes;
    }
    if (h->trips == 0 || again)
        h->alone_at = now;
    h->waits = h->rate > 0 && (slower || (h->waits && !again) || now - h->alone_at > HIDDEN_ALONE);
}

void hidden_read(struct hidden *h, tick_t left_at, size_t bytes, tick_t now)
{
    if (followed(h, left_at))
        measure_rate(h, bytes, now - h->read_at);
    h->last_trip = now - left_at;
    measure_way(h, bytes, h->last_trip, left_at >= h->read_at, now);
    h->trips++;
    h->read_at = now;
}

bool hidden_is(const struct hidden *h, tick_t round_trip)
{
    return h->trips >= HIDDEN_TRIPS && way(h) > 2 * round_trip + HIDDEN_OWN;
}

tick_t hidden_ask_at(const struct hidden *h, size_t bytes, tick_t since, tick_t server_time)
{
    tick_t free_at;

    if (h->rate <= 0 || bytes == 0 || (h->asked % HIDDEN_PROBE == 0 && !h->waits))
        return 0;
    free_at = tick_later(since, h->read_at - way(h)) + time_of((double)bytes, h->rate);
    return h->waits ? free_at + tick_sooner(h->last_trip, WAIT_MOST)
                    : free_at - server_time - HIDDEN_MARGIN;
}

void hidden_asked(struct hidden *h)
{
    h->asked++;
}
