#include "rfb/session/pacing/responses.h"

#include <pthread.h>
#include <stdlib.h>

#include "rfb/film/decoder.h"
#include "rfb/system/clock.h"
#include "rfb/system/thread.h"

struct responses {
    struct pacing *pacing;
    double work; /* s of the receiver's CPU time when the update began */
    bool news;   /* the update shows something that was not asked for by the keep-alive */

    pthread_mutex_t lock; /* everything below */
    struct answered answered;
};

struct responses *responses_create(struct pacing *pacing)
{
    struct responses *a = calloc(1, sizeof *a);

    if (!a)
        return NULL;
    a->pacing = pacing;
    pthread_mutex_init(&a->lock, NULL);
    answered_init(&a->answered);
    return a;
}

void responses_destroy(struct responses *a)
{
    if (!a)
        return;
    pthread_mutex_destroy(&a->lock);
    free(a);
}

void responses_input(struct responses *a, unsigned messages, bool acts, tick_t now)
{
    pthread_mutex_lock(&a->lock);
    answered_input(&a->answered, messages, acts, now);
    pthread_mutex_unlock(&a->lock);
}

/* Gives the lock back; `news`: parts are known that have to be told. */
static void responses_unlock(struct responses *a, bool news)
{
    struct scheduler_event event = {.type = EVENT_RESPONSE, .response = a->answered.parts};

    pthread_mutex_unlock(&a->lock);
    if (news)
        pacing_report(a->pacing, &event, tick_now());
}

/* ---- the receiver ---- */

void responses_came(struct responses *a, uint16_t messages, tick_t now)
{
    pthread_mutex_lock(&a->lock);
    answered_came(&a->answered, messages, now);
    pthread_mutex_unlock(&a->lock);
}

void responses_hear(struct responses *a, uint16_t number, const struct response_far *far)
{
    pthread_mutex_lock(&a->lock);
    responses_unlock(a, answered_told(&a->answered, number, far));
}

void responses_shown(struct responses *a)
{
    tick_t round_trip = pacing_facts(a->pacing).round_trip;

    pthread_mutex_lock(&a->lock);
    responses_unlock(a, answered_shown(&a->answered, round_trip, tick_now()));
}

/* CPU time of this thread, which decodes, and of what decodes for it. */
static double responses_seconds(void)
{
    return cpu_seconds(CLOCK_THREAD_CPUTIME_ID) + film_decoder_seconds();
}

void responses_update_begun(struct responses *a)
{
    a->work = responses_seconds();
    a->news = false;
}

void responses_drawn(struct responses *a)
{
    a->news = true;
}

void responses_update_shown(struct responses *a)
{
    tick_t round_trip = pacing_facts(a->pacing).round_trip;
    double work = responses_seconds() - a->work;

    if (!a->news)
        return;
    a->news = false;
    pthread_mutex_lock(&a->lock);
    responses_unlock(
        a, answered_update(&a->answered, round_trip, (tick_t)(work * (double)TICK_S), tick_now()));
}

/* ---- figures ---- */

void responses_figures(struct responses *a, tick_t since, struct responses_figures *out)
{
    pthread_mutex_lock(&a->lock);
    out->response = a->answered.at > since ? a->answered.newest : 0;
    out->parts = a->answered.parts;
    out->drawn = a->answered.drawn;
    out->count = answered_mean(&a->answered, &out->mean);
    pthread_mutex_unlock(&a->lock);
}
