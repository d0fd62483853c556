#include "tools/accelerator/drain.h"

/* The newest measurement's share. */
#define SMOOTH 0.25

void drain_tell(struct drain *d, uint64_t left, bool waits, tick_t now)
{
    tick_t took = now - d->since;

    if (d->waits && took >= DRAIN_LEAST) {
        double rate = (double)(left - d->left) / tick_to_s(took);

        d->rate = d->rate > 0 ? d->rate + (rate - d->rate) * SMOOTH : rate;
        d->waits = false;
    }
    if (waits && !d->waits) {
        d->since = now;
        d->left = left;
    }
    d->waits = waits;
}
