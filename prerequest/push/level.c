#include "prerequest/push/level.h"

#include <math.h>

/* JPEG qualities whose bytes are about 0.78 of those before. Measured: entropy-coded data of strips
 * 640x16 of a photograph at 4:4:4 (libjpeg-turbo): 1, 0.79, 0.61, 0.48, 0.37, 0.29, 0.23, 0.18,
 * 0.14. Below 10 the cells of the picture are plain squares. */
static const int qualities[LEVEL_STEPS] = {92, 87, 79, 67, 49, 32, 22, 15, 10};
/* Those of VNC's JPEG levels 0..9, as TigerVNC has them (common/rfb/EncodeManager.cxx). */
static const int levels[10] = {15, 29, 41, 42, 62, 77, 79, 86, 92, 100};

void push_level_init(struct push_level *l, tick_t now)
{
    *l = (struct push_level){
        .step = LEVEL_STEP_MIDDLE, .changed = now, .spare_since = TICK_NEVER, .patience = LEVEL_UP};
}

void push_level_pin(struct push_level *l, int level)
{
    l->pinned = level < 0 ? 0 : levels[level > 9 ? 9 : level];
}

static int level_first(tick_t rtt)
{
    return rtt < LEVEL_NEAR   ? LEVEL_STEP_NEAR
           : rtt <= LEVEL_FAR ? LEVEL_STEP_MIDDLE
                              : LEVEL_STEP_FAR;
}

int push_level_jpeg(const struct push_level *l)
{
    return l->pinned > 0 ? l->pinned : qualities[l->step];
}

static void level_change(struct push_level *l, int step, tick_t now)
{
    step = step < 0 ? 0 : step >= LEVEL_STEPS ? LEVEL_STEPS - 1 : step;
    if (step == l->step)
        return;
    l->went_up = step < l->step;
    l->step = step;
    l->changed = now;
    l->frames = 0;
    l->spare_since = TICK_NEVER;
    l->returns = l->returns && l->went_up && step > l->before;
}

void push_level_path(struct push_level *l, tick_t rtt, tick_t now)
{
    level_change(l, level_first(rtt), now);
}

void push_level_wake(struct push_level *l, tick_t rtt, tick_t now)
{
    if (rtt < LEVEL_NEAR || level_first(rtt) <= l->step)
        return;
    l->before = l->step;
    level_change(l, level_first(rtt), now);
    l->returns = true;
}

/* Steps between two amounts of bytes. */
static double level_steps(double from, double to)
{
    return log(from / to) / log(1 / LEVEL_STEP);
}

/* When a step up turns out to be too much, the next one waits longer. It was not the step's fault
 * when the path has become slower since. */
static void level_down(struct push_level *l, double need, double service, tick_t now)
{
    if (l->went_up && now - l->changed < LEVEL_REGRET * l->patience && l->patience < LEVEL_UP_MAX &&
        service < LEVEL_SLOWER * l->expected)
        l->patience *= 2;
    level_change(l, l->step + (int)ceil(level_steps(need, LEVEL_AIM)), now);
}

static void level_up(struct push_level *l, double need, double service, tick_t now)
{
    int before = l->step, fit = (int)floor(level_steps(LEVEL_AIM, need));

    if (l->spare_since == TICK_NEVER)
        l->spare_since = now;
    if (now - l->changed < LEVEL_EVERY)
        return;
    if (fit > 0 && (l->returns || l->patience <= LEVEL_UP))
        level_change(l, l->step - fit, now);
    else if (fit > 1 || now - l->spare_since >= l->patience)
        level_change(l, l->step - 1, now);
    l->expected = service * pow(LEVEL_STEP, l->step - before);
}

void push_level_frame(struct push_level *l, double service, double gap, tick_t begun, tick_t now)
{
    double need = service / gap;

    if (begun < l->changed || need <= 0)
        return;
    l->frames++;
    if (need > LEVEL_FAR_TOO_MUCH) {
        level_down(l, need, service, now);
        return;
    }
    if (l->frames < LEVEL_SETTLE)
        return;
    if (need > LEVEL_FULL)
        level_down(l, need, service, now);
    else if (need < LEVEL_SPARE)
        level_up(l, need, service, now);
    else
        l->spare_since = TICK_NEVER;
    /* a long time without a change: what was too much then may fit now */
    if (l->patience > LEVEL_UP && now - l->changed > LEVEL_CALM * l->patience) {
        l->patience /= 2;
        l->changed = now;
    }
}
