#include "prerequest/know/delivery.h"

#include <math.h>

void delivery_update(struct delivery *d, uint64_t bytes, double ns, bool alone)
{
    double counted = (double)(alone ? bytes - DELIVERY_PACKET : bytes);

    if (bytes >= DELIVERY_LEAST_BYTES && ns > 0)
        d->rate += (d->rate > 0 ? DELIVERY_GAIN : 1) * (counted / ns * (double)TICK_S - d->rate);
}

void delivery_piece(struct delivery *d, double rate)
{
    d->best = fmax(DELIVERY_FADES * d->best, rate);
}

void delivery_change(struct delivery *d, double rate)
{
    d->rate = rate;
}

double delivery_best(const struct delivery *d)
{
    return fmax(d->best, d->rate);
}

double delivery_packet_time(const struct delivery *d)
{
    return d->rate > 0 ? DELIVERY_PACKET / d->rate * (double)TICK_S : 0;
}

double slowdown_arrived(struct slowdown *s, uint64_t bytes, double usual_rate, tick_t now)
{
    double took = (double)(now - s->at), rate;

    if (s->from == 0 || bytes < s->from) {
        s->from = bytes;
        s->at = now;
    }
    if (bytes - s->from < SLOWDOWN_PIECE || took <= 0)
        return 0;
    rate = (double)(bytes - s->from) / took * (double)TICK_S;
    s->slow = rate * SLOWDOWN_TIMES < usual_rate ? s->slow + 1 : 0;
    s->from = bytes;
    s->at = now;
    return rate;
}

bool slowdown_shows(const struct slowdown *s)
{
    return s->slow >= SLOWDOWN_PIECES;
}

void slowdown_reset(struct slowdown *s)
{
    s->slow = 0;
}

void slowdown_gap(struct slowdown *s)
{
    s->from = 0;
}
