/* The sender thread. It sleeps until the scheduler's next deadline, until somebody wakes it, or
 * until a full socket has room. Then it sends what is due: input first, then the request. Once the
 * handshake is over nobody else writes. It also runs the watchdog, even while it waits for room.
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "rfb/clock.h"
#include "rfb/log.h"
#include "rfb/proto/client_messages.h"
#include "rfb/session/session_state.h"

/* Bytes of input that leave in one write, at most. */
#define INPUT_BATCH 2048

/* Waits until the stream has room for a piece of TRANSPORT_ROOM bytes. The watchdog looks
 * meanwhile. False when the session is over. */
static bool wait_for_room(struct session *s)
{
    for (;;) {
        enum transport_wake wake =
            stream_wait_writable(s->stream, -1, tick_now() + WATCHDOG_PERIOD);
        bool over;

        if (wake != TRANSPORT_LATE)
            return wake == TRANSPORT_READY;
        pthread_mutex_lock(&s->lock);
        watchdog_look(s, tick_now());
        over = s->phase == CLOSED;
        pthread_mutex_unlock(&s->lock);
        if (over)
            return false;
    }
}

bool session_write(struct session *s, const void *bytes, size_t size)
{
    const char *from = bytes;

    while (size > 0) {
        size_t piece = size < TRANSPORT_ROOM ? size : TRANSPORT_ROOM;

        if (!wait_for_room(s) || !stream_write(s->stream, from, piece))
            return false; /* the receiver sees the broken connection, too */
        from += piece;
        size -= piece;
    }
    return true;
}

/* A key that only its code names goes only to a server that takes codes. */
static size_t write_key(uint8_t *out, const struct session_command *c, bool codes)
{
    if (codes && c->code)
        return client_write_key_code(out, c->keysym, c->code, c->down);
    return c->keysym ? client_write_key(out, c->keysym, c->down) : 0;
}

/* Writes the input that waits to `out`, and returns how many bytes are there to be sent. Counts the
 * messages. `acts` becomes true if they are more than motion. A text in ISO 8859-1 is sent at once.
 */
static size_t gather_input(struct session *s, uint8_t *out, unsigned *messages, bool *acts)
{
    struct session_command *c;
    size_t size = s->clipboard.waits ? session_tell_text(s, out, 0) : 0;
    bool motion, codes, more_buttons;

    pthread_mutex_lock(&s->lock);
    codes = s->key_codes;
    more_buttons = s->more_buttons;
    pthread_mutex_unlock(&s->lock);
    while (size + CLIENT_WRITE_MAX <= INPUT_BATCH && (c = commands_take(s->commands, &motion))) {
        ++*messages;
        *acts = *acts || !motion;
        if (c->type == COMMAND_KEY) {
            size += write_key(out + size, c, codes);
        } else if (c->type == COMMAND_POINTER) {
            size += client_write_pointer(out + size, c->x, c->y, c->buttons, more_buttons);
        } else if (session_clipboard_keep(&s->clipboard, session_command_text(c))) {
            size = session_tell_text(s, out, size);
        }
        free(c);
    }
    return size;
}

/* Writes a SetEncodings if the server is to use another quality now. It does not wait for the next
 * request: updates that were asked for already come with the new quality, too. Returns the bytes.
 * Call with the lock held. */
static size_t tell_encodings(struct session *s, uint8_t *out)
{
    if (!session_untold(s))
        return 0;
    session_encodings(s, &s->told);
    return client_write_set_encodings(out, &s->told);
}

/* Writes the answers to the fences that have come, in their order. Returns the bytes. Call with the
 * lock held. */
static size_t answer_fences(struct session *s, uint8_t *out)
{
    size_t size = s->fence_bytes;

    memcpy(out, s->fences, size);
    s->fence_bytes = 0;
    return size;
}

/* Tells a server that pushes what to push, if it has to be told: the whole screen. Returns the
 * bytes. Call with the lock held. */
static size_t tell_push(struct session *s, uint8_t *out)
{
    struct rect all = {0, 0, s->width, s->height};

    if (!s->push.enable_due)
        return 0;
    s->push.enable_due = false;
    return client_write_enable_continuous_updates(out, all);
}

/* Asks for another size of the server's screen, if that is wanted. Returns the bytes. Call with the
 * lock held. */
static size_t tell_size(struct session *s, uint8_t *out)
{
    struct screen_layout layout;

    if (!resize_take(&s->resize, s->width, s->height, &layout))
        return 0;
    return client_write_set_desktop_size(out, s->resize.width, s->resize.height, &layout);
}

/* Writes the request for the next slice of a refresh, if one is left. Returns the bytes. Call with
 * the lock held. */
static size_t refresh(struct session *s, uint8_t *out, tick_t now)
{
    struct scheduler_event sent = {.type = EVENT_REFRESH_SENT};
    struct rect slice;
    bool any = lossy_take(&s->lossy, scheduler_refresh_pixels(&s->scheduler), now, &slice);
    size_t size;

    if (any)
        sent.pixels = (uint64_t)slice.w * (uint64_t)slice.h;
    session_tell(s, &sent, now);
    if (!any)
        return 0;
    meter_request(&s->meter, REQUEST_REFRESH);
    size = tell_encodings(s, out);
    return size + client_write_update_request(out + size, false, slice);
}

/* Writes the request that is due. Returns the bytes. Call with the lock held. */
static size_t request(struct session *s, uint8_t *out, enum request_cause cause, tick_t now)
{
    struct rect all = {0, 0, s->width, s->height};

    if (s->started == TICK_NEVER)
        s->started = now;
    if (cause == REQUEST_REFRESH)
        return refresh(s, out, now);
    session_tell(s, &(struct scheduler_event){.type = EVENT_REQUEST_SENT, .cause = cause}, now);
    meter_request(&s->meter, cause);
    return client_write_update_request(out, cause != REQUEST_FIRST, all);
}

/* Asks for a pixel if the link has to show that it is alive. Returns the bytes. Call with the lock
 * held. */
static size_t keep_alive(struct session *s, uint8_t *out, bool room, tick_t now)
{
    struct rect pixel;

    keep_alive_look(&s->alive, s->progress_at, now);
    if (!room || !keep_alive_take(&s->alive, s->progress_at, &pixel))
        return 0;
    return client_write_update_request(out, false, pixel);
}

/* Our own socket is full. The request that is due would leave late, in a bunch with others. So it
 * is not sent, and the scheduler names no other one until there is room. Call with the lock held.
 */
static void skip(struct session *s, const struct scheduler_next *next, tick_t now)
{
    struct scheduler_event skipped = {.type = EVENT_REQUEST_SKIPPED, .cause = next->cause};

    session_tell(s, &skipped, now);
    meter_skipped(&s->meter);
}

/* Whether something waits until the socket is empty. Call with the lock held. */
static bool waits_for_room(struct session *s, bool motion)
{
    return motion || s->resize.due || scheduler_blocked(&s->scheduler) || session_untold(s) ||
           s->push.enable_due;
}

/* Sends what is due, in one write: input first, then answers to fences, then the request. While our
 * own socket holds unsent bytes, motion of the pointer, a new quality and requests are held back:
 * newer motion replaces older meanwhile, and of several requests one is enough. Keys, texts and
 * answers to fences are not: session_write() waits with them. True when more input may wait. */
static bool send_what_is_due(struct session *s)
{
    uint8_t out[INPUT_BATCH + FENCE_BYTES_MAX + CLIPBOARD_WRITE_MAX + 6 * CLIENT_WRITE_MAX];
    bool room = stream_unsent(s->stream) == 0;
    bool motion = !room && commands_only_motion(s->commands), acts = false, provide;
    struct scheduler_next next;
    unsigned input = 0;
    size_t size = 0;
    tick_t now;
    bool more;

    if (!motion)
        size = gather_input(s, out, &input, &acts);
    more = size + CLIENT_WRITE_MAX > INPUT_BATCH;

    pthread_mutex_lock(&s->lock);
    now = tick_now();
    if (room && scheduler_blocked(&s->scheduler))
        session_tell(s, &(struct scheduler_event){.type = EVENT_ROOM}, now);
    if (input > 0) {
        meter_input(&s->meter, input);
        keep_alive_input(&s->alive, now);
        if (acts)
            response_input(&s->response, now);
        session_tell(s, &(struct scheduler_event){.type = EVENT_INPUT_SENT, .acts = acts}, now);
    }
    size += answer_fences(s, out + size);
    size += session_clipboard_write(&s->clipboard, out + size);
    provide = session_clipboard_take_provide(&s->clipboard);
    if (room) {
        size += tell_encodings(s, out + size);
        size += tell_push(s, out + size);
        size += tell_size(s, out + size);
    }
    next = scheduler_next(&s->scheduler);
    if (next.at <= now && room)
        size += request(s, out + size, next.cause, now);
    else if (next.at <= now)
        skip(s, &next, now);
    size += keep_alive(s, out + size, room, now);
    s->held = !room && waits_for_room(s, motion);
    pthread_mutex_unlock(&s->lock);

    session_write(s, out, size);
    if (provide)
        session_provide_text(s);
    return more;
}

static void sleep_until(struct session *s, tick_t when)
{
    struct pollfd p = {.fd = s->wake_fd, .events = POLLIN};
    struct timespec timeout = tick_to_timespec(when - tick_now());
    uint64_t count;

    if (ppoll(&p, 1, &timeout, NULL) > 0 && read(s->wake_fd, &count, sizeof count) < 0)
        log_debug("cannot read the wake-up: %s", strerror(errno));
}

/* Sleeps until somebody wakes the sender, or until the time `until`. With `held` it ends also when
 * the socket has room. */
static void wait_for_work(struct session *s, bool held, tick_t until)
{
    if (!held || stream_wait_writable(s->stream, s->wake_fd, until) != TRANSPORT_READY)
        sleep_until(s, until); /* which also takes the wake-up */
}

static bool cut_if_stopping(struct session *s)
{
    bool stopping;

    pthread_mutex_lock(&s->lock);
    stopping = s->stopping;
    if (stopping)
        session_cut(s);
    pthread_mutex_unlock(&s->lock);
    return stopping;
}

/* When the sender has to look at the scheduler again. If that time has come, and no request is due,
 * it tells the scheduler so. Call with the lock held. */
static tick_t next_look(struct session *s, tick_t now)
{
    tick_t at = scheduler_wait(&s->scheduler, now);

    if (at > now || scheduler_next(&s->scheduler).at <= now)
        return at;
    session_tell(s, &(struct scheduler_event){.type = EVENT_TIME}, now);
    return scheduler_wait(&s->scheduler, now);
}

void *session_sender(void *user)
{
    struct session *s = user;
    bool more = false;

    prctl(PR_SET_NAME, "sender");
    prctl(PR_SET_TIMERSLACK, 1UL); /* ns: a PRP may be 1 ms, so a sleep has to end in time */
    for (;;) {
        tick_t now = tick_now(), until;
        bool running, held;

        pthread_mutex_lock(&s->lock);
        s->rests = session_rests(s, now);
        if (now >= watchdog_next(s))
            watchdog_look(s, now);
        if (s->phase == CLOSED) {
            pthread_mutex_unlock(&s->lock);
            return NULL;
        }
        running = s->phase == RUNNING;
        held = s->held;
        until = watchdog_next(s);
        if (running)
            until = tick_sooner(until, next_look(s, now));
        s->sleeping_until = until;
        pthread_mutex_unlock(&s->lock);

        wait_for_work(s, held, more ? now : until);
        if (running)
            more = send_what_is_due(s);
        if (cut_if_stopping(s)) /* it does not wait for the receiver, which may take longer */
            return NULL;
    }
}
