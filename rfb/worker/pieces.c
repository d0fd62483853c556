/* What comes of a session's process piece by piece: its trace, and the server's sound. */
#include "rfb/worker/worker_state.h"

bool worker_take_trace(struct worker *w, const struct channel_message *m)
{
    if (w->hooks.trace)
        trace_log_put(w->hooks.trace, m->body, m->size, m->type == WORKER_TRACE_END);
    return w->hooks.trace;
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
