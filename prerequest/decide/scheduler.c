#include "prerequest/decide/scheduler.h"

#include <string.h>

#include "prerequest/decide/policy.h"

static const struct policy *const policies[] = {
    [PRP_OFF] = &policy_off,
    [PRP_FIXED] = &policy_fixed,
    [PRP_AUTO] = &policy_auto,
    [PRP_THESIS] = &policy_thesis,
};

void scheduler_init(struct scheduler *s, const struct scheduler_options *options)
{
    memset(s, 0, sizeof *s);
    s->options = *options;
    s->policy = policies[options->policy];
    s->frame_at = s->asking.timer = TICK_NEVER;
    s->least_period = options->max_fps > 0 ? (tick_t)((double)TICK_S / options->max_fps) : 0;
    path_init(&s->path, options->max_rate);
    period_init(&s->period);
    quality_init(&s->quality, options->quality_pinned);
    refresh_init(&s->refresh, options->lossless_refresh && options->policy == PRP_AUTO);
}

/* ---- what has happened ---- */

static void new_picture(struct scheduler *s, tick_t now)
{
    int step = scheduler_quality(s, now);

    service_scale(&s->path.service,
                  quality_wake(&s->quality, step, s->path.round_trip.smallest, now));
    s->asking.owed[REQUEST_FIRST] = true;
    motion_active(&s->motion, now);
    motion_moved(&s->motion, now);
}

static void scheduler_update_begun(struct scheduler *s, tick_t now)
{
    path_update_begun(&s->path, now);
    s->policy->update_begun(s, now);
}

static void scheduler_arrived(struct scheduler *s, uint64_t bytes, tick_t now)
{
    if (path_arrived(&s->path, bytes, now) && !s->whole && !refresh_asking(&s->refresh))
        s->policy->path_slower(s, now);
}

static void scheduler_update_finished(struct scheduler *s, const struct scheduler_update *u,
                                      tick_t now)
{
    /* while a refresh comes, a small update beside it (a caret) does not end it */
    bool small =
        u->pixels && refresh_asking(&s->refresh) && u->bytes > 0 && u->bytes <= MOTION_SMALL;
    bool live = u->pixels && u->news && !small;
    bool typical = live && !s->whole; /* updates that follow may be like it */
    struct finished f = {.pixels = u->pixels, .live = live, .bytes = u->bytes};

    s->asking.answered = true;
    s->had_news = u->news && !small;
    if (u->pixels)
        s->whole = false;
    path_update_finished(&s->path, u->bytes, u->more, typical, now);
    if (s->pushed) /* nobody asked for the update, so it says nothing about requests */
        path_forget_requests(&s->path);
    s->policy->update_finished(s, &f, now);
}

/* A refresh has ended: the next request tells the server to send with loss again. */
static void ask_with_loss(struct scheduler *s, bool ended)
{
    if (ended)
        s->asking.owed[REQUEST_REACTIVE] = true;
}

static void scheduler_request_sent(struct scheduler *s, enum request_cause cause, tick_t now)
{
    /* One request serves for all that were owed: another one now would ask for nothing new. */
    memset(s->asking.owed, 0, sizeof s->asking.owed);
    s->asking.sent_at = now;
    s->asking.answered = false;
    if (cause == REQUEST_FIRST)
        s->whole = true;
    path_request_sent(&s->path, now);
    s->policy->request_sent(s, cause, now);
}

static void request_skipped(struct scheduler *s, enum request_cause cause, tick_t now)
{
    s->asking.blocked = true;
    if (cause == REQUEST_TIMER)
        s->policy->timer_skipped(s, now);
}

static void slice_sent(struct scheduler *s, uint64_t pixels, tick_t now)
{
    refresh_sent(&s->refresh, pixels, now);
    if (pixels == 0)
        return;
    s->asking.sent_at = now;
    path_request_sent(&s->path, now);
    s->asking.timer = tick_sooner(s->asking.timer, now + REFRESH_PRP);
}

static void use_policy(struct scheduler *s)
{
    s->policy = s->hidden ? &policy_hidden : policies[s->options.policy];
}

/* What was learned stays as it is while nobody looks: few updates come then, and say little of the
 * content. Afterwards it is as if the screen had been still. */
static void scheduler_hidden(struct scheduler *s, bool on, tick_t now)
{
    if (on == s->hidden || !rule_on(RULE_HIDDEN))
        return;
    s->hidden = on;
    use_policy(s);
    refresh_news(&s->refresh);
    if (on)
        return;
    s->frame_at = TICK_NEVER;
    s->asking.owed[REQUEST_REACTIVE] = true;
    s->asking.timer = s->options.policy == PRP_OFF ? TICK_NEVER : now;
    motion_active(&s->motion, now);
}

/* The user has another wish. What was learned of the path stays. A request leaves at once, because
 * the policies owe and count requests in different ways: so none waits for what the other one would
 * have done. */
static void scheduler_tuned(struct scheduler *s, const struct scheduler_tuning *t, tick_t now)
{
    double bytes = quality_restart(&s->quality, t->quality_pinned, t->policy == PRP_AUTO, now);

    service_scale(&s->path.service, bytes);
    s->options.quality_pinned = t->quality_pinned;
    if (t->policy != s->options.policy)
        refresh_init(&s->refresh, s->options.lossless_refresh && t->policy == PRP_AUTO);
    s->options.policy = t->policy;
    s->options.fixed_prp = t->fixed_prp;
    use_policy(s);
    s->asking.owed[REQUEST_REACTIVE] = true;
    s->asking.timer = t->policy == PRP_OFF ? TICK_NEVER : now;
    motion_active(&s->motion, now);
}

void scheduler_tell(struct scheduler *s, const struct scheduler_event *e, tick_t now)
{
    switch (e->type) {
    case EVENT_ROUND_TRIP:
        path_round_trip(&s->path, e->round_trip, now);
        break;
    case EVENT_NEW_PICTURE:
        new_picture(s, now);
        break;
    case EVENT_UPDATE_BEGUN:
        scheduler_update_begun(s, now);
        break;
    case EVENT_ARRIVED:
        scheduler_arrived(s, e->arrived, now);
        break;
    case EVENT_UPDATE_FINISHED:
        scheduler_update_finished(s, &e->update, now);
        break;
    case EVENT_RAN_DRY:
        path_ran_dry(&s->path);
        s->policy->ran_dry(s, now);
        break;
    case EVENT_LOSS:
        ask_with_loss(s, refresh_loss(&s->refresh, &e->loss, s->path.delivery.rate, now));
        break;
    case EVENT_INPUT_SENT:
        s->policy->input_sent(s, e->acts, now);
        break;
    case EVENT_REQUEST_SENT:
        scheduler_request_sent(s, e->cause, now);
        break;
    case EVENT_REQUEST_SKIPPED:
        request_skipped(s, e->cause, now);
        break;
    case EVENT_ROOM:
        s->asking.blocked = false;
        break;
    case EVENT_REFRESH_SENT:
        slice_sent(s, e->pixels, now);
        break;
    case EVENT_PUSH:
        s->pushed = e->pushed;
        break;
    case EVENT_SERVER_KIND:
        path_server_announced(&s->path, e->counts);
        break;
    case EVENT_TUNED:
        scheduler_tuned(s, &e->tuning, now);
        break;
    case EVENT_HIDDEN:
        scheduler_hidden(s, e->hidden, now);
        break;
    case EVENT_TIME:
        ask_with_loss(s, refresh_time(&s->refresh, now));
        break;
    case EVENT_RESPONSE: /* for who reads the trace */
    case EVENT_TYPES:
        break;
    }
}

/* ---- what is decided ---- */

tick_t rule_first(const struct scheduler *s)
{
    return s->asking.owed[REQUEST_FIRST] ? 0 : TICK_NEVER;
}

tick_t rule_reactive(const struct scheduler *s)
{
    return s->asking.owed[REQUEST_REACTIVE] ? 0 : TICK_NEVER;
}

void policy_nothing(struct scheduler *s, tick_t now) {}

static bool rule_used(const struct scheduler *s, const struct rule *rule)
{
    return !s->asking.blocked && (rule->pushed || !s->pushed) && rule_on(rule->id);
}

struct scheduler_next scheduler_next(const struct scheduler *s)
{
    struct scheduler_next next = {.at = TICK_NEVER};

    for (size_t i = 0; i < s->policy->rule_count; i++) {
        const struct rule *rule = &s->policy->rules[i];
        tick_t at = rule_used(s, rule) ? rule->at(s) : TICK_NEVER;
        if (at < next.at) {
            next.at = at;
            next.cause = rule->cause;
            next.rule = rule->id;
        }
    }
    return next;
}

int scheduler_quality(const struct scheduler *s, tick_t now)
{
    bool known = !downlink_unused(&s->path.downlink);
    int step = s->quality.step, first;

    if (s->options.policy != PRP_AUTO || s->quality.pinned || !motion_still(&s->motion, now) ||
        !rule_on(RULE_COARSE_FIRST))
        return step;
    first = quality_first(s->path.round_trip.smallest, known);
    if (!known && first < s->options.first_quality - 1)
        first = s->options.first_quality - 1;
    return step < first ? first : step;
}

tick_t scheduler_wait(const struct scheduler *s, tick_t now)
{
    tick_t still = motion_still_at(&s->motion);
    tick_t at = tick_sooner(scheduler_next(s).at, refresh_deadline(&s->refresh));

    return still > now ? tick_sooner(at, still) : at;
}

bool scheduler_blocked(const struct scheduler *s)
{
    return s->asking.blocked;
}

bool scheduler_refreshing(const struct scheduler *s)
{
    return refresh_asking(&s->refresh);
}

struct scheduler_decision scheduler_decide(const struct scheduler *s, tick_t now)
{
    return (struct scheduler_decision){scheduler_next(s), scheduler_quality(s, now),
                                       scheduler_refreshing(s)};
}

uint64_t scheduler_refresh_pixels(const struct scheduler *s)
{
    return refresh_pixels(s->path.delivery.rate);
}

bool scheduler_had_news(const struct scheduler *s)
{
    return s->had_news;
}

tick_t scheduler_prp(const struct scheduler *s)
{
    return s->pushed ? 0 : s->policy->period(s);
}

struct scheduler_facts scheduler_facts(const struct scheduler *s)
{
    struct scheduler_next next = scheduler_next(s);

    return (struct scheduler_facts){
        .rule = next.at == TICK_NEVER ? NULL : rule_name(next.rule),
        .round_trip = s->path.round_trip.smallest,
        .rate = s->path.delivery.rate,
        .queue = s->path.queue,
        .busy = s->path.downlink.busy,
        .in_flight = path_in_flight(&s->path),
        .quality_why = quality_why(&s->quality),
        .unguarded = s->policy->unguarded,
    };
}
