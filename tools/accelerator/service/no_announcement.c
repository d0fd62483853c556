/* A program that is built without Avahi announces nothing: config.c refuses to be asked. */
#include <stddef.h>

#include "tools/accelerator/service/announcement.h"

bool announcement_built(void)
{
    return false;
}

struct announcement *announcement_create(const struct config *c, void (*told)(void *user),
                                         void *user)
{
    (void)c;
    (void)told;
    (void)user;
    return NULL;
}

bool announcement_change(struct announcement *a, const struct config *c)
{
    (void)a;
    (void)c;
    return false;
}

bool announcement_take(struct announcement *a, struct announcement_news *out)
{
    (void)a;
    (void)out;
    return false;
}

void announcement_end(struct announcement *a)
{
    (void)a;
}
