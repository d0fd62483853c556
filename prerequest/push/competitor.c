#include "prerequest/push/competitor.h"

#include <math.h>

/* Bytes of a packet in CUBIC's window: what others send. */
#define PACKET 1448.0
/* ns: what a packet takes on the link, at most. Chosen: 0.5 Mbit/s. A rate that is less is so for
 * others' sake. */
#define PACKET_MOST (24.0 * TICK_MS)
/* CUBIC's constants (RFC 9438, sections 4.1 and 4.6), but for REDUCED, which is 0.7 there. Chosen:
 * the looks cost as much. */
#define SCALE   0.4
#define REDUCED 0.8
/* Packets. */
#define WINDOW_LEAST 4
/* How much the newest round trip counts. As TCP's. */
#define RTT_GAIN (1.0 / 8)
/* The longest wait, and the rate that was known, fade by this share with each round trip that is
 * told. Chosen: they halve in 700. */
#define FADES (1.0 / 1000)
/* So many times longer it takes at most. Chosen: 1.5 s at 100 ms. */
#define DOUBTS_MOST 3
/* ns: the window that it had is remembered for so long. Chosen. */
#define REMEMBERED (10 * TICK_S)
/* A share of the longest wait: what is lost while less waits is the path's own. Chosen. */
#define STANDING 0.5
/* How much of the path the flow leaves full in a look, and in one that follows because the queue
 * was empty. Chosen: the smallest round trip may be that of a queue, and then a shorter one shows.
 */
#define LOOK_HOLDS       0.9
#define LOOK_AGAIN_HOLDS 0.5

void push_competitor_init(struct push_competitor *c, tick_t now)
{
    *c = (struct push_competitor){.empty_at = now, .doubts = 1, .ended = now - REMEMBERED};
}

bool push_competitor_was(const struct push_competitor *c, tick_t now)
{
    return now - c->ended < REMEMBERED;
}

static void competitor_begin_epoch(struct push_competitor *c, tick_t now)
{
    c->reno = c->window;
    c->since = now;
}

static void competitor_reduce(struct push_competitor *c, uint32_t newest, tick_t now)
{
    c->reached = c->window < c->reached ? c->window * (1 + REDUCED) / 2 : c->window;
    c->window = fmax(REDUCED * c->window, WINDOW_LEAST * PACKET);
    c->recovers = newest + 1;
    competitor_begin_epoch(c, now);
}

/* With half of the link, as far as that is known. If it was but for some seconds that nobody seemed
 * to compete, it goes on with the window of before. */
static void competitor_begin(struct push_competitor *c, double rate, uint32_t newest, tick_t now)
{
    double window = fmax(rate, c->known / 2) * c->rtt / 1e9;
    bool goes_on = push_competitor_was(c, now);

    c->on = true;
    c->window = fmax(fmax(window, goes_on ? c->window : 0), WINDOW_LEAST * PACKET);
    c->reached = fmax(c->window, goes_on ? c->reached : 0);
    c->recovers = newest + 1;
    c->look = now + PUSH_COMPETES_LOOK;
    c->alone = c->crowded = 0;
    competitor_begin_epoch(c, now);
}

/* Nobody competes. */
static void competitor_end(struct push_competitor *c, tick_t now)
{
    c->on = false;
    c->known = c->look_rate;
    c->empty_at = c->ended = now;
}

/* The first block of a look has been acknowledged. True: `on` has changed. */
static bool competitor_end_look(struct push_competitor *c, bool empty, uint32_t newest, tick_t now)
{
    c->looked = false;
    if (!c->on) {
        c->doubts = empty ? fmin(2 * c->doubts, DOUBTS_MOST) : 1;
        c->crowded = empty ? 0 : c->crowded + 1;
        if (empty)
            c->empty_at = now;
        else if (c->crowded == PUSH_COMPETES_CROWDED || push_competitor_was(c, now))
            competitor_begin(c, c->look_rate, newest, now);
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
    c->look_window = (c->alone > 0 ? LOOK_AGAIN_HOLDS : LOOK_HOLDS) * c->look_rate *
                     fmax(0, c->rtt - wait) / 1e9;
}

/* While nobody competes. Whether it is to be looked whether somebody does. */
static bool competitor_suspects(struct push_competitor *c, bool empty, double rate, tick_t now)
{
    if (empty) {
        c->empty_at = now;
        c->doubts = fmax(1, c->doubts * (1 - FADES));
        c->known = fmax(rate, (1 - FADES) * c->known);
    }
    return (double)(now - c->empty_at) >=
           c->doubts * fmax(PUSH_COMPETES_ROUNDS * c->rtt, (double)PUSH_COMPETES_LEAST);
}

bool push_competitor_told(struct push_competitor *c, double rtt, double wait, double own,
                          double rate, uint32_t sequence, uint32_t newest, tick_t now)
{
    double packet = PACKET / fmax(1, fmax(rate, c->known)) * 1e9;
    bool empty, suspects;

    c->wait = wait;
    c->most = fmax(wait, (1 - FADES) * c->most);
    c->rtt = c->rtt > 0 ? c->rtt + RTT_GAIN * (rtt - c->rtt) : rtt;
    empty = wait <= fmax(own + fmin(packet, PACKET_MOST), PUSH_COMPETES_EMPTY * c->most);
    if (c->looked && (int32_t)(sequence - c->look_block) >= 0)
        return competitor_end_look(c, empty, newest, now);
    if (c->on && rtt - wait < c->base - (double)PUSH_COMPETES_SHORTER)
        c->look = now;
    c->base = rtt - wait;
    suspects = c->on ? now >= c->look : competitor_suspects(c, empty, rate, now);
    if (suspects && !c->looks && !c->looked)
        competitor_begin_look(c, rate, wait);
    if (c->on && wait > (double)PUSH_COMPETES_WAIT && (int32_t)(sequence - c->recovers) >= 0)
        competitor_reduce(c, newest, now);
    return false;
}

void push_competitor_grow(struct push_competitor *c, double bytes, bool limited, tick_t now)
{
    double packets = bytes / PACKET, window = c->window / PACKET, reached = c->reached / PACKET;
    double t, target;

    if (!limited || c->looks || c->looked)
        return;
    t = tick_to_s(now - c->since) + c->rtt / 1e9 - cbrt(reached * (1 - REDUCED) / SCALE);
    target = fmin(fmax(SCALE * t * t * t + reached, window), 1.5 * window);
    c->reno +=
        (c->reno < c->reached ? 3 * (1 - REDUCED) / (1 + REDUCED) : 1) * packets / window * PACKET;
    c->window = fmax(c->reno, c->window + (target - window) / window * packets * PACKET);
}

void push_competitor_lost(struct push_competitor *c, uint32_t sequence, uint32_t newest, tick_t now)
{
    if (c->on && (int32_t)(sequence - c->recovers) >= 0 && c->wait > STANDING * c->most)
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
