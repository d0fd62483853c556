/* While nobody can see the picture: as plain VNC, but a second apart. So the connection stays
 * alive, bell and clipboard come, and the picture is not old when it is shown again. Nothing is
 * learned: it would say how seldom we ask, not how the content moves.
 */
#include "prerequest/decide/policy.h"

/* ns: from one request to the next. Chosen. */
#define HIDDEN_PERIOD TICK_S

static tick_t rule_hidden(const struct scheduler *s)
{
    return s->asking.answered ? s->asking.sent_at + HIDDEN_PERIOD : TICK_NEVER;
}

static tick_t policy_hidden_no_period(const struct scheduler *s)
{
    return 0;
}

static void policy_hidden_nothing(struct scheduler *s, tick_t now) {}

static void policy_hidden_no_input(struct scheduler *s, bool acts, tick_t now) {}

static void no_answer(struct scheduler *s, const struct finished *u, tick_t now) {}

static void policy_hidden_sent(struct scheduler *s, enum request_cause cause, tick_t now) {}

static const struct rule rules[] = {
    {RULE_FIRST, REQUEST_FIRST, true, rule_first},
    {RULE_HIDDEN, REQUEST_REACTIVE, false, rule_hidden},
};

const struct policy policy_hidden = {
    .rules = rules,
    .rule_count = sizeof rules / sizeof *rules,
    .period = policy_hidden_no_period,
    .update_begun = policy_hidden_nothing,
    .path_slower = policy_hidden_nothing,
    .update_finished = no_answer,
    .input_sent = policy_hidden_no_input,
    .request_sent = policy_hidden_sent,
    .timer_skipped = policy_hidden_nothing,
};
