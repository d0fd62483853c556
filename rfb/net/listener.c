#include "rfb/net/listener.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "rfb/clock.h"
#include "rfb/log.h"
#include "rfb/net/lookup.h"
#include "rfb/net/socket.h"

/* Sockets to listen on: one for each address that a name has. */
#define SOCKETS_MAX 8
/* ns: a server greets as soon as it is connected. Chosen: as long as a lost packet or two take. */
#define GREETING_PATIENCE (5 * TICK_S)
/* ns for the name of the address to listen on. Chosen. */
#define NAME_PATIENCE (10 * TICK_S)
/* No more peers that were sent away are named. */
#define STRANGERS_SHOWN 10

struct listener {
    struct pollfd fds[SOCKETS_MAX + 1]; /* the last one in use is cancel_fd */
    int count;                          /* of sockets */
    int strangers;
};

/* A number of one to five digits. */
static bool is_number(const char *text)
{
    size_t length = strlen(text);

    return length > 0 && length <= 5 && strspn(text, "0123456789") == length;
}

bool listener_parse(struct address *a, const char *text, struct reason *why)
{
    const char *colons = NULL;
    long port = text && is_number(text) ? strtol(text, NULL, 10) : LISTENER_PORT;

    memset(a, 0, sizeof *a);
    if (!text || is_number(text)) {
        a->port = (uint16_t)port;
        return (port >= 1 && port <= UINT16_MAX) ||
               reason_set(why, "bad port '%s' for --listen: it must be 1 to 65535", text);
    }
    for (const char *at = strstr(text, "::"); at; at = strstr(at + 1, "::"))
        colons = at;
    if (!colons || colons == text || !is_number(colons + 2) || strchr(text, '/'))
        return reason_set(why,
                          "--listen takes PORT, or HOST::PORT with an address of this machine, not "
                          "'%s'",
                          text);
    return address_parse(a, text, why);
}

/* ---- the sockets that listen ---- */

/* False with errno. */
static bool listen_on(struct listener *l, const struct addrinfo *i,
                      const struct transport_options *options)
{
    int fd = socket(i->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    const int on = 1;
    int error;

    if (fd < 0)
        return false;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (i->ai_family == AF_INET6)
        setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
    socket_set_window(fd, options->window_bytes); /* the connection inherits it */
    if (bind(fd, i->ai_addr, i->ai_addrlen) == 0 && listen(fd, 1) == 0) {
        l->fds[l->count++] = (struct pollfd){.fd = fd, .events = POLLIN};
        return true;
    }
    error = errno;
    close(fd);
    errno = error;
    return false;
}

static bool find_addresses(const struct address *a, int cancel_fd, struct addrinfo **all,
                           struct reason *why)
{
    struct addrinfo hints = {.ai_family = a->family == ADDRESS_IPV4   ? AF_INET
                                          : a->family == ADDRESS_IPV6 ? AF_INET6
                                                                      : AF_UNSPEC,
                             .ai_socktype = SOCK_STREAM,
                             .ai_flags = AI_PASSIVE};
    char port[8];
    int error;

    if (a->host[0])
        return lookup(a, tick_now() + NAME_PATIENCE, cancel_fd, all, why);
    snprintf(port, sizeof port, "%u", (unsigned)a->port);
    error = getaddrinfo(NULL, port, &hints, all);
    return error == 0 || reason_set(why, "cannot listen: %s", gai_strerror(error));
}

/* On every address that there is. A machine may be without IPv6, or without IPv4. */
static bool open_listener(struct listener *l, const struct address *a,
                          const struct transport_options *options, int cancel_fd,
                          struct reason *why)
{
    struct addrinfo *all = NULL;
    bool in_use = false;

    if (!find_addresses(a, cancel_fd, &all, why))
        return false;
    for (struct addrinfo *i = all; i && l->count < SOCKETS_MAX; i = i->ai_next)
        if (!listen_on(l, i, options)) {
            in_use = in_use || errno == EADDRINUSE;
            reason_set(why, "cannot listen on %s%sport %u: %s", a->host, a->host[0] ? " " : "",
                       (unsigned)a->port, strerror(errno));
        }
    freeaddrinfo(all);
    l->fds[l->count] = (struct pollfd){.fd = cancel_fd, .events = POLLIN};
    return l->count > 0 && !in_use; /* whoever has the port would get the server's connection */
}

static void close_listener(struct listener *l)
{
    for (int i = 0; i < l->count; i++)
        close(l->fds[i].fd);
}

/* ---- who connects ---- */

/* Whether the peer greets as a server does. What it says stays there, to be read. */
static bool greets(int fd, int cancel_fd)
{
    struct pollfd p[2] = {{.fd = fd, .events = POLLIN}, {.fd = cancel_fd, .events = POLLIN}};
    char said[4];
    ssize_t n;

    if (poll(p, 2, (int)(GREETING_PATIENCE / TICK_MS)) <= 0 || p[1].revents)
        return false;
    n = recv(fd, said, sizeof said, MSG_PEEK | MSG_DONTWAIT);
    return n > 0 && memcmp(said, "RFB ", (size_t)n) == 0;
}

/* Takes a connection; its peer becomes a->host. -1: there is none (with errno), or it is no
 * server's (errno is 0). */
static int take(struct listener *l, int listening, int cancel_fd, struct address *a)
{
    struct sockaddr_storage peer;
    socklen_t size = sizeof peer;
    int fd = accept4(listening, (struct sockaddr *)&peer, &size, SOCK_CLOEXEC | SOCK_NONBLOCK);
    char host[NI_MAXHOST];

    if (fd < 0)
        return -1;
    if (getnameinfo((struct sockaddr *)&peer, size, host, sizeof host, NULL, 0, NI_NUMERICHOST))
        strcpy(host, "?");
    if (greets(fd, cancel_fd)) {
        snprintf(a->host, sizeof a->host, "%.255s", host);
        log_line("%s has connected", host);
        return fd;
    }
    if (l->strangers++ < STRANGERS_SHOWN)
        log_line("%.255s has connected, and is no VNC server: waiting for another one", host);
    close(fd);
    errno = 0;
    return -1;
}

/* Whether accept() will fail again and again. */
static bool lasts(int error)
{
    return error == EMFILE || error == ENFILE || error == ENOMEM || error == ENOBUFS;
}

static int await_server(struct listener *l, struct address *a, int cancel_fd)
{
    for (;;) {
        if (poll(l->fds, (nfds_t)l->count + 1, -1) < 0 && errno != EINTR)
            return -1;
        if (l->fds[l->count].revents) {
            errno = ECANCELED;
            return -1;
        }
        for (int i = 0; i < l->count; i++) {
            int fd;

            if (!l->fds[i].revents)
                continue;
            fd = take(l, l->fds[i].fd, cancel_fd, a);
            if (fd >= 0 || lasts(errno))
                return fd;
        }
    }
}

struct transport *listener_accept(struct address *a, const struct transport_options *options,
                                  int cancel_fd, struct reason *why)
{
    struct listener l = {.count = 0};
    struct transport *t = NULL;
    int fd = -1;

    if (open_listener(&l, a, options, cancel_fd, why)) {
        log_line("waiting for a server on %s%sport %u", a->host, a->host[0] ? ", " : "",
                 (unsigned)a->port);
        fd = await_server(&l, a, cancel_fd);
        if (fd < 0)
            reason_set(why, "no server has connected: %s", strerror(errno));
    }
    close_listener(&l);
    if (fd >= 0 && !(t = socket_adopt(fd)))
        reason_set(why, "out of memory");
    return t;
}
