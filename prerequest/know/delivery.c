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
