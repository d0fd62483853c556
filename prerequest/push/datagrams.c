#include "prerequest/push/datagrams.h"

#include <math.h>

void push_datagrams_init(struct push_datagrams *d)
{
    d->on = false;
    d->repeats = d->next = 0;
    d->pass = TICK_NEVER;
    arrivals_init(&d->arrivals);
    if (d->octopus.on)
        arrivals_go_by_time(&d->arrivals, OCTOPUS_CLOCK);
}

/* Nothing of it has to go again if the viewer has the same of an earlier block. */
static void datagrams_plan_lost(struct push_datagrams *d, struct push_plan *p, tick_t until,
                                tick_t now)
{
    struct arrivals_block b;

    while (arrivals_lost(&d->arrivals, &b, until)) {
        if (arrivals_came(&d->arrivals, b.sequence))
            b.w = b.h = 0;
        push_plan_lost(p, b.sequence, b.x, b.y, b.w, b.h, now);
    }
}

void push_datagrams_switch(struct push_datagrams *d, struct push_plan *p, bool on, tick_t now)
{
    if (on == d->on)
        return;
    datagrams_plan_lost(d, p, TICK_NEVER - 1, now);
    push_datagrams_init(d);
    push_octopus_begin(&d->octopus, p, now);
    d->on = on;
    push_plan_may_lose(p, on);
    push_plan_expect_copies(p, 1);
    if (!on)
        push_flow_begin_anew(&p->flow, now);
}

bool push_datagrams_next(struct push_datagrams *d, struct push_plan *p, uint32_t *sequence,
                         struct push_strip *out, tick_t now)
{
    return d->on && d->octopus.on ? push_octopus_next(&d->octopus, p, sequence, out, now)
                                  : push_plan_next(p, out, now);
}

bool push_datagrams_left(struct push_datagrams *d, struct push_plan *p, const struct push_strip *s,
                         int w, uint32_t sequence, size_t bytes, bool exact, tick_t now)
{
    return d->on && d->octopus.on ? push_octopus_sent(&d->octopus, p, sequence, bytes, exact, now)
                                  : push_plan_sent(p, s, w, sequence, bytes, exact, now);
}

int push_datagrams_sent(struct push_datagrams *d, const struct push_plan *p,
                        const struct arrivals_block *b, tick_t now)
{
    arrivals_sent(&d->arrivals, b, now);
    if (d->octopus.on)
        return -1;
    if (p->pass.begun != d->pass) {
        d->pass = p->pass.begun;
        d->repeats = d->next = 0;
    }
    if (d->repeats == PUSH_REPEATS)
        return -1;
    d->repeat[d->repeats] = (struct push_repeat){.block = *b};
    return (int)d->repeats++;
}

/* How often each block of the update is to be repeated, in the mean. */
static double datagrams_times(const struct push_datagrams *d, const struct push_plan *p)
{
    double loss = fmax(0, push_loss_usual(&p->flow.loss) - PUSH_REPEATS_LEAST);
    double lost = d->repeats * loss, times = 0;

    for (; lost * loss > PUSH_REPEATS_LOST && times < PUSH_REPEATS_MOST; times++)
        lost *= loss;
    if (lost > PUSH_REPEATS_LOST)
        times += (1 - PUSH_REPEATS_LOST / lost) / (1 - loss);
    return fmin(times, PUSH_REPEATS_MOST);
}

bool push_datagrams_ready(struct push_datagrams *d, struct push_plan *p, tick_t now)
{
    datagrams_plan_lost(d, p, now, now);
    push_plan_expect_copies(p, 1 + datagrams_times(d, p));
    return d->on && !arrivals_full(&d->arrivals);
}

/* Each is repeated once before the first one is repeated twice, and the first ones once more than
 * the others. -1: none is left. */
static int datagrams_next(const struct push_datagrams *d, const struct push_plan *p)
{
    double times = datagrams_times(d, p);

    for (unsigned n = 0; n < d->repeats; n++) {
        unsigned i = (d->next + n) % d->repeats;

        if (d->repeat[i].times + (double)i / d->repeats < times)
            return (int)i;
    }
    return -1;
}

int push_datagrams_repeat(struct push_datagrams *d, struct push_plan *p, uint32_t sequence,
                          const size_t *sizes, size_t extra, tick_t now)
{
    int i;

    while (push_plan_spare_at(p, now) <= now && (i = datagrams_next(d, p)) >= 0) {
        struct push_repeat *r = d->repeat + i;
        struct arrivals_block *b = &r->block;
        uint32_t before = b->sequence;

        d->next = (unsigned)i + 1;
        r->times++;
        if (!push_plan_again(p, b->x, b->y, b->w, b->h, before, sequence, extra + sizes[i], now))
            continue;
        b->sequence = sequence;
        arrivals_sent_again(&d->arrivals, b, before, now);
        return i;
    }
    return -1;
}

void push_datagrams_told(struct push_datagrams *d, struct push_plan *p, uint32_t newest,
                         const uint8_t before[ARRIVALS_BEFORE], tick_t at, tick_t now)
{
    arrivals_told(&d->arrivals, newest, before, at, now);
    if (d->octopus.on)
        push_octopus_arrived(&d->octopus, newest, at);
    push_plan_acknowledged(p, newest, at, now);
    datagrams_plan_lost(d, p, now, now);
}

bool push_datagrams_are_silent(const struct push_datagrams *d, const struct push_plan *p,
                               tick_t now)
{
    tick_t most = 3 * push_flow_round_trip(&p->flow);

    return d->on && arrivals_silent(&d->arrivals, now) > tick_later(PUSH_DATAGRAMS_SILENT, most);
}

bool push_datagrams_hold(const struct push_datagrams *d)
{
    return d->on && (d->octopus.on || arrivals_full(&d->arrivals));
}

tick_t push_datagrams_look_again(struct push_datagrams *d, const struct push_plan *p, tick_t now)
{
    bool room = d->on && !arrivals_full(&d->arrivals);
    tick_t at = TICK_NEVER;

    if (room && d->octopus.on)
        at = push_octopus_look_again(&d->octopus, p, now);
    else if (room && datagrams_next(d, p) >= 0)
        at = push_plan_spare_at(p, now);
    return tick_sooner(arrivals_due(&d->arrivals), at);
}
