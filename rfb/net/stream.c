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
    struct transport *transport;
    struct tls *tls; /* NULL: clear text */
    atomic_bool cut;
    atomic_int failure; /* enum failure */
    bool ended;
    char *next; /* the first byte that waits in the buffer */
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
    s->transport = t;
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
    tls_destroy(s->tls);
    s->transport->ops->destroy(s->transport);
    free(s);
}

/* Waits until the transport may go on. How that ended is learnt by trying again. */
static void wait_for(struct stream *s, short events)
{
    s->transport->ops->wait(s->transport, events, -1, TICK_NEVER);
}

static void log_tls(struct stream *s)
{
    char text[80];

    tls_describe(s->tls, text, sizeof text);
    log_debug("encrypted: %s", text);
}

bool stream_fingerprint(const struct stream *s, uint8_t sha256[FINGERPRINT_BYTES])
{
    return s->tls && tls_fingerprint(s->tls, sha256);
}

bool stream_start_tls(struct stream *s, const struct tls_options *options, struct reason *why)
{
    /* whoever is on the way could have put bytes in front of the encrypted ones */
    if (s->buffered > 0)
        return reason_set(why, "the server sent %zu bytes before TLS had begun", s->buffered);
    s->tls = tls_create(s->transport, options, why);
    if (!s->tls) { /* its certificates cannot be used */
        atomic_store(&s->failure, FAILURE_TRUST);
        return false;
    }
    while (!stream_is_cut(s)) {
        short events;
        enum tls_state state = tls_handshake(s->tls, &events, why);

        if (state == TLS_READY)
            log_tls(s);
        if (state == TLS_FAILED)
            atomic_store(&s->failure, tls_failure(s->tls));
        if (state != TLS_WAITS)
            return state == TLS_READY;
        wait_for(s, events);
    }
    atomic_store(&s->failure, FAILURE_LOST);
    return reason_set(why, "stopped");
}

void stream_cut(struct stream *s)
{
    atomic_store(&s->cut, true);
    s->transport->ops->cut(s->transport);
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
    size_t decrypted = s->tls ? tls_pending(s->tls) : 0;

    return (int)(s->buffered + decrypted) + s->transport->ops->waiting(s->transport);
}

int stream_unsent(struct stream *s)
{
    return s->transport->ops->unsent(s->transport);
}

void stream_info(struct stream *s, struct transport_info *info)
{
    s->transport->ops->info(s->transport, info);
}

void stream_window(struct stream *s, struct transport_window *window)
{
    s->transport->ops->window(s->transport, window);
}

int64_t stream_set_window(struct stream *s, int64_t bytes)
{
    return s->transport->ops->set_window(s->transport, bytes);
}

/* ---- reading ---- */

bool stream_explain(struct stream *s, struct reason *why)
{
    const struct transport_ops *ops = s->transport->ops;

    return !stream_is_cut(s) && ops->explain && ops->explain(s->transport, why);
}

/* Waits for at least one byte and takes up to `size`. 0 with a reason at the end. */
static size_t receive_some(struct stream *s, void *out, size_t size, struct reason *why)
{
    while (!stream_is_cut(s)) {
        short events = POLLIN;
        ssize_t n = s->tls ? tls_read(s->tls, out, size, &events)
                           : s->transport->ops->read(s->transport, out, size);

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
                reason_set(why, "the connection broke: %s",
                           s->tls ? tls_fault(s->tls) : strerror(error));
            return 0;
        }
        if (errno == EAGAIN)
            wait_for(s, events);
    }
    reason_set(why, "stopped");
    return 0;
}

static size_t receive(struct stream *s, void *out, size_t size, struct reason *why)
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

static bool fill(struct stream *s, struct reason *why)
{
    s->next = s->buffer + STREAM_UNREAD_MAX;
    s->buffered = receive(s, s->next, BUFFER_BYTES, why);
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
    if (s->buffered == 0 && size >= BUFFER_BYTES) {
        part = receive(s, out, size, why);
        s->taken += part;
        return part;
    }
    if (s->buffered == 0 && !fill(s, why))
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

static ssize_t write_clear(struct stream *s, const char *bytes, size_t size)
{
    struct iovec part = {.iov_base = (char *)bytes, .iov_len = size};

    return s->transport->ops->write(s->transport, &part, 1);
}

bool stream_write(struct stream *s, const void *bytes, size_t size)
{
    const char *from = bytes;

    while (size > 0) {
        ssize_t n = s->tls ? tls_write(s->tls, from, size) : write_clear(s, from, size);

        if (n >= 0) {
            from += n;
            size -= (size_t)n;
        } else if (errno == EAGAIN) {
            wait_for(s, POLLOUT);
        } else if (errno != EINTR) {
            atomic_store(&s->failure, FAILURE_LOST);
            return false;
        }
    }
    return true;
}

enum transport_wake stream_wait_writable(struct stream *s, int wake_fd, tick_t until)
{
    return s->transport->ops->wait(s->transport, POLLOUT, wake_fd, until);
}
