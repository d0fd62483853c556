#include "prerequest/scheduler.h"

#include <string.h>

void scheduler_init(struct scheduler *s, enum prp_policy policy, tick_t fixed_prp)
{
    memset(s, 0, sizeof *s);
    s->policy = policy;
    s->fixed_prp = fixed_prp;
    s->timer = TICK_NEVER;
    tuner_init(&s->tuner);
}

static bool relaxed(const struct scheduler *s, tick_t now)
{
    return now - s->active_at >= SCHEDULER_IDLE_AFTER;
}

/* Something happened: if the screen was still, be fast again. */
static void wake(struct scheduler *s, tick_t now, enum request_cause cause)
{
    if (relaxed(s, now)) {
        tuner_wake(&s->tuner);
        s->owed[cause] = true;
    }
    s->active_at = now;
}

void scheduler_new_picture(struct scheduler *s, tick_t now)
{
    s->owed[REQUEST_FIRST] = true;
    s->active_at = now;
}

/* The screen is no longer still as soon as an update begins. Waiting for its end would take a long
 * update for a pause. */
void scheduler_update_begun(struct scheduler *s, tick_t now)
{
    s->receiving = true;
    if (s->policy == PRP_AUTO)
        wake(s, now, REQUEST_REACTIVE);
}

void scheduler_update_finished(struct scheduler *s, bool pixels, tick_t now)
{
    s->receiving = false;
    s->active_at = now;
    if (s->policy != PRP_AUTO)
        s->owed[REQUEST_REACTIVE] = true;
    else if (pixels)
        tuner_frame(&s->tuner, now);
}

void scheduler_input_sent(struct scheduler *s, tick_t now)
{
    if (s->policy != PRP_AUTO)
        return;
    wake(s, now, REQUEST_INPUT);
    /* the answer may find that something else has used up the request that was waiting for it */
    if (now - s->sent_at >= TUNER_PRP_START && s->timer > now + TUNER_PRP_START)
        s->owed[REQUEST_INPUT] = true;
}

static bool owes(const struct scheduler *s)
{
    return s->owed[REQUEST_FIRST] || s->owed[REQUEST_INPUT] || s->owed[REQUEST_REACTIVE];
}

tick_t scheduler_due(const struct scheduler *s)
{
    if (owes(s))
        return s->retry_at;
    if (s->policy == PRP_FIXED && s->receiving)
        return TICK_NEVER;
    return s->timer;
}

enum request_cause scheduler_cause(const struct scheduler *s)
{
    return s->owed[REQUEST_FIRST]      ? REQUEST_FIRST
           : s->owed[REQUEST_INPUT]    ? REQUEST_INPUT
           : s->owed[REQUEST_REACTIVE] ? REQUEST_REACTIVE
                                       : REQUEST_TIMER;
}

tick_t scheduler_prp(const struct scheduler *s, tick_t now)
{
    switch (s->policy) {
    case PRP_OFF:
        return 0;
    case PRP_FIXED:
        return s->fixed_prp;
    default:
        return relaxed(s, now) ? SCHEDULER_RELAXED_PRP : s->tuner.prp;
    }
}

static void set_timer(struct scheduler *s, enum request_cause cause, tick_t now)
{
    tick_t prp = scheduler_prp(s, now);

    if (s->policy == PRP_OFF)
        return;
    /* auto keeps its beat: a late expiry does not delay the next one, a missed one is gone */
    if (s->policy == PRP_AUTO && cause == REQUEST_TIMER && s->timer + prp > now)
        s->timer += prp;
    else
        s->timer = now + prp;
}

void scheduler_request_sent(struct scheduler *s, enum request_cause cause, tick_t now)
{
    /* one request answers whatever was owed: a later request of the same moment asks nothing new */
    memset(s->owed, 0, sizeof s->owed);
    s->retrying = false;
    s->sent_at = now;
    if (cause == REQUEST_TIMER)
        tuner_request(&s->tuner);
    set_timer(s, cause, now);
}

bool scheduler_request_skipped(struct scheduler *s, enum request_cause cause, tick_t now)
{
    bool again = s->retrying;

    if (cause == REQUEST_TIMER) {
        set_timer(s, cause, now);
        return true;
    }
    s->retrying = true;
    s->retry_at = now + SCHEDULER_RETRY;
    return !again;
}
