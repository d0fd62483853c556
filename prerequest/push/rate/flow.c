#include "prerequest/push/rate/flow.h"

#include <math.h>
#include <stddef.h>

static void flow_begin_measure(struct push_flow *f)
{
    f->measure = (struct push_measure){.waited = (double)PUSH_LOOK};
    f->blocked = false;
}

void push_flow_init(struct push_flow *f, double most, tick_t now)
{
    *f = (struct push_flow){.most = most,
                            .round.first = true,
                            .rested = true,
                            .low_at = now,
                            .stalled_at = now - PUSH_FLOW_STALLS,
                            .empties = now};
    push_pace_init(&f->pace, now);
    push_seek_init(&f->seek);
    round_trip_init(&f->round_trip);
    push_competitor_init(&f->competitor, true, now);
    flow_begin_measure(f);
}

void push_flow_keep_window(struct push_flow *f)
{
    f->keeps = true;
}

void push_flow_may_lose(struct push_flow *f, bool on)
{
    if (on && !f->loses)
        push_loss_init(&f->loss);
    f->follows = f->follows && on == f->loses;
    f->loses = on;
    f->competitor.stream = !on;
}

void push_flow_begin_anew(struct push_flow *f, tick_t now)
{
    struct push_flow before = *f;

    push_flow_init(f, before.most, now);
    f->keeps = before.keeps;
    f->newest = f->oldest = f->round.upto = f->settles = before.newest;
}

void push_flow_film(struct push_flow *f, bool on)
{
    f->film = on;
}

void push_flow_limit(struct push_flow *f, double most)
{
    f->most = most;
}

tick_t push_flow_round_trip(const struct push_flow *f)
{
    return round_trip_known(&f->round_trip) ? f->round_trip.smallest : 0;
}

uint64_t push_flow_on_way(const struct push_flow *f)
{
    return f->sent - f->arrived;
}

/* ns that a byte is on its way, as is known here, where nothing waits. */
static double flow_empty_holds(const struct push_flow *f)
{
    return (double)push_flow_round_trip(f) + fmax(f->late, f->round.late);
}

/* ns that a byte may be on its way when the path is full. */
static double flow_holds(const struct push_flow *f)
{
    return flow_empty_holds(f) + (double)PUSH_QUEUE + PUSH_FLOW_JITTERS * f->jitter;
}

/* While a larger rate is judged, the one before counts. */
static double flow_judged(const struct push_flow *f)
{
    return f->loses && f->loss.checks ? f->loss.before : f->rate;
}

/* A little above what runs of blocks were delivered at. A film needs more while the rate is sought:
 * it leaves no faster than it is told, and its small frames are no runs. */
static double flow_delivered(const struct push_flow *f)
{
    double more =
        f->film && f->state == PUSH_STARTS ? PUSH_SEEK_FILM_MORE : PUSH_FLOW_DELIVERS_MORE;

    return more * fmax(f->delivers, f->seek.best);
}

/* What the user allows of it. */
static double flow_allowed(const struct push_flow *f, double rate)
{
    return f->most > 0 ? fmin(f->most, rate) : rate;
}

double push_flow_rate(const struct push_flow *f)
{
    double rate = flow_judged(f);

    if (f->state == PUSH_WAKES)
        rate = fmin(rate, push_seek_window_rate(&f->seek, flow_holds(f)));
    if (f->state == PUSH_GOES || (f->state == PUSH_STARTS && f->delivers > 0))
        rate = fmin(rate, flow_delivered(f));
    if (f->state == PUSH_STARTS)
        rate = push_seek_borne_out(&f->seek, rate);
    return flow_allowed(f, rate);
}

double push_flow_known_rate(const struct push_flow *f)
{
    if (f->state == PUSH_STARTS)
        return 0;
    return flow_allowed(f, fmin(flow_judged(f), flow_delivered(f)));
}

/* What the path holds when it is full. */
static double flow_full_window(const struct push_flow *f)
{
    return f->rate * flow_holds(f) / 1e9 + 2 * PUSH_PACKET;
}

double push_flow_window(const struct push_flow *f, tick_t now)
{
    double window = flow_full_window(f);

    if (f->state == PUSH_STARTS || (f->state == PUSH_WAKES && f->seek.window < window))
        return f->seek.window;
    if (now < f->empties)
        window = PUSH_FLOW_EMPTIED * f->rate * (double)push_flow_round_trip(f) / 1e9;
    window = push_competitor_window(&f->competitor, window);
    return fmax(window, 2 * PUSH_PACKET);
}

/* ---- leaving ---- */

tick_t push_flow_due(const struct push_flow *f, enum push_haste haste, tick_t now)
{
    double window = push_flow_window(f, now), flight = (double)push_flow_on_way(f);
    tick_t due = push_pace_allowed(&f->pace, f->most, now);

    if (haste == PUSH_AT_ONCE)
        window += 2 * PUSH_PACKET;
    if (haste == PUSH_SPARE && f->state == PUSH_GOES)
        window = fmin(window, f->rate * flow_empty_holds(f) / 1e9 + PUSH_PACKET);
    /* A block is smaller than a packet. So the window is passed by less than one. */
    if (flight > 0 && flight + PUSH_PACKET > window)
        return now < f->empties ? tick_later(due, f->empties) : TICK_NEVER;
    return haste == PUSH_AT_ONCE ? due : tick_later(due, f->pace.held);
}

void push_flow_blocked(struct push_flow *f, tick_t now)
{
    f->blocked = f->held = true;
    if ((double)push_flow_on_way(f) + PUSH_PACKET > push_flow_window(f, now))
        f->round.limited = f->measure.limited = true;
}

void push_flow_idle(struct push_flow *f)
{
    f->rested = true;
}

void push_flow_busy(struct push_flow *f)
{
    f->rested = false;
}

/* Bytes per second; 0: not known. */
static double flow_pace(const struct push_flow *f)
{
    double holds = flow_holds(f);

    if (f->state == PUSH_GOES)
        return PUSH_PACE * f->rate;
    if (f->state == PUSH_WAKES)
        return fmin(PUSH_PACE * f->rate, PUSH_SEEK_PACE * push_seek_window_rate(&f->seek, holds));
    return f->rate > 0 ? push_seek_pace(&f->seek, holds) : 0;
}

void push_flow_sent(struct push_flow *f, uint32_t sequence, uint64_t bytes, tick_t now)
{
    if (push_flow_on_way(f) == 0 && !f->held)
        f->rested = true;
    f->held = false;
    /* so that half of the marks are enough for a round trip */
    push_marks_add(&f->marks, sequence, f->sent, bytes, f->rested,
                   push_flow_round_trip(f) / (PUSH_MARKS / 2), now);
    f->rested = false;
    f->sent += bytes;
    f->newest = sequence;
    push_competitor_sent(&f->competitor, sequence);
    if (f->loses && !f->competitor.on)
        push_loss_sent(&f->loss, sequence, bytes, f->rate, f->state != PUSH_GOES,
                       push_flow_round_trip(f), now);
    if (now < f->empties + push_flow_round_trip(f))
        f->settles = sequence + 1; /* that the emptied path is empty says nothing */
    push_pace_sent(&f->pace, bytes, flow_pace(f), f->most, now);
}

/* ---- measuring ---- */

static void flow_round_trip(struct push_flow *f, tick_t rtt, bool rested, tick_t now)
{
    if (round_trip_known(&f->round_trip) && !rested) {
        double differs = fabs((double)(rtt - f->round_trip.newest));

        f->jitter +=
            PUSH_FLOW_JITTER_GAIN * (fmin(differs, (double)PUSH_FLOW_JITTER_MOST) - f->jitter);
    }
    round_trip_told(&f->round_trip, rtt, now);
    if (rtt <= f->round_trip.smallest + PUSH_QUEUE / 5)
        f->low_at = now;
    if (f->state == PUSH_GOES && !f->competitor.on && now - f->low_at > PUSH_LOOK) {
        f->low_at = now;
        f->empties = now + rtt + PUSH_QUEUE;
    }
}

/* ns: a longer wait in the network is a queue. */
static double flow_queue(const struct push_flow *f)
{
    return PUSH_FLOW_QUEUE_SHARE * (double)PUSH_QUEUE + PUSH_FLOW_JITTERS / 2 * f->jitter +
           PUSH_FLOW_UNREST_QUEUE * (double)push_flow_round_trip(f);
}

/* Lets the rate grow by this share, or by less, as losses allow. What was delivered is known with
 * what was lost, so each growth has to be judged by its losses; but not up to what the path carried
 * before somebody competed. False: it may not grow now. */
static bool flow_grow(struct push_flow *f, double growth)
{
    bool known = push_competitor_was(&f->competitor, f->arrived_at) &&
                 f->rate < PUSH_FLOW_KNOWN_GOOD * f->competitor.known;

    if (f->loses && !known) {
        growth = push_loss_growth(&f->loss, growth);
        if (growth <= 0)
            return false;
        push_loss_grown(&f->loss, f->rate);
    }
    f->rate *= 1 + growth;
    return true;
}

/* The path is full, and delivers this rate. Where hardly anything waits, less was delivered because
 * less was sent. */
static void flow_full(struct push_flow *f, double rate, double waited, tick_t at)
{
    double before = f->rate;

    if (rate > f->rate)
        flow_grow(f, (rate / f->rate - 1) / 2);
    else if (waited > 2 * flow_queue(f))
        f->rate += (rate - f->rate) / 2;
    if (!f->loses && f->rate < before &&
        push_fall_lowered(&f->fall, before, f->rate, waited, f->newest))
        f->settles = f->newest + 1;
    f->grow = 0;
    f->full_at = at;
}

/* Of a rate that has not grown just before: a share of it. */
static double flow_first_growth(const struct push_flow *f)
{
    double round_trip = fmax(1, (double)push_flow_round_trip(f));

    if (f->loses)
        return fmin(PUSH_GROW,
                    fmax(PUSH_LOSS_GROW, (double)PUSH_FLOW_GROW_QUEUE_LOSES / round_trip));
    return fmin(PUSH_GROW, (double)PUSH_GROW_QUEUE / round_trip);
}

/* The path is not full, and the rate is borne out: it may be more. */
static void flow_clear(struct push_flow *f)
{
    if (!f->blocked || (int32_t)(f->oldest - f->settles) < 0)
        return;
    if (f->grow <= 0)
        f->grow = flow_first_growth(f);
    if (!flow_grow(f, f->grow))
        return;
    push_fall_end(&f->fall);
    f->grow = fmin(2 * f->grow, PUSH_FLOW_GROW_MOST);
    f->settles = f->newest + 1;
}

/* A stall of TCP below is left out, but not all of them: a path may be like that. */
static bool flow_stall(struct push_flow *f, uint64_t bytes, tick_t now)
{
    tick_t least = tick_later(PUSH_FLOW_STALL, push_flow_round_trip(f) / 4);

    if (f->loses || now - f->arrived_at < least || bytes < PUSH_FLOW_PACKETS_LEAST * PUSH_PACKET ||
        now - f->stalled_at < PUSH_FLOW_STALLS)
        return false;
    f->stalled_at = now;
    return true;
}

/* Blocks came apart on their way: the last one of a run waited longer than its first one, in the
 * mean of the runs. Jitter goes both ways, so of many runs less of it is left. */
static bool flow_came_apart(const struct push_flow *f)
{
    const struct push_measure *m = &f->measure;
    double runs = fmax(1, m->runs), waits = (m->took - m->left) / runs;

    return m->took > PUSH_APART * m->left &&
           waits > (double)PUSH_QUEUE / 2 + PUSH_FLOW_JITTERS / 2 * f->jitter / sqrt(runs);
}

/* What the path delivers as far as is known: where blocks do not come apart it may be more. */
static void flow_delivers(struct push_flow *f, double rate)
{
    if (f->measure.took <= PUSH_APART * f->measure.left)
        rate = fmax(rate, f->rate);
    f->delivers += PUSH_FLOW_DELIVERS_GAIN * (rate - f->delivers);
}

/* Whether somebody else fills the queue of a stream, and competes from now on. */
static bool flow_meets_others(struct push_flow *f, double waited, tick_t now)
{
    double rate = push_fall_in_vain(&f->fall, waited, f->oldest);

    if (rate <= 0 || waited <= 2 * flow_queue(f))
        return false;
    push_competitor_begin(&f->competitor, rate, f->newest, now);
    return true;
}

/* So many bytes arrived between two acknowledgements of a run. */
static void flow_measured(struct push_flow *f, uint64_t bytes, tick_t left, tick_t rtt, tick_t at)
{
    struct push_measure *m = &f->measure;
    double least = fmax((double)PUSH_MEASURE, (double)push_flow_round_trip(f) / 8), rate;
    double waited = (double)(rtt - push_flow_round_trip(f));

    if (flow_stall(f, bytes, at))
        return;
    m->bytes += (double)bytes;
    m->took += (double)(at - f->arrived_at);
    m->left += (double)(left - f->left_at);
    m->waited = fmin(m->waited, waited);
    if (m->took < least || m->bytes < PUSH_FLOW_PACKETS_LEAST * PUSH_PACKET)
        return;
    rate = m->bytes / m->took * 1e9;
    flow_delivers(f, rate);
    if (f->state == PUSH_STARTS)
        push_seek_measured(&f->seek, !f->round.first && flow_came_apart(f), rate);
    else if (f->competitor.on)
        ; /* the rate is that of its window */
    else if (flow_meets_others(f, m->waited, at))
        ; /* the same from now on */
    else if (m->waited > flow_queue(f) || flow_came_apart(f))
        flow_full(f, rate, m->waited, at);
    else if (m->waited < flow_queue(f) / 2 && (m->limited || rate >= PUSH_FLOW_BORNE_OUT * f->rate))
        flow_clear(f);
    flow_begin_measure(f);
}

/* ---- the beginning ---- */

/* ns: what waits longer stops the window. TCP below is in its slow start, too, so it is more. */
static double flow_seek_queue(const struct push_flow *f)
{
    return 2 * flow_queue(f);
}

static void flow_goes(struct push_flow *f, double rate)
{
    f->rate = f->delivers = rate;
    f->grow = PUSH_GROW;
    f->state = PUSH_GOES;
    f->settles = f->newest + 1;
}

/* While the rate is sought a round trip has ended and delivered this rate. */
static void flow_seek_round(struct push_flow *f, double rate)
{
    bool waits = !f->round.first && f->round.waited > flow_seek_queue(f);

    if (push_seek_round(&f->seek, rate, waits, f->round.limited, flow_holds(f)))
        flow_goes(f, push_seek_found(&f->seek));
}

/* A film of a packet or two a frame shows no rate. While it uses the rate that it is told, and the
 * queue is empty now and then, it is told a little more. `took`: ns since the last try. */
static void flow_try_more(struct push_flow *f, double took)
{
    if (f->loses || f->competitor.on || f->state != PUSH_GOES || f->round.limited ||
        f->round.begun - f->full_at < PUSH_FLOW_TRY_AFTER || f->round.waited > flow_queue(f) / 2 ||
        f->round.newest < PUSH_FLOW_TRY_USED * f->rate)
        return;
    f->rate *= 1 + PUSH_FLOW_TRY * took / 1e9;
    f->delivers = fmax(f->delivers, f->rate);
    push_fall_end(&f->fall);
}

/* A round trip has ended: all that was on its way when it began has arrived. */
static void flow_end_round(struct push_flow *f, tick_t at)
{
    double took = fmax((double)(at - f->round.begun), (double)push_flow_round_trip(f));
    double rate = (double)(f->arrived - f->round.arrived) / took * 1e9;

    f->round.delivered = fmax(rate, f->round.newest);
    f->round.newest = rate;
    if (f->state == PUSH_STARTS)
        flow_seek_round(f, rate);
    flow_try_more(f, (double)(at - f->round.begun));
    f->round.first = f->round.arrived == 0;
    f->round.begun = at;
    f->round.arrived = f->arrived;
    f->round.upto = f->newest;
    f->round.waited = (double)PUSH_LOOK;
    f->round.limited = false;
    f->late = f->round.late;
    f->round.late = 0;
}

/* At first, and after a rest, the window doubles in a round trip while it is used and, at first,
 * nothing waits in the network. `flight`: bytes that were on their way. */
static void flow_seek(struct push_flow *f, double bytes, double flight, double waited)
{
    double holds = flow_holds(f), share = (double)push_flow_round_trip(f) / holds;
    double least = share * f->seek.window; /* of what is on its way */
    bool used = (f->blocked && flight >= PUSH_SEEK_USED * least) ||
                (f->film && flight >= PUSH_SEEK_FILM_USED * least);

    if (f->state == PUSH_STARTS) {
        if (used && (f->round.first || waited < flow_seek_queue(f)))
            push_seek_grow(&f->seek, bytes, push_seek_most(&f->seek, holds), holds);
        f->rate = push_seek_window_rate(&f->seek, holds);
    }
    if (f->state != PUSH_WAKES)
        return;
    if (used)
        push_seek_grow(&f->seek, bytes, PUSH_FLOW_RATE_MOST, holds);
    if (f->seek.window >= flow_full_window(f))
        flow_goes(f, f->rate);
}

bool push_flow_wake(struct push_flow *f, tick_t now)
{
    if (f->keeps || f->loses || f->state == PUSH_STARTS || push_flow_on_way(f) > 0 ||
        now - f->arrived_at < PUSH_RESTS)
        return false;
    f->state = PUSH_WAKES;
    push_seek_wake(&f->seek);
    f->blocked = false;
    return true;
}

/* Somebody may fill the queue (push/rate/competitor.h). `flight`: bytes that were on their way. A
 * film leaves less than the rate, so half of the window is enough to use it. */
static void flow_compete(struct push_flow *f, uint64_t bytes, double flight, tick_t rtt, tick_t now)
{
    struct push_competitor *c = &f->competitor;
    bool used = f->round.limited || (f->blocked && 2 * flight >= c->window);

    if (f->state != PUSH_GOES)
        return;
    if (c->on)
        push_competitor_grow(c, (double)bytes, used, now);
    if (push_competitor_told(c, (double)rtt, (double)push_flow_round_trip(f), flow_queue(f),
                             fmin(f->rate, f->round.delivered), f->oldest, f->newest, now)) {
        f->rate = c->known;
        f->low_at = now;
        f->settles = f->newest + 1;
        push_loss_restart(&f->loss);
    }
    if (c->on)
        f->rate = push_competitor_rate(c);
}

/* How late we heard. The viewer tells it, so no more than a round trip is believed. */
static double flow_late(const struct push_flow *f, tick_t late)
{
    return (double)tick_sooner(late, push_flow_round_trip(f));
}

/* More is lost than would be at a lower rate; or it was not the rate. */
static void flow_judge_loss(struct push_flow *f, tick_t now)
{
    double rate;

    if (!f->loses || f->competitor.on ||
        !push_loss_judge(&f->loss, f->oldest, push_flow_round_trip(f), &rate, now))
        return;
    if (f->state == PUSH_STARTS)
        flow_goes(f, rate);
    f->rate = rate;
    f->grow = 0;
    f->settles = f->newest + 1;
}

/* A viewer of datagrams says little: of a frame that leaves within some ms it acknowledges the end
 * only. Then the run is measured from its first block on, as if that had not waited; so not where
 * blocks waited just before. */
static bool flow_ran(struct push_flow *f, const struct push_mark *run, uint64_t upto)
{
    tick_t rtt = push_flow_round_trip(f);
    double waited = (double)(f->arrived_at - f->left_at - rtt);

    if (!f->loses || !run->rested || upto - run->before <= 2 * PUSH_PACKET ||
        waited > flow_queue(f) || run->begun + rtt < f->arrived_at)
        return false;
    f->arrived_at = run->begun + rtt;
    f->left_at = run->begun;
    return true;
}

/* The blocks of a packet arrive together. So a stream's run counts behind its first packet. */
static bool flow_is_first_packet(const struct push_flow *f, uint64_t upto)
{
    return !f->loses && upto < f->run_before + PUSH_SEGMENT;
}

/* The next measurement is from this acknowledgement on. */
static void flow_follow(struct push_flow *f, uint64_t upto, tick_t left, tick_t at)
{
    f->counted = flow_is_first_packet(f, upto) ? f->run_before + PUSH_SEGMENT : upto;
    f->arrived_at = at;
    f->left_at = left;
    f->follows = true;
}

void push_flow_acknowledged(struct push_flow *f, uint32_t sequence, tick_t at, tick_t now)
{
    tick_t left = at;
    double flight = (double)push_flow_on_way(f), waited;
    uint64_t upto, bytes;
    bool settled = (int32_t)(f->oldest - f->settles) >= 0;
    struct push_mark run;

    if ((int32_t)(sequence - f->oldest) <= 0 || (int32_t)(sequence - f->newest) > 0)
        return;
    upto = push_marks_take(&f->marks, f->oldest, sequence, f->arrived, &left, &run);
    bytes = upto - f->arrived;
    f->arrived = upto;
    flow_round_trip(f, at - left, run.rested, at);
    waited = (double)(at - left - push_flow_round_trip(f));
    f->round.waited = fmin(f->round.waited, waited);
    f->round.late = fmax(f->round.late, flow_late(f, now - at));
    if ((int32_t)(sequence - f->round.upto) >= 0)
        flow_end_round(f, at);
    flow_seek(f, (double)bytes, flight, waited);
    f->run_before = run.rested ? run.before : f->run_before;
    if (run.rested || !f->follows)
        f->measure.runs++;
    if (flow_ran(f, &run, upto))
        flow_measured(f, upto - run.before - PUSH_PACKET, left, at - left, at);
    else if (f->follows && !run.rested && f->state != PUSH_WAKES && !flow_is_first_packet(f, upto))
        flow_measured(f, upto - f->counted, left, at - left, at);
    f->oldest = sequence;
    /* what grew the rate is not in the next measurement */
    if (!settled && (int32_t)(f->oldest - f->settles) >= 0)
        flow_begin_measure(f);
    if (run.rested || !f->follows || !flow_is_first_packet(f, upto))
        flow_follow(f, upto, left, at);
    flow_compete(f, bytes, flight, at - left, now);
    flow_judge_loss(f, now);
}

void push_flow_lost(struct push_flow *f, uint32_t sequence, tick_t now)
{
    tick_t left;
    struct push_mark run;

    push_loss_lost(&f->loss, sequence);
    push_competitor_lost(&f->competitor, sequence, f->newest, now);
    if ((int32_t)(sequence - f->oldest) > 0 && (int32_t)(sequence - f->newest) <= 0) {
        f->arrived = push_marks_take(&f->marks, f->oldest, sequence, f->arrived, &left, &run);
        f->oldest = sequence;
        f->follows = false;
    }
    flow_judge_loss(f, now);
}
