#include "rfb/net/sockets/socket.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sockios.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "rfb/net/address/lookup.h"
#include "rfb/system/clock.h"
#include "rfb/system/log.h"

struct socket {
    struct transport transport;
    int fd;
};

static int fd_of(struct transport *t)
{
    return ((struct socket *)t)->fd; /* the transport is its first member */
}

/* ---- connect ---- */

/* Waits for a connect() under way. Returns 0, or an errno value. */
static int await_connect(int fd, tick_t deadline, int cancel_fd)
{
    struct pollfd p[2] = {{.fd = fd, .events = POLLOUT}, {.fd = cancel_fd, .events = POLLIN}};

    for (;;) {
        tick_t left = deadline - tick_now();
        int error = 0;
        socklen_t size = sizeof error;

        if (left <= 0)
            return ETIMEDOUT;
        if (poll(p, 2, (int)(left / TICK_MS) + 1) < 0 && errno != EINTR)
            return errno;
        if (p[1].revents)
            return ECANCELED;
        if (p[0].revents) {
            getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size);
            return error;
        }
    }
}

/* Waits a little; true when cancelled. */
static bool pause_or_cancel(int cancel_fd)
{
    struct pollfd p = {.fd = cancel_fd, .events = POLLIN};

    return poll(&p, 1, 20) > 0;
}

void socket_set_window(int fd, int64_t bytes)
{
    int wanted = bytes > INT32_MAX ? INT32_MAX : (int)bytes;

    if (wanted > 0)
        setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &wanted, sizeof wanted);
}

/* In bytes of payload. The kernel keeps twice what was asked, for its own bookkeeping. */
static int64_t get_window(int fd)
{
    int doubled = 0;
    socklen_t size = sizeof doubled;

    getsockopt(fd, SOL_SOCKET, SO_RCVBUF, &doubled, &size);
    return doubled / 2;
}

/* A link that answers nothing any more ends the session after about a minute; without this the
 * kernel would try for a quarter of an hour. */
static void notice_dead_links(int fd)
{
    const int on = 1, idle_s = 20, interval_s = 10, probes = 4, unanswered_ms = 60000;

    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle_s, sizeof idle_s);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &interval_s, sizeof interval_s);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &probes, sizeof probes);
    setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &unanswered_ms, sizeof unanswered_ms);
}

/* One address. Returns the socket, or -1 with errno set. */
static int socket_connect_to(int family, const struct sockaddr *address, socklen_t size,
                             const struct transport_options *options, tick_t deadline,
                             int cancel_fd)
{
    int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    int error = 0;

    if (fd < 0)
        return -1;
    /* before connect: the SYN carries the window scale that a larger buffer needs */
    socket_set_window(fd, options->window_bytes);
    while (connect(fd, address, size) != 0 && errno != EISCONN) {
        error = errno;
        if (error == EINPROGRESS) {
            error = await_connect(fd, deadline, cancel_fd);
            if (error == 0)
                continue; /* until connect() has said so, who has the socket may connect it anew */
        }
        /* a Unix socket whose queue is full: nothing is in progress, ask again */
        if (error != EAGAIN || tick_now() >= deadline || pause_or_cancel(cancel_fd))
            break;
        error = 0;
    }
    if (error != 0) {
        close(fd);
        errno = error;
        return -1;
    }
    return fd;
}

static int connect_unix(const struct address *a, const struct transport_options *options,
                        tick_t deadline, int cancel_fd, struct reason *why)
{
    struct sockaddr_un u = {.sun_family = AF_UNIX};
    int fd;

    snprintf(u.sun_path, sizeof u.sun_path, "%s", a->path);
    fd = socket_connect_to(AF_UNIX, (struct sockaddr *)&u, sizeof u, options, deadline, cancel_fd);
    if (fd < 0)
        reason_set(why, "cannot connect to %s: %s", a->path, strerror(errno));
    if (fd < 0)
        reason_set_kind(why, FAILURE_UNREACHABLE);
    return fd;
}

static void log_window(int fd, int64_t wanted)
{
    int64_t granted = get_window(fd);

    if (granted < wanted)
        log_line("receive window: asked for %lld bytes, the kernel granted %lld (raise the "
                 "sysctl net.core.rmem_max for more)",
                 (long long)wanted, (long long)granted);
    else
        log_line("receive window: the kernel granted %lld bytes", (long long)granted);
}

static int connect_tcp(const struct address *a, const struct transport_options *options,
                       tick_t deadline, int cancel_fd, struct reason *why)
{
    struct addrinfo *all = NULL;
    int fd = -1, left = 0;

    if (!lookup(a, deadline, cancel_fd, &all, why)) {
        reason_set_kind(why, FAILURE_NAME);
        return -1;
    }
    for (struct addrinfo *i = all; i; i = i->ai_next)
        left++;
    for (struct addrinfo *i = all; i && fd < 0; i = i->ai_next, left--) {
        /* an address that does not answer must leave time for the others */
        tick_t now = tick_now();
        fd = socket_connect_to(i->ai_family, i->ai_addr, i->ai_addrlen, options,
                               now + (deadline - now) / left, cancel_fd);
        if (fd < 0)
            reason_set(why, "cannot connect to %s port %u: %s", a->host, (unsigned)a->port,
                       strerror(errno));
    }
    freeaddrinfo(all);
    if (fd < 0)
        reason_set_kind(why, FAILURE_UNREACHABLE);
    if (fd >= 0 && options->window_bytes > 0)
        log_window(fd, options->window_bytes);
    return fd;
}

struct transport *socket_connect(const struct address *a, const struct transport_options *options,
                                 tick_t deadline, int cancel_fd, struct reason *why)
{
    int fd = a->path[0] ? connect_unix(a, options, deadline, cancel_fd, why)
                        : connect_tcp(a, options, deadline, cancel_fd, why);
    struct transport *t = fd < 0 ? NULL : socket_adopt(fd);

    if (fd >= 0 && !t)
        reason_set(why, "out of memory");
    return t;
}

/* ---- operations ---- */

static ssize_t socket_read(struct transport *t, void *out, size_t size)
{
    return recv(fd_of(t), out, size, MSG_DONTWAIT);
}

/* A program that ends before it has read all that we wrote resets a Unix socket. No network lies
 * between, so this is its end as well. */
static ssize_t unix_read(struct transport *t, void *out, size_t size)
{
    ssize_t n = socket_read(t, out, size);

    return n < 0 && errno == ECONNRESET ? 0 : n;
}

/* sendmsg() could name an address, so a process that is confined has none
 * (rfb/worker/confined/confine.c). MSG_MORE: the parts leave together, as with it. */
static ssize_t socket_write(struct transport *t, const struct iovec *parts, int count)
{
    ssize_t sent = 0;

    for (int i = 0; i < count; i++) {
        int more = i + 1 < count ? MSG_MORE : 0;
        ssize_t n =
            send(fd_of(t), parts[i].iov_base, parts[i].iov_len, MSG_DONTWAIT | MSG_NOSIGNAL | more);

        if (n < 0)
            return sent > 0 ? sent : n;
        sent += n;
        if ((size_t)n < parts[i].iov_len)
            break;
    }
    return sent;
}

static enum transport_wake socket_wait(struct transport *t, short events, int wake_fd, tick_t until)
{
    struct pollfd p[2] = {{.fd = fd_of(t), .events = events}, {.fd = wake_fd, .events = POLLIN}};
    int ready;

    do {
        struct timespec timeout = tick_to_timespec(until - tick_now());
        ready = ppoll(p, 2, &timeout, NULL);
    } while (ready < 0 && errno == EINTR);
    if (ready == 0)
        return TRANSPORT_LATE;
    if (events == POLLOUT && p[0].revents & ~POLLOUT)
        return TRANSPORT_GONE;
    return p[1].revents ? TRANSPORT_WOKEN : TRANSPORT_READY;
}

static int socket_waiting(struct transport *t)
{
    int bytes = 0;

    return ioctl(fd_of(t), FIONREAD, &bytes) == 0 ? bytes : 0;
}

static int tcp_unsent(struct transport *t)
{
    int bytes = 0;

    return ioctl(fd_of(t), SIOCOUTQNSD, &bytes) == 0 ? bytes : 0;
}

/* What the server has not read yet is on its way. Only where there is no room it is not. */
static int unix_unsent(struct transport *t)
{
    struct pollfd p = {.fd = fd_of(t), .events = POLLOUT};
    int bytes = 0;

    return poll(&p, 1, 0) == 0 && ioctl(fd_of(t), SIOCOUTQ, &bytes) == 0 ? bytes : 0;
}

static void unknown_info(struct transport *t, struct transport_info *info)
{
    *info = (struct transport_info){.bytes_received = -1, .bytes_sent = -1};
}

static void tcp_info(struct transport *t, struct transport_info *info)
{
    struct tcp_info tcp;
    socklen_t size = sizeof tcp;

    memset(&tcp, 0, sizeof tcp);
    unknown_info(t, info);
    if (getsockopt(fd_of(t), IPPROTO_TCP, TCP_INFO, &tcp, &size) != 0)
        return;
    info->bytes_received = (int64_t)tcp.tcpi_bytes_received;
    info->bytes_sent = (int64_t)tcp.tcpi_bytes_sent;
    info->rtt_ms = tcp.tcpi_min_rtt == UINT32_MAX ? 0 : tcp.tcpi_min_rtt / 1e3;
    info->smoothed_ms = tcp.tcpi_rtt / 1e3;
}

int64_t socket_get_window(struct transport *t)
{
    return get_window(fd_of(t));
}

static void socket_window(struct transport *t, struct transport_window *window)
{
    /* a socket that has tried knows what net.core.rmem_max says, also where it cannot be read */
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

    *window = (struct transport_window){.bytes = get_window(fd_of(t)), .tuned = INT64_MAX};
    if (fd < 0)
        return;
    socket_set_window(fd, INT32_MAX);
    window->allowed = get_window(fd);
    close(fd);
}

/* New connections get a window scale that allows for both limits. */
static void tcp_window(struct transport *t, struct transport_window *window)
{
    FILE *f = fopen("/proc/sys/net/ipv4/tcp_rmem", "re");
    long long limit;

    socket_window(t, window);
    if (f && fscanf(f, "%*s %*s %lld", &limit) == 1)
        window->tuned = limit / 2;
    if (f)
        fclose(f);
}

static int64_t resize_window(struct transport *t, int64_t bytes)
{
    socket_set_window(fd_of(t), bytes);
    return get_window(fd_of(t));
}

static int64_t tcp_set_window(struct transport *t, int64_t bytes)
{
    int64_t granted = resize_window(t, bytes);
    /* the clamp followed the kernel's tuning, which has ended with that: without this the window
     * would stay as it was */
    int clamp = (int)granted * 2;

    setsockopt(fd_of(t), IPPROTO_TCP, TCP_WINDOW_CLAMP, &clamp, sizeof clamp);
    return granted;
}

/* Bytes unsent from which on there is no room: one; 0 stands for the kernel's own limit, which is
 * that of its buffer. */
static void set_unsent_limit(int fd, bool queue)
{
    const int bytes = queue ? 0 : 1;

    setsockopt(fd, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &bytes, sizeof bytes);
}

static void tcp_set_queue(struct transport *t, bool on)
{
    set_unsent_limit(fd_of(t), on);
}

static bool socket_share(struct transport *t, struct transport_shared *out)
{
    out->opening = TRANSPORT_SOCKET;
    out->fd = fcntl(fd_of(t), F_DUPFD_CLOEXEC, 0);
    return out->fd >= 0;
}

static void socket_cut(struct transport *t)
{
    shutdown(fd_of(t), SHUT_RDWR);
}

static void socket_destroy(struct transport *t)
{
    close(fd_of(t));
    free(t);
}

struct transport *socket_adopt(int fd)
{
    static const struct transport_ops tcp_ops = {
        .read = socket_read,
        .write = socket_write,
        .wait = socket_wait,
        .waiting = socket_waiting,
        .unsent = tcp_unsent,
        .info = tcp_info,
        .window = tcp_window,
        .set_window = tcp_set_window,
        .set_queue = tcp_set_queue,
        .share = socket_share,
        .cut = socket_cut,
        .destroy = socket_destroy,
    };
    static const struct transport_ops unix_ops = {
        .read = unix_read,
        .write = socket_write,
        .wait = socket_wait,
        .waiting = socket_waiting,
        .unsent = unix_unsent,
        .info = unknown_info,
        .window = socket_window,
        .set_window = resize_window,
        .share = socket_share,
        .cut = socket_cut,
        .destroy = socket_destroy,
    };
    struct socket *s = calloc(1, sizeof *s);
    const int on = 1;
    int domain = AF_UNIX;
    socklen_t size = sizeof domain;

    if (!s) {
        close(fd);
        return NULL;
    }
    getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &size);
    s->transport.ops = domain == AF_UNIX ? &unix_ops : &tcp_ops;
    if (domain != AF_UNIX) {
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        /* there is room when all that was written is on its way: see tcp_unsent() */
        set_unsent_limit(fd, false);
        notice_dead_links(fd);
    }
    s->fd = fd;
    return &s->transport;
}
