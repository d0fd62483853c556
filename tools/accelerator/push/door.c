#include "tools/accelerator/push/door.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "rfb/descriptors.h"
#include "rfb/pusher/words.h"

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

/* The process reads there from then on. What fails is tried again: the viewer says hello again. */
static void door_let_in(struct door *d, const struct sockaddr_storage *from, socklen_t size)
{
    int fd = door_socket_connect(d->udp.fd, from, size);

    if (fd < 0)
        return;
    descriptors_send(d->process.fd, "", 1, &fd, 1);
    close(fd);
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
    if ((size_t)n > sizeof packet || (!d->any && !door_socket_same_host(&d->viewer, &from)) ||
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

    d->udp.fd = door_socket_open(local, ports, &port, why);
    if (d->udp.fd < 0)
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
        door_socket_plain(viewer, &d->viewer);
    if (door_open(d, local, ports, end, why))
        return d;
    if (*end >= 0)
        close(*end);
    *end = -1;
    door_end(d);
    return NULL;
}
