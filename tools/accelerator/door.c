#include "tools/accelerator/door.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "rfb/datagrams/door.h"
#include "rfb/descriptors.h"

/* Packets in one turn of the loop. So a flood does not hold up the others. */
#define DOOR_PACKETS 32

struct door_socket {
    int fd; /* -1: closed */
    bool watched;
    uv_poll_t poll;
};

struct door {
    uv_loop_t *loop;
    struct door_socket udp, process;
    struct opener *opener;
    uint64_t *refused;
    unsigned handles; /* that libuv still has */
    bool ended;
    bool any;                       /* host may be the viewer's; else */
    struct sockaddr_storage viewer; /* only this one */
};

/* ---- the end ---- */

static void door_free_unless_held(struct door *d)
{
    if (!d->ended || d->handles > 0)
        return;
    opener_destroy(d->opener);
    free(d);
}

static void door_on_closed(uv_handle_t *poll)
{
    struct door *d = poll->data;

    d->handles--;
    door_free_unless_held(d);
}

static void door_close(struct door_socket *s)
{
    if (s->watched)
        uv_close((uv_handle_t *)&s->poll, door_on_closed);
    s->watched = false;
    if (s->fd >= 0)
        close(s->fd);
    s->fd = -1;
}

void door_end(struct door *d)
{
    if (!d)
        return;
    door_close(&d->udp);
    door_close(&d->process);
    d->ended = true;
    door_free_unless_held(d);
}

/* ---- who comes ---- */

/* By IPv4 routers may fragment what it sends: a path may be narrower than our packets. By IPv6 it
 * is not, and who says that less passes is not believed (rfb/net/datagram_socket.c). */
static int door_socket(int family)
{
    const int fragments = IP_PMTUDISC_DONT, whole = IPV6_PMTUDISC_PROBE;
    const int stamps = 1; /* datagram_socket_receive_aged() */
    int fd = socket(family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

    if (fd >= 0 && family == AF_INET)
        setsockopt(fd, IPPROTO_IP, IP_MTU_DISCOVER, &fragments, sizeof fragments);
    if (fd >= 0 && family == AF_INET6)
        setsockopt(fd, IPPROTO_IPV6, IPV6_MTU_DISCOVER, &whole, sizeof whole);
    if (fd >= 0)
        setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &stamps, sizeof stamps);
    return fd;
}

/* A socket at the door's own address that hears only this viewer; -1: there is none. */
static int door_connect(const struct door *d, const struct sockaddr_storage *viewer, socklen_t size)
{
    struct sockaddr_storage own;
    socklen_t own_size = sizeof own;
    const int on = 1;
    int fd = door_socket(viewer->ss_family);

    if (fd < 0)
        return -1;
    if (getsockname(d->udp.fd, (struct sockaddr *)&own, &own_size) == 0 &&
        setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &on, sizeof on) == 0 &&
        bind(fd, (const struct sockaddr *)&own, own_size) == 0 &&
        connect(fd, (const struct sockaddr *)viewer, size) == 0)
        return fd;
    close(fd);
    return -1;
}

/* The process reads there from then on. What fails is tried again: the viewer says hello again. */
static void door_let_in(struct door *d, const struct sockaddr_storage *from, socklen_t size)
{
    int fd = door_connect(d, from, size);

    if (fd < 0)
        return;
    descriptors_send(d->process.fd, "", 1, &fd, 1);
    close(fd);
}

/* Whether these are of one host. */
static bool door_is_from(const struct sockaddr_storage *a, const struct sockaddr_storage *b)
{
    const struct sockaddr_in *a4 = (const struct sockaddr_in *)a,
                             *b4 = (const struct sockaddr_in *)b;
    const struct sockaddr_in6 *a6 = (const struct sockaddr_in6 *)a,
                              *b6 = (const struct sockaddr_in6 *)b;

    if (a->ss_family != b->ss_family)
        return false;
    return a->ss_family == AF_INET ? a4->sin_addr.s_addr == b4->sin_addr.s_addr
                                   : IN6_ARE_ADDR_EQUAL(&a6->sin6_addr, &b6->sin6_addr);
}

/* False: none waits. */
static bool door_read(struct door *d)
{
    uint8_t packet[SEALED_MAX], body[SEALED_BODY_MAX];
    struct sockaddr_storage from;
    socklen_t from_size = sizeof from;
    size_t size;
    bool newest;
    ssize_t n = recvfrom(d->udp.fd, packet, sizeof packet, MSG_DONTWAIT | MSG_TRUNC,
                         (struct sockaddr *)&from, &from_size);

    if (n < 0)
        return false;
    if ((size_t)n > sizeof packet || (!d->any && !door_is_from(&d->viewer, &from)) ||
        !opener_open(d->opener, packet, (size_t)n, body, &size, &newest) || !newest)
        ++*d->refused;
    else
        door_let_in(d, &from, from_size);
    return true;
}

static void door_on_packet(uv_poll_t *poll, int status, int events)
{
    struct door *d = poll->data;

    (void)events;
    if (status < 0)
        door_close(&d->udp);
    for (int i = 0; i < DOOR_PACKETS && d->udp.fd >= 0 && door_read(d); i++)
        ;
}

/* It says nothing here, so this is its end. */
static void door_on_process(uv_poll_t *poll, int status, int events)
{
    struct door *d = poll->data;

    (void)status;
    (void)events;
    door_close(&d->udp);
    door_close(&d->process);
}

/* ---- the beginning ---- */

/* As it is without IPv6 around it. */
static socklen_t door_plain_address(const struct sockaddr_storage *local,
                                    struct sockaddr_storage *out)
{
    const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)local;
    struct sockaddr_in *v4 = (struct sockaddr_in *)out;

    *out = *local;
    if (local->ss_family == AF_INET)
        return sizeof *v4;
    if (!IN6_IS_ADDR_V4MAPPED(&v6->sin6_addr))
        return sizeof *v6;
    *v4 = (struct sockaddr_in){.sin_family = AF_INET};
    memcpy(&v4->sin_addr, &v6->sin6_addr.s6_addr[12], sizeof v4->sin_addr);
    return sizeof *v4;
}

/* Binds to the first port that is free, from a random one on. Returns it; 0 with errno: none. */
static uint16_t door_bind(int fd, struct sockaddr_storage *address, socklen_t size,
                          const struct door_ports *ports)
{
    unsigned count = ports->last - ports->first + 1u, start = 0;

    if (getrandom(&start, sizeof start, 0) != (ssize_t)sizeof start)
        return 0;
    for (unsigned i = 0; i < count; i++) {
        uint16_t port = (uint16_t)(ports->first + (start % count + i) % count);

        if (address->ss_family == AF_INET)
            ((struct sockaddr_in *)address)->sin_port = htons(port);
        else
            ((struct sockaddr_in6 *)address)->sin6_port = htons(port);
        if (bind(fd, (const struct sockaddr *)address, size) == 0)
            return port;
        if (errno != EADDRINUSE)
            return 0;
    }
    return 0;
}

/* False, with a reason; what is open is the door's. */
static bool door_open_udp(struct door *d, const struct sockaddr_storage *local,
                          const struct door_ports *ports, uint16_t *port, struct reason *why)
{
    struct sockaddr_storage address;
    socklen_t size = door_plain_address(local, &address);
    const int on = 1;

    d->udp.fd = door_socket(address.ss_family);
    *port = d->udp.fd < 0 ? 0 : door_bind(d->udp.fd, &address, size, ports);
    /* Only now: so no other door gets this port. */
    return (*port > 0 && setsockopt(d->udp.fd, SOL_SOCKET, SO_REUSEPORT, &on, sizeof on) == 0) ||
           reason_set(why, "no UDP port of %u-%u: %s", ports->first, ports->last, strerror(errno));
}

/* Makes the secret, and puts the opening where the process finds it. */
static bool door_say_opening(struct door *d, uint16_t port, struct reason *why)
{
    struct door_opening opening = {.port = port};
    bool done = false;

    if (getrandom(opening.secret, sizeof opening.secret, 0) == (ssize_t)sizeof opening.secret) {
        d->opener = opener_create(opening.secret, SEALED_HELLO);
        done = d->opener && send(d->process.fd, &opening, sizeof opening,
                                 MSG_DONTWAIT | MSG_NOSIGNAL) == (ssize_t)sizeof opening;
    }
    explicit_bzero(&opening, sizeof opening);
    return done || reason_set(why, "no secret for datagrams");
}

static bool door_watch(struct door *d, struct door_socket *s, int events, uv_poll_cb callback)
{
    if (uv_poll_init(d->loop, &s->poll, s->fd) != 0)
        return false;
    s->poll.data = d;
    s->watched = true;
    d->handles++;
    return uv_poll_start(&s->poll, events, callback) == 0;
}

static bool door_open(struct door *d, const struct sockaddr_storage *local,
                      const struct door_ports *ports, int *end, struct reason *why)
{
    uint16_t port;
    int pair[2];

    if (!door_open_udp(d, local, ports, &port, why))
        return false;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair) != 0)
        return reason_set(why, "no sockets: %s", strerror(errno));
    d->process.fd = pair[0];
    *end = pair[1];
    return door_say_opening(d, port, why) &&
           ((door_watch(d, &d->udp, UV_READABLE, door_on_packet) &&
             door_watch(d, &d->process, UV_DISCONNECT, door_on_process)) ||
            reason_set(why, "out of memory"));
}

struct door *door_begin(uv_loop_t *loop, const struct sockaddr_storage *local,
                        const struct sockaddr_storage *viewer, const struct door_ports *ports,
                        uint64_t *refused, int *end, struct reason *why)
{
    struct door *d = calloc(1, sizeof *d);

    *end = -1;
    if (!d) {
        reason_set(why, "out of memory");
        return NULL;
    }
    d->loop = loop;
    d->udp.fd = d->process.fd = -1;
    d->refused = refused;
    d->any = !viewer;
    if (viewer)
        door_plain_address(viewer, &d->viewer);
    if (door_open(d, local, ports, end, why))
        return d;
    if (*end >= 0)
        close(*end);
    *end = -1;
    door_end(d);
    return NULL;
}
