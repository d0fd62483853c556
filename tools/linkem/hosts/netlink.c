#include "tools/linkem/hosts/netlink.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct message {
    struct nlmsghdr header;
    union {
        struct rtmsg route;
        struct ifinfomsg device;
        char all[256]; /* with the attributes */
    } body;
};

struct answer {
    struct nlmsghdr header;
    struct nlmsgerr result;
};

/* The caller sees to it that there is room. */
static struct rtattr *netlink_add(struct message *m, unsigned short type, const void *data,
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

static int netlink_ask(const struct message *m)
{
    struct answer answer;
    int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
    if (fd < 0) {
        return errno;
    }
    ssize_t got = send(fd, m, m->header.nlmsg_len, 0);
    if (got >= 0) {
        got = recv(fd, &answer, sizeof answer, 0);
    }
    int error = errno;
    close(fd);
    if (got < 0) {
        return error;
    }
    if (got < (ssize_t)sizeof answer || answer.header.nlmsg_type != NLMSG_ERROR) {
        return EPROTO;
    }
    return -answer.result.error;
}

static struct message change_of(const char *device)
{
    return (struct message){
        .header = {.nlmsg_len = NLMSG_LENGTH(sizeof(struct ifinfomsg)),
                   .nlmsg_type = RTM_SETLINK,
                   .nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK},
        .body.device = {.ifi_family = AF_UNSPEC, .ifi_index = (int)if_nametoindex(device)}};
}

/* The attributes from `outer` to the message's end become parts of it. */
static void netlink_enclose(struct message *m, struct rtattr *outer)
{
    outer->rta_len = (unsigned short)((char *)m + m->header.nlmsg_len - (char *)outer);
}

int netlink_set_queue(const char *device, unsigned packets)
{
    struct message m = change_of(device);
    netlink_add(&m, IFLA_TXQLEN, &packets, sizeof packets);
    return netlink_ask(&m);
}

int netlink_no_link_local(const char *device)
{
    struct message m = change_of(device);
    const unsigned char mode = IN6_ADDR_GEN_MODE_NONE;
    struct rtattr *families = netlink_add(&m, IFLA_AF_SPEC, NULL, 0);
    struct rtattr *ipv6 = netlink_add(&m, AF_INET6, NULL, 0);
    netlink_add(&m, IFLA_INET6_ADDR_GEN_MODE, &mode, sizeof mode);
    netlink_enclose(&m, ipv6);
    netlink_enclose(&m, families);
    return netlink_ask(&m);
}

int netlink_add_route(const char *device, int family, const char *address, const char *congestion)
{
    unsigned char binary[16];
    size_t length = family == AF_INET ? 4 : 16;
    int index = (int)if_nametoindex(device);
    struct message m = {
        .header = {.nlmsg_len = NLMSG_LENGTH(sizeof m.body.route),
                   .nlmsg_type = RTM_NEWROUTE,
                   .nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK | NLM_F_CREATE | NLM_F_EXCL},
        .body.route = {.rtm_family = (unsigned char)family,
                       .rtm_dst_len = (unsigned char)(8 * length),
                       .rtm_table = RT_TABLE_MAIN,
                       .rtm_protocol = RTPROT_STATIC,
                       .rtm_scope = family == AF_INET ? RT_SCOPE_LINK : RT_SCOPE_UNIVERSE,
                       .rtm_type = RTN_UNICAST}};
    size_t name = strlen(congestion) + 1;
    if (inet_pton(family, address, binary) != 1 || name > 64) {
        return EINVAL;
    }
    netlink_add(&m, RTA_DST, binary, length);
    netlink_add(&m, RTA_OIF, &index, sizeof index);
    struct rtattr *metrics = netlink_add(&m, RTA_METRICS, NULL, 0);
    netlink_add(&m, RTAX_CC_ALGO, congestion, name);
    netlink_enclose(&m, metrics);
    return netlink_ask(&m);
}
