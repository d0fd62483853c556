#include "prerequest/tuner.h"

#define KEEPS_UP    0.9
#define SPEED_UP    0.6
#define WASTE_LIMIT 1.3
#define MAX_STEP    4
/* A rate that is so much lower or higher is not chance. */
#define WORSE  1.03
#define BETTER 0.95
/* Nearby a trial shows at once. */
#define MUCH_WORSE 1.2
#define NEAR_RULE  (2 * TUNER_RULE)
/* Windows until what a trial changes has passed by, and two of which the better one shows its
 * effect. */
#define TRIAL 4
/* Windows without a trial after a slower PRP that was undone, and before a faster one. */
#define PATIENCE     8
#define PATIENCE_MAX 64

void tuner_init(struct tuner *t)
{
    *t = (struct tuner){.prp = TUNER_PRP_START, .window_start = TICK_NEVER};
}

static void give_up_trial(struct tuner *t)
{
    if (t->trial > 0)
        t->prp = t->before;
    t->trial = 0;
}

void tuner_wake(struct tuner *t)
{
    tuner_pause(t);
    t->patience = t->calm = 0;
    if (t->prp > TUNER_PRP_START)
        t->prp = TUNER_PRP_START;
}

void tuner_pause(struct tuner *t)
{
    give_up_trial(t);
    t->gap = 0;
    t->window_start = TICK_NEVER;
}

void tuner_ignore(struct tuner *t, tick_t until)
{
    t->ignored = until;
}

void tuner_request(struct tuner *t)
{
    t->requests++;
}

static void set(struct tuner *t, double prp)
{
    t->prp = prp < (double)TUNER_PRP_MIN   ? TUNER_PRP_MIN
             : prp > (double)TUNER_PRP_MAX ? TUNER_PRP_MAX
                                           : (tick_t)prp;
}

static void try(struct tuner *t, double prp, double gap)
{
    t->before = t->prp;
    t->before_gap = (gap + t->gap) / 2;
    t->trial = TRIAL;
    set(t, prp);
}

/* A slower PRP stays if it costs no frames, a faster one if it brings some. */
static void judge(struct tuner *t, double gap)
{
    bool slower = t->prp > t->before;

    if (--t->trial > 0 && !(t->near && gap > MUCH_WORSE * t->before_gap))
        return;
    t->trial = 0;
    t->calm = 0;
    if ((gap + t->gap) / 2 <= (slower ? WORSE : BETTER) * t->before_gap) {
        t->patience = 0;
        return;
    }
    t->prp = t->before;
    if (slower)
        t->patience = t->patience == 0                 ? PATIENCE
                      : t->patience < PATIENCE_MAX / 4 ? 4 * t->patience
                                                       : PATIENCE_MAX;
}

static void retune(struct tuner *t)
{
    double gap = (double)(t->last - t->window_start) / t->gaps;
    double prp = (double)t->prp;
    double rule = (t->near ? NEAR_RULE : TUNER_RULE) * gap;
    bool first = t->gap <= 0; /* of those on end: what was before shows in it */
    bool wasted = !first && t->requests > WASTE_LIMIT * t->gaps && rule > prp;

    if (prp >= KEEPS_UP / TUNER_RULE * rule) {
        t->trial = t->calm = 0;
        prp *= SPEED_UP; /* and what was slow has begun to move: do not creep */
        set(t, prp < (double)TUNER_PRP_START ? prp : (double)TUNER_PRP_START);
    } else if (t->trial > 0) {
        judge(t, gap);
    } else if (wasted && t->wasted && t->prp < TUNER_PRP_MAX && t->calm >= t->patience) {
        try(t, rule < MAX_STEP * prp ? rule : MAX_STEP * prp, gap);
    } else if (++t->calm >= PATIENCE_MAX && !wasted && !first) {
        try(t, SPEED_UP * prp, gap);
    }
    t->wasted = wasted;
    t->gap = gap;
}

void tuner_frame(struct tuner *t, bool near, tick_t now)
{
    bool opens = t->window_start == TICK_NEVER;

    t->near = near;

    t->last = now;
    if (!opens) {
        t->gaps++;
        if (now - t->window_start < TUNER_WINDOW)
            return;
        if (t->window_start >= t->ignored)
            retune(t);
    }
    t->window_start = now;
    t->gaps = 0;
    t->requests = 0;
}
