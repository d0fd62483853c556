/* What the user wishes while the session is up: another period, another quality, the whole picture
 * again; and whether the picture can be seen. The scheduler is told, and the sender looks at what
 * it has decided then. And whether the user only looks on. */
#include <stdlib.h>

#include "rfb/clock.h"
#include "rfb/session/session_state.h"

/* Call with the lock held. */
static void tune(struct session *s, const struct session_tuning *t)
{
    struct encoding_options *e = &s->options.encodings;
    struct scheduler_event event = {.type = EVENT_TUNED};

    e->quality = t->quality == TUNING_AUTO ? LEVEL_AUTO : (int)t->quality;
    event.tuning = (struct scheduler_tuning){
        .policy = (enum prp_policy)t->policy,
        .fixed_prp = (tick_t)t->prp_us * (TICK_MS / 1000),
        .quality_pinned = e->quality != LEVEL_AUTO && e->compress != LEVEL_AUTO,
    };
    session_tell(s, &event, tick_now());
}

void session_take_tuning(struct session *s, const struct session_tuning *t)
{
    pthread_mutex_lock(&s->lock);
    if (s->phase == RUNNING)
        tune(s, t);
    pthread_mutex_unlock(&s->lock);
    session_wake_sender(s);
}

void session_take_refresh(struct session *s)
{
    pthread_mutex_lock(&s->lock);
    if (s->phase == RUNNING)
        session_tell(s, &(struct scheduler_event){.type = EVENT_NEW_PICTURE}, tick_now());
    pthread_mutex_unlock(&s->lock);
    session_wake_sender(s);
}

void session_take_hide(struct session *s, bool on)
{
    pthread_mutex_lock(&s->lock);
    if (s->phase == RUNNING)
        session_tell(s, &(struct scheduler_event){.type = EVENT_HIDDEN, .hidden = on}, tick_now());
    pthread_mutex_unlock(&s->lock);
    session_wake_sender(s);
}

/* The sender looks at it once a second anyway. */
void session_take_watch(struct session *s, bool on)
{
    pthread_mutex_lock(&s->lock);
    keep_alive_watch(&s->alive, on, tick_now());
    pthread_mutex_unlock(&s->lock);
}
