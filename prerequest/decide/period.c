#include "prerequest/decide/period.h"

#include "prerequest/rules.h"

void period_init(struct period *p)
{
    *p = (struct period){.prp = PERIOD_START, .window_start = TICK_NEVER};
}

void period_restart(struct period *p)
{
    if (p->trial > 0)
        p->prp = p->before;
    p->trial = 0;
    p->gap = 0;
    p->window_start = TICK_NEVER;
}

void period_wake(struct period *p)
{
    period_restart(p);
    p->patience = p->calm = 0;
    p->prp = tick_sooner(p->prp, PERIOD_START);
}

void period_ignore(struct period *p, tick_t until)
{
    p->ignored = until;
}

void period_request(struct period *p)
{
    p->requests++;
}

static void set_prp(struct period *p, double prp)
{
    p->prp = prp < (double)PERIOD_MIN   ? PERIOD_MIN
             : prp > (double)PERIOD_MAX ? PERIOD_MAX
                                        : (tick_t)prp;
}

static void begin_trial(struct period *p, double prp, double gap)
{
    p->before = p->prp;
    p->before_gap = (gap + p->gap) / 2;
    p->trial = PERIOD_TRIAL;
    set_prp(p, prp);
}

static unsigned more_patience(unsigned patience)
{
    return patience == 0 ? PERIOD_PATIENCE
           : patience < PERIOD_PATIENCE_MAX / PERIOD_PATIENCE_TIMES
               ? PERIOD_PATIENCE_TIMES * patience
               : PERIOD_PATIENCE_MAX;
}

/* A slower PRP stays if it costs no frames. */
static void judge_trial(struct period *p, double gap)
{
    if (--p->trial > 0 && !(p->updates_ask && gap > PERIOD_MUCH_WORSE * p->before_gap))
        return;
    p->trial = 0;
    p->calm = 0;
    if ((gap + p->gap) / 2 <= PERIOD_WORSE * p->before_gap) {
        p->patience = 0;
        return;
    }
    p->prp = p->before;
    p->patience = more_patience(p->patience);
}

/* The PRP that is wanted, in gaps. */
static double rule_of(const struct period *p)
{
    return p->updates_ask                    ? PERIOD_RULE_WHERE_UPDATES_ASK
           : p->swing && rule_on(RULE_SWING) ? PERIOD_RULE_SWINGING
                                             : PERIOD_RULE;
}

/* A second is over: what it shows about the PRP. */
static void period_retune(struct period *p)
{
    double gap = (double)(p->last - p->window_start) / p->gaps, prp = (double)p->prp;
    double rule = rule_of(p) * gap;
    bool first = p->gap <= 0; /* requests of before still show in the first second */
    bool wasted = !first && p->requests > PERIOD_WASTE_LIMIT * p->gaps && rule > prp;

    if (rule_on(RULE_FASTER) && prp >= PERIOD_KEEPS_UP / PERIOD_RULE * rule) {
        p->trial = p->calm = 0;
        prp *= PERIOD_SPEED_UP;
        /* when something slow begins to move, the PRP falls in one step, not in many */
        set_prp(p, prp < (double)PERIOD_START ? prp : (double)PERIOD_START);
    } else if (p->trial > 0) {
        judge_trial(p, gap);
    } else if (rule_on(RULE_SLOWER) && wasted && p->wasted && p->prp < PERIOD_MAX &&
               p->calm >= p->patience) {
        begin_trial(p, rule < PERIOD_MAX_STEP * prp ? rule : PERIOD_MAX_STEP * prp, gap);
    } else {
        p->calm++;
    }
    p->wasted = wasted;
    p->gap = gap;
}

void period_frame(struct period *p, const struct period_frames *frames, tick_t now)
{
    bool opens = p->window_start == TICK_NEVER;

    p->updates_ask = frames->updates_ask;
    p->swing = frames->swing;
    p->last = now;
    if (!opens) {
        p->gaps++;
        if (now - p->window_start < PERIOD_WINDOW)
            return;
        if (p->window_start >= p->ignored)
            period_retune(p);
    }
    p->window_start = now;
    p->gaps = 0;
    p->requests = 0;
}
