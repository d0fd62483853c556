#include "rfb/session/events.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define TYPES (SESSION_CLOSED + 1)

struct events {
    pthread_mutex_t waking; /* the callbacks; held during a wake-up */
    struct session_callbacks callbacks;
    pthread_mutex_t lock;                /* everything below */
    struct session_event waiting[TYPES]; /* oldest first, one of a type at most */
    int count;
};

struct events *events_create(const struct session_callbacks *callbacks)
{
    struct events *q = calloc(1, sizeof *q);

    if (!q)
        return NULL;
    q->callbacks = *callbacks;
    pthread_mutex_init(&q->waking, NULL);
    pthread_mutex_init(&q->lock, NULL);
    return q;
}

void events_destroy(struct events *q)
{
    struct session_event event;

    if (!q)
        return;
    while (events_take(q, &event))
        session_event_free(&event);
    pthread_mutex_destroy(&q->waking);
    pthread_mutex_destroy(&q->lock);
    free(q);
}

void events_wake(struct events *q)
{
    pthread_mutex_lock(&q->waking);
    if (q->callbacks.wake)
        q->callbacks.wake(q->callbacks.user);
    pthread_mutex_unlock(&q->waking);
}

void events_silence(struct events *q)
{
    pthread_mutex_lock(&q->waking);
    q->callbacks.wake = NULL;
    pthread_mutex_unlock(&q->waking);
}

/* Takes the event at `i` out. Call with the lock held. */
static struct session_event remove_at(struct events *q, int i)
{
    struct session_event event = q->waiting[i];

    q->count--;
    memmove(&q->waiting[i], &q->waiting[i + 1], (size_t)(q->count - i) * sizeof event);
    return event;
}

void events_add(struct events *q, struct session_event event)
{
    struct session_event replaced = {.type = event.type};
    bool was_empty;

    pthread_mutex_lock(&q->lock);
    was_empty = q->count == 0;
    for (int i = 0; i < q->count; i++)
        if (q->waiting[i].type == event.type) {
            replaced = remove_at(q, i);
            break;
        }
    q->waiting[q->count++] = event;
    pthread_mutex_unlock(&q->lock);
    session_event_free(&replaced);
    if (was_empty)
        events_wake(q);
}

bool events_take(struct events *q, struct session_event *out)
{
    bool any;

    pthread_mutex_lock(&q->lock);
    any = q->count > 0;
    if (any)
        *out = remove_at(q, 0);
    pthread_mutex_unlock(&q->lock);
    return any;
}

void session_event_free(struct session_event *event)
{
    free(event->pixels);
    free(event->text);
    event->pixels = NULL;
    event->text = NULL;
}
