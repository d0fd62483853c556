#include "prerequest/push/datagrams.h"

#include "prerequest/push/picture/film_cut.h"

void push_doubts_init(struct push_doubts *d)
{
    d->first = d->count = 0;
}

bool push_doubts_add(struct push_doubts *d, uint32_t sequence, tick_t until)
{
    unsigned at = (d->first + d->count) % PUSH_DOUBTS;

    if (d->count == PUSH_DOUBTS)
        return false;
    d->block[at].sequence = sequence;
    d->block[at].until = until;
    d->count++;
    return true;
}

tick_t push_doubts_due(const struct push_doubts *d)
{
    return d->count > 0 ? d->block[d->first].until : TICK_NEVER;
}

bool push_doubts_next(struct push_doubts *d, uint32_t *sequence, tick_t now)
{
    if (push_doubts_due(d) > now)
        return false;
    *sequence = d->block[d->first].sequence;
    d->first = (d->first + 1) % PUSH_DOUBTS;
    d->count--;
    return true;
}

void push_datagrams_init(struct push_datagrams *d)
{
    d->on = false;
    push_insurance_begin(&d->insurance);
    d->pass = TICK_NEVER;
    arrivals_init(&d->arrivals);
    push_doubts_init(&d->doubts);
    if (d->octopus.on)
        arrivals_go_by_time(&d->arrivals, OCTOPUS_CLOCK);
}

/* Parts of a film's frame: by now it would be known that the viewer has made them. */
static void datagrams_plan_doubts(struct push_datagrams *d, struct push_plan *p, tick_t now)
{
    uint32_t sequence;

    while (push_doubts_next(&d->doubts, &sequence, now))
        if (!arrivals_came(&d->arrivals, sequence))
            push_plan_frame_lost(p, sequence);
}

/* Nothing of it has to go again if the viewer has the same of an earlier block. */
static void datagrams_plan_lost(struct push_datagrams *d, struct push_plan *p, tick_t until,
                                tick_t now)
{
    struct arrivals_block b;

    while (arrivals_lost(&d->arrivals, &b, until)) {
        if (arrivals_came(&d->arrivals, b.sequence))
            b.w = b.h = 0;
        else if (push_plan_is_of_frame(p, b.sequence) &&
                 push_doubts_add(&d->doubts, b.sequence, now + p->content.gap))
            b.w = b.h = 0;
        push_plan_lost(p, b.sequence, b.x, b.y, b.w, b.h, now);
    }
    datagrams_plan_doubts(d, p, until);
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
    if (on)
        push_plan_film_anew(p, 0, 0, p->cells.width, p->cells.height);
    else
        push_flow_begin_anew(&p->flow, now);
}

bool push_datagrams_next(struct push_datagrams *d, struct push_plan *p, uint32_t *sequence,
                         struct push_strip *out, tick_t now)
{
    return d->on && d->octopus.on ? push_octopus_next(&d->octopus, p, sequence, out, now)
                                  : push_plan_next(p, out, now);
}

bool push_datagrams_left(struct push_datagrams *d, struct push_plan *p, const struct push_strip *s,
                         int w, int h, uint32_t sequence, size_t bytes, bool exact, tick_t now)
{
    return d->on && d->octopus.on ? push_octopus_sent(&d->octopus, p, sequence, bytes, exact, now)
                                  : push_plan_sent(p, s, w, h, sequence, bytes, exact, now);
}

int push_datagrams_sent(struct push_datagrams *d, const struct push_plan *p,
                        const struct arrivals_block *b, size_t bytes, tick_t now)
{
    unsigned kept;

    arrivals_sent(&d->arrivals, b, now);
    if (d->octopus.on)
        return -1;
    if (p->pass.begun != d->pass) {
        d->pass = p->pass.begun;
        if (push_plan_is_of_frame(p, b->sequence))
            push_insurance_begin_film(&d->insurance, push_film_fails(p->film.qp));
        else
            push_insurance_begin(&d->insurance);
    }
    kept = push_insurance_sent(&d->insurance, b->sequence, bytes);
    d->block[kept] = *b;
    return (int)kept;
}

bool push_datagrams_ready(struct push_datagrams *d, struct push_plan *p, tick_t now)
{
    datagrams_plan_lost(d, p, now, now);
    push_plan_expect_copies(p,
                            push_insurance_takes(&d->insurance, push_loss_insured(&p->flow.loss)));
    return d->on && !arrivals_full(&d->arrivals);
}

/* False: the block is not worth it any more. */
static bool datagrams_copy(struct push_datagrams *d, struct push_plan *p, uint32_t sequence,
                           unsigned kept, tick_t now)
{
    struct arrivals_block *b = d->block + kept;
    uint32_t before = b->sequence;

    if (!push_plan_again(p, b->x, b->y, b->w, b->h, before, sequence,
                         d->insurance.block[kept].bytes, now))
        return false;
    b->sequence = sequence;
    arrivals_sent_again(&d->arrivals, b, before, now);
    return true;
}

static void datagrams_parity(struct push_datagrams *d, struct push_plan *p, uint32_t sequence,
                             const struct push_group *g, size_t head, tick_t now)
{
    const struct arrivals_block nothing = {.sequence = sequence};
    size_t longest = 0;

    for (unsigned i = g->first; i < g->first + g->count; i++)
        if (longest < d->insurance.block[i].bytes)
            longest = d->insurance.block[i].bytes;
    push_plan_sent_more(p, sequence, longest + head, now);
    arrivals_sent(&d->arrivals, &nothing, now);
}

bool push_datagrams_more(struct push_datagrams *d, struct push_plan *p, uint32_t sequence,
                         size_t head, struct push_more *out, tick_t now)
{
    int kept;

    if (!push_insurance_waits(&d->insurance))
        push_plan_frame_insured(p);
    if (!d->on || push_plan_spare_at(p, now) > now)
        return false;
    push_insurance_close(&d->insurance, push_loss_insured(&p->flow.loss));
    while ((kept = push_insurance_copy(&d->insurance)) >= 0)
        if (datagrams_copy(d, p, sequence, (unsigned)kept, now)) {
            *out = (struct push_more){.kept = (unsigned)kept};
            return true;
        }
    out->parity = push_insurance_parity(&d->insurance, &out->group);
    if (out->parity)
        datagrams_parity(d, p, sequence, &out->group, head, now);
    else
        push_plan_frame_insured(p);
    return out->parity;
}

void push_datagrams_told(struct push_datagrams *d, struct push_plan *p, uint32_t newest,
                         const uint8_t before[ARRIVALS_BEFORE], const uint8_t made[ARRIVALS_BEFORE],
                         tick_t at, tick_t now)
{
    arrivals_told(&d->arrivals, newest, before, at, now);
    arrivals_made(&d->arrivals, newest, made);
    if (d->octopus.on)
        push_octopus_arrived(&d->octopus, newest, at);
    push_plan_acknowledged(p, newest, at, now);
    datagrams_plan_lost(d, p, now, now);
}

bool push_datagrams_are_silent(const struct push_datagrams *d, const struct push_plan *p,
                               tick_t now)
{
    tick_t most = PUSH_DATAGRAMS_SILENT_TRIPS * push_flow_round_trip(&p->flow);

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
    else if (room && push_insurance_waits(&d->insurance))
        at = push_plan_spare_at(p, now);
    at = tick_sooner(push_doubts_due(&d->doubts), at);
    return tick_sooner(arrivals_due(&d->arrivals), at);
}
