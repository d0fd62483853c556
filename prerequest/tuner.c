#include "prerequest/tuner.h"

#define KEEPS_UP    0.9
#define SPEED_UP    0.6
#define WASTE_LIMIT 1.3
#define MAX_STEP    2

void tuner_init(struct tuner *t)
{
    *t = (struct tuner){.prp = TUNER_PRP_START, .window_start = TICK_NEVER};
}

void tuner_wake(struct tuner *t)
{
    t->window_start = TICK_NEVER;
    if (t->prp > TUNER_PRP_START)
        t->prp = TUNER_PRP_START;
}

void tuner_pause(struct tuner *t)
{
    t->window_start = TICK_NEVER;
}

void tuner_request(struct tuner *t)
{
    t->requests++;
}

static tick_t clamp(double prp, tick_t low, tick_t high)
{
    return prp < (double)low ? low : prp > (double)high ? high : (tick_t)prp;
}

static void retune(struct tuner *t)
{
    double gap = (double)(t->last - t->window_start) / t->gaps;
    double prp = (double)t->prp;
    bool wasted = t->requests > WASTE_LIMIT * t->gaps && TUNER_RULE * gap > prp;

    if (prp >= KEEPS_UP * gap) {
        prp *= SPEED_UP;
        if (prp > (double)TUNER_PRP_START) /* what was slow has begun to move: do not creep */
            prp = (double)TUNER_PRP_START;
    } else if (wasted && t->wasted) {
        prp = TUNER_RULE * gap < MAX_STEP * prp ? TUNER_RULE * gap : MAX_STEP * prp;
    }
    t->wasted = wasted;
    t->prp = clamp(prp, TUNER_PRP_MIN, TUNER_PRP_MAX);
}

void tuner_frame(struct tuner *t, tick_t now)
{
    bool opens = t->window_start == TICK_NEVER;

    t->last = now;
    if (!opens) {
        t->gaps++;
        if (now - t->window_start < TUNER_WINDOW)
            return;
        retune(t);
    }
    t->window_start = now;
    t->gaps = 0;
    t->requests = 0;
}
