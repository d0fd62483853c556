/* What updates mean to the session: the scheduler, the meter and the owner are told. Receiver
 * thread.
 */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "rfb/clock.h"
#include "rfb/log.h"
#include "rfb/proto/client_messages.h"
#include "rfb/session/messages.h"
#include "rfb/session/session_state.h"

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
    bool goes_on, rested;

    pthread_mutex_lock(&s->lock);
    s->in_message = true;
    goes_on = progress(s);
    rested = s->rests;
    s->rests = false;
    pthread_mutex_unlock(&s->lock);
    if (rested) /* the watchdog has something to look after again */
        session_wake_sender(s);
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
    bool loss = decoder_was_lossy(s->decoder), goes_on, wake, asked;

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
    s->encodings_seen |= 1u << encoding_row(encoding);
    s->pixels += (uint64_t)r.w * (uint64_t)r.h;
    goes_on = progress(s);
    wake = has_to_send(s);
    pthread_mutex_unlock(&s->lock);
    if (wake)
        session_wake_sender(s);
    return goes_on;
}

/* ms: longer than a host waits before it acknowledges a small message, which is 40 ms on Linux. */
#define DELAYED_ACK_MS 50

double session_newest_round_trip_ms(const struct session *s, const struct transport_info *info)
{
    return session_round_trip_ms(s, fmax(info->rtt_ms, info->smoothed_ms - DELAYED_ACK_MS));
}

/* Tells the scheduler the round trip, if it is known. `info` is of a TCP socket. Call with the lock
 * held. */
void session_learn_round_trip(struct session *s, const struct transport_info *info, tick_t now)
{
    double ms = session_newest_round_trip_ms(s, info);

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
    session_learn_round_trip(s, &info, now);
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
    if (counts) /* neatvnc: it takes the time between our words for the round trip */
        s->learnt.waits = true;
    else /* no other server says that it merges */
        s->libvncserver = true;
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
    if (pixels && s->update_news)
        meter_change(&s->meter);
    if (pixels)
        response_update(&s->response, scheduler_facts(&s->scheduler).round_trip, now);
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
void session_new_picture(struct session *s, int width, int height, tick_t now)
{
    s->width = width;
    s->height = height;
    if (s->options.scheduler.lossless_refresh)
        lossy_resize(&s->lossy, width, height); /* when out of memory nothing is refreshed */
    push_resized(&s->push);
    session_tell(s, &(struct scheduler_event){.type = EVENT_NEW_PICTURE}, now);
}

void session_handle_updates(struct message_handlers *h)
{
    h->begun = on_begun;
    h->rectangle = on_rectangle;
    h->ended = on_ended;
    h->update_begun = on_update_begun;
    h->update_finished = on_update_finished;
    h->continuous_updates_ended = on_continuous_updates_ended;
    h->server_kind = on_server_kind;
    h->fence = on_fence;
}
