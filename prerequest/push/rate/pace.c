#include "prerequest/push/rate/pace.h"

#include <math.h>

#include "prerequest/push/constants.h"

void push_pace_init(struct push_pace *p, tick_t now)
{
    *p = (struct push_pace){.due = now, .allowed = now, .held = now};
}

/* The time from one block to the next at this rate: when the one after is due. What was not used
 * before counts for `burst` ns only. */
static tick_t pace_after(tick_t due, uint64_t bytes, double rate, tick_t burst, tick_t now)
{
    double took = (double)bytes / rate * 1e9, two = 2 * PUSH_PACKET / rate * 1e9;

    burst = tick_later(burst, two < 1e12 ? (tick_t)two : burst);
    return tick_later(due, now - burst) + (tick_t)fmin(took, 1e12);
}

void push_pace_sent(struct push_pace *p, uint64_t bytes, double pace, double most, tick_t now)
{
    if (pace > 0) {
        p->due = pace_after(p->due, bytes, pace, PUSH_BURST, now);
        p->held = p->due;
        if (p->due > now)
            p->held += (tick_t)fmin(PUSH_PACKET / pace * 1e9, 1e12);
    }
    if (most > 0)
        p->allowed = pace_after(p->allowed, bytes, most, PUSH_PACE_ALLOWED_BURST, now);
}

tick_t push_pace_allowed(const struct push_pace *p, double most, tick_t now)
{
    return most > 0 ? tick_later(now, p->allowed) : now;
}
