#include "tools/accelerator/ssh/pump.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rfb/clock.h"

/* Bytes that wait in the pair. As much as the connection may write beyond that would only be older.
 */
#define PUMP_PAIR_BYTES 32768

/* For the last words. */
#define PUMP_END_LIMIT (5 * TICK_S)

/* ---- one direction ---- */

static bool pump_is_for_now(void)
{
    return errno == EAGAIN || errno == EINTR;
}

static void pump_read(struct pump_flow *f)
{
    ssize_t n = read(f->from, f->bytes, sizeof f->bytes);

    f->first = 0;
    f->size = n > 0 ? (size_t)n : 0;
    f->ended = n == 0 || (n < 0 && !pump_is_for_now());
}

static void pump_refuse(struct pump_flow *f)
{
    f->refused = true;
    f->ended = f->ended || !f->drops;
    f->size = 0;
}

static void pump_write(struct pump_flow *f)
{
    ssize_t n = write(f->to, f->bytes + f->first, f->size);

    if (n > 0) {
        f->first += (size_t)n;
        f->size -= (size_t)n;
    } else if (n < 0 && !pump_is_for_now()) {
        pump_refuse(f);
    }
}

/* As far as can be without waiting, but once around: others have their turn, too. */
static void pump_flow(struct pump_flow *f)
{
    if (f->size == 0 && !f->ended)
        pump_read(f);
    if (f->refused)
        f->size = 0;
    if (f->size > 0)
        pump_write(f);
}

/* ---- both ---- */

static void pump_on_in(uv_poll_t *poll, int status, int events);
static void pump_on_out(uv_poll_t *poll, int status, int events);
static void pump_on_near(uv_poll_t *poll, int status, int events);

static void pump_wait_for(uv_poll_t *poll, int events, uv_poll_cb callback)
{
    if (events)
        uv_poll_start(poll, events, callback);
    else
        uv_poll_stop(poll);
}

static void pump_wait(struct pump *p)
{
    bool hears = !p->up.ended && p->up.size == 0, says = !p->down.ended && p->down.size == 0;

    pump_wait_for(&p->in_poll, hears ? UV_READABLE : 0, pump_on_in);
    pump_wait_for(&p->out_poll, p->down.size > 0 ? UV_WRITABLE : 0, pump_on_out);
    pump_wait_for(&p->near_poll, (says ? UV_READABLE : 0) | (p->up.size > 0 ? UV_WRITABLE : 0),
                  pump_on_near);
}

static void pump_move(struct pump *p)
{
    pump_flow(&p->up);
    pump_flow(&p->down);
    if (p->up.ended && p->up.size == 0)
        shutdown(p->near, SHUT_WR);
    if (p->down.ended && p->down.size == 0)
        shutdown(p->near, SHUT_RDWR); /* whoever has gone takes nothing more */
    pump_wait(p);
}

/* libuv waits no more for what it has found broken. Reading or writing would say so, too. */
static void pump_on_in(uv_poll_t *poll, int status, int events)
{
    struct pump *p = poll->data;

    (void)events;
    p->up.ended = p->up.ended || status < 0;
    pump_move(p);
}

static void pump_on_out(uv_poll_t *poll, int status, int events)
{
    struct pump *p = poll->data;

    (void)events;
    if (status < 0)
        pump_refuse(&p->down);
    pump_move(p);
}

static void pump_on_near(uv_poll_t *poll, int status, int events)
{
    struct pump *p = poll->data;

    (void)events;
    p->down.ended = p->down.ended || status < 0;
    pump_move(p);
}

/* ---- life ---- */

static bool pump_is_stream(int fd)
{
    struct stat status;

    return fstat(fd, &status) == 0 && (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode));
}

/* Nothing else is to speak there. */
static bool pump_leave_nothing(void)
{
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    bool done = null >= 0 && dup2(null, STDIN_FILENO) >= 0 && dup2(null, STDOUT_FILENO) >= 0;

    if (null > STDERR_FILENO)
        close(null);
    return done;
}

bool pump_take_for(struct pump *p, int near, struct reason *why)
{
    *p = (struct pump){.in = -1, .out = -1, .near = near};
    if (!pump_is_stream(STDIN_FILENO) || !pump_is_stream(STDOUT_FILENO))
        return reason_set(why, "--stdio speaks with a viewer on standard input and output, which "
                               "have to be pipes or a socket: vnchl --ssh HOST starts it so");
    p->in = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    p->out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    return (p->in >= 0 && p->out >= 0 && pump_leave_nothing()) ||
           reason_set(why, "cannot take standard input and output: %s", strerror(errno));
}

bool pump_take(struct pump *p, int *client, struct reason *why)
{
    int pair[2], most = PUMP_PAIR_BYTES;

    *p = (struct pump){.in = -1, .out = -1, .near = -1};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair) != 0)
        return reason_set(why, "no sockets: %s", strerror(errno));
    setsockopt(pair[1], SOL_SOCKET, SO_SNDBUF, &most, sizeof most);
    *client = pair[1];
    if (pump_take_for(p, pair[0], why))
        return true;
    close(pair[1]);
    return false;
}

bool pump_say(struct pump *p, const char *line, struct reason *why)
{
    size_t size = strlen(line);

    while (size > 0) {
        ssize_t n = write(p->out, line, size);

        if (n < 0 && errno != EINTR)
            return reason_set(why, "cannot write standard output: %s", strerror(errno));
        if (n > 0) {
            line += n;
            size -= (size_t)n;
        }
    }
    return true;
}

static void pump_connect(struct pump *p)
{
    p->up.from = p->in;
    p->up.to = p->down.from = p->near;
    p->down.to = p->out;
    p->down.drops = true; /* a viewer that has gone may have said goodbye before */
}

bool pump_begin(struct pump *p, uv_loop_t *loop, struct reason *why)
{
    int error = uv_poll_init(loop, &p->near_poll, p->near);

    if (error == 0)
        error = uv_poll_init(loop, &p->in_poll, p->in);
    if (error == 0)
        error = uv_poll_init(loop, &p->out_poll, p->out);
    if (error != 0)
        return reason_set(why, "cannot wait for standard input: %s", uv_strerror(error));
    pump_connect(p);
    p->in_poll.data = p->out_poll.data = p->near_poll.data = p;
    p->begun = true;
    pump_wait(p);
    return true;
}

static void pump_say_last(struct pump *p)
{
    tick_t until = tick_now() + PUMP_END_LIMIT;

    for (;;) {
        struct pollfd next = {.fd = p->near, .events = POLLIN};
        tick_t left = until - tick_now();

        pump_flow(&p->down);
        if ((p->down.ended && p->down.size == 0) || p->down.refused || left <= 0)
            return;
        if (p->down.size > 0)
            next = (struct pollfd){.fd = p->out, .events = POLLOUT};
        poll(&next, 1, (int)(left / TICK_MS) + 1);
    }
}

static void pump_close(int fd)
{
    if (fd >= 0)
        close(fd);
}

bool pump_is_over(const struct pump *p)
{
    return p->down.ended && p->down.size == 0;
}

void pump_end(struct pump *p)
{
    if (p->begun) {
        pump_say_last(p);
        uv_close((uv_handle_t *)&p->in_poll, NULL);
        uv_close((uv_handle_t *)&p->out_poll, NULL);
        uv_close((uv_handle_t *)&p->near_poll, NULL);
    }
    pump_close(p->in);
    pump_close(p->out);
    pump_close(p->near);
}
