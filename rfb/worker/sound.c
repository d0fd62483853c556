/* The server's sound on its way from a session's process to its owner. */
#include <stdlib.h>

#include "rfb/system/clock.h"
#include "rfb/worker/worker_state.h"

/* The owner opens a device each time that it hears that sound comes: this many times at once, and
 * then once in so many ns. Chosen: more than a user who switches sound off and on, and far less
 * than a device takes. */
#define SOUND_TURNS  8
#define SOUND_PERIOD (TICK_S / 2)

static bool sound_takes_turn(struct worker *w)
{
    tick_t now = tick_now();

    if (w->next_sound > now + (SOUND_TURNS - 1) * SOUND_PERIOD)
        return false;
    w->next_sound = tick_later(w->next_sound, now) + SOUND_PERIOD;
    return true;
}

bool worker_sound_waits(struct worker *w, const struct session_event *e)
{
    w->sound_owed = e->width && !sound_takes_turn(w);
    return w->sound_owed;
}

/* Says what had to wait. Out of memory it is said the next time. */
static void sound_say(struct worker *w)
{
    const struct session_event head = {.type = SESSION_SOUND, .width = true};
    struct session_event *e = w->closed ? NULL : session_event_create(&head, NULL, 0);

    if (!e)
        return;
    if (!sound_takes_turn(w)) {
        free(e);
        return;
    }
    w->sound_owed = false;
    events_add(w->events, e);
}

/* An honest process passes nothing on where the options do not allow it. It may overtake the event
 * that the session is connected. */
bool worker_take_sound(struct worker *w, const struct channel_message *m)
{
    if (!w->linked || w->options.sound == SOUND_WISH_OFF || m->size % SOUND_FRAME != 0)
        return false;
    pthread_mutex_lock(&w->sound_lock);
    sound_queue_put(&w->sound, m->body, m->size);
    pthread_mutex_unlock(&w->sound_lock);
    if (w->sound_owed)
        sound_say(w);
    return true;
}

void worker_note_sound(struct worker *w, const struct session_event *e)
{
    if (e->type != SESSION_SOUND || e->width)
        return;
    pthread_mutex_lock(&w->sound_lock);
    sound_queue_forget(&w->sound);
    pthread_mutex_unlock(&w->sound_lock);
}

uint64_t worker_sound_late(struct worker *w)
{
    uint64_t late;

    pthread_mutex_lock(&w->sound_lock);
    late = w->sound.dropped;
    pthread_mutex_unlock(&w->sound_lock);
    return late;
}

void session_take_sound(struct session *s, void *out, size_t size)
{
    struct worker *w = (struct worker *)(void *)s;

    pthread_mutex_lock(&w->sound_lock);
    sound_queue_take(&w->sound, out, size);
    pthread_mutex_unlock(&w->sound_lock);
}
