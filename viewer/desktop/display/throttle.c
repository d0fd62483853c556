#include "viewer/desktop/display/throttle.h"

void throttle_drew(struct throttle *t, tick_t now, double work)
{
    t->until = now + tick_sooner(THROTTLE_REST * tick_from_ms(1e3 * work), THROTTLE_MOST);
}

bool throttle_holds(struct throttle *t, tick_t now)
{
    if (now < t->until)
        return true;
    t->until = 0;
    return false;
}

tick_t throttle_wait(const struct throttle *t)
{
    return t->until > 0 ? t->until : TICK_NEVER;
}
