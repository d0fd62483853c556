#include "tools/linkem/hosts/host.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <inttypes.h>
#include <linux/capability.h>
#include <linux/if_link.h>
#include <linux/if_tun.h>
#include <linux/ipv6.h>
#include <net/if.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tools/linkem/hosts/netlink.h"
#include "tools/linkem/units.h"

#define NETMASK4      "255.255.255.252"
#define PREFIX6       126
#define IPV6_MIN_MTU  1280
#define TCP_LISTENING 0x0a

/* Packets that may wait in the device until we read them: 200 ms of 1 Gbit/s. A drop there would
 * be one the model knows nothing of. */
#define DEVICE_QUEUE 20000

static bool write_text(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0) {
        return false;
    }
    ssize_t length = (ssize_t)strlen(text);
    bool good = write(fd, text, (size_t)length) == length;
    int error = errno;
    close(fd);
    errno = error;
    return good;
}

/* Without this a program started by a user who is not root in the namespace has no capabilities:
 * --server and ping would not work inside. */
static bool keep_capabilities(void)
{
    static const int kept[] = {CAP_SYS_ADMIN, CAP_SYS_PTRACE, CAP_NET_ADMIN, CAP_NET_RAW};
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];
    if (syscall(SYS_capget, &header, data)) {
        return false;
    }
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        data[CAP_TO_INDEX(kept[i])].inheritable |= CAP_TO_MASK(kept[i]);
    }
    if (syscall(SYS_capset, &header, data)) {
        return false;
    }
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, kept[i], 0, 0)) {
            return false;
        }
    }
    return true;
}

bool linkem_host_permit(void)
{
    if (unshare(CLONE_NEWNET) == 0) {
        return true;
    }
    if (errno != EPERM) {
        linkem_error("cannot make a network namespace: %s", strerror(errno));
        return false;
    }
    char uid[40], gid[40];
    snprintf(uid, sizeof uid, "%u %u 1", geteuid(), geteuid());
    snprintf(gid, sizeof gid, "%u %u 1", getegid(), getegid());
    if (unshare(CLONE_NEWUSER)) {
        linkem_error("needs root or user namespaces, and this system does not let this user make "
                     "one: %s",
                     strerror(errno));
        return false;
    }
    if (!write_text("/proc/self/setgroups", "deny") || !write_text("/proc/self/uid_map", uid) ||
        !write_text("/proc/self/gid_map", gid) || !keep_capabilities()) {
        linkem_error("needs root; the user namespace this system made is of no use: %s",
                     strerror(errno));
        return false;
    }
    return true;
}

static int open_tun(void)
{
    int fd = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) {
        linkem_error("cannot open /dev/net/tun: %s; %s", strerror(errno),
                     errno == EACCES || errno == EPERM
                         ? "run as root, or let this user read and write it"
                         : "the kernel's TUN driver is needed (modprobe tun)");
        return -1;
    }
    struct ifreq r = {.ifr_flags = IFF_TUN | IFF_NO_PI};
    strcpy(r.ifr_name, LINKEM_DEVICE);
    if (ioctl(fd, TUNSETIFF, &r)) {
        linkem_error("cannot make a TUN device: %s", strerror(errno));
        close(fd);
        return -1;
    }
    return fd;
}

static bool linkem_host_request(int fd, unsigned long code, struct ifreq *r, const char *device,
                                const char *what)
{
    strcpy(r->ifr_name, device);
    if (ioctl(fd, code, r)) {
        linkem_error("cannot set %s of device %s: %s", what, device, strerror(errno));
        return false;
    }
    return true;
}

static bool set_address(int fd, unsigned long code, const char *address, const char *what)
{
    struct ifreq r = {0};
    struct sockaddr_in a = {.sin_family = AF_INET};
    inet_pton(AF_INET, address, &a.sin_addr);
    memcpy(&r.ifr_addr, &a, sizeof a);
    return linkem_host_request(fd, code, &r, LINKEM_DEVICE, what);
}

static bool set_queue(void)
{
    int error = netlink_set_queue(LINKEM_DEVICE, DEVICE_QUEUE);
    if (error) {
        linkem_error("cannot set the queue of device %s: %s", LINKEM_DEVICE, strerror(error));
    }
    return !error;
}

static bool linkem_host_configure(int fd, enum linkem_side side, unsigned mtu)
{
    struct ifreq up = {.ifr_flags = IFF_UP | IFF_RUNNING | IFF_NOARP}, size = {.ifr_mtu = (int)mtu};
    /* A link-local address would come into force a second later, with packets of its own. Browsers
     * give up what they are loading when the addresses change. Without IPv6 there is none. */
    (void)netlink_no_link_local(LINKEM_DEVICE);
    return linkem_host_request(fd, SIOCSIFFLAGS, &up, "lo", "the state") &&
           linkem_host_request(fd, SIOCSIFMTU, &size, LINKEM_DEVICE, "the MTU") && set_queue() &&
           set_address(fd, SIOCSIFADDR, side == LINKEM_CLIENT ? LINKEM_CLIENT4 : LINKEM_SERVER4,
                       "the address") &&
           set_address(fd, SIOCSIFNETMASK, NETMASK4, "the netmask") &&
           linkem_host_request(fd, SIOCSIFFLAGS, &up, LINKEM_DEVICE, "the state");
}

/* A kernel without IPv6, or one where it is switched off, is no failure. */
static bool configure_ipv6(enum linkem_side side)
{
    int fd = socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0) {
        return false;
    }
    struct in6_ifreq r = {.ifr6_prefixlen = PREFIX6,
                          .ifr6_ifindex = (int)if_nametoindex(LINKEM_DEVICE)};
    inet_pton(AF_INET6, side == LINKEM_CLIENT ? LINKEM_CLIENT6 : LINKEM_SERVER6, &r.ifr6_addr);
    bool good = ioctl(fd, SIOCSIFADDR, &r) == 0;
    close(fd);
    return good;
}

bool linkem_host_create(struct linkem_host *h, enum linkem_side side, unsigned mtu,
                        const char *congestion)
{
    *h = (struct linkem_host){.netns = -1, .tun = -1};
    if (unshare(CLONE_NEWNET)) {
        linkem_error("cannot make a network namespace: %s", strerror(errno));
        return false;
    }
    h->netns = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
    if (h->netns < 0) {
        linkem_error("cannot open /proc/self/ns/net: %s", strerror(errno));
        return false;
    }
    h->tun = open_tun();
    int fd = h->tun < 0 ? -1 : socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0) {
        return false;
    }
    bool good = linkem_host_configure(fd, side, mtu);
    close(fd);
    h->ipv6 = good && mtu >= IPV6_MIN_MTU && configure_ipv6(side);
    if (good && congestion) {
        bool client = side == LINKEM_CLIENT;
        good = linkem_host_set_congestion(congestion, client ? LINKEM_SERVER4 : LINKEM_CLIENT4,
                                          !h->ipv6 ? NULL
                                          : client ? LINKEM_SERVER6
                                                   : LINKEM_CLIENT6);
    }
    return good;
}

void linkem_host_destroy(struct linkem_host *h)
{
    if (h->tun >= 0) {
        close(h->tun);
    }
    if (h->netns >= 0) {
        close(h->netns);
    }
    *h = (struct linkem_host){.netns = -1, .tun = -1};
}

bool linkem_host_enter(const struct linkem_host *h)
{
    if (setns(h->netns, CLONE_NEWNET)) {
        linkem_error("cannot change to the other network namespace: %s", strerror(errno));
        return false;
    }
    return true;
}

bool linkem_host_enter_of(pid_t pid)
{
    char path[48];
    snprintf(path, sizeof path, "/proc/%d/ns/net", (int)pid);
    int net = open(path, O_RDONLY | O_CLOEXEC);
    int error = errno;
    snprintf(path, sizeof path, "/proc/%d/ns/user", (int)pid);
    int user = open(path, O_RDONLY | O_CLOEXEC);
    if (net < 0 || user < 0) {
        linkem_error("--server: no link has process %d, or it is another user's: %s", (int)pid,
                     strerror(net < 0 ? error : errno));
    }
    bool good = net >= 0 && user >= 0;
    /* As root, and inside the link, this process may do so as it is; else the user namespace lets
     * it. */
    if (good && setns(net, CLONE_NEWNET) &&
        (setns(user, CLONE_NEWUSER) || setns(net, CLONE_NEWNET) || !keep_capabilities())) {
        linkem_error("--server: may not enter the network of process %d: %s", (int)pid,
                     strerror(errno));
        good = false;
    }
    close(net);
    close(user);
    return good;
}

bool linkem_host_read_drops(struct linkem_host *h)
{
    struct ifaddrs *all;
    if (!linkem_host_enter(h)) {
        return false;
    }
    if (getifaddrs(&all)) {
        linkem_error("cannot read the counters of the devices: %s", strerror(errno));
        return false;
    }
    for (struct ifaddrs *a = all; a; a = a->ifa_next) {
        if (a->ifa_addr && a->ifa_addr->sa_family == AF_PACKET && a->ifa_data &&
            strcmp(a->ifa_name, LINKEM_DEVICE) == 0) {
            const struct rtnl_link_stats *s = a->ifa_data;
            h->device_dropped = (uint64_t)s->tx_dropped + s->rx_dropped;
        }
    }
    freeifaddrs(all);
    return true;
}

bool linkem_host_listens(unsigned port)
{
    static const char *const tables[] = {"/proc/self/net/tcp", "/proc/self/net/tcp6"};
    bool found = false;
    for (size_t i = 0; i < 2 && !found; i++) {
        FILE *f = fopen(tables[i], "re");
        char line[256];
        while (f && !found && fgets(line, sizeof line, f)) {
            unsigned local, state;
            found =
                sscanf(line, " %*u: %*[0-9A-Fa-f]:%x %*[0-9A-Fa-f]:%*x %x", &local, &state) == 2 &&
                local == port && state == TCP_LISTENING;
        }
        if (f) {
            fclose(f);
        }
    }
    return found;
}

/* ---- congestion control ---- */

/* The namespace's default where the kernel lets us set it. Outside the machine's own namespace it
 * does so for the algorithms it lists as allowed only; any other it takes as an attribute of a
 * route. */

#define SYSCTL_DEFAULT   "/proc/sys/net/ipv4/tcp_congestion_control"
#define SYSCTL_AVAILABLE "/proc/sys/net/ipv4/tcp_available_congestion_control"

static bool set_default(const char *name)
{
    int fd = open(SYSCTL_DEFAULT, O_WRONLY | O_CLOEXEC);
    bool good = fd >= 0 && write(fd, name, strlen(name)) == (ssize_t)strlen(name);
    if (fd >= 0) {
        close(fd);
    }
    return good;
}

static void congestion_complain(const char *name, int error)
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
    int error = netlink_add_route(LINKEM_DEVICE, AF_INET, peer4, name);
    if (!error && peer6) {
        error = netlink_add_route(LINKEM_DEVICE, AF_INET6, peer6, name);
    }
    if (error) {
        congestion_complain(name, error);
    }
    return !error;
}
