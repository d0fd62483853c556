#include "rfb/net/sockets/own_address.h"

#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
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

static bool own_address_is_for_others(const struct ifaddrs *i, int family)
{
    const void *address = i->ifa_addr;

    if (!address || i->ifa_addr->sa_family != family || !(i->ifa_flags & IFF_UP) ||
        (i->ifa_flags & IFF_LOOPBACK))
        return false;
    return family == AF_INET ||
           !IN6_IS_ADDR_LINKLOCAL(&((const struct sockaddr_in6 *)address)->sin6_addr);
}

static bool own_address_write(const struct sockaddr *a, char out[OWN_ADDRESS_TEXT])
{
    const socklen_t size = a->sa_family == AF_INET ? (socklen_t)sizeof(struct sockaddr_in)
                                                   : (socklen_t)sizeof(struct sockaddr_in6);

    return getnameinfo(a, size, out, OWN_ADDRESS_TEXT, NULL, 0, NI_NUMERICHOST) == 0;
}

/* Those of this family behind the `count` that are there. Returns how many there are then. */
static int own_address_add(const struct ifaddrs *all, int family, char (*out)[OWN_ADDRESS_TEXT],
                           int count, int size)
{
    for (const struct ifaddrs *i = all; i && count < size; i = i->ifa_next)
        if (own_address_is_for_others(i, family) && own_address_write(i->ifa_addr, out[count]))
            count++;
    return count;
}

int own_address_list(enum address_family family, char (*out)[OWN_ADDRESS_TEXT], int size)
{
    struct ifaddrs *all;
    int count = 0;

    if (getifaddrs(&all) != 0)
        return 0;
    if (family != ADDRESS_IPV6)
        count = own_address_add(all, AF_INET, out, count, size);
    if (family != ADDRESS_IPV4)
        count = own_address_add(all, AF_INET6, out, count, size);
    freeifaddrs(all);
    return count;
}

bool own_address_names(const struct address *a, char out[OWN_ADDRESS_NAMES])
{
    const bool v4 = strcmp(a->host, "0.0.0.0") == 0, v6 = strcmp(a->host, "::") == 0;
    const bool all = !*a->host || v4 || v6;
    char own[OWN_ADDRESS_NAMED][OWN_ADDRESS_TEXT];
    size_t used = 0;
    int count = all ? own_address_list(v4   ? ADDRESS_IPV4
                                       : v6 ? ADDRESS_IPV6
                                            : a->family,
                                       own, OWN_ADDRESS_NAMED)
                    : 0;

    *out = '\0';
    for (int i = 0; i < count && used < OWN_ADDRESS_NAMES; i++)
        used += (size_t)snprintf(out + used, OWN_ADDRESS_NAMES - used, "%s%s", i > 0 ? " or " : "",
                                 own[i]);
    return all;
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
