#include "viewer/desktop/connection/reconnect.h"

/* The random numbers of splitmix64 (Steele, Lea, Flood: Fast splittable pseudorandom number
 * generators, 2014). Returns 0 up to 1. */
static double next_random(struct reconnect *r)
{
    uint64_t z = r->random += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (double)((z ^ z >> 31) >> 11) / (double)(1ull << 53);
}

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
    return now + (tick_t)((double)wait * (0.75 + 0.5 * next_random(r)));
}

bool reconnect_may_help(enum failure failure, bool listens)
{
    /* whoever comes to our port next is somebody else, perhaps */
    if (listens &&
        (failure == FAILURE_PROTOCOL || failure == FAILURE_SECURITY || failure == FAILURE_TRUST))
        return true;
    return failure == FAILURE_NAME || failure == FAILURE_UNREACHABLE ||
           failure == FAILURE_GATEWAY || failure == FAILURE_LOST || failure == FAILURE_REFUSED ||
           failure == FAILURE_CRASHED;
}

bool reconnect_has_another(enum failure failure, int servers, unsigned tried)
{
    return (int)tried < servers && failure != FAILURE_UNREACHABLE && failure != FAILURE_NAME &&
           reconnect_may_help(failure, false);
}
