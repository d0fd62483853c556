/* The receiver thread: connects, then decodes what the server sends. */
#include <math.h>
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

/* ---- what messages mean ---- */

/* Tells the watchdog that bytes have arrived. False: the session is to end, whatever the kernel
 * still has buffered. Call with the lock held. */
static bool progress(struct session *s)
{
    s->progress_at = tick_now();
    return !s->stopping && !s->watchdog.text[0];
}

static bool on_begun(void *user)
{
    struct session *s = user;
    bool goes_on;

    pthread_mutex_lock(&s->lock);
    s->in_message = true;
    goes_on = progress(s);
    pthread_mutex_unlock(&s->lock);
    return goes_on;
}

/* Whether the sender has to be woken: something is due before it wakes by itself. Call with the
 * lock held, after the scheduler was told something. */
static bool has_to_send(struct session *s)
{
    return !s->held && (scheduler_next(&s->scheduler).at < s->sleeping_until || session_untold(s));
}

static void on_ended(void *user)
{
    struct session *s = user;
    bool wake = false;

    pthread_mutex_lock(&s->lock);
    s->in_message = false;
    if (stream_waiting(s->stream) == 0) {
        session_tell(s, &(struct scheduler_event){.type = EVENT_RAN_DRY}, tick_now());
        wake = has_to_send(s);
    }
    pthread_mutex_unlock(&s->lock);
    if (wake)
        session_wake_sender(s);
}

/* Tells the scheduler how much has arrived. `info` was asked just now. Call with the lock held. */
static void tell_arrived(struct session *s, const struct transport_info *info, tick_t now)
{
    struct scheduler_event e = {.type = EVENT_ARRIVED, .arrived = (uint64_t)info->bytes_received};

    s->told_at = stream_taken(s->stream);
    if (info->bytes_received > 0)
        session_tell(s, &e, now);
}

/* The same, and asks the kernel first. */
static void ask_arrived(struct session *s)
{
    struct transport_info info;

    stream_info(s->stream, &info);
    tell_arrived(s, &info, tick_now());
}

static void on_update_begun(void *user)
{
    struct session *s = user;
    bool wake;

    pthread_mutex_lock(&s->lock);
    s->update_begun = tick_now();
    s->update_news = s->update_loss = s->update_more = false;
    session_tell(s, &(struct scheduler_event){.type = EVENT_UPDATE_BEGUN}, s->update_begun);
    ask_arrived(s);
    wake = session_clipboard_settle(&s->clipboard) || has_to_send(s);
    pthread_mutex_unlock(&s->lock);
    if (wake)
        session_wake_sender(s);
}

static bool on_rectangle(void *user, struct rect r, int32_t encoding)
{
    struct session *s = user;
    bool loss = decoder_was_jpeg(s->decoder), goes_on, wake, asked;

    pthread_mutex_lock(&s->lock);
    /* an update may have thousands of rectangles: the kernel is asked once per piece */
    if (stream_taken(s->stream) - s->told_at >= SLOWDOWN_PIECE)
        ask_arrived(s);
    /* what is copied from another place may be lossy there */
    loss = loss || (encoding == ENCODING_COPYRECT && lossy_any(&s->lossy));
    asked = lossy_asked_for(&s->lossy, r);
    s->update_news = s->update_news || !asked;
    /* An update that left before our request had arrived does not answer it, even if it lies in the
     * slice: some servers send lossy parts again by themselves, as better JPEG. Such a rectangle
     * leaves the slice as it is. */
    if (!asked ||
        lossy_answers(&s->lossy, s->update_begun - scheduler_facts(&s->scheduler).round_trip)) {
        s->update_loss = s->update_loss || (asked && loss);
        lossy_drawn(&s->lossy, r, loss);
    }
    s->update_more = !keep_alive_answered(&s->alive, r, tick_now()) || s->update_more;
    s->encodings_seen |= 1u << encoding;
    goes_on = progress(s);
    wake = has_to_send(s);
    pthread_mutex_unlock(&s->lock);
    if (wake)
        session_wake_sender(s);
    return goes_on;
}

/* ms: longer than a host waits before it acknowledges a small message, which is 40 ms on Linux. */
#define DELAYED_ACK_MS 50

/* Tells the scheduler the round trip, if it is known. `info` is of a TCP socket. Call with the lock
 * held. */
static void learn_round_trip(struct session *s, const struct transport_info *info, tick_t now)
{
    double ms;

    /* The kernel's minimum is of minutes. The average shows a longer route sooner; it holds delayed
     * ACKs, which are taken off. */
    ms = session_round_trip_ms(s, fmax(info->rtt_ms, info->smoothed_ms - DELAYED_ACK_MS));
    if (ms > 0)
        session_tell(
            s, &(struct scheduler_event){.type = EVENT_ROUND_TRIP, .round_trip = tick_from_ms(ms)},
            now);
}

/* How many bytes the update that ends now had, and what comes after it. Call with the lock held. */
static struct scheduler_update measure_update(struct session *s, bool pixels, tick_t now)
{
    struct scheduler_update u = {.pixels = pixels, .news = !pixels || s->update_news};
    struct transport_info info;
    int waiting = stream_waiting(s->stream);
    int64_t used;

    u.more = push_more(&s->push, waiting);
    stream_info(s->stream, &info);
    if (info.bytes_received < 0) /* a Unix socket */
        return u;
    /* Bytes may have arrived between the two questions. Then this count is too high, and the next
     * one may be lower. It never goes back. */
    used = info.bytes_received - waiting;
    if (used < s->bytes_used)
        used = s->bytes_used;
    tell_arrived(s, &info, now);
    u.bytes = (uint64_t)(used - s->bytes_used);
    s->bytes_used = used;
    learn_round_trip(s, &info, now);
    return u;
}

static void say_not_pushed(const char *why)
{
    if (why)
        log_line("%s: requests go on", why);
}

static void on_server_kind(void *user, bool counts)
{
    struct session *s = user;
    bool wake;

    pthread_mutex_lock(&s->lock);
    session_tell(s, &(struct scheduler_event){.type = EVENT_SERVER_KIND, .counts = counts},
                 tick_now());
    wake = has_to_send(s);
    pthread_mutex_unlock(&s->lock);
    if (wake)
        session_wake_sender(s);
}

static void on_continuous_updates_ended(void *user)
{
    struct session *s = user;
    const char *why;

    pthread_mutex_lock(&s->lock);
    why = push_ended(&s->push);
    session_tell(s,
                 &(struct scheduler_event){.type = EVENT_PUSH, .pushed = s->push.state == PUSH_ON},
                 tick_now());
    pthread_mutex_unlock(&s->lock);
    say_not_pushed(why);
    session_wake_sender(s);
}

static bool on_fence(void *user, uint32_t flags, const uint8_t *payload, size_t size,
                     struct reason *why)
{
    struct session *s = user;
    bool answer, room;

    pthread_mutex_lock(&s->lock);
    answer = push_fence(&s->push, flags, payload, size);
    room = s->fence_bytes + CLIENT_WRITE_MAX <= sizeof s->fences;
    if (answer && room)
        s->fence_bytes +=
            client_write_fence(s->fences + s->fence_bytes, flags & FENCE_HONOURED, payload, size);
    pthread_mutex_unlock(&s->lock);
    if (answer)
        session_wake_sender(s);
    return room || reason_set(why, "the server sends fences and does not read the answers");
}

/* Tells the scheduler of the update that ends now, and of what is lossy after it. Call with the
 * lock held. */
static void tell_update(struct session *s, bool pixels, tick_t now)
{
    struct scheduler_event update = {.type = EVENT_UPDATE_FINISHED}, loss = {.type = EVENT_LOSS};
    bool news;

    update.update = measure_update(s, pixels, now);
    session_tell(s, &update, now);
    news = scheduler_had_news(&s->scheduler);
    if (pixels && news)
        lossy_give_up(&s->lossy);
    else if (pixels)
        lossy_answered(&s->lossy, s->update_begun - scheduler_facts(&s->scheduler).round_trip);
    loss.loss = (struct scheduler_loss){
        .pixels = lossy_pixels(&s->lossy),
        .asked = s->lossy.asked > 0,
        .again = s->update_loss && !news,
    };
    session_tell(s, &loss, now);
}

static void on_update_finished(void *user, bool pixels)
{
    struct session *s = user;
    bool damaged = framebuffer_publish(s->fb), wake;
    const char *not_pushed;
    tick_t now = tick_now();

    pthread_mutex_lock(&s->lock);
    pixels = pixels && s->update_more; /* an answer to the keep-alive is no frame */
    tell_update(s, pixels, now);
    meter_update(&s->meter, pixels, now);
    not_pushed = push_update(&s->push);
    wake = has_to_send(s);
    pthread_mutex_unlock(&s->lock);
    say_not_pushed(not_pushed);
    if (wake)
        session_wake_sender(s);
    if (damaged)
        events_wake(s->events);
}

/* The picture has this size from now on. Call with the lock held; wake the sender afterwards. */
static void new_picture(struct session *s, int width, int height)
{
    s->width = width;
    s->height = height;
    if (s->options.scheduler.lossless_refresh)
        lossy_resize(&s->lossy, width, height); /* when out of memory nothing is refreshed */
    push_resized(&s->push);
    session_tell(s, &(struct scheduler_event){.type = EVENT_NEW_PICTURE}, tick_now());
}

/* Adds an event for the owner. When out of memory, the session ends. */
static void post_event(struct session *s, const struct session_event *head, const void *bulk,
                       size_t size)
{
    struct session_event *event = session_event_create(head, bulk, size);

    if (event) {
        events_add(s->events, event);
        return;
    }
    pthread_mutex_lock(&s->lock);
    reason_set(&s->watchdog, "out of memory");
    session_cut(s);
    pthread_mutex_unlock(&s->lock);
}

/* Adds an event with a name as its text. `name` is sanitised already; it is cut to what an event
 * holds, and freed here. */
static void post_name(struct session *s, const struct session_event *head, char *name)
{
    if (strlen(name) >= SESSION_NAME_MAX) {
        name[SESSION_NAME_MAX - 1] = '\0';
        sanitise(name); /* it may have been cut inside a character */
    }
    post_event(s, head, name, strlen(name) + 1);
    free(name);
}

static void on_resized(void *user, int width, int height)
{
    const struct session_event event = {.type = SESSION_RESIZED, .width = width, .height = height};
    struct session *s = user;

    pthread_mutex_lock(&s->lock);
    new_picture(s, width, height);
    pthread_mutex_unlock(&s->lock);
    session_wake_sender(s);
    post_event(s, &event, NULL, 0);
}

static void on_cursor(void *user, int width, int height, int hot_x, int hot_y, uint32_t *pixels)
{
    const struct session_event event = {
        .type = SESSION_CURSOR, .width = width, .height = height, .hot_x = hot_x, .hot_y = hot_y};

    post_event(user, &event, pixels, (size_t)width * (size_t)height * sizeof *pixels);
    free(pixels);
}

/* A server that repeats itself does not keep the owner awake. */
static void on_leds(void *user, unsigned leds)
{
    const struct session_event event = {.type = SESSION_LEDS, .leds = leds};
    struct session *s = user;

    if (leds == s->leds)
        return;
    s->leds = leds;
    post_event(s, &event, NULL, 0);
}

static void on_takes_key_codes(void *user)
{
    const struct session_event event = {.type = SESSION_KEY_CODES};
    struct session *s = user;
    bool news;

    pthread_mutex_lock(&s->lock);
    news = !s->key_codes;
    s->key_codes = true;
    pthread_mutex_unlock(&s->lock);
    if (news)
        post_event(s, &event, NULL, 0);
}

static void on_takes_more_buttons(void *user)
{
    struct session *s = user;

    pthread_mutex_lock(&s->lock);
    s->more_buttons = true;
    pthread_mutex_unlock(&s->lock);
}

static void on_name(void *user, char *utf8)
{
    const struct session_event event = {.type = SESSION_NAME};

    post_name(user, &event, utf8);
}

void session_take_cut_text(void *user, char *utf8)
{
    const struct session_event event = {.type = SESSION_CUT_TEXT};
    struct session *s = user;

    if (s->options.clipboard & CLIPBOARD_RECEIVE)
        post_event(s, &event, utf8, strlen(utf8) + 1);
    free(utf8);
}

/* ns: no two bells are passed on within this time. Chosen: a person cannot tell more of them apart,
 * and a flood would keep the owner awake, flash its window and fill its terminal. */
#define BELL_PERIOD (250 * TICK_MS)

static void on_bell(void *user)
{
    const struct session_event event = {.type = SESSION_BELL};
    struct session *s = user;
    tick_t now = tick_now();

    if (now < s->next_bell)
        return;
    s->next_bell = now + BELL_PERIOD;
    post_event(s, &event, NULL, 0);
}

/* ---- the connection ---- */

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

    if (!open_stream(s, why) || !handshake(s->stream, &options, init, why))
        return false;
    source = source_of(s);
    if (!message_resize(&source, init->width, init->height, why))
        return false;
    pthread_mutex_lock(&s->lock);
    s->handshake_rtt_ms = init->rtt_ms;
    stream_info(s->stream, &info);
    if (info.bytes_received >= 0) /* the quality to begin with depends on it */
        learn_round_trip(s, &info, tick_now());
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
    s->certificate = init->security->channel == CHANNEL_CERTIFICATE;
    snprintf(s->name, sizeof s->name, "%s", init->name);
    sanitise(s->name); /* it may have been cut inside a character */
    new_picture(s, init->width, init->height);
    pthread_mutex_unlock(&s->lock);
    post_name(s, &event, init->name);
    session_wake_sender(s);
}

/* Call with the lock held. */
static enum failure failure_of(const struct session *s, const struct server_init *init)
{
    if (s->stopping)
        return FAILURE_NONE;
    if (init->failure)
        return init->failure;
    if (!s->stream || s->watchdog.text[0] || stream_failure(s->stream))
        return FAILURE_LOST;
    return FAILURE_PROTOCOL;
}

void *session_receiver(void *user)
{
    const struct message_handlers handlers = {
        .begun = on_begun,
        .rectangle = on_rectangle,
        .ended = on_ended,
        .update_begun = on_update_begun,
        .update_finished = on_update_finished,
        .resized = on_resized,
        .cursor = on_cursor,
        .leds = on_leds,
        .takes_key_codes = on_takes_key_codes,
        .takes_more_buttons = on_takes_more_buttons,
        .name = on_name,
        .cut_text = session_take_cut_text,
        .cut_text_dropped = session_cut_text_dropped,
        .clipboard = session_take_clipboard,
        .bell = on_bell,
        .continuous_updates_ended = on_continuous_updates_ended,
        .server_kind = on_server_kind,
        .fence = on_fence,
        .user = user,
    };
    struct session *s = user;
    struct server_init init = {0};
    struct reason why = {""};
    enum failure failure;
    bool abandoned;

    prctl(PR_SET_NAME, "receiver");
    if (open_connection(s, &init, &why)) {
        struct message_source source = source_of(s);

        start_running(s, &init);
        while (message_receive(&source, &handlers, &why))
            ;
    } else {
        free(init.name);
    }
    pthread_mutex_lock(&s->lock);
    s->phase = CLOSED;
    abandoned = s->abandoned;
    s->ended = tick_now();
    if (s->stream)
        stream_info(s->stream, &s->last_info);
    failure = failure_of(s, &init);
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
