#include "tools/accelerator/exchange/delivery.h"

void delivery_init(struct delivery *d, bool whole, size_t most)
{
    *d = (struct delivery){.whole = whole, .most = most};
}

void delivery_deinit(struct delivery *d)
{
    backlog_deinit(&d->held);
}

bool delivery_add(struct delivery *d, const void *bytes, size_t size, tick_t now)
{
    if (d->held.size == 0)
        d->held_since = now;
    d->come += size;
    return backlog_append(&d->held, bytes, size);
}

void delivery_message_ends(struct delivery *d, uint64_t end)
{
    d->ended = end;
    d->too_large = false;
}

void delivery_end(struct delivery *d)
{
    d->whole = false;
}

size_t delivery_ready(struct delivery *d)
{
    if (!d->whole)
        return d->held.size;
    /* Whole messages in front of it leave first, and make room. */
    if (d->ended <= d->left && d->held.size >= d->most)
        d->too_large = true;
    if (d->too_large)
        return d->held.size;
    return d->ended > d->left ? (size_t)(d->ended - d->left) : 0;
}

static void delivery_measure(struct delivery *d, bool more, tick_t now)
{
    tick_t took = now - d->measured_since;

    if (d->measuring && took >= DELIVERY_LEAST) {
        double rate = (double)(d->left - d->measured_from) / tick_to_s(took);

        d->rate = d->rate > 0 ? d->rate + (rate - d->rate) * DELIVERY_SMOOTH : rate;
        d->measuring = false;
    }
    if (more && !d->measuring) {
        d->measured_since = now;
        d->measured_from = d->left;
    }
    d->measuring = more;
}

void delivery_left(struct delivery *d, size_t size, tick_t now)
{
    backlog_take(&d->held, size);
    d->left += size;
    d->held_since = now;
    delivery_measure(d, delivery_ready(d) > 0, now);
}
