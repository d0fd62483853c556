/* The two hosts: a network namespace each, with a loopback and one TUN device that leads to us.
 *
 * Both namespaces have no name: they, and the devices in them, go away with the last process and
 * descriptor that uses them, whatever happens to this program. Nothing reaches the network of the
 * machine. Every function that fails prints one line on stderr.
 */
#ifndef VNCHL_LINKEM_HOST_H
#define VNCHL_LINKEM_HOST_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "tools/linkem/options.h"

#define LINKEM_DEVICE  "link"
#define LINKEM_CLIENT4 "10.203.0.1"
#define LINKEM_SERVER4 "10.203.0.2"
#define LINKEM_CLIENT6 "fd00:203::1"
#define LINKEM_SERVER6 "fd00:203::2"

struct linkem_host {
    int netns; /* descriptors; -1 when there is none */
    int tun;   /* nonblocking */
    bool ipv6;
    uint64_t device_dropped; /* by linkem_host_read_drops() */
};

/* Lets this process make hosts: changes into a user namespace of its own when it is not privileged.
 * There, programs it starts keep what they need to change between the hosts, and their user id. */
bool linkem_host_permit(void);

/* Makes a host; this process is in it afterwards. `h` needs no initialisation. */
bool linkem_host_create(struct linkem_host *h, enum linkem_side side, unsigned mtu,
                        const char *congestion);

/* Closes the descriptors. */
void linkem_host_destroy(struct linkem_host *h);

/* Puts this process onto the host. */
bool linkem_host_enter(const struct linkem_host *h);

/* Puts this process onto the host where process `pid` is. */
bool linkem_host_enter_of(pid_t pid);

/* Counts what the device itself has dropped, behind the model's back: packets that came in while
 * its queue to us was full. This process is on the host afterwards. */
bool linkem_host_read_drops(struct linkem_host *h);

/* Whether a TCP socket listens on `port` at the host this process is on. */
bool linkem_host_listens(unsigned port);

/* TCP congestion control of the connections of the host this process is on, to `peer4` and `peer6`
 * (NULL: no IPv6). */
bool linkem_host_set_congestion(const char *name, const char *peer4, const char *peer6);

#endif
