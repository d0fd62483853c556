#include "rfb/session/events.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Notices that wait; of all other types there is one at most. Chosen: far more than an honest
 * session has to say at once. */
#define NOTICES_MAX 32
#define WAITING_MAX (SESSION_EVENT_TYPES + NOTICES_MAX)

struct events {
    pthread_mutex_t waking; /* for the callbacks; held while wake() runs */
    struct session_callbacks callbacks;
    pthread_mutex_t lock;                       /* everything below */
    struct session_event *waiting[WAITING_MAX]; /* oldest first */
    int count;
    struct session_event *closed; /* with room for a reason; NULL once it is added */
};

struct events *events_create(const struct session_callbacks *callbacks)
{
    struct events *q = calloc(1, sizeof *q);

    if (!q || !(q->closed = calloc(1, sizeof *q->closed + SESSION_REASON_MAX))) {
        free(q);
        return NULL;
    }
    q->callbacks = *callbacks;
    pthread_mutex_init(&q->waking, NULL);
    pthread_mutex_init(&q->lock, NULL);
    return q;
}

void events_destroy(struct events *q)
{
    if (!q)
        return;
    for (int i = 0; i < q->count; i++)
        free(q->waiting[i]);
    free(q->closed);
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
static struct session_event *remove_at(struct events *q, int i)
{
    struct session_event *event = q->waiting[i];

    q->count--;
    memmove(&q->waiting[i], &q->waiting[i + 1], (size_t)(q->count - i) * sizeof event);
    return event;
}

/* Drops the oldest one if no more of this type may wait. Call with the lock held. */
static void events_make_room(struct events *q, uint32_t type)
{
    int most = type == SESSION_NOTICE ? NOTICES_MAX : 1, oldest = -1, count = 0;

    for (int i = q->count - 1; i >= 0; i--)
        if (q->waiting[i]->type == type) {
            oldest = i;
            count++;
        }
    if (count >= most)
        free(remove_at(q, oldest));
}

void events_add(struct events *q, struct session_event *event)
{
    bool was_empty;

    pthread_mutex_lock(&q->lock);
    was_empty = q->count == 0;
    events_make_room(q, event->type);
    q->waiting[q->count++] = event;
    pthread_mutex_unlock(&q->lock);
    if (was_empty)
        events_wake(q);
}

void events_notice(struct events *q, const char *format, ...)
{
    const struct session_event head = {.type = SESSION_NOTICE};
    char text[SESSION_REASON_MAX];
    struct session_event *e;
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    sanitise(text);
    if ((e = session_event_create(&head, text, strlen(text) + 1)))
        events_add(q, e);
}

void events_close(struct events *q, enum failure failure, const char *why)
{
    struct session_event *closed = q->closed;

    q->closed = NULL;
    closed->type = SESSION_CLOSED;
    closed->failure = failure;
    if (why) {
        char *text = (char *)(closed + 1);

        snprintf(text, SESSION_REASON_MAX, "%s", why);
        closed->size = (uint32_t)strlen(text) + 1;
    }
    events_add(q, closed);
}

struct session_event *events_take(struct events *q)
{
    struct session_event *event = NULL;

    pthread_mutex_lock(&q->lock);
    if (q->count > 0)
        event = remove_at(q, 0);
    pthread_mutex_unlock(&q->lock);
    return event;
}
