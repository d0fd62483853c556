#include "rfb/session/input/sound.h"

#include <pthread.h>
#include <stdlib.h>

#include "prerequest/decide/quality.h" /* QUALITY_NEAR */

struct sound {
    struct events *events;

    pthread_mutex_t lock; /* everything below */
    enum sound_wish wish;
    bool has;         /* the server has sound */
    bool carries;     /* the path is good enough for it */
    bool told;        /* the server was told to send it */
    bool comes;       /* samples do, and the owner knows */
    tick_t came_at;   /* when they did last */
    tick_t known_at;  /* when the server said that it has it */
    tick_t judged_at; /* when the path was judged otherwise last; TICK_NEVER: not yet */
    uint64_t bytes, late;
};

struct sound *sound_create(enum sound_wish wish, struct events *events)
{
    struct sound *s = calloc(1, sizeof *s);

    if (!s)
        return NULL;
    s->events = events;
    s->wish = wish;
    s->judged_at = TICK_NEVER;
    pthread_mutex_init(&s->lock, NULL);
    return s;
}

void sound_destroy(struct sound *s)
{
    if (s)
        pthread_mutex_destroy(&s->lock);
    free(s);
}

bool sound_learn(struct sound *s, tick_t now)
{
    bool news;

    pthread_mutex_lock(&s->lock);
    news = !s->has;
    if (news)
        s->known_at = now;
    s->has = true;
    pthread_mutex_unlock(&s->lock);
    return news;
}

void sound_want(struct sound *s, bool on)
{
    pthread_mutex_lock(&s->lock);
    s->wish = on ? SOUND_WISH_ON : SOUND_WISH_OFF;
    pthread_mutex_unlock(&s->lock);
}

/* Tells the owner. Out of memory it is told the next time. Call with the lock held. */
static void sound_comes(struct sound *s, bool on)
{
    const struct session_event head = {.type = SESSION_SOUND, .width = on};
    struct session_event *e = s->comes != on ? session_event_create(&head, NULL, 0) : NULL;

    if (!e)
        return;
    s->comes = on;
    events_add(s->events, e);
}

/* Call with the lock held. */
static bool sound_carries(const struct sound *s, double rate, tick_t round_trip, tick_t now)
{
    if (rate >= (double)SOUND_PLENTY * SOUND_SECOND)
        return true;
    if (rate > 0)
        return s->carries && rate >= (double)SOUND_LEAST * SOUND_SECOND;
    return s->carries ||
           (now - s->known_at >= SOUND_WAITS && round_trip > 0 && round_trip <= QUALITY_NEAR);
}

void sound_look(struct sound *s, double rate, tick_t round_trip, tick_t now)
{
    bool carries;

    pthread_mutex_lock(&s->lock);
    carries = s->has && sound_carries(s, rate, round_trip, now);
    if (carries != s->carries &&
        (s->judged_at == TICK_NEVER || now - s->judged_at >= SOUND_EVERY)) {
        s->carries = carries;
        s->judged_at = now;
    }
    if (now - s->came_at >= SOUND_QUIET)
        sound_comes(s, false);
    pthread_mutex_unlock(&s->lock);
}

/* Call with the lock held. */
static bool sound_is_due(const struct sound *s)
{
    return s->has && (s->wish == SOUND_WISH_ON || (s->wish == SOUND_WISH_AUTO && s->carries));
}

size_t sound_write(struct sound *s, uint8_t *out)
{
    bool due, news;

    pthread_mutex_lock(&s->lock);
    due = sound_is_due(s);
    news = due != s->told;
    s->told = due;
    if (!due)
        sound_comes(s, false);
    pthread_mutex_unlock(&s->lock);
    if (!news)
        return 0;
    return due ? qemu_audio_write_enable(out) : qemu_audio_write_disable(out);
}

bool sound_came(struct sound *s, size_t size, tick_t now)
{
    bool told;

    pthread_mutex_lock(&s->lock);
    s->bytes += size;
    s->came_at = now;
    told = s->told;
    if (told)
        sound_comes(s, true);
    pthread_mutex_unlock(&s->lock);
    return told;
}

void sound_is_late(struct sound *s, size_t size)
{
    pthread_mutex_lock(&s->lock);
    s->late += size;
    pthread_mutex_unlock(&s->lock);
}

void sound_stats(struct sound *s, struct session_stats *out)
{
    pthread_mutex_lock(&s->lock);
    if (!s->has)
        out->sound = SOUND_NONE;
    else if (s->told)
        out->sound = SOUND_ON;
    else
        out->sound = s->wish == SOUND_WISH_AUTO ? SOUND_SLOW : SOUND_MUTED;
    out->sound_bytes = s->bytes;
    out->sound_late = s->late;
    pthread_mutex_unlock(&s->lock);
}
