#include "rfb/commands.h"

#include <pthread.h>
#include <stdlib.h>

/* Kept free for releases when everything else is dropped. */
#define ROOM_TO_LET_GO 64

struct commands {
    pthread_mutex_t lock; /* everything below */
    struct command ring[COMMANDS_MAX];
    size_t first, count;
    unsigned buttons; /* of the newest pointer command ever added */
};

struct commands *commands_create(void)
{
    struct commands *q = calloc(1, sizeof *q);

    if (q)
        pthread_mutex_init(&q->lock, NULL);
    return q;
}

void commands_destroy(struct commands *q)
{
    struct command c;

    if (!q)
        return;
    while (commands_take(q, &c))
        free(c.latin1);
    pthread_mutex_destroy(&q->lock);
    free(q);
}

static struct command *at(struct commands *q, size_t i)
{
    return &q->ring[(q->first + i) % COMMANDS_MAX];
}

/* What must not be lost: a key or a button would stay down on the server. */
static bool lets_go(const struct command *c)
{
    return (c->type == COMMAND_KEY && !c->down) || (c->type == COMMAND_POINTER && c->buttons == 0);
}

bool commands_add(struct commands *q, struct command c)
{
    bool was_empty;

    pthread_mutex_lock(&q->lock);
    was_empty = q->count == 0;
    if (c.type == COMMAND_POINTER) {
        c.motion = c.buttons == q->buttons;
        q->buttons = c.buttons;
    }
    if (!was_empty && c.motion && at(q, q->count - 1)->motion) {
        *at(q, q->count - 1) = c;
    } else if (q->count < (lets_go(&c) ? COMMANDS_MAX : COMMANDS_MAX - ROOM_TO_LET_GO)) {
        *at(q, q->count++) = c;
    } else {
        free(c.latin1);
    }
    pthread_mutex_unlock(&q->lock);
    return was_empty;
}

bool commands_take(struct commands *q, struct command *out)
{
    bool any;

    pthread_mutex_lock(&q->lock);
    any = q->count > 0;
    if (any) {
        *out = *at(q, 0);
        q->first = (q->first + 1) % COMMANDS_MAX;
        q->count--;
    }
    pthread_mutex_unlock(&q->lock);
    return any;
}

bool commands_only_motion(struct commands *q)
{
    bool only;

    pthread_mutex_lock(&q->lock);
    only = q->count == 1 && at(q, 0)->motion;
    pthread_mutex_unlock(&q->lock);
    return only;
}
