#include "tools/accelerator/exchange/flight.h"

#include <string.h>

void flight_init(struct flight *f)
{
    memset(f, 0, sizeof *f);
}

static tick_t flight_spell(const struct flight *f)
{
    return tick_later(FLIGHT_SPELL_LEAST, FLIGHT_SPELL_TRIPS * f->round_trip);
}

static void flight_take(struct flight *f, double rate, tick_t now)
{
    if (now - f->spell_since > flight_spell(f)) {
        f->older = f->newer;
        f->newer = 0;
        f->spell_since = now;
    }
    f->newer = rate > f->newer ? rate : f->newer;
    f->rate = f->newer > f->older ? f->newer : f->older;
    f->trips++;
    if (f->found)
        return;
    if (f->rate > f->grown_from * FLIGHT_GROWTH) {
        f->grown_from = f->rate;
        f->same = 0;
    } else if (++f->same >= FLIGHT_FOUND_AFTER) {
        f->found = true;
    }
}

void flight_tell(struct flight *f, const struct flight_sample *s, tick_t now)
{
    bool full =
        s->waits || (f->found && (double)s->in_flight >= FLIGHT_NEARLY * (double)flight_limit(f));
    tick_t least;

    f->round_trip = s->round_trip;
    least = tick_later(FLIGHT_SAMPLE_LEAST, f->round_trip);
    if (s->delivered < f->delivered) /* what arrives out of order is estimated: it may fall */
        f->measuring = false;
    if (f->measuring && now - f->since >= least) {
        flight_take(f, (double)(s->delivered - f->delivered) / tick_to_s(now - f->since), now);
        f->measuring = false;
    }
    if (!full) {
        f->measuring = false; /* the sender has nothing to send: that says nothing of the path */
    } else if (!f->measuring) {
        f->measuring = true;
        f->since = now;
        f->delivered = s->delivered;
    }
}

size_t flight_limit(const struct flight *f)
{
    double gain = f->trips % FLIGHT_PROBE_EVERY == 0 ? FLIGHT_PROBE_GAIN : 1;
    double limit = f->rate * tick_to_s(f->round_trip + FLIGHT_MARGIN) * gain;

    if (!f->found || limit >= (double)SIZE_MAX)
        return SIZE_MAX;
    return limit < (double)FLIGHT_LEAST ? FLIGHT_LEAST : (size_t)limit;
}

tick_t flight_wait(const struct flight *f, size_t in_flight)
{
    size_t limit = flight_limit(f);
    double wait;

    if (in_flight <= limit || f->rate <= 0)
        return FLIGHT_WAIT_LEAST;
    wait = (double)(in_flight - limit) / f->rate * (double)TICK_S;
    if (wait > (double)FLIGHT_WAIT_MOST)
        return FLIGHT_WAIT_MOST;
    return wait < (double)FLIGHT_WAIT_LEAST ? FLIGHT_WAIT_LEAST : (tick_t)wait;
}
