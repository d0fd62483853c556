#include "viewer/desktop/connection/reconnect.h"

#include "prerequest/splitmix64.h"

void reconnect_init(struct reconnect *r, uint64_t seed)
{
    *r = (struct reconnect){.random = seed, .established_at = TICK_NEVER};
}

void reconnect_established(struct reconnect *r, tick_t now)
{
    r->established_at = now;
}

tick_t reconnect_ended(struct reconnect *r, tick_t now)
{
    tick_t wait = RECONNECT_FIRST;

    if (r->established_at != TICK_NEVER && now - r->established_at >= RECONNECT_STABLE)
        r->waits = 0;
    r->established_at = TICK_NEVER;
    for (unsigned i = 0; i < r->waits && wait < RECONNECT_MOST; i++)
        wait *= 2;
    r->waits++;
    wait = tick_sooner(wait, RECONNECT_MOST);
    return now + (tick_t)((double)wait * (0.75 + 0.5 * splitmix64_unit(&r->random)));
}

bool reconnect_may_help(enum failure failure, bool listens)
{
    /* whoever comes to our port next is somebody else, perhaps */
    if (listens &&
        (failure == FAILURE_PROTOCOL || failure == FAILURE_SECURITY || failure == FAILURE_TRUST))
        return true;
    return failure == FAILURE_NAME || failure == FAILURE_UNREACHABLE ||
           failure == FAILURE_GATEWAY || failure == FAILURE_LOST || failure == FAILURE_REFUSED ||
           failure == FAILURE_CRASHED || failure == FAILURE_KILLED;
}

bool reconnect_has_another(enum failure failure, int servers, unsigned tried)
{
    return (int)tried < servers && failure != FAILURE_UNREACHABLE && failure != FAILURE_NAME &&
           reconnect_may_help(failure, false);
}
