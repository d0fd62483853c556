/* The receiver thread: connects, then decodes what the server sends. What that means is in
 * updates.c and news.c. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include "rfb/clock.h"
#include "rfb/log.h"
#include "rfb/proto/client_messages.h"
#include "rfb/proto/handshake.h"
#include "rfb/session/messages.h"
#include "rfb/session/session_state.h"

/* Connects, and makes the decoder. */
static bool open_stream(struct session *s, struct reason *why)
{
    struct transport_window window;
    struct stream *stream = stream_connect(&s->options.route, &s->options.address,
                                           &s->options.transport, s->deadline, s->cancel_fd, why);

    if (!stream)
        return false;
    s->decoder = decoder_create(stream, s->fb, &s->options.encodings.list);
    if (!s->decoder) {
        stream_destroy(stream);
        return reason_set(why, "out of memory");
    }
    stream_window(stream, &window);
    pthread_mutex_lock(&s->lock);
    if (s->options.route.listen) /* the wait for the server is no part of the handshake */
        s->deadline = tick_now() + s->options.connect_timeout;
    s->stream = stream;
    window_init(&s->window, window.tuned, window.allowed);
    s->window_bytes = s->options.transport.window_bytes > 0 ? window.bytes : 0;
    if (s->stopping)
        session_cut(s);
    pthread_mutex_unlock(&s->lock);
    return true;
}

static struct message_source source_of(const struct session *s)
{
    return (struct message_source){s->stream, s->decoder, s->fb, s->options.encodings.clipboard};
}

/* Tells the server how to send pixels, before the sender writes anything. */
static bool set_up_pixels(struct session *s, struct reason *why)
{
    struct encoding_options encodings;
    uint8_t setup[2 * CLIENT_WRITE_MAX];
    size_t size = client_write_set_pixel_format(setup, &pixel_format_xrgb);

    session_encodings(s, &encodings);
    s->told = encodings;
    size += client_write_set_encodings(setup + size, &encodings);
    return stream_write(s->stream, setup, size) || reason_set(why, "the connection broke");
}

static bool open_connection(struct session *s, struct server_init *init, struct reason *why)
{
    security_set with_certificate = security_with_certificate(s->options.security);
    bool had = s->options.had_certificate && with_certificate;
    bool demanded = s->options.x509_ca || s->options.fingerprint || had;
    struct handshake_options options = {
        .shared = s->options.shared,
        .allowed = demanded ? with_certificate : s->options.security,
        .had_certificate = had,
        .host = s->options.address.host,
        .x509_ca = s->options.x509_ca,
        .x509_crl = s->options.x509_crl,
        .fingerprint = s->options.fingerprint,
        .credentials = session_ask_credentials,
        .trust = session_ask_trust,
        .user = s,
    };
    struct message_source source;
    struct transport_info info;

    if (session_plays(s) && !security_parse(&options.allowed, "None", why))
        return false;
    if (!open_stream(s, why) || !handshake(s->stream, &options, init, why) ||
        (session_plays(s) && !session_can_play(init, why)))
        return false;
    session_begin_recording(s, init);
    source = source_of(s);
    if (!message_resize(&source, init->width, init->height, why))
        return false;
    pthread_mutex_lock(&s->lock);
    s->handshake_rtt_ms = init->rtt_ms;
    stream_info(s->stream, &info);
    if (info.bytes_received >= 0) /* the quality to begin with depends on it */
        session_learn_round_trip(s, &info, tick_now());
    pthread_mutex_unlock(&s->lock);
    return set_up_pixels(s, why);
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
    s->fingerprinted = stream_fingerprint(s->stream, s->sha256);
    if (session_plays(s)) /* it waits for no request */
        s->started = tick_now();
    s->certificate = init->security->channel == CHANNEL_CERTIFICATE;
    snprintf(s->name, sizeof s->name, "%s", init->name);
    sanitise(s->name); /* it may have been cut inside a character */
    session_new_picture(s, init->width, init->height);
    pthread_mutex_unlock(&s->lock);
    session_post_name(s, &event, init->name);
    session_wake_sender(s);
}

/* s: CPU time of this thread. */
static double thread_seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
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
    if (open_connection(s, &init, &why)) {
        struct message_source source = source_of(s);

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
    s->decode_s = thread_seconds();
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
