#include "prerequest/decide/quality.h"

#include <math.h>

#include "prerequest/rules.h"

static const struct {
    int jpeg, compress;
} steps[QUALITY_STEPS] = {{8, 3}, {7, 5}, {6, 5}, {5, 5}, {4, 6}, {3, 6}, {2, 7}, {1, 8}, {0, 9}};

int quality_jpeg(int step)
{
    return steps[step].jpeg;
}

int quality_compress(int step)
{
    return steps[step].compress;
}

const char *quality_why(const struct quality *q)
{
    switch (q->last) {
    case QUALITY_WENT_DOWN:
        return "the path was full";
    case QUALITY_WENT_UP:
        return "the path had room";
    case QUALITY_WOKE:
        return "the screen was still";
    default:
        return "not changed";
    }
}

void quality_init(struct quality *q, bool pinned)
{
    *q = (struct quality){.pinned = pinned,
                          .changed = TICK_NEVER,
                          .calm_since = TICK_NEVER,
                          .spare_since = TICK_NEVER,
                          .patience = QUALITY_UP};
}

int quality_first(tick_t rtt, bool known)
{
    return rtt > QUALITY_FAR    ? QUALITY_STEPS - 1
           : rtt > QUALITY_NEAR ? QUALITY_COARSE
           : known              ? 0
                                : QUALITY_CAREFUL;
}

int quality_reached(const struct quality *q)
{
    if (q->pinned || (q->updates < QUALITY_SETTLE && q->changed == TICK_NEVER))
        return -1;
    return q->returns ? q->before : q->step;
}

/* How many steps down make no more than `to` of `from`. */
static int steps_down(double from, double to)
{
    return from > to ? (int)ceil(log(from / to) / log(1 / QUALITY_STEP)) : 0;
}

static double quality_change(struct quality *q, int step, tick_t now)
{
    double factor = pow(QUALITY_STEP, step - q->step);

    if (step == q->step || q->pinned)
        return 1;
    q->last = step < q->step ? QUALITY_WENT_UP : QUALITY_WENT_DOWN;
    q->step = step;
    q->changed = q->calm_since = now;
    q->updates = 0;
    q->spare_since = TICK_NEVER;
    q->returns = q->returns && q->last == QUALITY_WENT_UP && step > q->before;
    return factor;
}

static double quality_down(struct quality *q, double need, double fps, tick_t now)
{
    double fps_coarse = fps * pow(QUALITY_STEP, q->step - QUALITY_COARSE);
    int last = fps_coarse < QUALITY_SLOW ? QUALITY_STEPS - 1 : QUALITY_COARSE;
    int step = q->step + steps_down(need, QUALITY_AIM);

    if (!rule_on(RULE_DOWN))
        return 1;
    if (step > last)
        step = last > q->step ? last : q->step;
    if (step > q->step && q->last == QUALITY_WENT_UP &&
        now - q->changed < QUALITY_REGRET * q->patience && q->patience < QUALITY_UP_MAX)
        q->patience *= 2; /* the last step up was a mistake */
    return quality_change(q, step, now);
}

/* Whether a step up need not wait: it goes back to where it was before a rest, or there is so much
 * room that it fits even if it makes the updates twice as large. */
static bool quality_hurries(const struct quality *q, double need)
{
    return q->returns || (need < QUALITY_PLENTY && q->patience <= QUALITY_UP);
}

static double quality_up(struct quality *q, double service, double need, tick_t now)
{
    if (q->spare_since == TICK_NEVER)
        q->spare_since = now;
    if (!rule_on(RULE_UP) || q->step == 0 || now < q->settles ||
        (!q->returns && q->updates < QUALITY_SURE && service < (double)QUALITY_EVERY) ||
        (!quality_hurries(q, need) && now - q->spare_since < q->patience))
        return 1;
    return quality_change(q, q->step - 1, now);
}

double quality_wake(struct quality *q, int asked, tick_t rtt, tick_t now)
{
    double factor;
    bool known; /* whether it is known that the step before the rest fits the path */

    q->settles = now + QUALITY_START * rtt;
    if (asked <= q->step || q->pinned)
        return 1;
    if (!q->returns || q->step < q->before)
        q->before = q->step;
    known = q->updates > 0 || q->changed != TICK_NEVER;
    factor = quality_change(q, asked, now);
    q->last = QUALITY_WOKE;
    q->returns = known;
    return factor;
}

double quality_restart(struct quality *q, bool pinned, bool follows, tick_t now)
{
    int before = q->step;

    if (pinned != q->pinned || !follows) {
        quality_init(q, pinned);
        q->changed = q->calm_since = now;
    }
    return pow(QUALITY_STEP, q->step - before);
}

/* Each long time without a change halves the wait once. */
static void calm_down(struct quality *q, tick_t now)
{
    if (q->patience <= QUALITY_UP || now - q->calm_since <= QUALITY_CALM * q->patience)
        return;
    q->patience /= 2;
    q->calm_since = now;
}

double quality_update(struct quality *q, const struct quality_update *u, tick_t now)
{
    double need = u->service / (double)u->gap;

    if (q->changed != TICK_NEVER && u->asked < q->changed)
        return 1;
    if ((++q->updates < QUALITY_SETTLE && u->service < (double)QUALITY_EVERY) ||
        (q->changed != TICK_NEVER &&
         now - q->changed < (quality_hurries(q, need) ? QUALITY_BACK : QUALITY_EVERY)))
        return 1;
    if (need > QUALITY_FULL && u->service > QUALITY_FULL * u->since)
        return quality_down(q, need, (double)TICK_S / u->service, now);
    calm_down(q, now);
    if (need < QUALITY_SPARE)
        return quality_up(q, u->service, need, now);
    q->spare_since = TICK_NEVER;
    return 1;
}

double quality_slower(struct quality *q, double service, tick_t gap, tick_t now)
{
    double need = service / (double)gap;

    if (need <= QUALITY_FULL || (q->changed != TICK_NEVER && now - q->changed < QUALITY_EVERY))
        return 1;
    return quality_down(q, need, (double)TICK_S / service, now);
}
