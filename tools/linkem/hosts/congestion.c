/* The TCP congestion control of one host: the namespace's default where the kernel lets us set it.
 * Outside the machine's own namespace it does so for the algorithms it lists as allowed only; any
 * other it takes as an attribute of a route. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tools/linkem/hosts/host.h"
#include "tools/linkem/hosts/netlink.h"
#include "tools/linkem/units.h"

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
