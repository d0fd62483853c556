#include "rfb/net/stream.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "rfb/clock.h"
#include "rfb/log.h"
#include "rfb/net/listener.h"
#include "rfb/net/playback.h"
#include "rfb/net/repeater.h"
#include "rfb/net/socket.h"
#include "rfb/net/tunnel.h"

/* Taken from the transport at once. Small messages and pixels then cost no system call each. */
#define BUFFER_BYTES 65536

struct stream {
    struct transport *connection; /* it is cut, measured and set */
    struct transport *top; /* bytes come and go through it; it lies on the former, or is it */
    atomic_bool cut;
    atomic_int failure; /* enum failure */
    bool ended;
    bool singly; /* nothing is read ahead */
    char *next;  /* the first byte that waits in the buffer */
    size_t buffered;
    uint64_t taken;                                /* bytes that were read */
    struct recording *recording;                   /* takes what comes; NULL: none */
    unsigned part;                                 /* of the recording */
    char buffer[STREAM_UNREAD_MAX + BUFFER_BYTES]; /* unread bytes go in front */
};

struct stream *stream_create(struct transport *t)
{
    struct stream *s = t ? calloc(1, sizeof *s) : NULL;

    if (t && !s)
        t->ops->destroy(t);
    if (!s)
        return NULL;
    s->connection = s->top = t;
    s->next = s->buffer + STREAM_UNREAD_MAX;
    return s;
}

struct transport *stream_connect_transport(const struct route *route, struct address *a,
                                           const struct transport_options *options, tick_t deadline,
                                           int cancel_fd, struct reason *why)
{
    const struct address *first = route->repeater.host[0] ? &route->repeater : a;
    struct transport *t;

    if (!route_check(route, a, why))
        return NULL;
    if (route->play[0])
        return playback_open(route->play, route->speed, why);
    if (route->listen)
        return listener_accept(a, options, cancel_fd, why);
    if (route->gateway.host[0])
        t = tunnel_connect(&route->gateway, first, options, deadline, cancel_fd, why);
    else
        t = socket_connect(first, options, deadline, cancel_fd, why);
    if (!t || first == a || repeater_enter(t, a, deadline, cancel_fd, why))
        return t;
    t->ops->destroy(t);
    return NULL;
}

struct stream *stream_connect(const struct route *route, struct address *a,
                              const struct transport_options *options, tick_t deadline,
                              int cancel_fd, struct reason *why)
{
    struct transport *t = stream_connect_transport(route, a, options, deadline, cancel_fd, why);
    struct stream *s = stream_create(t);

    if (t && !s)
        reason_set(why, "out of memory");
    return s;
}

void stream_destroy(struct stream *s)
{
    if (!s)
        return;
    recording_release(s->recording);
    s->top->ops->destroy(s->top);
    free(s);
}

/* Waits until the transport may go on. How that ended is learnt by trying again. */
static void stream_wait_for(struct stream *s, short events)
{
    s->top->ops->wait(s->top, events, -1, TICK_NEVER);
}

bool stream_key(const struct stream *s, uint8_t sha256[FINGERPRINT_BYTES])
{
    return transport_key(s->top, sha256);
}

void stream_read_singly(struct stream *s)
{
    s->singly = true;
}

bool stream_lay(struct stream *s, stream_layer *begin, void *with, struct reason *why)
{
    struct transport *layer;

    /* whoever is on the way could have put bytes in front of the encrypted ones */
    if (s->buffered > 0)
        return reason_set(why, "the server sent %zu bytes before the encryption had begun",
                          s->buffered);
    layer = begin(s->top, with, why);
    if (layer) {
        s->top = layer;
        s->singly = false;
        return true;
    }
    atomic_store(&s->failure, stream_is_cut(s) ? FAILURE_LOST : why->kind);
    return stream_is_cut(s) ? reason_set(why, "stopped") : false;
}

void stream_cut(struct stream *s)
{
    atomic_store(&s->cut, true);
    s->connection->ops->cut(s->connection);
}

void stream_play(struct stream *s, const struct play_wish *wish)
{
    if (s->connection->ops->play)
        s->connection->ops->play(s->connection, wish);
}

bool stream_is_cut(const struct stream *s)
{
    return atomic_load_explicit(&s->cut, memory_order_relaxed);
}

bool stream_ended(const struct stream *s)
{
    return s->ended;
}

enum failure stream_failure(const struct stream *s)
{
    return (enum failure)atomic_load(&s->failure);
}

int stream_waiting(struct stream *s)
{
    return (int)s->buffered + s->top->ops->waiting(s->top);
}

int stream_unsent(struct stream *s)
{
    return s->connection->ops->unsent(s->connection);
}

void stream_info(struct stream *s, struct transport_info *info)
{
    s->connection->ops->info(s->connection, info);
}

void stream_window(struct stream *s, struct transport_window *window)
{
    s->connection->ops->window(s->connection, window);
}

int64_t stream_set_window(struct stream *s, int64_t bytes)
{
    return s->connection->ops->set_window(s->connection, bytes);
}

void stream_set_queue(struct stream *s, bool on)
{
    transport_set_queue(s->connection, on);
}

/* ---- reading ---- */

bool stream_explain(struct stream *s, struct reason *why)
{
    return !stream_is_cut(s) && transport_explain(s->top, why);
}

/* Waits for at least one byte and takes up to `size`. 0 with a reason at the end. */
static size_t receive_some(struct stream *s, void *out, size_t size, struct reason *why)
{
    while (!stream_is_cut(s)) {
        ssize_t n = s->top->ops->read(s->top, out, size);

        if (n > 0)
            return (size_t)n;
        if (n == 0) {
            s->ended = !stream_explain(s, why);
            if (s->ended)
                reason_set(why, "the server closed the connection");
            return 0;
        }
        if (errno != EAGAIN && errno != EINTR) {
            int error = errno;

            if (!stream_explain(s, why))
                reason_set(why, "the connection broke: %s", strerror(error));
            return 0;
        }
        if (errno == EAGAIN)
            stream_wait_for(s, POLLIN);
    }
    reason_set(why, "stopped");
    return 0;
}

static size_t stream_receive(struct stream *s, void *out, size_t size, struct reason *why)
{
    size_t n = receive_some(s, out, size, why);

    if (n == 0)
        atomic_store(&s->failure, why->kind ? why->kind : FAILURE_LOST);
    else if (s->recording)
        recording_add(s->recording, s->part, out, n, tick_now());
    return n;
}

void stream_record(struct stream *s, struct recording *r, unsigned part)
{
    s->recording = recording_share(r);
    s->part = part;
    recording_add(r, part, s->next, s->buffered, tick_now());
}

static bool stream_fill(struct stream *s, struct reason *why)
{
    s->next = s->buffer + STREAM_UNREAD_MAX;
    s->buffered = stream_receive(s, s->next, BUFFER_BYTES, why);
    return s->buffered > 0;
}

size_t stream_read_some(struct stream *s, void *out, size_t size, struct reason *why)
{
    size_t part;

    if (stream_is_cut(s)) { /* much may still be buffered, here and in the kernel */
        atomic_store(&s->failure, FAILURE_LOST);
        reason_set(why, "stopped");
        return 0;
    }
    if (s->buffered == 0 && (s->singly || size >= BUFFER_BYTES)) {
        part = stream_receive(s, out, size, why);
        s->taken += part;
        return part;
    }
    if (s->buffered == 0 && !stream_fill(s, why))
        return 0;
    part = size < s->buffered ? size : s->buffered;
    memcpy(out, s->next, part);
    s->next += part;
    s->buffered -= part;
    s->taken += part;
    return part;
}

bool stream_read(struct stream *s, void *out, size_t size, struct reason *why)
{
    char *to = out;

    while (size > 0) {
        size_t part = stream_read_some(s, to, size, why);

        if (part == 0)
            return false;
        to += part;
        size -= part;
    }
    return true;
}

void stream_unread(struct stream *s, const void *bytes, size_t size)
{
    assert((size_t)(s->next - s->buffer) >= size);
    s->next -= size;
    s->buffered += size;
    s->taken -= size;
    memcpy(s->next, bytes, size);
}

uint64_t stream_taken(const struct stream *s)
{
    return s->taken;
}

/* ---- writing ---- */

bool stream_write(struct stream *s, const void *bytes, size_t size)
{
    const char *from = bytes;

    while (size > 0) {
        struct iovec part = {.iov_base = (char *)from, .iov_len = size};
        ssize_t n = s->top->ops->write(s->top, &part, 1);

        if (n >= 0) {
            from += n;
            size -= (size_t)n;
        } else if (errno == EAGAIN) {
            stream_wait_for(s, POLLOUT);
        } else if (errno != EINTR) {
            atomic_store(&s->failure, FAILURE_LOST);
            return false;
        }
    }
    return true;
}

enum transport_wake stream_wait_writable(struct stream *s, int wake_fd, tick_t until)
{
    return s->top->ops->wait(s->top, POLLOUT, wake_fd, until);
}

enum transport_wake stream_wait_readable(struct stream *s, int wake_fd, tick_t until)
{
    return s->buffered > 0 ? TRANSPORT_READY : s->top->ops->wait(s->top, POLLIN, wake_fd, until);
}
