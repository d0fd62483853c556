#include "tools/accelerator/push/door_socket.h"

#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

/* By IPv4 routers may fragment what it sends: a path may be narrower than our packets. By IPv6 it
 * is not, and who says that less passes is not believed (rfb/net/datagram_socket.c). */
static int door_socket_make(int family)
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

socklen_t door_socket_plain(const struct sockaddr_storage *local, struct sockaddr_storage *out)
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
static uint16_t door_socket_bind(int fd, struct sockaddr_storage *address, socklen_t size,
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

int door_socket_open(const struct sockaddr_storage *local, const struct door_ports *ports,
                     uint16_t *port, struct reason *why)
{
    struct sockaddr_storage address;
    socklen_t size = door_socket_plain(local, &address);
    int fd = door_socket_make(address.ss_family);
    const int on = 1;

    *port = fd < 0 ? 0 : door_socket_bind(fd, &address, size, ports);
    /* Only now: so no other door gets this port. */
    if (*port > 0 && setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &on, sizeof on) == 0)
        return fd;
    reason_set(why, "no UDP port of %u-%u: %s", ports->first, ports->last, strerror(errno));
    if (fd >= 0)
        close(fd);
    return -1;
}

int door_socket_connect(int door, const struct sockaddr_storage *viewer, socklen_t size)
{
    struct sockaddr_storage own;
    socklen_t own_size = sizeof own;
    const int on = 1;
    int fd = door_socket_make(viewer->ss_family);

    if (fd < 0)
        return -1;
    if (getsockname(door, (struct sockaddr *)&own, &own_size) == 0 &&
        setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &on, sizeof on) == 0 &&
        bind(fd, (const struct sockaddr *)&own, own_size) == 0 &&
        connect(fd, (const struct sockaddr *)viewer, size) == 0)
        return fd;
    close(fd);
    return -1;
}

bool door_socket_same_host(const struct sockaddr_storage *a, const struct sockaddr_storage *b)
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
