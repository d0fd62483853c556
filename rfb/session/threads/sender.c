#include "rfb/session/threads/sender.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "rfb/bytes_held.h"
#include "rfb/system/clock.h"
#include "rfb/system/log.h"
#include "rfb/system/thread.h"

/* Bytes that datagrams carry, and that may wait for room on the stream. Where many packets are
 * lost, TCP stands still for 20 s and more. The user types and moves the pointer meanwhile. */
#define SENDER_LATER (256 * 1024)

struct sender {
    struct sender_parts parts;
    struct stream *stream;   /* NULL before the handshake is over */
    bool broken;             /* a message may have left in part */
    bool queues;             /* the kernel may queue what the stream writes */
    bool woken;              /* while it waited for room */
    tick_t last_words;       /* when the last input has to have left; TICK_NEVER: all goes on */
    struct bytes_held later; /* to be written when the stream has room; datagrams have said it */
    pthread_t thread;
};

/* ---- the watchdog ---- */

/* How good the path is for sound. A far end that pushes knows what it delivers; what comes from
 * there shows only how fast it pushes. */
static void sender_look_at_path(struct sender *s, tick_t now)
{
    struct scheduler_facts path = pacing_facts(s->parts.pacing);
    struct pushed_figures pushed;

    if (pushed_figures(s->parts.pushed, now, &pushed))
        path.rate = pushed.pushing.rate_kbit * 125.0; /* bytes in a kbit */
    sound_look(s->parts.sound, path.rate, path.round_trip, now);
}

static void sender_look(struct sender *s, tick_t now)
{
    const struct sender_parts *p = &s->parts;
    struct transport_info info;
    bool connected;

    if (now < life_next_look(p->life))
        return;
    sender_look_at_path(s, now);
    recorder_look(p->recorder);
    connected = link_info(p->link, &info);
    switch (life_look(p->life, connected, info.bytes_received, now)) {
    case LIFE_CUT:
        link_cut(p->link);
        break;
    case LIFE_CUT_EARLY:
        link_cut_early(p->link);
        break;
    case LIFE_ON:
        if (s->stream)
            link_fit_window(p->link, now);
        break;
    }
}

/* ---- writing ---- */

static void sender_sleep(struct sender *s, tick_t until)
{
    struct pollfd p = {.fd = outbox_wake_fd(s->parts.outbox), .events = POLLIN};
    struct timespec timeout = tick_to_timespec(until - tick_now());
    uint64_t count;

    if (ppoll(&p, 1, &timeout, NULL) > 0 && read(p.fd, &count, sizeof count) < 0)
        log_debug("cannot read the wake-up: %s", strerror(errno));
}

/* Until the session is closed. Where the owner stops it the receiver closes it at once, but the
 * last input may wait for SESSION_LAST_WORDS. */
static bool sender_may_wait(struct sender *s, tick_t now)
{
    if (!life_is_stopping(s->parts.life))
        return life_phase(s->parts.life) != LIFE_CLOSED;
    if (s->last_words == TICK_NEVER)
        s->last_words = now + SESSION_LAST_WORDS;
    return now < s->last_words;
}

/* Waits until the stream has room for a piece of TRANSPORT_ROOM bytes, until somebody wakes the
 * sender, or until something is due: then there may be no room yet. False when the session is over.
 */
static bool sender_wait_for_room(struct sender *s)
{
    tick_t now = tick_now(),
           until = tick_sooner(now + LIFE_PERIOD, datagrams_due(s->parts.datagrams));
    enum transport_wake wake;

    if (!sender_may_wait(s, now))
        return false;
    until = tick_sooner(until, s->last_words);
    wake = stream_wait_writable(s->stream, outbox_wake_fd(s->parts.outbox), until);
    if (wake != TRANSPORT_LATE && wake != TRANSPORT_WOKEN)
        return wake == TRANSPORT_READY;
    if (wake == TRANSPORT_WOKEN) {
        sender_sleep(s, 0); /* takes the wake-up: sender_main() is told by this */
        s->woken = true;
    }
    now = tick_now();
    datagrams_send(s->parts.datagrams, now);
    life_look_for_rest(s->parts.life, true, now); /* who waits does not rest */
    sender_look(s, now);
    return true;
}

static bool sender_has_room(struct sender *s)
{
    return stream_wait_writable(s->stream, -1, 0) == TRANSPORT_READY;
}

/* Writes a piece that fits, so it never blocks. Returns its bytes; 0: the connection is broken. */
static size_t sender_write_piece(struct sender *s, const void *bytes, size_t size)
{
    size_t piece = size < TRANSPORT_ROOM ? size : TRANSPORT_ROOM;

    s->broken = !stream_write(s->stream, bytes, piece);
    return s->broken ? 0 : piece;
}

/* Writes what was kept, and then these bytes. Where the stream has no room they are kept, as long
 * as datagrams carry them, and up to `most` bytes are kept in all; else the sender waits for room.
 * Without bytes it does not wait. False when the connection is broken; the receiver sees that, too.
 */
static bool sender_put(struct sender *s, const void *bytes, size_t size, size_t most)
{
    const char *from = bytes;

    while (!s->broken && s->later.size + size > 0) {
        if (!sender_has_room(s)) {
            if (size == 0 ||
                (s->later.size + size <= most && datagrams_carry(s->parts.datagrams))) {
                s->broken = !bytes_append(&s->later, from, size);
                break;
            }
            s->broken = !sender_wait_for_room(s);
        } else if (s->later.size > 0) {
            bytes_take(&s->later, sender_write_piece(s, bytes_first(&s->later), s->later.size));
        } else {
            size_t piece = sender_write_piece(s, from, size);

            from += piece;
            size -= piece;
        }
    }
    return !s->broken;
}

/* Where datagrams repeat what is said, it is heard before the stream has room for it. So nobody
 * waits for that. */
static bool sender_write(struct sender *s, const void *bytes, size_t size)
{
    datagrams_said(s->parts.datagrams, bytes, size);
    return sender_put(s, bytes, size, SENDER_LATER);
}

/* From here on the bytes that are written are repeated as datagrams, too. */
static void sender_count(struct sender *s)
{
    const struct blocks_message count = {.kind = BLOCKS_COUNT};
    uint8_t message[BLOCKS_HEAD];

    if (datagrams_take_count(s->parts.datagrams) &&
        sender_write(s, message, blocks_write(message, &count)))
        datagrams_count(s->parts.datagrams);
}

/* Digests, or a request if something of it was wrong. */
static void sender_say_old_picture(struct sender *s)
{
    struct bytes_held messages;

    if (!old_picture_take(s->parts.old, &messages))
        return;
    sender_write(s, bytes_first(&messages), messages.size);
    bytes_deinit(&messages);
}

/* Whether all that is due may leave now: our own socket is empty, datagrams repeat what is said, or
 * the policy does not look at that. */
static bool sender_may_write(struct sender *s)
{
    bool unguarded = pacing_facts(s->parts.pacing).unguarded;

    if (unguarded != s->queues)
        stream_set_queue(s->stream, unguarded);
    s->queues = unguarded;
    return unguarded || stream_unsent(s->stream) == 0 || datagrams_carry(s->parts.datagrams);
}

/* Sends what is due, in one write: input first, then answers to fences, then the request. While our
 * own socket holds unsent bytes, motion of the pointer, a new quality and requests are held back:
 * newer motion replaces older meanwhile, and of several requests one is enough. Keys, texts and
 * answers to fences are not: sender_write() waits with them. True when more input may wait. */
static bool sender_turn(struct sender *s)
{
    uint8_t out[sizeof((struct outbox_batch *)0)->bytes + OUTBOX_WRITE_MAX + PACING_WRITE_MAX +
                PUSHED_WRITE_MAX + QEMU_AUDIO_WRITE_MAX + CLIENT_WRITE_MAX];
    const struct sender_parts *p = &s->parts;
    struct pacing_turn turn = {.room = sender_may_write(s)};
    struct outbox_batch input;
    struct rect pixel;
    const void *text;
    size_t size;
    tick_t now;

    sender_put(s, NULL, 0, SENDER_LATER);
    outbox_take_input(p->outbox, turn.room, &input);
    size = input.size;
    memcpy(out, input.bytes, size);
    if (input.text) {
        if (!sender_write(s, out, size) || !sender_write(s, input.text, input.text_size))
            return false;
        size = 0;
    }
    now = tick_now();
    if (input.messages > 0) {
        life_input(p->life, now);
        pacing_input(p->pacing, input.messages, input.acts, turn.room, now);
        responses_input(p->responses, input.written, input.acts, now);
    }
    size += outbox_take(p->outbox, turn.room, out + size);
    size += sound_write(p->sound, out + size);
    turn.more_waits = input.waits || outbox_size_waits(p->outbox);
    size += pacing_write(p->pacing, out + size, &turn, now);
    size += pushed_write(p->pushed, out + size, turn.room, now);
    if (life_take_keep_alive(p->life, turn.room, now, &pixel))
        size += client_write_update_request(out + size, false, pixel);
    sender_write(s, out, size);
    sender_count(s);
    sender_say_old_picture(s);
    if ((text = outbox_take_text(p->outbox, &size))) /* packed only now: it may take a moment */
        sender_write(s, text, size);
    datagrams_send(p->datagrams, tick_now());
    return input.more;
}

/* ---- the thread ---- */

/* Sleeps until somebody wakes the sender, or until the time `until`; where something waits for room
 * in the socket, until there is some. */
static void sender_wait(struct sender *s, tick_t until)
{
    int wake_fd = outbox_wake_fd(s->parts.outbox);

    if (!s->stream ||
        !(pacing_waits_for_room(s->parts.pacing) || pushed_waits_for_room(s->parts.pushed) ||
          s->later.size > 0) ||
        stream_wait_writable(s->stream, wake_fd, until) != TRANSPORT_READY)
        sender_sleep(s, until); /* which also takes the wake-up */
}

/* The last message. */
static void sender_say_goodbye(struct sender *s)
{
    uint8_t goodbye[BLOCKS_HEAD];
    size_t size;

    if (!s->stream || !pushed_says_goodbye(s->parts.pushed))
        return;
    size = pushed_write_goodbye(goodbye);
    datagrams_said(s->parts.datagrams, goodbye, size);
    sender_put(s, goodbye, size, 0);
}

/* The last input has left: the sender does not wait for the receiver, which may take longer. */
static void sender_leave(struct sender *s)
{
    sender_say_goodbye(s);
    link_cut(s->parts.link);
}

static void *sender_main(void *user)
{
    struct sender *s = user;
    const struct sender_parts *p = &s->parts;
    enum life_phase phase;
    bool more = false;

    prctl(PR_SET_NAME, "sender");
    prctl(PR_SET_TIMERSLACK, 1UL); /* ns: a PRP may be 1 ms, so a sleep has to end in time */
    for (;;) {
        tick_t now = tick_now(), until;
        bool stopping;

        life_look_for_rest(p->life, pacing_waits_for_room(p->pacing), now);
        sender_look(s, now);
        phase = life_phase(p->life);
        /* where the owner has ended it, there may be something of his that is to leave */
        if (phase == LIFE_CLOSED && !life_is_stopping(p->life))
            return NULL;
        if (phase == LIFE_RUNNING)
            s->stream = link_stream(p->link);
        until = life_next_look(p->life);
        if (s->stream)
            until = tick_sooner(pacing_sleep(p->pacing, until, now), datagrams_due(p->datagrams));
        sender_wait(s, more || s->woken ? now : until);
        s->woken = false;
        /* Before the turn: what the owner has said before the end leaves in it. */
        stopping = life_is_stopping(p->life);
        if (s->stream)
            more = sender_turn(s);
        if (stopping && !more) {
            sender_leave(s);
            return NULL;
        }
    }
}

/* ---- its life ---- */

struct sender *sender_create(const struct sender_parts *parts)
{
    struct sender *s = calloc(1, sizeof *s);

    if (!s)
        return NULL;
    s->parts = *parts;
    bytes_set_secret(&s->later, true); /* it is empty: that always succeeds */
    s->last_words = TICK_NEVER;
    return s;
}

void sender_destroy(struct sender *s)
{
    if (s)
        bytes_deinit(&s->later);
    free(s);
}

bool sender_start(struct sender *s)
{
    return pthread_create(&s->thread, NULL, sender_main, s) == 0;
}

bool sender_join(struct sender *s, tick_t limit)
{
    if (limit != TICK_NEVER)
        return thread_join_within(s->thread, limit);
    pthread_join(s->thread, NULL);
    return true;
}
