#include "rfb/net/stream.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "rfb/log.h"

/* Taken from the kernel at once. Small messages and pixels then cost no system call each. */
#define BUFFER_BYTES 65536

struct stream {
    int fd;
    struct tls *tls; /* NULL: clear text */
    atomic_bool cut;
    bool ended;
    char *next; /* the first byte that waits in the buffer */
    size_t buffered;
    char buffer[STREAM_UNREAD_MAX + BUFFER_BYTES]; /* unread bytes go in front */
};

struct stream *stream_create(int fd)
{
    struct stream *s = calloc(1, sizeof *s);

    if (!s) {
        close(fd);
        return NULL;
    }
    s->fd = fd;
    s->next = s->buffer + STREAM_UNREAD_MAX;
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
    return s;
}

void stream_destroy(struct stream *s)
{
    if (!s)
        return;
    tls_destroy(s->tls);
    close(s->fd);
    free(s);
}

static void log_tls(struct stream *s)
{
    char text[80];

    tls_describe(s->tls, text, sizeof text);
    log_debug("encrypted: %s", text);
}

bool stream_start_tls(struct stream *s, const struct tls_options *options, struct reason *why)
{
    /* whoever is on the way could have put bytes in front of the encrypted ones */
    if (s->buffered > 0)
        return reason_set(why, "the server sent %zu bytes before TLS had begun", s->buffered);
    s->tls = tls_create(s->fd, options, why);
    if (!s->tls)
        return false;
    while (!stream_is_cut(s)) {
        struct pollfd p = {.fd = s->fd};
        enum tls_state state = tls_handshake(s->tls, &p.events, why);

        if (state == TLS_READY)
            log_tls(s);
        if (state != TLS_WAITS)
            return state == TLS_READY;
        poll(&p, 1, -1);
    }
    return reason_set(why, "stopped");
}

void stream_cut(struct stream *s)
{
    atomic_store(&s->cut, true);
    shutdown(s->fd, SHUT_RDWR);
}

bool stream_is_cut(const struct stream *s)
{
    return atomic_load_explicit(&s->cut, memory_order_relaxed);
}

bool stream_ended(const struct stream *s)
{
    return s->ended;
}

int stream_waiting(struct stream *s)
{
    int socket = 0;
    size_t decrypted = s->tls ? tls_pending(s->tls) : 0;

    if (ioctl(s->fd, FIONREAD, &socket) != 0)
        socket = 0;
    return (int)(s->buffered + decrypted) + socket;
}

/* ---- reading ---- */

/* Waits for at least one byte and takes up to `size`. 0 with a reason at the end. */
static size_t receive(struct stream *s, void *out, size_t size, struct reason *why)
{
    while (!stream_is_cut(s)) {
        short events = POLLIN;
        ssize_t n =
            s->tls ? tls_read(s->tls, out, size, &events) : recv(s->fd, out, size, MSG_DONTWAIT);
        struct pollfd p = {.fd = s->fd, .events = events};

        if (n > 0)
            return (size_t)n;
        if (n == 0) {
            s->ended = true;
            reason_set(why, "the server closed the connection");
            return 0;
        }
        if (errno != EAGAIN && errno != EINTR) {
            reason_set(why, "the connection broke: %s",
                       s->tls ? tls_fault(s->tls) : strerror(errno));
            return 0;
        }
        if (errno == EAGAIN)
            poll(&p, 1, -1);
    }
    reason_set(why, "stopped");
    return 0;
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
        reason_set(why, "stopped");
        return 0;
    }
    if (s->buffered == 0 && size >= BUFFER_BYTES)
        return receive(s, out, size, why);
    if (s->buffered == 0 && !fill(s, why))
        return 0;
    part = size < s->buffered ? size : s->buffered;
    memcpy(out, s->next, part);
    s->next += part;
    s->buffered -= part;
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
    memcpy(s->next, bytes, size);
}

/* ---- writing ---- */

bool stream_write(struct stream *s, const void *bytes, size_t size)
{
    const char *from = bytes;

    while (size > 0) {
        ssize_t n = s->tls ? tls_write(s->tls, from, size)
                           : send(s->fd, from, size, MSG_DONTWAIT | MSG_NOSIGNAL);
        struct pollfd p = {.fd = s->fd, .events = POLLOUT};

        if (n >= 0) {
            from += n;
            size -= (size_t)n;
        } else if (errno == EAGAIN) {
            poll(&p, 1, -1);
        } else if (errno != EINTR) {
            return false;
        }
    }
    return true;
}
