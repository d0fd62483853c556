/* `auto`: requests leave steadily, as often as content and path can use them. docs/scheduler.md
 * explains each rule. */
#include "prerequest/decide/constants.h"
#include "prerequest/decide/policy.h"

/* ---- what several rules ask ---- */

/* Whether the path is too slow for the content. Then what arrives does not show the content's own
 * pace. */
static bool path_is_limit(const struct scheduler *s)
{
    tick_t period = path_period(&s->path);

    return period > s->period.prp && (double)period > PERIOD_RULE * (double)s->path.content.gap;
}

/* The period without a refresh or a probe, ns. */
static tick_t usual_period(const struct scheduler *s)
{
    return tick_later(tick_later(path_period(&s->path), s->period.prp), s->least_period);
}

static tick_t policy_auto_period(const struct scheduler *s)
{
    if (refresh_asking(&s->refresh))
        return REFRESH_PRP;
    return tick_later(usual_period(s), path_probe_period(&s->path));
}

/* Whether each update brings a request. At a near server the answer comes well within the period,
 * and is the best moment to ask again, as plain VNC does. */
static bool updates_ask(const struct scheduler *s)
{
    return rule_on(RULE_NEAR) && s->near && s->least_period <= s->period.prp &&
           !refresh_asking(&s->refresh) && !server_kind_probing(&s->path.server) &&
           !path_is_limit(s);
}

/* From when on another request fits the path, if nothing comes before. While TCP starts slowly,
 * updates wait at the server and come in heaps. A heap answers more requests than it has updates,
 * but this end learns that only when the heap is over. So twice as many may be in flight then. */
static tick_t policy_auto_room_from(const struct scheduler *s)
{
    bool starts = s->asking.sent_at < s->quality.settles && !server_kind_counts(&s->path.server);

    return path_room_from(&s->path, usual_period(s), starts ? POLICY_AUTO_START_TRIPS : 1);
}

/* While there is no room: how long after the newest request one more leaves, ns. It makes up for a
 * request that was miscounted, or that the server has lost. But a server that counts owes an update
 * for each. So the longer nothing came, the longer this is: 0.25 s, 0.5 s, 1 s, up to
 * POLICY_AUTO_PATIENCE_MOST. At a server that has announced that it counts it is
 * POLICY_AUTO_PATIENCE_MOST at once. At a merging server it stays 0.25 s for a minute, so that the
 * second frame of what moves again finds a request there. */
static tick_t policy_auto_patience(const struct scheduler *s)
{
    const struct server_kind *server = &s->path.server;
    const struct downlink *d = &s->path.downlink;
    tick_t silent = downlink_unused(d) ? 0 : s->asking.sent_at - d->finished;

    if (!rule_on(RULE_PATIENCE) || (server->type == SERVER_MERGES && silent < POLICY_AUTO_WATCHFUL))
        return POLICY_AUTO_PATIENCE_LEAST;
    if (server->announced && server_kind_counts(server))
        return POLICY_AUTO_PATIENCE_MOST;
    return tick_sooner(tick_later(silent, POLICY_AUTO_PATIENCE_LEAST), POLICY_AUTO_PATIENCE_MOST);
}

/* Whether all that was asked for has come, and that is a reason to ask. With --max-rate it is none:
 * there the path is to be idle now and then. */
static bool nothing_comes(const struct scheduler *s)
{
    return path_nothing_comes(&s->path) && s->path.most <= 0;
}

/* ---- the rules ---- */

/* Asks again for what was sent with loss. */
static tick_t rule_refresh(const struct scheduler *s)
{
    return refresh_due(&s->refresh, s->motion.moved_at, s->path.downlink.receiving);
}

/* The beat: a request every period, while there is room. */
static tick_t rule_beat(const struct scheduler *s)
{
    return tick_later(s->asking.timer, policy_auto_room_from(s));
}

/* All that was asked for has come. The period may be long because the path was slow, but it may be
 * fast again. Plain VNC would ask now. */
static tick_t rule_nothing_comes(const struct scheduler *s)
{
    if (!nothing_comes(s))
        return TICK_NEVER;
    return tick_later(s->asking.sent_at, s->path.downlink.finished) +
           tick_later(POLICY_AUTO_PATIENCE_LEAST, s->least_period);
}

/* There is no room, and no update is coming whose end will make some. A request may have been lost.
 */
static tick_t rule_held(const struct scheduler *s)
{
    if (policy_auto_room_from(s) != TICK_NEVER || s->path.downlink.receiving)
        return TICK_NEVER;
    return tick_later(s->asking.timer, s->asking.sent_at + policy_auto_patience(s));
}

/* Input takes a request along where there is room. Else no request is added: the next one that
 * leaves anyway counts as the input's. */
static tick_t rule_input(const struct scheduler *s)
{
    if (!s->asking.owed[REQUEST_INPUT])
        return TICK_NEVER;
    if (s->asking.owed[REQUEST_REACTIVE])
        return 0;
    return tick_sooner(tick_sooner(policy_auto_room_from(s), path_clear_from(&s->path)),
                       tick_sooner(rule_held(s), rule_refresh(s)));
}

static const struct rule rules[] = {
    {RULE_FIRST, REQUEST_FIRST, true, rule_first},
    {RULE_INPUT, REQUEST_INPUT, false, rule_input},
    {RULE_REACTIVE, REQUEST_REACTIVE, false, rule_reactive},
    {RULE_REFRESH, REQUEST_REFRESH, true, rule_refresh},
    {RULE_BEAT, REQUEST_TIMER, false, rule_beat},
    {RULE_NOTHING_COMES, REQUEST_TIMER, false, rule_nothing_comes},
    {RULE_HELD, REQUEST_TIMER, false, rule_held},
};

/* ---- what happens ---- */

/* Something has happened. If the screen was still, a request for this cause leaves at once, and
 * requests are fast again. */
static void policy_auto_wake(struct scheduler *s, enum request_cause cause, tick_t now)
{
    if (rule_on(RULE_WAKE) && motion_still(&s->motion, now)) {
        int step = scheduler_quality(s, now);

        service_scale(&s->path.service,
                      quality_wake(&s->quality, step, s->path.round_trip.smallest, now));
        period_wake(&s->period);
        s->frame_at = TICK_NEVER;
        s->asking.owed[cause] = true;
    }
    motion_active(&s->motion, now);
}

/* A near server stays near for somewhat longer round trips: it does not change to and fro. */
static void judge_distance(struct scheduler *s)
{
    tick_t part = s->path.content.gap / (s->near ? POLICY_AUTO_NEAR_STILL : POLICY_AUTO_NEAR);

    s->near = round_trip_known(&s->path.round_trip) && s->path.round_trip.smallest < part;
}

/* The screen is no longer still as soon as an update begins: a large update may take seconds. */
static void policy_auto_update_begun(struct scheduler *s, tick_t now)
{
    /* a near server could answer faster than anybody needs */
    tick_t soonest = s->asking.sent_at + tick_later(PERIOD_MIN, s->least_period);

    judge_distance(s);
    if (refresh_asking(&s->refresh))
        return;
    policy_auto_wake(s, REQUEST_REACTIVE, now);
    if (!updates_ask(s) || path_in_flight(&s->path) > 0)
        return;
    if (now >= soonest)
        s->asking.owed[REQUEST_REACTIVE] = true;
    else
        s->asking.timer = tick_sooner(s->asking.timer, soonest);
}

static void path_slower(struct scheduler *s, tick_t now)
{
    struct path *p = &s->path;

    service_scale(&p->service, quality_slower(&s->quality, p->service.time, p->content.gap, now));
}

/* An update of pixels has been received. */
static void policy_auto_frame(struct scheduler *s, tick_t now)
{
    struct path *p = &s->path;
    struct period_frames frames = {.updates_ask = updates_ask(s),
                                   .swing = p->content.swing * POLICY_AUTO_SWING > p->content.gap};

    if (path_is_limit(s))
        period_restart(&s->period);
    else
        period_frame(&s->period, &frames, now);
    if (s->frame_at != TICK_NEVER) {
        struct quality_update u = {.service = p->service.time,
                                   .since = (double)(now - s->frame_at),
                                   .asked = s->pushed ? now - p->round_trip.smallest
                                                      : p->in_flight.asked};
        path_frame(p, u.since);
        u.gap = p->content.gap;
        service_scale(&p->service, quality_update(&s->quality, &u, now));
    }
    s->frame_at = now;
}

/* The timer may have been set when the path was slow, or seemed to be: brings it forward. */
static void pull_timer(struct scheduler *s, tick_t now)
{
    if (rule_on(RULE_PULL))
        s->asking.timer = tick_sooner(s->asking.timer, now + policy_auto_period(s));
}

static void policy_auto_update_finished(struct scheduler *s, const struct finished *u, tick_t now)
{
    if (refresh_asking(&s->refresh) && !u->live)
        return;
    if (u->live && refresh_news(&s->refresh))
        s->asking.owed[REQUEST_REACTIVE] = true;
    policy_auto_wake(s, REQUEST_REACTIVE, now);
    if (u->pixels)
        policy_auto_frame(s, now);
    if (u->live)
        motion_update(&s->motion, u->bytes, now);
    pull_timer(s, now);
}

static void input_sent(struct scheduler *s, bool acts, tick_t now)
{
    struct asking *a = &s->asking;
    tick_t apart = tick_later(acts ? POLICY_AUTO_TRAIN_PERIOD : PERIOD_START, s->least_period);

    if (refresh_news(&s->refresh))
        a->owed[REQUEST_REACTIVE] = true;
    policy_auto_wake(s, REQUEST_INPUT, now);
    motion_moved(&s->motion, now);
    if (rule_on(RULE_EFFECT) && path_is_limit(s)) {
        /* As much as the path carries is asked for already. A request that goes with the key would
         * be answered before the key's effect shows, and that picture would delay the effect's. At
         * 0.5 Mbit/s a picture takes about 0.2 s. */
        if (path_at_rest(&s->path, now) && s->path.most <= 0)
            a->timer = tick_sooner(
                a->timer, tick_later(now + POLICY_AUTO_EFFECT, a->sent_at + s->least_period));
        return;
    }
    /* a request goes with the input, unless one has just left or is about to */
    if (now - a->sent_at >= apart && (acts || a->timer > now + apart))
        a->owed[REQUEST_INPUT] = true;
    if (!acts || s->least_period > POLICY_AUTO_TRAIN_PERIOD || !rule_on(RULE_TRAIN) ||
        server_kind_probing(&s->path.server))
        return;
    /* one more is at the server when the key's effect appears, even if the first was answered by
     * something else */
    a->train = POLICY_AUTO_TRAIN;
    a->timer = tick_sooner(a->timer, tick_later(now, a->sent_at + POLICY_AUTO_TRAIN_PERIOD));
}

/* Begins a probe if it is time for one (server_kind.h). While it lasts, frames are left out, and
 * that says nothing about the content's period. */
static void policy_auto_probe(struct scheduler *s, tick_t now)
{
    bool begins = rule_on(RULE_PROBE) && s->asking.train == 0 && !motion_still(&s->motion, now) &&
                  !path_is_limit(s) && s->period.gaps >= POLICY_AUTO_PROBE_FRAMES &&
                  path_begin_probe(&s->path, now);

    if (begins || server_kind_probing(&s->path.server))
        period_ignore(&s->period, now + 2 * s->path.content.gap + s->path.round_trip.smallest);
}

/* Sets the timer for the next pre-request. It keeps its beat: if the timer was looked at late, the
 * next expiry is not later, too; an expiry that was missed is gone. On a slow path a request that
 * input has brought forward counts as that of the beat, so it is not sent twice. */
static void policy_auto_set_timer(struct scheduler *s, enum request_cause cause, tick_t now)
{
    struct asking *a = &s->asking;
    bool beats = cause == REQUEST_TIMER || (cause == REQUEST_INPUT && path_is_limit(s));
    tick_t prp;

    policy_auto_probe(s, now);
    prp = policy_auto_period(s);
    if (a->train > 0)
        prp = tick_sooner(prp, POLICY_AUTO_TRAIN_PERIOD);
    if (rule_on(RULE_STEADY_BEAT) && beats && a->timer != TICK_NEVER && a->timer <= now + prp &&
        a->timer + prp > now)
        a->timer += prp;
    else
        a->timer = now + prp;
}

static void policy_auto_request_sent(struct scheduler *s, enum request_cause cause, tick_t now)
{
    if (s->asking.train > 0)
        s->asking.train--;
    else if (cause == REQUEST_TIMER || (cause == REQUEST_REACTIVE && updates_ask(s)))
        period_request(&s->period);
    policy_auto_set_timer(s, cause, now);
}

static void timer_skipped(struct scheduler *s, tick_t now)
{
    policy_auto_set_timer(s, REQUEST_TIMER, now);
}

const struct policy policy_auto = {
    .rules = rules,
    .rule_count = sizeof rules / sizeof *rules,
    .period = policy_auto_period,
    .update_begun = policy_auto_update_begun,
    .path_slower = path_slower,
    .update_finished = policy_auto_update_finished,
    .ran_dry = policy_nothing, /* the estimators have been told */
    .input_sent = input_sent,
    .request_sent = policy_auto_request_sent,
    .timer_skipped = timer_skipped,
};
