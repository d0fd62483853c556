/* A program that is built without Avahi finds nothing. */
#include <stddef.h>

#include "viewer/servers/nearby.h"

struct nearby *nearby_start(void (*wake)(void *user), void *user)
{
    (void)wake;
    (void)user;
    return NULL;
}

int nearby_list(struct nearby *n, struct nearby_server out[NEARBY_MAX])
{
    (void)n;
    (void)out;
    return 0;
}

void nearby_end(struct nearby *n)
{
    (void)n;
}
