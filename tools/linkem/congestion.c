/* The TCP congestion control of one host: the namespace's default where the kernel lets us set it.
 * Outside the machine's own namespace it does so for the algorithms it lists as allowed only; any
 * other it takes as an attribute of a route. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tools/linkem/host.h"
#include "tools/linkem/units.h"

#define SYSCTL_DEFAULT   "/proc/sys/net/ipv4/tcp_congestion_control"
#define SYSCTL_AVAILABLE "/proc/sys/net/ipv4/tcp_available_congestion_control"

struct route_message {
    struct nlmsghdr header;
    struct rtmsg route;
    char attributes[160];
};

struct route_answer {
    struct nlmsghdr header;
    struct nlmsgerr result;
};

static struct rtattr *add_attribute(struct route_message *m, unsigned short type, const void *data,
                                    size_t length)
{
    struct rtattr *a = (struct rtattr *)(void *)((char *)m + NLMSG_ALIGN(m->header.nlmsg_len));
    a->rta_type = type;
    a->rta_len = (unsigned short)RTA_LENGTH(length);
    if (length) {
        memcpy(RTA_DATA(a), data, length);
    }
    m->header.nlmsg_len = (unsigned)(NLMSG_ALIGN(m->header.nlmsg_len) + RTA_ALIGN(a->rta_len));
    return a;
}

/* A route to the other end alone, which therefore comes before the one its address gave. Returns an
 * errno. */
static int add_route(int fd, int family, const char *peer, const char *congestion)
{
    unsigned char address[16];
    size_t length = family == AF_INET ? 4 : 16;
    int device = (int)if_nametoindex(LINKEM_DEVICE);
    inet_pton(family, peer, address);
    struct route_message m = {
        .header = {.nlmsg_len = NLMSG_LENGTH(sizeof m.route),
                   .nlmsg_type = RTM_NEWROUTE,
                   .nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK | NLM_F_CREATE | NLM_F_EXCL},
        .route = {.rtm_family = (unsigned char)family,
                  .rtm_dst_len = (unsigned char)(8 * length),
                  .rtm_table = RT_TABLE_MAIN,
                  .rtm_protocol = RTPROT_STATIC,
                  .rtm_scope = family == AF_INET ? RT_SCOPE_LINK : RT_SCOPE_UNIVERSE,
                  .rtm_type = RTN_UNICAST}};
    add_attribute(&m, RTA_DST, address, length);
    add_attribute(&m, RTA_OIF, &device, sizeof device);
    struct rtattr *metrics = add_attribute(&m, RTA_METRICS, NULL, 0);
    add_attribute(&m, RTAX_CC_ALGO, congestion, strlen(congestion) + 1);
    metrics->rta_len = (unsigned short)((char *)&m + m.header.nlmsg_len - (char *)metrics);
    struct route_answer answer;
    if (send(fd, &m, m.header.nlmsg_len, 0) < 0) {
        return errno;
    }
    ssize_t got = recv(fd, &answer, sizeof answer, 0);
    if (got < (ssize_t)sizeof answer || answer.header.nlmsg_type != NLMSG_ERROR) {
        return got < 0 ? errno : EPROTO;
    }
    return -answer.result.error;
}

static bool set_default(const char *name)
{
    int fd = open(SYSCTL_DEFAULT, O_WRONLY | O_CLOEXEC);
    bool good = fd >= 0 && write(fd, name, strlen(name)) == (ssize_t)strlen(name);
    if (fd >= 0) {
        close(fd);
    }
    return good;
}

static void complain(const char *name, int error)
{
    char known[128] = "";
    FILE *f = fopen(SYSCTL_AVAILABLE, "re");
    if (f) {
        if (fgets(known, sizeof known, f)) {
            known[strcspn(known, "\n")] = 0;
        }
        fclose(f);
    }
    linkem_error("cannot use TCP congestion control '%s': %s; this kernel has: %s", name,
                 strerror(error), known);
}

bool linkem_host_set_congestion(const char *name, const char *peer4, const char *peer6)
{
    if (set_default(name)) {
        return true;
    }
    int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
    int error = fd < 0 ? errno : add_route(fd, AF_INET, peer4, name);
    if (!error && peer6) {
        error = add_route(fd, AF_INET6, peer6, name);
    }
    if (fd >= 0) {
        close(fd);
    }
    if (error) {
        complain(name, error);
    }
    return !error;
}
