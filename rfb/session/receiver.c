/* The receiver thread: connects, then decodes what the server sends. What that means is in
 * updates.c and news.c; how it connects is in open.c. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include "rfb/clock.h"
#include "rfb/log.h"
#include "rfb/proto/handshake.h"
#include "rfb/session/messages.h"
#include "rfb/session/session_state.h"
#include "rfb/thread_time.h"

struct message_source session_source(const struct session *s)
{
    return (struct message_source){s->stream, s->decoder, s->fb, s->options.encodings.clipboard};
}

/* The first request may have left with the handshake: it counts from then on. Call with the lock
 * held. */
static void begin_pictures(struct session *s, const struct server_init *init)
{
    struct scheduler_event sent = {.type = EVENT_REQUEST_SENT, .cause = REQUEST_FIRST};
    tick_t at = init->ahead_at;

    session_new_picture(s, init->width, init->height, at != TICK_NEVER ? at : tick_now());
    if (at == TICK_NEVER || init->width != s->options.memory.width ||
        init->height != s->options.memory.height)
        return;
    s->started = at;
    session_tell(s, &sent, at);
    meter_request(&s->meter, REQUEST_FIRST);
}

/* The handshake is over: from here on only the sender writes. Frees the name. */
static void start_running(struct session *s, const struct server_init *init)
{
    const struct session_event event = {
        .type = SESSION_CONNECTED, .width = init->width, .height = init->height};

    sanitise(init->name);
    log_debug("connected to '%s', %d x %d", init->name, init->width, init->height);
    pthread_mutex_lock(&s->lock);
    s->phase = RUNNING;
    s->security = init->security->name;
    s->fingerprinted = stream_key(s->stream, s->sha256);
    if (session_plays(s)) /* it waits for no request */
        s->started = tick_now();
    session_learn_beginning(s, init);
    s->certificate = init->security->channel == CHANNEL_CERTIFICATE;
    snprintf(s->name, sizeof s->name, "%s", init->name);
    sanitise(s->name); /* it may have been cut inside a character */
    begin_pictures(s, init);
    pthread_mutex_unlock(&s->lock);
    session_post_name(s, &event, init->name);
    session_wake_sender(s);
}

/* Call with the lock held. */
static enum failure failure_of(const struct session *s, const struct server_init *init,
                               const struct reason *why)
{
    if (s->stopping)
        return FAILURE_NONE;
    if (init->failure)
        return init->failure;
    if (session_plays(s) && s->stream && stream_failure(s->stream))
        return FAILURE_PLAYED;
    if (!s->stream && why->kind)
        return why->kind;
    if (!s->stream || s->watchdog.text[0] || stream_failure(s->stream))
        return FAILURE_LOST;
    return FAILURE_PROTOCOL;
}

void *session_receiver(void *user)
{
    struct message_handlers handlers = {.user = user};
    struct session *s = user;
    struct server_init init = {0};
    struct reason why = {0};
    enum failure failure;
    bool abandoned;

    prctl(PR_SET_NAME, "receiver");
    session_handle_updates(&handlers);
    session_handle_news(&handlers);
    session_handle_screens(&handlers);
    if (session_open(s, &init, &why)) {
        struct message_source source = session_source(s);

        start_running(s, &init);
        while (message_receive(&source, &handlers, &why))
            ;
    } else {
        free(init.name);
        if (session_plays(s))
            session_cannot_play(s, &why);
    }
    pthread_mutex_lock(&s->lock);
    s->phase = CLOSED;
    abandoned = s->abandoned;
    s->ended = tick_now();
    if (s->stream)
        stream_info(s->stream, &s->last_info);
    s->decode_s = cpu_seconds(CLOCK_THREAD_CPUTIME_ID);
    failure = failure_of(s, &init, &why);
    if (failure == FAILURE_PLAYED)
        stream_explain(s->stream, &why);
    if (s->watchdog.text[0])
        why = s->watchdog;
    pthread_mutex_unlock(&s->lock);
    if (abandoned) { /* nobody is left to hear of it */
        session_free(s);
        return NULL;
    }
    session_wake_sender(s);
    events_close(s->events, failure, failure ? why.text : NULL);
    return NULL;
}
