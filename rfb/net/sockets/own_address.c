#include "rfb/net/sockets/own_address.h"

#include <errno.h>
#include <netinet/in.h>
#include <unistd.h>

#include "rfb/net/sockets/datagram_socket.h"

bool own_address_of(int fd, struct sockaddr_storage *out)
{
    socklen_t size = sizeof *out;

    return getsockname(fd, (struct sockaddr *)out, &size) == 0 &&
           (out->ss_family == AF_INET || out->ss_family == AF_INET6);
}

bool own_address_towards(const struct sockaddr_storage *host, struct sockaddr_storage *out)
{
    int fd = datagram_socket_open(host, 1); /* any port */
    bool ok = fd >= 0 && own_address_of(fd, out);

    if (fd >= 0)
        close(fd);
    return ok;
}

/* A socket can be bound to no other. */
bool own_address_is_here(const struct sockaddr_storage *address)
{
    struct sockaddr_storage a = *address;
    int fd = socket(a.ss_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    bool here;

    if (a.ss_family == AF_INET)
        ((struct sockaddr_in *)&a)->sin_port = 0;
    else
        ((struct sockaddr_in6 *)&a)->sin6_port = 0;
    here = fd < 0 || bind(fd, (const struct sockaddr *)&a, sizeof a) == 0 || errno != EADDRNOTAVAIL;
    if (fd >= 0)
        close(fd);
    return here;
}
