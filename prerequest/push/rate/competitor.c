#include "prerequest/push/rate/competitor.h"

#include <math.h>

void push_competitor_init(struct push_competitor *c, bool stream, tick_t now)
{
    *c = (struct push_competitor){.stream = stream,
                                  .empty_at = now,
                                  .doubts = 1,
                                  .base = INFINITY,
                                  .ended = now - PUSH_COMPETES_REMEMBERED};
}

bool push_competitor_was(const struct push_competitor *c, tick_t now)
{
    return now - c->ended < PUSH_COMPETES_REMEMBERED;
}

static void competitor_begin_epoch(struct push_competitor *c, tick_t now)
{
    c->reno = c->window;
    c->since = now;
}

static void competitor_reduce(struct push_competitor *c, uint32_t newest, tick_t now)
{
    c->reached = c->window < c->reached ? c->window * (1 + PUSH_COMPETES_REDUCED) / 2 : c->window;
    c->window =
        fmax(PUSH_COMPETES_REDUCED * c->window, PUSH_COMPETES_WINDOW_LEAST * PUSH_COMPETES_PACKET);
    c->recovers = newest + 1;
    competitor_begin_epoch(c, now);
}

/* With half of the link, as far as that is known. If it was but for some seconds that nobody seemed
 * to compete, it goes on with the window of before. */
void push_competitor_begin(struct push_competitor *c, double rate, uint32_t newest, tick_t now)
{
    double window = fmax(rate, c->known / 2) * c->rtt / 1e9;
    bool goes_on = push_competitor_was(c, now);

    c->on = true;
    c->window = fmax(fmax(window, goes_on ? c->window : 0),
                     PUSH_COMPETES_WINDOW_LEAST * PUSH_COMPETES_PACKET);
    c->reached = fmax(c->window, goes_on ? c->reached : 0);
    c->recovers = newest + 1;
    c->look = now + PUSH_COMPETES_LOOK;
    c->alone = c->crowded = c->same = 0;
    competitor_begin_epoch(c, now);
}

/* Nobody competes. */
static void competitor_end(struct push_competitor *c, tick_t now)
{
    c->on = false;
    c->known = c->look_rate;
    c->empty_at = c->ended = now;
}

/* A look found a stream's queue not empty. If looks in a row found the same round trip, that is the
 * route's. `own`: ns by which it may differ. */
static void competitor_find_route(struct push_competitor *c, double rtt, double own)
{
    c->same_least = c->same > 0 ? fmin(c->same_least, rtt) : rtt;
    c->same_most = c->same > 0 ? fmax(c->same_most, rtt) : rtt;
    c->same = c->same_most - c->same_least <= own ? c->same + 1 : 0;
    if (c->same < PUSH_COMPETES_ROUTE_LOOKS)
        return;
    c->base = c->same_least;
    c->same = 0;
}

/* The first block of a look has been acknowledged. True: `on` has changed. */
static bool competitor_end_look(struct push_competitor *c, bool empty, uint32_t newest, tick_t now)
{
    c->looked = false;
    if (!c->on) {
        c->doubts = empty ? fmin(2 * c->doubts, PUSH_COMPETES_DOUBTS_MOST) : 1;
        c->crowded = empty ? 0 : c->crowded + 1;
        if (empty)
            c->empty_at = now;
        else if (c->crowded == PUSH_COMPETES_CROWDED || push_competitor_was(c, now))
            push_competitor_begin(c, c->look_rate, newest, now);
        return c->on;
    }
    c->alone = empty ? c->alone + 1 : 0;
    c->look = empty ? now + (tick_t)c->rtt : now + PUSH_COMPETES_LOOK;
    if (c->alone < PUSH_COMPETES_ALONE)
        return false;
    competitor_end(c, now);
    return true;
}

static void competitor_begin_look(struct push_competitor *c, double rate, double wait)
{
    c->looks = true;
    if (c->alone == 0) /* the looks before have left the path half empty */
        c->look_rate = rate;
    c->look_window = (c->alone > 0 ? PUSH_COMPETES_LOOK_AGAIN_HOLDS : PUSH_COMPETES_LOOK_HOLDS) *
                     c->look_rate * fmax(0, c->rtt - wait) / 1e9;
}

/* While nobody competes. Whether it is to be looked whether somebody does. */
static bool competitor_suspects(struct push_competitor *c, bool empty, double rate, tick_t now)
{
    if (empty) {
        c->empty_at = now;
        c->doubts = fmax(1, c->doubts * (1 - PUSH_COMPETES_FADES));
        c->known = fmax(rate, (1 - PUSH_COMPETES_FADES) * c->known);
    }
    return (double)(now - c->empty_at) >=
           c->doubts * fmax(PUSH_COMPETES_ROUNDS * c->rtt, (double)PUSH_COMPETES_LEAST);
}

/* Of a stream: whether the queue has not been nearly empty for long. A rest begins that anew. */
static bool competitor_stays(struct push_competitor *c, bool empty, tick_t now)
{
    bool rested = now - c->told_at > PUSH_COMPETES_STREAM_RESTS;

    c->told_at = now;
    if (empty || rested)
        c->empty_at = now;
    return now - c->empty_at >= PUSH_COMPETES_STREAM_LEAST;
}

/* The smallest round trip that counts. A stream's is forgotten slowly, and not while somebody
 * competes. */
static double competitor_base(const struct push_competitor *c, double smallest, tick_t now)
{
    double forgotten = c->on ? 0 : PUSH_COMPETES_FORGETS * (double)(now - c->told_at);

    return c->stream ? fmin(c->base + forgotten, smallest) : smallest;
}

bool push_competitor_told(struct push_competitor *c, double rtt, double smallest, double own,
                          double rate, uint32_t sequence, uint32_t newest, tick_t now)
{
    double packet = PUSH_COMPETES_PACKET / fmax(1, fmax(rate, c->known)) * 1e9;
    double base = competitor_base(c, smallest, now), wait = rtt - base;
    double nearly = own + fmin(packet, PUSH_COMPETES_PACKET_MOST) +
                    (c->stream ? (double)PUSH_COMPETES_STREAM : 0);
    bool empty, suspects;

    c->wait = wait;
    c->most = fmax(wait, (1 - PUSH_COMPETES_FADES) * c->most);
    c->rtt = c->rtt > 0 ? c->rtt + PUSH_COMPETES_RTT_GAIN * (rtt - c->rtt) : rtt;
    empty = wait <= fmax(nearly, PUSH_COMPETES_EMPTY * c->most);
    if (c->looked && (int32_t)(sequence - c->look_block) >= 0) {
        if (c->stream && c->on && !empty)
            competitor_find_route(c, rtt, PUSH_COMPETES_ROUTE_DIFFERS * own);
        return competitor_end_look(c, empty, newest, now);
    }
    if (c->on && base < c->base - (double)PUSH_COMPETES_SHORTER)
        c->look = now;
    c->base = base;
    if (c->stream && competitor_stays(c, empty, now) && !c->on) {
        push_competitor_begin(c, rate, newest, now);
        return true;
    }
    suspects = c->on ? now >= c->look : competitor_suspects(c, empty, rate, now) && !c->stream;
    if (suspects && !c->looks && !c->looked)
        competitor_begin_look(c, rate, wait);
    if (c->on && wait > (double)PUSH_COMPETES_WAIT && (int32_t)(sequence - c->recovers) >= 0)
        competitor_reduce(c, newest, now);
    return false;
}

void push_competitor_grow(struct push_competitor *c, double bytes, bool used, tick_t now)
{
    double packets = bytes / PUSH_COMPETES_PACKET, window = c->window / PUSH_COMPETES_PACKET,
           reached = c->reached / PUSH_COMPETES_PACKET;
    double t, target;

    if (!used || c->looks || c->looked)
        return;
    t = tick_to_s(now - c->since) + c->rtt / 1e9 -
        cbrt(reached * (1 - PUSH_COMPETES_REDUCED) / PUSH_COMPETES_SCALE);
    target = fmin(fmax(PUSH_COMPETES_SCALE * t * t * t + reached, window),
                  PUSH_COMPETES_TARGET_MOST * window);
    c->reno +=
        (c->reno < c->reached ? 3 * (1 - PUSH_COMPETES_REDUCED) / (1 + PUSH_COMPETES_REDUCED) : 1) *
        packets / window * PUSH_COMPETES_PACKET;
    c->window =
        fmax(c->reno, c->window + (target - window) / window * packets * PUSH_COMPETES_PACKET);
}

void push_competitor_lost(struct push_competitor *c, uint32_t sequence, uint32_t newest, tick_t now)
{
    if (c->on && (int32_t)(sequence - c->recovers) >= 0 &&
        c->wait > PUSH_COMPETES_STANDING * c->most)
        competitor_reduce(c, newest, now);
}

void push_competitor_sent(struct push_competitor *c, uint32_t sequence)
{
    if (!c->looks)
        return;
    c->looks = false;
    c->looked = true;
    c->look_block = sequence;
}

double push_competitor_window(const struct push_competitor *c, double window)
{
    window = c->on ? c->window : window;
    return c->looks ? fmin(c->look_window, window) : window;
}

double push_competitor_rate(const struct push_competitor *c)
{
    return c->looks || c->looked ? c->look_rate : c->window / c->rtt * 1e9;
}
