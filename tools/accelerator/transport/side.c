#include "tools/accelerator/transport/side.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

void side_init(struct side *s, int fd)
{
    *s = (struct side){.fd = fd};
}

/* A poll that is being closed is still memory of libuv's, so each one has its own. */
static void side_poll_closed(uv_handle_t *poll)
{
    free(poll);
}

static void side_wait_no_more(struct side *s)
{
    if (s->poll) {
        uv_poll_stop(s->poll);
        uv_close((uv_handle_t *)s->poll, side_poll_closed);
    }
    s->poll = NULL;
    s->events = 0;
}

void side_move(struct side *to, struct side *from)
{
    side_wait_no_more(from);
    *to = *from;
    side_init(from, -1);
}

void side_close(struct side *s)
{
    side_wait_no_more(s);
    cipher_destroy(s->cipher);
    if (s->fd >= 0)
        close(s->fd);
    side_init(s, -1);
}

static bool side_make_poll(struct side *s, uv_loop_t *loop, void *owner)
{
    s->poll = malloc(sizeof *s->poll);
    if (s->poll && uv_poll_init(loop, s->poll, s->fd) == 0) {
        s->poll->data = owner;
        return true;
    }
    free(s->poll);
    s->poll = NULL;
    return false;
}

bool side_wait(struct side *s, uv_loop_t *loop, int events, uv_poll_cb callback, void *owner)
{
    if (s->fd < 0 || s->events == events)
        return true;
    if (!s->poll && !side_make_poll(s, loop, owner))
        return false;
    s->events = events;
    if (events)
        uv_poll_start(s->poll, events, callback);
    else
        uv_poll_stop(s->poll);
    return true;
}

void side_shut(struct side *s)
{
    if (!s->shut && s->cipher)
        cipher_bye(s->cipher);
    if (!s->shut)
        shutdown(s->fd, SHUT_WR);
    s->shut = true;
}

static bool side_is_for_now(void)
{
    return errno == EAGAIN || errno == EINTR;
}

static size_t side_read_socket(struct side *s, void *bytes, size_t size)
{
    ssize_t n = recv(s->fd, bytes, size, MSG_DONTWAIT);

    if (n > 0)
        return (size_t)n;
    if (n == 0 || !side_is_for_now())
        s->ended = true;
    return 0;
}

size_t side_read(struct side *s, void *bytes, size_t size)
{
    return s->cipher ? cipher_read(s->cipher, bytes, size, &s->ended)
                     : side_read_socket(s, bytes, size);
}

bool side_pending(const struct side *s)
{
    return s->cipher && !s->ended && cipher_pending(s->cipher);
}

const char *side_fault(const struct side *s)
{
    return s->cipher ? cipher_fault(s->cipher) : NULL;
}

void side_skip(struct side *s, void *bytes, size_t size)
{
    side_read_socket(s, bytes, size);
}

ssize_t side_write(struct side *s, struct iovec *pieces, int count)
{
    struct msghdr message = {.msg_iov = pieces, .msg_iovlen = (size_t)count};
    ssize_t n;

    if (s->cipher)
        return cipher_write(s->cipher, pieces, count);
    n = sendmsg(s->fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
    return n < 0 && side_is_for_now() ? 0 : n;
}
