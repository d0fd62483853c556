/* The UDP sockets at which viewers prove themselves: one that hears everybody, and those that are
 * connected to a viewer that has proved itself there.
 */
#ifndef VNCHL_ACCELERATOR_DOOR_SOCKET_H
#define VNCHL_ACCELERATOR_DOOR_SOCKET_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#include "rfb/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The ports that are tried, the first and the last among them. */
struct door_ports {
    uint16_t first, last;
};
#define DOOR_PORT_FIRST 60000
#define DOOR_PORT_LAST  61000

/* One at this address, AF_INET or AF_INET6, whose port does not matter: at the first port that is
 * free, from a random one on. -1, with a reason. */
int door_socket_open(const struct sockaddr_storage *local, const struct door_ports *ports,
                     uint16_t *port, struct reason *why);

/* One at the same address as `door` that hears only this viewer; -1: there is none. */
int door_socket_connect(int door, const struct sockaddr_storage *viewer, socklen_t size);

/* The address as it is without IPv6 around it. Returns its bytes. */
socklen_t door_socket_plain(const struct sockaddr_storage *address, struct sockaddr_storage *out);

/* Whether these are of one host. */
bool door_socket_same_host(const struct sockaddr_storage *a, const struct sockaddr_storage *b);

#ifdef __cplusplus
}
#endif
#endif
