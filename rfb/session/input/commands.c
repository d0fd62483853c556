#include "rfb/session/input/commands.h"

#include <pthread.h>
#include <stdlib.h>

/* Places that are kept free for commands that matter() when all others are dropped. Chosen. */
#define ROOM_FOR_WHAT_MATTERS 64

struct waiting {
    struct session_command *command;
    bool motion;
};

struct commands {
    pthread_mutex_t lock; /* everything below */
    struct waiting ring[COMMANDS_MAX];
    size_t first, count;
    unsigned buttons; /* of the newest pointer command ever added */
};

static struct waiting *commands_at(struct commands *q, size_t i)
{
    return &q->ring[(q->first + i) % COMMANDS_MAX];
}

struct commands *commands_create(void)
{
    struct commands *q = calloc(1, sizeof *q);

    if (q)
        pthread_mutex_init(&q->lock, NULL);
    return q;
}

void commands_destroy(struct commands *q)
{
    if (!q)
        return;
    for (size_t i = 0; i < q->count; i++)
        free(commands_at(q, i)->command);
    pthread_mutex_destroy(&q->lock);
    free(q);
}

static bool commands_points(const struct session_command *c)
{
    return c->type == COMMAND_POINTER || c->type == COMMAND_STEP;
}

static bool commands_is_step(int32_t n)
{
    return n >= -SESSION_STEP_MAX && n <= SESSION_STEP_MAX;
}

/* Newer motion takes the place of older. Two steps are one, if it has room. False: both stay. */
static bool commands_replaces(struct session_command *new, const struct session_command *old)
{
    if (new->type != old->type)
        return false;
    if (new->type == COMMAND_POINTER)
        return true;
    if (!commands_is_step(new->x + old->x) || !commands_is_step(new->y + old->y))
        return false;
    new->x += old->x;
    new->y += old->y;
    return true;
}

/* Whether a command must not be lost. Without the release a key or a button would stay down on the
 * server. Without the text a paste would give an old one. */
static bool commands_matters(const struct session_command *c)
{
    return c->type == COMMAND_CUT_TEXT || (c->type == COMMAND_KEY && !c->down) ||
           (commands_points(c) && c->buttons == 0);
}

/* Removes a text that waits, so that texts do not pile up for a server that does not read. The new
 * text goes to the end, not to the place of the old one: keys that were typed between the two, a
 * paste perhaps, were not meant for it. Call with the lock held. */
static void forget_text(struct commands *q)
{
    size_t kept = 0;

    for (size_t i = 0; i < q->count; i++) {
        if (commands_at(q, i)->command->type == COMMAND_CUT_TEXT)
            free(commands_at(q, i)->command);
        else
            *commands_at(q, kept++) = *commands_at(q, i);
    }
    q->count = kept;
}

bool commands_add(struct commands *q, const struct session_command *c)
{
    struct waiting new = {session_command_create(c, c + 1, c->size), false};
    bool news;

    if (!new.command)
        return false;
    pthread_mutex_lock(&q->lock);
    news = q->count == 0 || (q->count == 1 && commands_at(q, 0)->motion && !commands_points(c));
    if (c->type == COMMAND_CUT_TEXT)
        forget_text(q);
    if (commands_points(c)) {
        new.motion = c->buttons == q->buttons;
        q->buttons = c->buttons;
    }
    if (q->count > 0 && new.motion &&
        commands_at(q, q->count - 1)
            ->motion &&commands_replaces(new.command, commands_at(q, q->count - 1)->command)) {
        free(commands_at(q, q->count - 1)->command);
        *commands_at(q, q->count - 1) = new;
    } else if (q->count <
               (commands_matters(c) ? COMMANDS_MAX : COMMANDS_MAX - ROOM_FOR_WHAT_MATTERS)) {
        *commands_at(q, q->count++) = new;
    } else {
        free(new.command);
    }
    pthread_mutex_unlock(&q->lock);
    return news;
}

struct session_command *commands_take(struct commands *q, bool *motion)
{
    struct waiting oldest = {NULL, false};

    pthread_mutex_lock(&q->lock);
    if (q->count > 0) {
        oldest = *commands_at(q, 0);
        q->first = (q->first + 1) % COMMANDS_MAX;
        q->count--;
    }
    pthread_mutex_unlock(&q->lock);
    *motion = oldest.motion;
    return oldest.command;
}

bool commands_only_motion(struct commands *q)
{
    bool only;

    pthread_mutex_lock(&q->lock);
    only = q->count == 1 && commands_at(q, 0)->motion;
    pthread_mutex_unlock(&q->lock);
    return only;
}
