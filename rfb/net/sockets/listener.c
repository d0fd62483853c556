#include "rfb/net/sockets/listener.h"

#include <arpa/inet.h>
#include <errno.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "rfb/net/address/lookup.h"
#include "rfb/net/sockets/own_address.h"
#include "rfb/net/sockets/socket.h"
#include "rfb/system/clock.h"
#include "rfb/system/log.h"

/* Sockets to listen on: one for each address that a name has. */
#define SOCKETS_MAX 8
/* Bytes of a server's greeting: "RFB 003.008" and a newline. */
#define GREETING 12
/* ns: a server greets as soon as it is connected. Chosen: as long as a lost packet or two take. */
#define GREETING_PATIENCE (5 * TICK_S)
/* Peers that may be silent at a time. Chosen: more than connect by chance, and few descriptors.
 * With one more the oldest is sent away: its greeting would have come with its connection. */
#define PEERS_MAX 64
/* ns for the name of the address to listen on. Chosen. */
#define NAME_PATIENCE (10 * TICK_S)
/* What to do where another program listens. */
#define PORT_IN_USE ". Choose another port with --listen PORT, or end the program that has this one"
/* No more peers that were sent away are named. */
#define STRANGERS_SHOWN 10

/* Who has connected, and has not greeted yet. */
struct peer {
    char host[INET6_ADDRSTRLEN + IF_NAMESIZE];
    tick_t until; /* then it is sent away */
};

struct listener {
    struct pollfd fds[SOCKETS_MAX + 1 + PEERS_MAX]; /* sockets, cancel_fd, peers */
    struct peer peers[PEERS_MAX];                   /* oldest first, as their fds */
    int count;                                      /* of sockets */
    int silent;                                     /* peers */
    int strangers;                                  /* sent away so far */
};

/* A number of one to five digits. */
static bool listener_is_number(const char *text)
{
    size_t length = strlen(text);

    return length > 0 && length <= 5 && strspn(text, "0123456789") == length;
}

bool listener_parse(struct address *a, const char *text, struct reason *why)
{
    const char *colons = NULL;
    long port = text && listener_is_number(text) ? strtol(text, NULL, 10) : LISTENER_PORT;

    memset(a, 0, sizeof *a);
    if (!text || listener_is_number(text)) {
        a->port = (uint16_t)port;
        return (port >= 1 && port <= UINT16_MAX) ||
               reason_set(why, "bad port '%s' for --listen: it must be 1 to 65535", text);
    }
    for (const char *at = strstr(text, "::"); at; at = strstr(at + 1, "::"))
        colons = at;
    if (!colons || colons == text || !listener_is_number(colons + 2) || strchr(text, '/'))
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
    if (bind(fd, i->ai_addr, i->ai_addrlen) == 0 && listen(fd, PEERS_MAX) == 0) {
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
            const int error = errno;

            if (in_use && error != EADDRINUSE)
                continue; /* why is said already */
            in_use = in_use || error == EADDRINUSE;
            reason_set(why, "cannot listen on %s%sport %u: %s%s", a->host, a->host[0] ? " " : "",
                       (unsigned)a->port, strerror(error), error == EADDRINUSE ? PORT_IN_USE : "");
            reason_set_kind(why, FAILURE_START);
        }
    freeaddrinfo(all);
    l->fds[l->count] = (struct pollfd){.fd = cancel_fd, .events = POLLIN};
    return l->count > 0 && !in_use; /* whoever has the port would get the server's connection */
}

static struct pollfd *peer_fds(struct listener *l)
{
    return l->fds + l->count + 1;
}

static void close_listener(struct listener *l)
{
    for (int i = 0; i < l->count; i++)
        close(l->fds[i].fd);
    for (int i = 0; i < l->silent; i++)
        close(peer_fds(l)[i].fd);
}

/* ---- who connects ---- */

/* Whether the peer greets as a server does. What it says stays there, to be read. */
static bool listener_greets(int fd)
{
    static const char form[] = "RFB 000.000\n";
    char said[GREETING];

    if (recv(fd, said, sizeof said, MSG_PEEK | MSG_DONTWAIT) != sizeof said)
        return false;
    for (int i = 0; i < GREETING; i++)
        if (form[i] == '0' ? said[i] < '0' || said[i] > '9' : said[i] != form[i])
            return false;
    return true;
}

/* A peer can be read once it has said as much as a greeting, or says no more. */
static void read_from(int fd, int bytes)
{
    setsockopt(fd, SOL_SOCKET, SO_RCVLOWAT, &bytes, sizeof bytes);
}

/* Takes the peer out. Returns its descriptor. */
static int remove_peer(struct listener *l, int i)
{
    struct pollfd *fds = peer_fds(l);
    int fd = fds[i].fd;

    l->silent--;
    memmove(&fds[i], &fds[i + 1], (size_t)(l->silent - i) * sizeof *fds);
    memmove(&l->peers[i], &l->peers[i + 1], (size_t)(l->silent - i) * sizeof *l->peers);
    return fd;
}

static void listener_send_away(struct listener *l, int i)
{
    if (l->strangers++ < STRANGERS_SHOWN)
        log_line("%s has connected, and is no VNC server: waiting for another one",
                 l->peers[i].host);
    close(remove_peer(l, i));
}

/* The peer is the server. It becomes a->host. */
static int listener_choose(struct listener *l, int i, struct address *a)
{
    int fd;

    snprintf(a->host, sizeof a->host, "%s", l->peers[i].host);
    log_line("%s has connected", a->host);
    fd = remove_peer(l, i);
    read_from(fd, 1);
    return fd;
}

/* Whether accept() will fail again and again. */
static bool listener_lasts(int error)
{
    return error == EMFILE || error == ENFILE || error == ENOMEM || error == ENOBUFS;
}

/* Takes a connection. False, with errno, when that will never succeed. */
static bool listener_admit(struct listener *l, int listening)
{
    struct sockaddr_storage from;
    socklen_t size = sizeof from;
    int fd = accept4(listening, (struct sockaddr *)&from, &size, SOCK_CLOEXEC | SOCK_NONBLOCK);
    struct peer *p;

    if (fd < 0 && (!listener_lasts(errno) || l->silent == 0))
        return !listener_lasts(errno);
    if (fd < 0 || l->silent == PEERS_MAX)
        listener_send_away(l, 0);
    if (fd < 0)
        return true;
    p = &l->peers[l->silent];
    if (getnameinfo((struct sockaddr *)&from, size, p->host, sizeof p->host, NULL, 0,
                    NI_NUMERICHOST))
        strcpy(p->host, "?");
    p->until = tick_now() + GREETING_PATIENCE;
    read_from(fd, GREETING);
    peer_fds(l)[l->silent++] = (struct pollfd){.fd = fd, .events = POLLIN};
    return true;
}

static bool admit_all(struct listener *l)
{
    for (int i = 0; i < l->count; i++)
        if (l->fds[i].revents && !listener_admit(l, l->fds[i].fd))
            return false;
    return true;
}

/* The first peer that has greeted; -1: none has. Who says something else, or nothing for too long,
 * is sent away. */
static int find_server(struct listener *l)
{
    tick_t now = tick_now();

    for (int i = 0; i < l->silent;) {
        if (peer_fds(l)[i].revents && listener_greets(peer_fds(l)[i].fd))
            return i;
        if (peer_fds(l)[i].revents || now >= l->peers[i].until)
            listener_send_away(l, i);
        else
            i++;
    }
    return -1;
}

/* ms until a peer has been silent for too long; -1: never. */
static int listener_patience(const struct listener *l)
{
    tick_t left = l->silent > 0 ? l->peers[0].until - tick_now() : 0;

    return l->silent == 0 ? -1 : left <= 0 ? 0 : (int)(left / TICK_MS) + 1;
}

static int listener_await_server(struct listener *l, struct address *a)
{
    for (;;) {
        int server;

        if (poll(l->fds, (nfds_t)(l->count + 1 + l->silent), listener_patience(l)) < 0) {
            if (errno != EINTR)
                return -1;
            continue;
        }
        if (l->fds[l->count].revents) {
            errno = ECANCELED;
            return -1;
        }
        server = find_server(l);
        if (server >= 0)
            return listener_choose(l, server, a);
        if (!admit_all(l))
            return -1;
    }
}

static void listener_tell(const struct address *a)
{
    char own[OWN_ADDRESS_NAMES];

    if (!own_address_names(a, own))
        log_line("waiting for a server on %s, port %u", a->host, (unsigned)a->port);
    else
        log_line("waiting for a server on port %u%s%s", (unsigned)a->port,
                 *own ? " of this computer: " : "", own);
}

struct transport *listener_accept(struct address *a, const struct transport_options *options,
                                  int cancel_fd, struct reason *why)
{
    struct listener l = {.count = 0};
    struct transport *t = NULL;
    int fd = -1;

    if (open_listener(&l, a, options, cancel_fd, why)) {
        listener_tell(a);
        fd = listener_await_server(&l, a);
        if (fd < 0)
            reason_set(why, "no server has connected: %s", strerror(errno));
    }
    close_listener(&l);
    if (fd >= 0 && !(t = socket_adopt(fd)))
        reason_set(why, "out of memory");
    return t;
}
