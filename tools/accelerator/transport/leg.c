#include "tools/accelerator/transport/leg.h"

#include <errno.h>
#include <linux/sockios.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static void leg_set(int fd, int level, int option, int value)
{
    setsockopt(fd, level, option, &value, sizeof value);
}

bool leg_congestion_known(const char *name, struct reason *why)
{
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int error = 0;

    if (fd < 0)
        return reason_set(why, "no socket: %s", strerror(errno));
    if (setsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, name, (socklen_t)strlen(name)) != 0)
        error = errno;
    close(fd);
    if (error == ENOENT)
        return reason_set(why,
                          "this kernel has no congestion control '%.40s': see "
                          "/proc/sys/net/ipv4/tcp_available_congestion_control",
                          name);
    if (error != 0)
        return reason_set(why,
                          "congestion control '%.40s' is not allowed here: add it to the sysctl "
                          "net.ipv4.tcp_allowed_congestion_control (%s)",
                          name, strerror(error));
    return true;
}

void leg_congestion_of(int fd, char out[LEG_CONGESTION_NAME])
{
    socklen_t size = LEG_CONGESTION_NAME;

    if (getsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, out, &size) != 0)
        size = 0;
    out[size < LEG_CONGESTION_NAME ? size : LEG_CONGESTION_NAME - 1] = '\0';
}

static void leg_set_congestion(int fd, const char *wanted)
{
    const char *name = wanted ? wanted : LEG_CONGESTION;

    setsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, name, (socklen_t)strlen(name));
}

void leg_congestion_in_force(const char *wanted, char out[LEG_CONGESTION_NAME])
{
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    leg_set_congestion(fd, wanted);
    leg_congestion_of(fd, out);
    if (fd >= 0)
        close(fd);
}

/* A peer that answers nothing any more is left after about a minute. With bytes on their way to it
 * the kernel asks nothing: see TCP_USER_TIMEOUT below, and leg_info.silent. */
static void notice_dead(int fd)
{
    leg_set(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
    leg_set(fd, IPPROTO_TCP, TCP_KEEPIDLE, 20);
    leg_set(fd, IPPROTO_TCP, TCP_KEEPINTVL, 10);
    leg_set(fd, IPPROTO_TCP, TCP_KEEPCNT, 4);
}

void leg_tune_client(int fd, const char *congestion)
{
    leg_set(fd, IPPROTO_TCP, TCP_NODELAY, 1);
    leg_set_congestion(fd, congestion);
    notice_dead(fd);
}

void leg_tune_server(int fd)
{
    leg_set(fd, IPPROTO_TCP, TCP_NODELAY, 1);
    notice_dead(fd);
    /* Not for clients: it also cuts off one that is there and reads nothing for so long. */
    leg_set(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, 60000);
}

void leg_renew_bbr(int fd)
{
    char name[LEG_CONGESTION_NAME];

    leg_congestion_of(fd, name);
    if (strcmp(name, "bbr") != 0)
        return;
    leg_set_congestion(fd,
                       "reno"); /* every kernel has it, and the same name again changes nothing */
    leg_set_congestion(fd, name);
}

uint64_t leg_beyond(uint64_t sent, unsigned unacked, unsigned sacked)
{
    if (sacked > unacked)
        sacked = unacked;
    return sacked > 0 ? sent * sacked / unacked : 0;
}

bool leg_info(int fd, struct leg_info *info)
{
    struct tcp_info tcp;
    socklen_t size = sizeof tcp;
    int in_socket = 0, unsent = 0;
    uint64_t beyond;

    memset(&tcp, 0, sizeof tcp);
    memset(info, 0, sizeof *info);
    if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &tcp, &size) != 0 ||
        ioctl(fd, SIOCOUTQ, &in_socket) != 0 || ioctl(fd, SIOCOUTQNSD, &unsent) != 0)
        return false;
    beyond = leg_beyond((uint64_t)(in_socket - unsent), tcp.tcpi_unacked, tcp.tcpi_sacked);
    info->unsent = (size_t)unsent;
    info->recovers = tcp.tcpi_ca_state > TCP_CA_Disorder;
    info->silent = (tick_t)tcp.tcpi_last_ack_recv * TICK_MS;
    info->sample.delivered = tcp.tcpi_bytes_acked + beyond;
    info->sample.in_flight = (size_t)in_socket - (size_t)beyond;
    if (tcp.tcpi_min_rtt != UINT32_MAX)
        info->sample.round_trip = (tick_t)tcp.tcpi_min_rtt * (TICK_MS / 1000);
    return true;
}

void leg_set_unsent(int fd, size_t bytes)
{
    leg_set(fd, IPPROTO_TCP, TCP_NOTSENT_LOWAT, (int)bytes);
}

int leg_connect(const struct sockaddr *address, socklen_t size, bool *connected)
{
    int fd = socket(address->sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    int error;

    if (fd < 0)
        return -1;
    *connected = connect(fd, address, size) == 0;
    if (*connected || errno == EINPROGRESS)
        return fd;
    error = errno;
    close(fd);
    errno = error;
    return -1;
}

/* IPv4 within IPv6, as sockets of the service manager may give it, becomes IPv4. Returns the
 * family.
 */
static int leg_network(const struct sockaddr_storage *address, uint8_t out[8])
{
    const struct in6_addr *v6 = &((const struct sockaddr_in6 *)address)->sin6_addr;
    bool mapped = address->ss_family == AF_INET6 && IN6_IS_ADDR_V4MAPPED(v6);

    memset(out, 0, 8);
    if (mapped)
        memcpy(out, v6->s6_addr + 12, 4);
    else if (address->ss_family == AF_INET6)
        memcpy(out, v6->s6_addr, 8);
    else
        memcpy(out, &((const struct sockaddr_in *)address)->sin_addr, 4);
    return mapped ? AF_INET : address->ss_family;
}

bool leg_is_loopback(const struct sockaddr_storage *address)
{
    uint8_t network[8];

    if (leg_network(address, network) == AF_INET)
        return network[0] == 127;
    return IN6_IS_ADDR_LOOPBACK(&((const struct sockaddr_in6 *)address)->sin6_addr);
}

bool leg_same_client(const struct sockaddr_storage *a, const struct sockaddr_storage *b)
{
    uint8_t of_a[8], of_b[8];

    return leg_network(a, of_a) == leg_network(b, of_b) && memcmp(of_a, of_b, sizeof of_a) == 0;
}

void leg_peer(const struct sockaddr_storage *address, char *out, size_t size)
{
    socklen_t length =
        address->ss_family == AF_INET ? sizeof(struct sockaddr_in) : sizeof(struct sockaddr_in6);

    if (address->ss_family == AF_UNIX || getnameinfo((const struct sockaddr *)address, length, out,
                                                     (socklen_t)size, NULL, 0, NI_NUMERICHOST) != 0)
        snprintf(out, size, "unix");
}
