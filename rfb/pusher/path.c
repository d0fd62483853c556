#include "rfb/pusher/path.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "prerequest/push/packets/packet_size.h"
#include "rfb/net/sockets/datagram_socket.h"
#include "rfb/pusher/words.h"
#include "rfb/system/clock.h"
#include "rfb/system/descriptors.h"
#include "rfb/system/log.h"

_Static_assert(PACKET_SIZE_LEAST == SEALED_ANYWHERE && PACKET_SIZE_MOST == SEALED_MAX,
               "what is tried can be sealed");

struct path {
    int door, fd; /* -1: there is none */
    struct door_opening opening;
    struct sealer *down;
    struct opener *up;
    bool works, owes;
    bool proved;    /* it has worked, with this socket; */
    size_t allowed; /* until then: bytes that may be sent there */
    uint16_t mark;
    tick_t ask_due, ask_gap;
    tick_t ask_often; /* until then ask_gap stays as it is */
    struct packet_size size;
    bool whole; /* what is sent is not fragmented */
};

/* What vnchl-accel has put there before it started this process. */
static bool path_read_opening(struct path *p)
{
    return recv(p->door, &p->opening, sizeof p->opening, MSG_DONTWAIT | MSG_TRUNC) ==
               (ssize_t)sizeof p->opening &&
           p->opening.port > 0;
}

static void path_close(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

struct path *path_create(int door)
{
    struct path *p = calloc(1, sizeof *p);

    if (!p)
        return NULL;
    p->door = door;
    p->fd = -1;
    if (door >= 0 && path_read_opening(p)) {
        p->down = sealer_create(p->opening.secret, SEALED_TO_VIEWER);
        p->up = opener_create(p->opening.secret, SEALED_TO_FAR_END);
    }
    if (!p->down || !p->up)
        path_close(&p->door);
    return p;
}

void path_end(struct path *p)
{
    path_close(&p->door);
    path_close(&p->fd);
    p->works = false;
    explicit_bzero(&p->opening, sizeof p->opening);
}

void path_destroy(struct path *p)
{
    if (!p)
        return;
    path_end(p);
    sealer_destroy(p->down);
    opener_destroy(p->up);
    free(p);
}

/* What comes for packets that have left already shows nothing. */
static void path_begin(struct path *p, tick_t now)
{
    p->works = false;
    p->mark++;
    p->ask_due = now;
    p->ask_gap = PATH_ASK;
    p->ask_often = now + PATH_ASK_OFTEN;
    packet_size_begin(&p->size);
}

/* It works from the beginning where it may: what is lost of it shows that it does not. */
struct path *path_create_on(const uint8_t secret[SEALED_SECRET], int fd, bool proved,
                            uint64_t first, tick_t now)
{
    struct path *p = path_create(-1);

    if (p) {
        p->fd = fd;
        p->down = sealer_create(secret, SEALED_TO_VIEWER);
        p->up = opener_create(secret, SEALED_TO_FAR_END);
        p->allowed = PATH_TIMES * (SEALED_HEAD + SEALED_TAG); /* a hello has come */
        path_begin(p, now);
        p->works = p->proved = proved;
    } else {
        close(fd);
    }
    if (p && p->down && p->up) {
        sealer_begin_at(p->down, first);
        opener_begin_at(p->up, first);
        return p;
    }
    path_destroy(p);
    return NULL;
}

bool path_begin_anew(struct path **p, int door)
{
    struct path *path = path_create(door);

    path_end(*p);
    if (!path)
        return false;
    path_destroy(*p);
    *p = path;
    return true;
}

void path_show(const struct path *p, struct accelerator_shown *shown)
{
    if (p->door < 0)
        return;
    shown->datagrams_port = p->opening.port;
    memcpy(shown->datagrams_secret, p->opening.secret, sizeof shown->datagrams_secret);
}

int path_door_fd(const struct path *p)
{
    return p->door;
}

int path_fd(const struct path *p)
{
    return p->fd;
}

void path_hear_door(struct path *p, tick_t now)
{
    char word;
    int fd;
    ssize_t n = descriptors_receive(p->door, &word, 1, &fd, 1, MSG_DONTWAIT);

    if (n < 0 && errno == EAGAIN)
        return;
    if (fd < 0) { /* vnchl-accel has gone; the path stays */
        path_close(&p->door);
        return;
    }
    path_close(&p->fd);
    p->fd = fd;
    p->proved = p->whole = false;
    p->allowed = PATH_TIMES * (SEALED_HEAD + SEALED_TAG); /* a hello has come */
    path_begin(p, now);
    log_debug("datagrams: the viewer has shown a way");
}

/* What is told of probes, and of packets. */
static void path_hear_sizes(struct path *p, const struct body_up *up)
{
    unsigned before = p->size.bytes;

    if (up->largest > 0)
        packet_size_told(&p->size, up->search, up->largest);
    if (up->tells)
        packet_size_came(&p->size, up->newest, up->before, sizeof up->before, tick_now());
    if (before != p->size.bytes)
        log_debug("datagrams: packets have up to %u bytes", p->size.bytes);
}

bool path_take(struct path *p, uint8_t *body, struct body_up *up)
{
    uint8_t packet[SEALED_MAX + 1];

    for (int i = 0; p->fd >= 0 && i < PATH_BAD; i++) {
        tick_t age;
        ssize_t n = datagram_socket_receive_aged(p->fd, packet, sizeof packet, &age);
        size_t size;
        bool newest;

        if (n < 0)
            return false;
        if (!p->proved)
            p->allowed += PATH_TIMES * (size_t)n;
        if (!opener_open(p->up, packet, (size_t)n, body, &size, &newest) ||
            !body_read_up(body, size, up))
            continue;
        up->waited_us = (uint32_t)(age * 1000 / TICK_MS);
        p->works = p->works || up->mark == p->mark;
        p->proved = p->proved || p->works;
        p->owes = p->owes || up->asks;
        path_hear_sizes(p, up);
        return true;
    }
    return false;
}

bool path_works(const struct path *p)
{
    return p->works;
}

bool path_owes(const struct path *p)
{
    return p->owes;
}

size_t path_packet(const struct path *p)
{
    return p->size.bytes;
}

/* Where a packet may be larger than what passes everywhere, it is to vanish rather than come in
 * fragments: each of these may be lost, and firewalls drop them. */
static void path_put(struct path *p, const uint8_t *packet, size_t size)
{
    bool whole = size > PACKET_SIZE_LEAST || p->size.bytes > PACKET_SIZE_LEAST;

    if (whole != p->whole)
        datagram_socket_forbid_fragments(p->fd, whole);
    p->whole = whole;
    if (!datagram_socket_send(p->fd, packet, size) && errno == EMSGSIZE)
        packet_size_refused(&p->size, (unsigned)size);
}

void path_send(struct path *p, const struct body_down *d)
{
    struct body_down down = *d;
    uint8_t body[SEALED_BODY_MAX], packet[SEALED_MAX];
    size_t size;

    down.mark = p->mark;
    p->owes = false;
    size = sealer_seal(p->down, body, body_write_down(body, &down), packet);
    if (size == 0 || (!p->proved && size > p->allowed))
        return;
    if (!p->proved)
        p->allowed -= size;
    path_put(p, packet, size);
    if (d->size > 0) /* where a block has its number a parity has, too */
        packet_size_sent(&p->size, block_number(d->block), (unsigned)size);
}

tick_t path_due(const struct path *p)
{
    if (p->fd < 0)
        return TICK_NEVER;
    return p->works ? packet_size_due(&p->size) : p->ask_due;
}

void path_probe(struct path *p, uint32_t heard, tick_t now)
{
    unsigned bytes;

    while ((bytes = packet_size_probe(&p->size, now)) > 0) {
        const struct body_down probe = {
            .heard = heard, .probe = bytes - SEALED_HEAD - SEALED_TAG, .search = p->size.search};

        path_send(p, &probe);
    }
}

void path_ask(struct path *p, uint32_t heard, tick_t now)
{
    const struct body_down nothing = {.heard = heard};

    if (p->works) {
        log_debug("datagrams: they do not arrive any more");
        path_begin(p, now);
    }
    if (path_due(p) > now)
        return;
    path_send(p, &nothing);
    p->ask_due = now + p->ask_gap;
    if (now >= p->ask_often)
        p->ask_gap = tick_sooner(2 * p->ask_gap, PATH_ASK_MOST);
}
