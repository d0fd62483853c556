#include "tools/accelerator/connection/turnstile.h"

#include "tools/accelerator/transport/leg.h"

bool turnstile_enter(struct turnstile *t, const struct sockaddr_storage *peer)
{
    int from_one = 0;

    for (int i = 0; i < t->count; i++)
        from_one += leg_same_client(&t->inside[i], peer);
    if (t->count == TURNSTILE_PLACES || from_one == TURNSTILE_FROM_ONE)
        return false;
    t->inside[t->count++] = *peer;
    return true;
}

void turnstile_leave(struct turnstile *t, const struct sockaddr_storage *peer)
{
    int i = 0;

    while (i < t->count && !leg_same_client(&t->inside[i], peer))
        i++;
    if (i < t->count)
        t->inside[i] = t->inside[--t->count];
}
