/* The few requests to the kernel's network configuration that have no ioctl, for the host this
 * process is on. Each returns 0 or an errno and prints nothing. */
#ifndef VNCHL_LINKEM_NETLINK_H
#define VNCHL_LINKEM_NETLINK_H

/* The packets a device may hold. The ioctl for it needs the machine's root. */
int netlink_set_queue(const char *device, unsigned packets);

/* The kernel gives the device no IPv6 address of its own accord. Fails on a kernel without IPv6. */
int netlink_no_link_local(const char *device);

/* A route to one address alone, IPv4 or IPv6 (`family`), whose TCP connections use a congestion
 * control. It comes before the one the device's own address gave. */
int netlink_add_route(const char *device, int family, const char *address, const char *congestion);

#endif
