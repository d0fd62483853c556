#include "prerequest/scheduler.h"

#include <string.h>

/* A path is near when its round trip is this part of the time between two frames. */
#define NEAR       3
#define NEAR_STILL 2 /* until it is more than this part */

/* Of photographs without loss, roughly. */
#define LOSSLESS_BYTES_PER_PIXEL 2
/* A slice of the picture that comes again without loss keeps the line for so long. */
#define SLICE        (TICK_S / 10)
#define SLICE_PIXELS 65536 /* while the delivery rate is not known */

void scheduler_init(struct scheduler *s, const struct scheduler_options *options)
{
    memset(s, 0, sizeof *s);
    s->policy = options->policy;
    s->fixed_prp = options->fixed_prp;
    s->refreshes = options->lossless_refresh;
    s->least_period = options->max_fps > 0 ? (tick_t)((double)TICK_S / options->max_fps) : 0;
    s->timer = TICK_NEVER;
    s->frame_at = TICK_NEVER;
    tuner_init(&s->tuner);
    quality_init(&s->quality);
    s->quality.pinned = options->quality_pinned;
    path_init(&s->path);
    path_limit(&s->path, options->max_rate);
}

static bool relaxed(const struct scheduler *s, tick_t now)
{
    return now - s->active_at >= SCHEDULER_IDLE_AFTER;
}

int scheduler_quality(const struct scheduler *s, tick_t now)
{
    bool wakes = relaxed(s, now) && s->policy == PRP_AUTO && !s->quality.pinned;
    int first = s->path.rtt > QUALITY_FAR        ? QUALITY_STEPS - 1
                : s->path.rtt > QUALITY_NEAR     ? QUALITY_COARSE
                : s->path.finished == TICK_NEVER ? QUALITY_CAREFUL
                                                 : 0;

    return wakes && s->quality.step < first ? first : s->quality.step;
}

/* Something happened: if the screen was still, be fast again. */
static void wake(struct scheduler *s, tick_t now, enum request_cause cause)
{
    if (relaxed(s, now)) {
        path_expect(&s->path,
                    quality_wake(&s->quality, scheduler_quality(s, now), s->path.rtt, now));
        tuner_wake(&s->tuner);
        s->frame_at = TICK_NEVER;
        s->owed[cause] = true;
    }
    s->active_at = now;
}

static void new_picture(struct scheduler *s, tick_t now)
{
    path_expect(&s->path, quality_wake(&s->quality, scheduler_quality(s, now), s->path.rtt, now));
    s->owed[REQUEST_FIRST] = true;
    s->active_at = s->moved_at = now;
}

/* The content's own rate shows only while the path is not the limit. */
static bool path_limits(const struct scheduler *s)
{
    tick_t period = path_period(&s->path);

    return period > s->tuner.prp && (double)period > TUNER_RULE * (double)s->quality.gap;
}

static tick_t active_prp(const struct scheduler *s)
{
    tick_t period = path_period(&s->path);

    return tick_later(tick_later(period, s->tuner.prp), s->least_period);
}

/* The period in force; 0: none. */
static tick_t period(const struct scheduler *s, tick_t now)
{
    switch (s->policy) {
    case PRP_OFF:
        return 0;
    case PRP_FIXED:
        return s->fixed_prp;
    default:
        return s->refreshing     ? SCHEDULER_REFRESH_PRP
               : relaxed(s, now) ? SCHEDULER_RELAXED_PRP
                                 : active_prp(s);
    }
}

/* An answer that comes well within the period is the best moment to ask again, as plain VNC does.
 */
static bool near(const struct scheduler *s)
{
    return s->nearby && s->least_period <= s->tuner.prp && !s->refreshing && !path_limits(s);
}

static void judge_distance(struct scheduler *s)
{
    s->nearby = s->path.rtt_since != TICK_NEVER &&
                s->path.rtt < s->quality.gap / (s->nearby ? NEAR_STILL : NEAR);
}

/* The screen is no longer still as soon as an update begins. Waiting for its end would take a long
 * update for a pause. */
static void update_begun(struct scheduler *s, tick_t now)
{
    tick_t soonest = tick_later(TUNER_PRP_MIN, s->least_period);

    s->receiving = true;
    path_update_begun(&s->path, now);
    judge_distance(s);
    if (s->policy != PRP_AUTO || s->refreshing)
        return;
    wake(s, now, REQUEST_REACTIVE);
    if (!near(s) || requests_in_flight(&s->path.requests) > 0 || s->path.requests.probing > now)
        return;
    if (now >= s->sent_at + soonest) /* not as fast as a server can answer */
        s->owed[REQUEST_REACTIVE] = true;
    else
        s->timer = tick_sooner(s->timer, s->sent_at + soonest);
}

/* The server is to send with loss again: the next request tells it. */
static void end_refresh(struct scheduler *s, bool in_vain)
{
    if (s->refreshing)
        s->owed[REQUEST_REACTIVE] = true;
    s->refreshing = false;
    s->refresh_in_vain = in_vain;
}

static void frame(struct scheduler *s, tick_t now)
{
    struct path *p = &s->path;

    if (path_limits(s))
        tuner_pause(&s->tuner);
    else
        tuner_frame(&s->tuner, near(s), now);
    if (s->frame_at != TICK_NEVER) {
        struct quality_update u = {.service = p->service,
                                   .gap = (double)(now - s->frame_at),
                                   .busy = p->busy,
                                   .waited = p->waited,
                                   .asked = s->pushed ? now - p->rtt : p->requests.asked};
        path_expect(p, quality_update(&s->quality, &u, now));
    }
    s->frame_at = now;
}

static void arrived(struct scheduler *s, uint64_t bytes, tick_t now)
{
    struct path *p = &s->path;

    if (path_arrived(p, bytes, now) && s->policy == PRP_AUTO && !s->whole && !s->refreshing)
        path_expect(p, quality_slower(&s->quality, p->service, now));
}

/* The period was long when the timer was set: the path was slow, or seemed to be. */
static void pull_timer(struct scheduler *s, tick_t now)
{
    tick_t prp = period(s, now);

    if (s->timer > now + prp && s->path.requests.probing <= now)
        s->timer = now + prp;
}

static void update_finished(struct scheduler *s, const struct scheduler_update *u, tick_t now)
{
    /* while a refresh comes, something small beside it is no news */
    bool small = u->pixels && s->refreshing && u->bytes > 0 && u->bytes <= SCHEDULER_SMALL;
    bool live = u->pixels && u->news && !small;
    bool typical = live && !s->whole; /* of what comes next */
    bool first = u->pixels && s->path.rate <= 0;

    s->had_news = u->news && !small;
    s->receiving = false;
    if (u->pixels)
        s->whole = false;
    path_update_finished(&s->path, u->bytes, u->more, typical, now);
    if (s->pushed) /* nobody asked: that says nothing of what it does with requests */
        requests_init(&s->path.requests);
    if (s->policy != PRP_AUTO) {
        s->owed[REQUEST_REACTIVE] = true;
        return;
    }
    if (first && s->path.rate > 0)
        quality_begin(&s->quality, (double)u->bytes / path_best(&s->path) * (double)TICK_S);
    if (s->refreshing && !live)
        return;
    if (live)
        end_refresh(s, false);
    wake(s, now, REQUEST_REACTIVE);
    if (u->pixels)
        frame(s, now);
    if (live && (u->bytes == 0 || u->bytes > SCHEDULER_SMALL))
        s->moved_at = now;
    pull_timer(s, now);
}

/* What it takes to send that many pixels without loss, ns. */
static tick_t lossless_time(const struct scheduler *s, uint64_t pixels)
{
    double bytes = (double)pixels * LOSSLESS_BYTES_PER_PIXEL;

    return s->path.rate > 0 ? (tick_t)(bytes / s->path.rate * (double)TICK_S) : pixels > 0;
}

static void lossy(struct scheduler *s, const struct scheduler_loss *loss, tick_t now)
{
    s->lossy = lossless_time(s, loss->pixels);
    s->refresh_seen = now;
    if (s->refreshing && loss->again)
        end_refresh(s, true);
    else if (s->refreshing && s->lossy == 0 && !loss->asked)
        end_refresh(s, false);
}

uint64_t scheduler_refresh_pixels(const struct scheduler *s)
{
    double bytes = s->path.rate * tick_to_s(SLICE);

    return s->path.rate > 0 ? (uint64_t)(bytes / LOSSLESS_BYTES_PER_PIXEL) : SLICE_PIXELS;
}

bool scheduler_had_news(const struct scheduler *s)
{
    return s->had_news;
}

bool scheduler_refreshing(const struct scheduler *s)
{
    return s->refreshing;
}

static void refresh_sent(struct scheduler *s, uint64_t pixels, tick_t now)
{
    s->refresh_at = now + SLICE;
    if (pixels == 0)
        return;
    s->refreshing = true;
    s->refresh_seen = now;
    s->sent_at = now;
    path_request_sent(&s->path, now);
    if (s->timer > now + SCHEDULER_REFRESH_PRP)
        s->timer = now + SCHEDULER_REFRESH_PRP;
}

static void watch(struct scheduler *s, tick_t now)
{
    if (s->refreshing && now - s->refresh_seen > SCHEDULER_REFRESH_LIMIT)
        end_refresh(s, true);
}

static void input_sent(struct scheduler *s, bool acts, tick_t now)
{
    tick_t apart = tick_later(acts ? SCHEDULER_TRAIN_PRP : TUNER_PRP_START, s->least_period);

    if (s->policy != PRP_AUTO)
        return;
    end_refresh(s, false);
    wake(s, now, REQUEST_INPUT);
    s->moved_at = now;
    if (path_limits(s)) {
        /* What the path carries is asked for already. One more now would be answered at once, with
         * a picture of before the input's effect, and that would stand in the effect's way. */
        if (path_rests(&s->path, now) && s->path.most <= 0)
            s->timer = tick_sooner(
                s->timer, tick_later(now + SCHEDULER_EFFECT, s->sent_at + s->least_period));
        return;
    }
    /* with the input, unless one has just left or is about to */
    if (now - s->sent_at >= apart && (acts || s->timer > now + apart))
        s->owed[REQUEST_INPUT] = true;
    if (!acts || s->least_period > SCHEDULER_TRAIN_PRP)
        return;
    s->train = SCHEDULER_TRAIN;
    s->timer = tick_sooner(s->timer, tick_later(now, s->sent_at + SCHEDULER_TRAIN_PRP));
}

static bool owes(const struct scheduler *s)
{
    return s->owed[REQUEST_FIRST] || s->owed[REQUEST_INPUT] || s->owed[REQUEST_REACTIVE];
}

/* While TCP starts slowly what was asked for waits for it at the server, and comes in heaps: a heap
 * answers more requests than it has updates, which is seen at its end only. */
static bool has_room(const struct scheduler *s)
{
    bool starts = s->sent_at < s->quality.settles && s->path.requests.server != SERVER_COUNTS;

    return path_has_room(&s->path, active_prp(s), starts ? 2 : 1);
}

/* When a part of the picture is to be asked for without loss. */
static tick_t refresh_due(const struct scheduler *s)
{
    tick_t takes = s->refreshing ? 0 : tick_sooner(s->lossy, SCHEDULER_STILL_MOST);
    tick_t still = s->moved_at + tick_later(SCHEDULER_STILL, takes);

    if (s->policy != PRP_AUTO || !s->refreshes || s->lossy == 0 || s->refresh_in_vain ||
        (s->receiving && !s->refreshing))
        return TICK_NEVER;
    return tick_later(still, s->refresh_at);
}

/* How long to wait with one more request while there is no room for it: one that was lost is made
 * good, but what a counting server gets without need it owes. So as long as it has been silent. One
 * that merges is to have the next one soon after the first frame of what moves again. */
static tick_t patience(const struct scheduler *s)
{
    tick_t silent = s->path.finished == TICK_NEVER ? 0 : s->sent_at - s->path.finished;

    if (s->path.requests.server == SERVER_MERGES && silent < SCHEDULER_WATCHFUL)
        return SCHEDULER_RELAXED_PRP;
    return tick_sooner(tick_later(silent, SCHEDULER_RELAXED_PRP), SCHEDULER_PATIENCE);
}

/* What was asked for has come, and the path may have become faster meanwhile: plain VNC would ask.
 */
static bool nothing_comes(const struct scheduler *s)
{
    return requests_in_flight(&s->path.requests) == 0 && !s->receiving && s->path.most <= 0 &&
           s->path.finished != TICK_NEVER && s->path.requests.probing <= s->sent_at;
}

static tick_t timer_due(const struct scheduler *s)
{
    tick_t held = s->sent_at + patience(s);

    if (s->policy == PRP_FIXED && s->receiving)
        return TICK_NEVER;
    if (s->policy != PRP_AUTO)
        return s->timer;
    if (nothing_comes(s))
        return tick_sooner(s->timer, tick_later(s->sent_at, s->path.finished) +
                                         tick_later(SCHEDULER_RELAXED_PRP, s->least_period));
    if (has_room(s))
        return s->timer;
    if (s->receiving) /* its end will make room */
        return TICK_NEVER;
    return tick_later(s->timer, held);
}

static tick_t due(const struct scheduler *s)
{
    tick_t timer = timer_due(s), refresh = refresh_due(s);

    if (s->pushed)
        return s->owed[REQUEST_FIRST] ? s->retry_at : refresh;
    if (s->owed[REQUEST_FIRST] || s->owed[REQUEST_REACTIVE] ||
        (owes(s) && (has_room(s) || path_idle(&s->path))))
        return s->retry_at;
    return tick_sooner(timer, refresh);
}

static enum request_cause cause_due(const struct scheduler *s)
{
    return s->owed[REQUEST_FIRST]           ? REQUEST_FIRST
           : s->pushed                      ? REQUEST_REFRESH
           : s->owed[REQUEST_INPUT]         ? REQUEST_INPUT
           : s->owed[REQUEST_REACTIVE]      ? REQUEST_REACTIVE
           : refresh_due(s) <= timer_due(s) ? REQUEST_REFRESH
                                            : REQUEST_TIMER;
}

struct scheduler_next scheduler_next(const struct scheduler *s)
{
    return (struct scheduler_next){due(s), cause_due(s), s->retrying};
}

struct scheduler_decision scheduler_decide(const struct scheduler *s, tick_t now)
{
    return (struct scheduler_decision){scheduler_next(s), scheduler_quality(s, now),
                                       scheduler_refreshing(s)};
}

struct scheduler_facts scheduler_facts(const struct scheduler *s)
{
    return (struct scheduler_facts){
        .round_trip = s->path.rtt,
        .rate = s->path.rate,
        .queue = s->path.queue,
        .busy = s->path.busy,
        .in_flight = requests_in_flight(&s->path.requests),
        .quality_why = quality_why(&s->quality),
    };
}

tick_t scheduler_prp(const struct scheduler *s, tick_t now)
{
    return s->pushed ? 0 : period(s, now);
}

static void set_timer(struct scheduler *s, enum request_cause cause, tick_t now)
{
    tick_t prp = period(s, now), probe;

    if (s->policy == PRP_OFF)
        return;
    if (s->train > 0)
        prp = tick_sooner(prp, SCHEDULER_TRAIN_PRP);
    /* auto keeps its beat: a late expiry does not delay the next one, a missed one is gone, and on
     * a slow path what input brought forward is not sent twice */
    if (s->policy == PRP_AUTO &&
        (cause == REQUEST_TIMER || (cause == REQUEST_INPUT && path_limits(s))) &&
        s->timer != TICK_NEVER && s->timer <= now + prp && s->timer + prp > now)
        s->timer += prp;
    else
        s->timer = now + prp;
    if (s->policy == PRP_AUTO && !relaxed(s, now) && !path_limits(s) &&
        s->tuner.gaps >= SCHEDULER_PROBE_FRAMES && prp < s->quality.gap) {
        probe = path_probe(&s->path, s->quality.gap, now);
        if (probe > 0) {
            s->timer = now + probe;
            tuner_ignore(&s->tuner, s->timer + s->path.rtt);
        }
    }
}

static void request_sent(struct scheduler *s, enum request_cause cause, tick_t now)
{
    /* one request answers whatever was owed: a later request of the same moment asks nothing new */
    memset(s->owed, 0, sizeof s->owed);
    s->retrying = false;
    s->sent_at = now;
    if (now < s->path.requests.probing) /* that ends the probe */
        tuner_ignore(&s->tuner, now + s->path.rtt);
    path_request_sent(&s->path, now);
    if (cause == REQUEST_FIRST)
        s->whole = true;
    if (s->train > 0)
        s->train--;
    else if (cause == REQUEST_TIMER || (cause == REQUEST_REACTIVE && near(s)))
        tuner_request(&s->tuner);
    set_timer(s, cause, now);
}

static void request_skipped(struct scheduler *s, enum request_cause cause, tick_t now)
{
    if (cause == REQUEST_REFRESH) {
        s->refresh_at = now + SCHEDULER_RETRY;
    } else if (cause == REQUEST_TIMER) {
        set_timer(s, cause, now);
    } else {
        s->retrying = true;
        s->retry_at = now + SCHEDULER_RETRY;
    }
}

void scheduler_tell(struct scheduler *s, const struct scheduler_event *e, tick_t now)
{
    switch (e->type) {
    case EVENT_ROUND_TRIP:
        path_rtt(&s->path, e->round_trip, now);
        break;
    case EVENT_NEW_PICTURE:
        new_picture(s, now);
        break;
    case EVENT_UPDATE_BEGUN:
        update_begun(s, now);
        break;
    case EVENT_ARRIVED:
        arrived(s, e->arrived, now);
        break;
    case EVENT_UPDATE_FINISHED:
        update_finished(s, &e->update, now);
        break;
    case EVENT_RAN_DRY:
        s->path.run = false;
        break;
    case EVENT_LOSS:
        lossy(s, &e->loss, now);
        break;
    case EVENT_INPUT_SENT:
        input_sent(s, e->acts, now);
        break;
    case EVENT_REQUEST_SENT:
        request_sent(s, e->cause, now);
        break;
    case EVENT_REQUEST_SKIPPED:
        request_skipped(s, e->cause, now);
        break;
    case EVENT_REFRESH_SENT:
        refresh_sent(s, e->pixels, now);
        break;
    case EVENT_PUSH:
        s->pushed = e->pushed;
        break;
    case EVENT_TIME:
        watch(s, now);
        break;
    case EVENT_TYPES:
        break;
    }
}
