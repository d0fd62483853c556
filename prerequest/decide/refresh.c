#include "prerequest/decide/refresh.h"

void refresh_init(struct refresh *r, bool wanted)
{
    *r = (struct refresh){.state = REFRESH_WATCHING, .wanted = wanted};
}

/* Goes to `state`; true when that ends ASKING. */
static bool refresh_go(struct refresh *r, enum refresh_state state)
{
    bool ends = refresh_asking(r) && state != REFRESH_ASKING;

    r->state = state;
    return ends;
}

bool refresh_news(struct refresh *r)
{
    return refresh_go(r, REFRESH_WATCHING);
}

/* How long it takes to send so many pixels without loss, ns. While the rate is not known: 1, which
 * says that there are some. */
static tick_t lossless_time(uint64_t pixels, double rate)
{
    double bytes = (double)pixels * REFRESH_BYTES_PER_PIXEL;

    return rate > 0 ? (tick_t)(bytes / rate * (double)TICK_S) : pixels > 0;
}

bool refresh_loss(struct refresh *r, const struct scheduler_loss *loss, double rate, tick_t now)
{
    r->takes = lossless_time(loss->pixels, rate);
    r->seen = now;
    if (!refresh_asking(r))
        return false;
    if (loss->again)
        return refresh_go(r, REFRESH_IN_VAIN);
    if (r->takes == 0 && !loss->asked)
        return refresh_go(r, REFRESH_WATCHING);
    return false;
}

void refresh_sent(struct refresh *r, uint64_t pixels, tick_t now)
{
    r->not_before = now + REFRESH_SLICE;
    if (pixels == 0)
        return;
    r->seen = now;
    refresh_go(r, REFRESH_ASKING);
}

tick_t refresh_deadline(const struct refresh *r)
{
    return refresh_asking(r) ? r->seen + REFRESH_LIMIT : TICK_NEVER;
}

bool refresh_time(struct refresh *r, tick_t now)
{
    return refresh_asking(r) && now >= refresh_deadline(r) && refresh_go(r, REFRESH_IN_VAIN);
}

tick_t refresh_due(const struct refresh *r, tick_t moved_at, bool receiving)
{
    tick_t still = REFRESH_STILL;

    if (!r->wanted || r->takes == 0 || r->state == REFRESH_IN_VAIN)
        return TICK_NEVER;
    if (refresh_asking(r))
        return tick_later(moved_at + still, r->not_before);
    if (receiving)
        return TICK_NEVER;
    still = tick_later(still, tick_sooner(r->takes, REFRESH_STILL_MOST));
    return tick_later(moved_at + still, r->not_before);
}

uint64_t refresh_pixels(double rate)
{
    double bytes = rate * tick_to_s(REFRESH_SLICE);

    return rate > 0 ? (uint64_t)(bytes / REFRESH_BYTES_PER_PIXEL) : REFRESH_SLICE_PIXELS;
}
