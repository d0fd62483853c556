#include "prerequest/know/delivery.h"

#include <math.h>

/* Bytes: a shorter update is one or two packets, and when these come is chance. */
#define LEAST_BYTES 2000
/* How much the newest update counts, 0..1: the mean is of the last ten or so. Chosen. */
#define GAIN 0.2
/* How much is left of `best` after a piece that was slower. Half is gone after 13 pieces, which are
 * 160 kB. Chosen. */
#define FADES 0.95

void delivery_update(struct delivery *d, uint64_t bytes, double ns, bool alone)
{
    double counted = (double)(alone ? bytes - DELIVERY_PACKET : bytes);

    if (bytes >= LEAST_BYTES && ns > 0)
        d->rate += (d->rate > 0 ? GAIN : 1) * (counted / ns * (double)TICK_S - d->rate);
}

void delivery_piece(struct delivery *d, double rate)
{
    d->best = fmax(FADES * d->best, rate);
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
