/* The policies without control: plain VNC (`off`), VNC-HL's timer with a fixed period (`fixed`; the
 * thesis, section 3.1), VNC-HL to the letter (`thesis`), and what takes the place of each policy
 * while nobody can see the picture.
 *
 * In the first two, a request leaves when an update has been received and decoded. With `fixed`
 * each request sets a timer. When it runs out, one more request leaves. In the thesis the client
 * runs the timer only while it waits for an update. So here it sends nothing while an update is
 * being received.
 */
#include "prerequest/decide/constants.h"
#include "prerequest/decide/policy.h"

static tick_t rule_timer(const struct scheduler *s)
{
    return s->path.downlink.receiving ? TICK_NEVER : s->asking.timer;
}

static tick_t policy_plain_no_period(const struct scheduler *s)
{
    return 0;
}

static tick_t fixed_period(const struct scheduler *s)
{
    return s->options.fixed_prp;
}

static void policy_plain_no_input(struct scheduler *s, bool acts, tick_t now) {}

static void policy_plain_answer(struct scheduler *s, const struct finished *u, tick_t now)
{
    s->asking.owed[REQUEST_REACTIVE] = true;
}

static void policy_plain_sent(struct scheduler *s, enum request_cause cause, tick_t now) {}

static void policy_plain_set_timer(struct scheduler *s, tick_t now)
{
    s->asking.timer = now + s->options.fixed_prp;
}

static void sent_with_timer(struct scheduler *s, enum request_cause cause, tick_t now)
{
    policy_plain_set_timer(s, now);
}

static const struct rule policy_plain_rules[] = {
    {RULE_FIRST, REQUEST_FIRST, true, rule_first},
    {RULE_REACTIVE, REQUEST_REACTIVE, false, rule_reactive},
    {RULE_BEAT, REQUEST_TIMER, false, rule_timer}, /* fixed PRP only: the last */
};

#define RULE_ROWS (sizeof policy_plain_rules / sizeof *policy_plain_rules)

const struct policy policy_off = {
    .rules = policy_plain_rules,
    .rule_count = RULE_ROWS - 1,
    .period = policy_plain_no_period,
    .update_begun = policy_nothing,
    .path_slower = policy_nothing,
    .update_finished = policy_plain_answer,
    .ran_dry = policy_nothing,
    .input_sent = policy_plain_no_input,
    .request_sent = policy_plain_sent,
    .timer_skipped = policy_nothing,
};

const struct policy policy_fixed = {
    .rules = policy_plain_rules,
    .rule_count = RULE_ROWS,
    .period = fixed_period,
    .update_begun = policy_nothing,
    .path_slower = policy_nothing,
    .update_finished = policy_plain_answer,
    .ran_dry = policy_nothing,
    .input_sent = policy_plain_no_input,
    .request_sent = sent_with_timer,
    .timer_skipped = policy_plain_set_timer,
};

/* VNC-HL as the thesis describes it, to reproduce what it measured (--requests thesis). As `fixed`,
 * with two differences.
 *
 * - The timer is set when the client begins to wait (section 3.1). VNC-HL waited in select() with a
 *   timeout (section 3.2), so whatever ends a wait sets the timer anew: a request, a message that
 *   was read, input. It does not run while an update is received and drawn, or while bytes wait to
 *   be read.
 * - A request leaves whatever our own socket still holds. Section 4.7 shows what comes of that:
 *   requests every millisecond overload a server that is 1000 ms away.
 *
 * Two things are not as in VNC-HL. One thread did all there, so it read nothing while a write
 * waited for the kernel's buffer. And its loop called select() in the middle of an update, too,
 * where the text lets the timer run only while an answer is awaited; the text counts here. */

static tick_t rule_timer_idle(const struct scheduler *s)
{
    return downlink_in_use(&s->path.downlink) ? TICK_NEVER : s->asking.timer;
}

/* The client waits again. The timer runs from the first request on. */
static void thesis_waits(struct scheduler *s, tick_t now)
{
    if (s->asking.timer != TICK_NEVER)
        policy_plain_set_timer(s, now);
}

static void thesis_input_sent(struct scheduler *s, bool acts, tick_t now)
{
    thesis_waits(s, now);
}

static const struct rule thesis_rules[] = {
    {RULE_FIRST, REQUEST_FIRST, true, rule_first},
    {RULE_REACTIVE, REQUEST_REACTIVE, false, rule_reactive},
    {RULE_BEAT, REQUEST_TIMER, false, rule_timer_idle},
};

const struct policy policy_thesis = {
    .rules = thesis_rules,
    .rule_count = sizeof thesis_rules / sizeof *thesis_rules,
    .unguarded = true,
    .period = fixed_period,
    .update_begun = policy_nothing,
    .path_slower = policy_nothing,
    .update_finished = policy_plain_answer,
    .ran_dry = thesis_waits,
    .input_sent = thesis_input_sent,
    .request_sent = sent_with_timer,
    .timer_skipped = policy_plain_set_timer,
};

/* While nobody can see the picture: as plain VNC, but a second apart. So the connection stays
 * alive, bell and clipboard come, and the picture is not old when it is shown again. Nothing is
 * learned: it would say how seldom we ask, not how the content moves. */

static tick_t rule_hidden(const struct scheduler *s)
{
    return s->asking.answered ? s->asking.sent_at + POLICY_HIDDEN_PERIOD : TICK_NEVER;
}

static void policy_hidden_no_answer(struct scheduler *s, const struct finished *u, tick_t now) {}

static const struct rule policy_hidden_rules[] = {
    {RULE_FIRST, REQUEST_FIRST, true, rule_first},
    {RULE_HIDDEN, REQUEST_REACTIVE, false, rule_hidden},
};

const struct policy policy_hidden = {
    .rules = policy_hidden_rules,
    .rule_count = sizeof policy_hidden_rules / sizeof *policy_hidden_rules,
    .period = policy_plain_no_period,
    .update_begun = policy_nothing,
    .path_slower = policy_nothing,
    .update_finished = policy_hidden_no_answer,
    .ran_dry = policy_nothing,
    .input_sent = policy_plain_no_input,
    .request_sent = policy_plain_sent,
    .timer_skipped = policy_nothing,
};
