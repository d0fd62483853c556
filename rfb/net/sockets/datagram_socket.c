#include "rfb/net/sockets/datagram_socket.h"

#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "rfb/net/sockets/socket.h"

/* Bytes of payload: 300 ms at 50 Mbit/s. The kernel keeps twice as much, which is about what
 * packets of 1200 bytes take there. Chosen: so long a receiver may be busy decoding. */
#define RECEIVE_BYTES (50 * 1000 * 1000 / 8 * 3 / 10)

union any_address {
    struct sockaddr head;
    struct sockaddr_storage storage;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
};

bool datagram_socket_host(int fd, struct sockaddr_storage *host)
{
    socklen_t size = sizeof *host;
    int protocol = 0;
    socklen_t protocol_size = sizeof protocol;

    memset(host, 0, sizeof *host);
    return getsockopt(fd, SOL_SOCKET, SO_PROTOCOL, &protocol, &protocol_size) == 0 &&
           protocol == IPPROTO_TCP && getpeername(fd, (struct sockaddr *)host, &size) == 0;
}

/* An IPv4 address that is written as an IPv6 one becomes itself: the socket is of its family then,
 * and takes its options. */
static void datagram_socket_unmap(union any_address *a)
{
    struct sockaddr_in v4 = {.sin_family = AF_INET};

    if (a->head.sa_family != AF_INET6 || !IN6_IS_ADDR_V4MAPPED(&a->v6.sin6_addr))
        return;
    memcpy(&v4.sin_addr, a->v6.sin6_addr.s6_addr + 12, sizeof v4.sin_addr);
    a->v4 = v4;
}

/* Returns the size of the address; 0: it is not of the internet. */
static socklen_t set_port(union any_address *a, uint16_t port)
{
    switch (a->head.sa_family) {
    case AF_INET:
        a->v4.sin_port = htons(port);
        return sizeof a->v4;
    case AF_INET6:
        a->v6.sin6_port = htons(port);
        return sizeof a->v6;
    default:
        return 0;
    }
}

/* PROBE, not DO: both forbid fragments, but DO also refuses to send what is larger than the path is
 * said to take. Anybody can say so by a forged ICMP. Our packets are smaller than any IPv6 path has
 * to take; one that is too large after all is lost like any other. */
static bool never_fragment(int fd, int family)
{
    const int v4 = IP_PMTUDISC_PROBE, v6 = IPV6_PMTUDISC_PROBE;

    if (family == AF_INET6)
        return setsockopt(fd, IPPROTO_IPV6, IPV6_MTU_DISCOVER, &v6, sizeof v6) == 0;
    return setsockopt(fd, IPPROTO_IP, IP_MTU_DISCOVER, &v4, sizeof v4) == 0;
}

int datagram_socket_open(const struct sockaddr_storage *host, uint16_t port)
{
    union any_address a = {.storage = *host};
    socklen_t size;
    int fd, error;

    datagram_socket_unmap(&a);
    size = set_port(&a, port);
    if (size == 0) {
        errno = EAFNOSUPPORT;
        return -1;
    }
    fd = socket(a.head.sa_family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return -1;
    socket_set_window(fd, RECEIVE_BYTES);
    setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &(const int){1}, sizeof(int));
    if (never_fragment(fd, a.head.sa_family) && connect(fd, &a.head, size) == 0)
        return fd;
    error = errno;
    close(fd);
    errno = error;
    return -1;
}

ssize_t datagram_socket_receive(int fd, void *out, size_t size)
{
    ssize_t n = recv(fd, out, size, MSG_DONTWAIT);

    if (n < 0)
        return errno == EAGAIN ? -1 : 0;
    return n;
}

/* The kernel's stamp is of the clock of day, which may be set: then it is not believed. */
static tick_t age_of(struct msghdr *m)
{
    struct timespec stamp, now;
    struct cmsghdr *c = CMSG_FIRSTHDR(m);
    tick_t age;

    if (!c || c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_TIMESTAMPNS)
        return 0;
    memcpy(&stamp, CMSG_DATA(c), sizeof stamp);
    clock_gettime(CLOCK_REALTIME, &now);
    age = (tick_t)(now.tv_sec - stamp.tv_sec) * TICK_S + now.tv_nsec - stamp.tv_nsec;
    return age > 0 && age < TICK_S ? age : 0;
}

ssize_t datagram_socket_receive_aged(int fd, void *out, size_t size, tick_t *age)
{
    _Alignas(struct cmsghdr) char room[CMSG_SPACE(sizeof(struct timespec))];
    struct iovec body = {out, size};
    struct msghdr m = {
        .msg_iov = &body, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof room};
    ssize_t n = recvmsg(fd, &m, MSG_DONTWAIT);

    *age = n < 0 ? 0 : age_of(&m);
    if (n < 0)
        return errno == EAGAIN ? -1 : 0;
    return n;
}

bool datagram_socket_send(int fd, const void *packet, size_t size)
{
    return send(fd, packet, size, MSG_DONTWAIT | MSG_NOSIGNAL) == (ssize_t)size;
}

void datagram_socket_forbid_fragments(int fd, bool forbid)
{
    const int v4 = forbid ? IP_PMTUDISC_PROBE : IP_PMTUDISC_DONT;

    setsockopt(fd, IPPROTO_IP, IP_MTU_DISCOVER, &v4, sizeof v4);
}
