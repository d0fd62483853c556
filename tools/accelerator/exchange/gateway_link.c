#include "tools/accelerator/exchange/gateway_link.h"

#include <math.h>

static tick_t time_of(double bytes, double rate)
{
    double s = bytes / rate;

    return s < GATEWAY_LINK_MOST_S ? (tick_t)(s * (double)TICK_S)
                                   : (tick_t)GATEWAY_LINK_MOST_S * TICK_S;
}

/* What such a trip took without its bytes; all of it while the rate is not known. */
static tick_t way_of(const struct gateway_link *h, size_t bytes, tick_t trip)
{
    tick_t carrying = h->rate > 0 ? time_of((double)bytes, h->rate) : 0;

    return trip > carrying ? trip - carrying : 0;
}

static tick_t gateway_link_way(const struct gateway_link *h)
{
    return way_of(h, h->trip_bytes, h->trip);
}

/* What comes late often comes together: the longer the trip, the longer the time to measure. */
static bool long_enough(const struct gateway_link *h)
{
    return h->read_at - h->before >= tick_later(GATEWAY_LINK_BUSY_LEAST, h->last_trip / 2);
}

/* What was read at once took the time since something was read before, if the link still carried
 * that when the first of it came to the link. */
static void measure_rate(struct gateway_link *h)
{
    double rate;

    if (!h->followed || !long_enough(h))
        return;
    rate = h->together / tick_to_s(h->read_at - h->before);
    h->rate = h->rate > rate ? h->rate + (rate - h->rate) * GATEWAY_LINK_SMOOTH : rate;
}

static void gateway_link_count(struct gateway_link *h, tick_t left_at, size_t bytes, tick_t now)
{
    bool follows = h->trips > 0 && left_at + gateway_link_way(h) <= h->read_at;

    if (h->trips > 0 && now - h->read_at < GATEWAY_LINK_TOGETHER) {
        h->together += (double)bytes;
        return;
    }
    measure_rate(h);
    if (!h->followed || long_enough(h)) {
        h->before = h->read_at;
        h->together = 0;
        h->followed = true;
    }
    h->followed = h->followed && follows;
    h->together += (double)bytes;
    h->read_at = now;
}

static void measure_way(struct gateway_link *h, size_t bytes, tick_t trip, bool alone, tick_t now)
{
    bool again = h->waits && alone;
    bool slower = h->trip > GATEWAY_LINK_OWN &&
                  gateway_link_way(h) == 0; /* the link: what was measured fits no more */

    if (h->trips == 0 || again || slower || way_of(h, bytes, trip) < gateway_link_way(h)) {
        h->trip = trip;
        h->trip_bytes = bytes;
    }
    if (h->trips == 0 || again)
        h->alone_at = now;
    h->waits = h->trips + 1 == GATEWAY_LINK_TRIPS || slower || (h->waits && !again) ||
               (h->rate > 0 && now - h->alone_at > GATEWAY_LINK_ALONE);
}

void gateway_link_read(struct gateway_link *h, tick_t left_at, size_t bytes, tick_t now)
{
    bool alone = left_at >= h->read_at;

    gateway_link_count(h, left_at, bytes, now);
    h->last_trip = now - left_at;
    measure_way(h, bytes, h->last_trip, alone, now);
    h->trips++;
}

bool gateway_link_exists(const struct gateway_link *h, tick_t round_trip)
{
    return h->trips >= GATEWAY_LINK_TRIPS &&
           gateway_link_way(h) > 2 * round_trip + GATEWAY_LINK_OWN;
}

double gateway_link_most(const struct gateway_link *h, double reads)
{
    double most = reads * tick_to_s(h->trip) * GATEWAY_LINK_MORE + 2;

    return h->rate > 0 ? HUGE_VAL
                       : fmax(GATEWAY_LINK_LEAST, fmin(most, GATEWAY_LINK_LEAST + h->trips / 4));
}

tick_t gateway_link_ask_at(const struct gateway_link *h, unsigned updates, size_t bytes,
                           tick_t since, tick_t server_time)
{
    double most = h->rate * tick_to_s(2 * gateway_link_way(h) + GATEWAY_LINK_LEAD);
    tick_t free_at;

    if (bytes == 0)
        return 0;
    if (h->rate <= 0)
        return h->waits ? since + 2 * h->last_trip : 0;
    if (updates >= GATEWAY_LINK_LEAST && (double)bytes >= most)
        return TICK_NEVER; /* it is not as fast as it was, or does not read */
    if (h->asked % GATEWAY_LINK_PROBE == 0 && !h->waits)
        return 0;
    free_at = tick_later(since, h->read_at - gateway_link_way(h)) + time_of((double)bytes, h->rate);
    return h->waits ? free_at + tick_sooner(h->last_trip, GATEWAY_LINK_WAIT_MOST)
                    : free_at - server_time - GATEWAY_LINK_MARGIN;
}

void gateway_link_asked(struct gateway_link *h)
{
    h->asked++;
}
