#include "rfb/events.h"

#include <pthread.h>
#include <stdlib.h>

struct node {
    struct session_event event;
    struct node *next;
};

struct events {
    struct session_callbacks callbacks;
    pthread_mutex_t lock; /* everything below */
    struct node *first, **end;
};

struct events *events_create(const struct session_callbacks *callbacks)
{
    struct events *q = calloc(1, sizeof *q);

    if (!q)
        return NULL;
    q->callbacks = *callbacks;
    q->end = &q->first;
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
    pthread_mutex_destroy(&q->lock);
    free(q);
}

void events_wake(struct events *q)
{
    q->callbacks.wake(q->callbacks.user);
}

void events_add(struct events *q, struct session_event event)
{
    struct node *n = malloc(sizeof *n);
    bool was_empty;

    if (!n) {
        session_event_free(&event);
        return;
    }
    *n = (struct node){event, NULL};
    pthread_mutex_lock(&q->lock);
    was_empty = !q->first;
    *q->end = n;
    q->end = &n->next;
    pthread_mutex_unlock(&q->lock);
    if (was_empty)
        events_wake(q);
}

bool events_take(struct events *q, struct session_event *out)
{
    struct node *n;

    pthread_mutex_lock(&q->lock);
    n = q->first;
    if (n) {
        q->first = n->next;
        if (!q->first)
            q->end = &q->first;
    }
    pthread_mutex_unlock(&q->lock);
    if (!n)
        return false;
    *out = n->event;
    free(n);
    return true;
}

void session_event_free(struct session_event *event)
{
    free(event->pixels);
    free(event->text);
    event->pixels = NULL;
    event->text = NULL;
}
