#include "rfb/session/pacing/answers.h"

#include <pthread.h>
#include <stdlib.h>

#include "rfb/system/clock.h"
#include "rfb/system/thread.h"

struct answers {
    struct pacing *pacing;
    double work; /* s of the receiver's CPU time when the update began */
    bool news;   /* the update shows something that was not asked for by the keep-alive */

    pthread_mutex_t lock; /* everything below */
    struct answered answered;
};

struct answers *answers_create(struct pacing *pacing)
{
    struct answers *a = calloc(1, sizeof *a);

    if (!a)
        return NULL;
    a->pacing = pacing;
    pthread_mutex_init(&a->lock, NULL);
    answered_init(&a->answered);
    return a;
}

void answers_destroy(struct answers *a)
{
    if (!a)
        return;
    pthread_mutex_destroy(&a->lock);
    free(a);
}

void answers_input(struct answers *a, unsigned messages, bool acts, tick_t now)
{
    pthread_mutex_lock(&a->lock);
    answered_input(&a->answered, messages, acts, now);
    pthread_mutex_unlock(&a->lock);
}

/* Gives the lock back; `news`: parts are known that have to be told. */
static void answers_unlock(struct answers *a, bool news)
{
    struct scheduler_event event = {.type = EVENT_RESPONSE, .response = a->answered.parts};

    pthread_mutex_unlock(&a->lock);
    if (news)
        pacing_report(a->pacing, &event, tick_now());
}

/* ---- the receiver ---- */

void answers_came(struct answers *a, uint16_t messages, tick_t now)
{
    pthread_mutex_lock(&a->lock);
    answered_came(&a->answered, messages, now);
    pthread_mutex_unlock(&a->lock);
}

void answers_hear(struct answers *a, uint16_t number, const struct response_far *far)
{
    pthread_mutex_lock(&a->lock);
    answers_unlock(a, answered_told(&a->answered, number, far));
}

void answers_shown(struct answers *a)
{
    tick_t round_trip = pacing_facts(a->pacing).round_trip;

    pthread_mutex_lock(&a->lock);
    answers_unlock(a, answered_shown(&a->answered, round_trip, tick_now()));
}

void answers_update_begun(struct answers *a)
{
    a->work = cpu_seconds(CLOCK_THREAD_CPUTIME_ID);
    a->news = false;
}

void answers_drawn(struct answers *a)
{
    a->news = true;
}

void answers_update_shown(struct answers *a)
{
    tick_t round_trip = pacing_facts(a->pacing).round_trip;
    double work = cpu_seconds(CLOCK_THREAD_CPUTIME_ID) - a->work;

    if (!a->news)
        return;
    a->news = false;
    pthread_mutex_lock(&a->lock);
    answers_unlock(
        a, answered_update(&a->answered, round_trip, (tick_t)(work * (double)TICK_S), tick_now()));
}

/* ---- figures ---- */

void answers_figures(struct answers *a, tick_t since, struct answers_figures *out)
{
    pthread_mutex_lock(&a->lock);
    out->response = a->answered.at > since ? a->answered.newest : 0;
    out->parts = a->answered.parts;
    out->drawn = a->answered.drawn;
    out->count = answered_mean(&a->answered, &out->mean);
    pthread_mutex_unlock(&a->lock);
}
