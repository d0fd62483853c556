#include "rfb/worker/channel.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "rfb/system/clock.h"

/* ns that a descriptor may wait for room. Chosen: the other side only has to read. */
#define FD_PATIENCE TICK_S
/* Bytes that are read at once. */
#define READ_BYTES 65536

/* In front of each body. */
struct head {
    uint32_t type;
    uint32_t size;    /* of the body */
    uint32_t with_fd; /* 0 or 1: a descriptor comes with it */
    uint32_t zero;    /* so that the body begins at a multiple of 16 */
};

struct channel {
    int fd;
    struct channel_options options;

    pthread_mutex_t lock; /* the next four */
    char *out;            /* waits to be sent */
    size_t out_size, out_room;
    bool broken;

    /* who receives: */
    char *in; /* what was read: whole messages, and the beginning of one */
    size_t in_size, in_room;
    size_t in_begin; /* the first byte that was not given out */
    size_t given;    /* where the message that was given out last begins; it ends at `in_begin` */
    int in_fd;       /* came with those bytes; -1: none */
};

struct channel *channel_create(int fd, const struct channel_options *options)
{
    struct channel *c = calloc(1, sizeof *c);

    if (!c) {
        close(fd);
        return NULL;
    }
    c->fd = fd;
    c->in_fd = -1;
    c->options = *options;
    pthread_mutex_init(&c->lock, NULL);
    return c;
}

static void channel_wipe(char *bytes, size_t size)
{
    if (bytes)
        explicit_bzero(bytes, size);
    free(bytes);
}

void channel_destroy(struct channel *c)
{
    if (!c)
        return;
    close(c->fd);
    if (c->in_fd >= 0)
        close(c->in_fd);
    channel_wipe(c->out, c->out_room);
    channel_wipe(c->in, c->in_room);
    pthread_mutex_destroy(&c->lock);
    free(c);
}

int channel_fd(const struct channel *c)
{
    return c->fd;
}

/* Makes room for `size` more bytes behind `used`. The old bytes leave no copy. */
static bool channel_make_room(char **bytes, size_t *room, size_t used, size_t size)
{
    size_t wanted = *room ? *room : 4096;
    char *larger;

    if (size <= *room - used)
        return true;
    while (wanted - used < size)
        wanted *= 2;
    larger = malloc(wanted);
    if (!larger)
        return false;
    if (used > 0)
        memcpy(larger, *bytes, used);
    channel_wipe(*bytes, *room);
    *bytes = larger;
    *room = wanted;
    return true;
}

/* ---- sending ---- */

/* Sends the beginning of these bytes, with `fd` unless it is -1. Without one as the process that is
 * confined may do it (rfb/worker/confined/confine.c). */
static ssize_t send_with(const struct channel *c, void *bytes, size_t size, int fd)
{
    char control[CMSG_SPACE(sizeof fd)] = {0};
    struct iovec part = {bytes, size};
    struct msghdr m = {.msg_iov = &part,
                       .msg_iovlen = 1,
                       .msg_control = control,
                       .msg_controllen = sizeof control};

    if (fd < 0)
        return send(c->fd, bytes, size, MSG_DONTWAIT | MSG_NOSIGNAL);
    *CMSG_FIRSTHDR(&m) = (struct cmsghdr){
        .cmsg_len = CMSG_LEN(sizeof fd), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
    memcpy(CMSG_DATA(CMSG_FIRSTHDR(&m)), &fd, sizeof fd);
    return sendmsg(c->fd, &m, MSG_DONTWAIT | MSG_NOSIGNAL);
}

/* Sends what waits, with `fd` unless it is -1. Call with the lock held. */
static void flush(struct channel *c, int fd)
{
    size_t sent = 0;

    while (!c->broken && sent < c->out_size) {
        ssize_t n = send_with(c, c->out + sent, c->out_size - sent, fd);

        if (n > 0) {
            sent += (size_t)n;
            fd = -1; /* it went with the first byte */
        } else if (n < 0 && errno == EAGAIN) {
            break;
        } else if (n == 0 || errno != EINTR) {
            c->broken = true;
        }
    }
    if (sent == 0)
        return;
    memmove(c->out, c->out + sent, c->out_size - sent);
    explicit_bzero(c->out + c->out_size - sent, sent);
    c->out_size -= sent;
}

/* Call with the lock held. */
static void channel_append(struct channel *c, const void *bytes, size_t size)
{
    if (c->broken || size == 0)
        return;
    if (c->out_size + size > CHANNEL_WAITING_MAX ||
        !channel_make_room(&c->out, &c->out_room, c->out_size, size)) {
        c->broken = true;
        return;
    }
    memcpy(c->out + c->out_size, bytes, size);
    c->out_size += size;
}

bool channel_send(struct channel *c, uint32_t type, const void *body, size_t size)
{
    struct head head = {.type = type, .size = (uint32_t)size};
    bool ok;

    pthread_mutex_lock(&c->lock);
    channel_append(c, &head, sizeof head);
    channel_append(c, body, size);
    flush(c, -1);
    ok = !c->broken;
    pthread_mutex_unlock(&c->lock);
    return ok;
}

/* Waits until all has been sent that waits, and there is room. Call with the lock held; it is given
 * back meanwhile. */
static bool channel_drain(struct channel *c)
{
    tick_t deadline = tick_now() + FD_PATIENCE;
    struct pollfd p = {.fd = c->fd, .events = POLLOUT};

    for (;;) {
        tick_t left = deadline - tick_now();

        flush(c, -1);
        if (c->broken || left <= 0)
            return false;
        if (c->out_size == 0 && poll(&p, 1, 0) > 0)
            return true;
        pthread_mutex_unlock(&c->lock);
        poll(&p, 1, (int)(left / TICK_MS) + 1);
        pthread_mutex_lock(&c->lock);
    }
}

bool channel_send_fd(struct channel *c, uint32_t type, const void *body, size_t size, int fd)
{
    struct head head = {.type = type, .size = (uint32_t)size, .with_fd = 1};
    bool ok;

    pthread_mutex_lock(&c->lock);
    ok = channel_drain(c);
    if (ok) {
        channel_append(c, &head, sizeof head);
        channel_append(c, body, size);
        flush(c, fd);
    }
    ok = ok && !c->broken;
    pthread_mutex_unlock(&c->lock);
    return ok;
}

bool channel_flush(struct channel *c)
{
    bool ok;

    pthread_mutex_lock(&c->lock);
    flush(c, -1);
    ok = !c->broken;
    pthread_mutex_unlock(&c->lock);
    return ok;
}

size_t channel_waiting(struct channel *c)
{
    size_t size;

    pthread_mutex_lock(&c->lock);
    size = c->out_size;
    pthread_mutex_unlock(&c->lock);
    return size;
}

/* ---- receiving ---- */

static void forget_given(struct channel *c)
{
    if (c->given == c->in_begin)
        return;
    explicit_bzero(c->in + c->given, c->in_begin - c->given);
    c->given = c->in_begin;
}

/* Moves what was not given out to the front. Once for each read: for each message it would be the
 * more work the more of them wait. */
static void channel_compact(struct channel *c)
{
    size_t left = c->in_size - c->in_begin;

    if (c->in_begin == 0)
        return;
    memmove(c->in, c->in + c->in_begin, left);
    explicit_bzero(c->in + left, c->in_begin);
    c->in_size = left;
    c->in_begin = c->given = 0;
}

/* Gives out the message at the front, of `size` bytes with its head: its body begins at a multiple
 * of 16. */
static void *channel_give(struct channel *c, size_t size)
{
    c->given = c->in_begin - c->in_begin % sizeof(struct head);
    memmove(c->in + c->given, c->in + c->in_begin, size);
    c->in_begin += size;
    return c->in + c->given + sizeof(struct head);
}

static void keep_fd(struct channel *c, struct msghdr *m)
{
    for (struct cmsghdr *h = CMSG_FIRSTHDR(m); h; h = CMSG_NXTHDR(m, h))
        if (h->cmsg_level == SOL_SOCKET && h->cmsg_type == SCM_RIGHTS) {
            if (c->in_fd >= 0)
                close(c->in_fd);
            memcpy(&c->in_fd, CMSG_DATA(h), sizeof c->in_fd); /* there is room for one */
        }
}

/* Reads once. CHANNEL_MESSAGE: bytes have come. */
static enum channel_state read_more(struct channel *c)
{
    char control[CMSG_SPACE(sizeof(int))];
    struct msghdr m = {.msg_iovlen = 1};
    struct iovec room;
    ssize_t n;

    channel_compact(c);
    if (!channel_make_room(&c->in, &c->in_room, c->in_size, READ_BYTES))
        return CHANNEL_BROKEN;
    room = (struct iovec){c->in + c->in_size, c->in_room - c->in_size};
    m.msg_iov = &room;
    if (c->options.takes_fds) {
        m.msg_control = control;
        m.msg_controllen = sizeof control;
    }
    do
        n = recvmsg(c->fd, &m, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    while (n < 0 && errno == EINTR);
    if (n == 0 || (n < 0 && errno == ECONNRESET)) /* reset: it has not read all that we sent */
        return CHANNEL_ENDED;
    if (n < 0)
        return errno == EAGAIN ? CHANNEL_EMPTY : CHANNEL_BROKEN;
    keep_fd(c, &m);
    c->in_size += (size_t)n;
    return CHANNEL_MESSAGE;
}

enum channel_state channel_receive(struct channel *c, struct channel_message *out)
{
    forget_given(c);
    for (;;) {
        size_t size = c->in_size - c->in_begin;
        enum channel_state state;
        struct head head;

        if (size >= sizeof head) {
            memcpy(&head, c->in + c->in_begin, sizeof head);
            if ((int64_t)head.size > c->options.limit(head.type)) /* also -1: none is taken */
                return CHANNEL_BROKEN;
            if (size - sizeof head >= head.size) {
                *out = (struct channel_message){head.type, head.size,
                                                channel_give(c, sizeof head + head.size), -1};
                if (head.with_fd == 1) {
                    out->fd = c->in_fd;
                    c->in_fd = -1;
                }
                return CHANNEL_MESSAGE;
            }
        }
        state = read_more(c);
        if (state != CHANNEL_MESSAGE)
            return state;
    }
}
