#include "prerequest/decide/period.h"

#include "prerequest/rules.h"

/* All numbers here are chosen. What trials are for was measured on x11vnc: of a film of 30 frames
 * per second it gives 26 when asked every 27 ms, and 29 when asked every 16 ms. */

/* ns: time for thirty frames of a film. One judgement a second is enough. */
#define WINDOW TICK_S
/* Frames keep up with a PRP of this many gaps or more. Then the PRP becomes so much shorter. */
#define KEEPS_UP 0.9
#define SPEED_UP 0.6
/* More requests per frame than this are a waste. It is a little more than the 1.25 of PERIOD_RULE.
 */
#define WASTE_LIMIT 1.3
/* The PRP grows to at most so many times itself at once. */
#define MAX_STEP 4
/* A gap that is so many times as long is not chance. */
#define WORSE 1.03
/* Where each update brings a request, a trial that makes the gap so many times as long is ended at
 * once. */
#define MUCH_WORSE 1.2
/* In gaps, as PERIOD_RULE. There the timer is needed only when an update is missing, so it may be
 * twice as slow. */
#define RULE_WHERE_UPDATES_ASK (2 * PERIOD_RULE)
/* In gaps. Where frames come irregularly, two requests leave for each. */
#define RULE_SWINGING 0.5
/* Seconds: a change needs one or two to show, and two more to be judged. */
#define TRIAL 4
/* Seconds without a trial after one that was undone: at first, at most, and by what it grows each
 * time. */
#define PATIENCE       8
#define PATIENCE_MAX   64
#define PATIENCE_TIMES 4

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
    p->trial = TRIAL;
    set_prp(p, prp);
}

static unsigned more_patience(unsigned patience)
{
    return patience == 0                              ? PATIENCE
           : patience < PATIENCE_MAX / PATIENCE_TIMES ? PATIENCE_TIMES * patience
                                                      : PATIENCE_MAX;
}

/* A slower PRP stays if it costs no frames. */
static void judge_trial(struct period *p, double gap)
{
    if (--p->trial > 0 && !(p->updates_ask && gap > MUCH_WORSE * p->before_gap))
        return;
    p->trial = 0;
    p->calm = 0;
    if ((gap + p->gap) / 2 <= WORSE * p->before_gap) {
        p->patience = 0;
        return;
    }
    p->prp = p->before;
    p->patience = more_patience(p->patience);
}

/* The PRP that is wanted, in gaps. */
static double rule_of(const struct period *p)
{
    return p->updates_ask                    ? RULE_WHERE_UPDATES_ASK
           : p->swing && rule_on(RULE_SWING) ? RULE_SWINGING
                                             : PERIOD_RULE;
}

/* A second is over: what it shows about the PRP. */
static void period_retune(struct period *p)
{
    double gap = (double)(p->last - p->window_start) / p->gaps, prp = (double)p->prp;
    double rule = rule_of(p) * gap;
    bool first = p->gap <= 0; /* requests of before still show in the first second */
    bool wasted = !first && p->requests > WASTE_LIMIT * p->gaps && rule > prp;

    if (rule_on(RULE_FASTER) && prp >= KEEPS_UP / PERIOD_RULE * rule) {
        p->trial = p->calm = 0;
        prp *= SPEED_UP;
        /* when something slow begins to move, the PRP falls in one step, not in many */
        set_prp(p, prp < (double)PERIOD_START ? prp : (double)PERIOD_START);
    } else if (p->trial > 0) {
        judge_trial(p, gap);
    } else if (rule_on(RULE_SLOWER) && wasted && p->wasted && p->prp < PERIOD_MAX &&
               p->calm >= p->patience) {
        begin_trial(p, rule < MAX_STEP * prp ? rule : MAX_STEP * prp, gap);
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
        if (now - p->window_start < WINDOW)
            return;
        if (p->window_start >= p->ignored)
            period_retune(p);
    }
    p->window_start = now;
    p->gaps = 0;
    p->requests = 0;
}
