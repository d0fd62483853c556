#include "tools/marks/press_clock.h"

#include "prerequest/splitmix64.h"

static tick_t press_clock_wait(struct press_clock *c)
{
    return (tick_t)((double)c->period * (0.75 + 0.5 * splitmix64_unit(&c->random)));
}

void press_clock_init(struct press_clock *c, tick_t period, uint64_t seed)
{
    *c = (struct press_clock){.period = period, .random = seed, .next = TICK_NEVER};
}

void press_clock_start(struct press_clock *c, tick_t now)
{
    c->next = now + press_clock_wait(c);
}

void press_clock_stop(struct press_clock *c)
{
    c->next = TICK_NEVER;
}

bool press_clock_due(struct press_clock *c, tick_t now)
{
    if (now < c->next)
        return false;
    c->next += press_clock_wait(c);
    if (c->next <= now)
        press_clock_start(c, now);
    return true;
}
