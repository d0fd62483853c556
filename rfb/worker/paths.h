/* Paths for datagrams beside the connection: UDP sockets for the process, which may be in a
 * server's hands. It says a port. The host is always the one that the connection leads to, and what
 * it may ask for is limited. Courier's thread only.
 */
#ifndef VNCHL_PATHS_H
#define VNCHL_PATHS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#include "prerequest/tick.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Sockets of one session. Chosen: an honest one needs a new one when its far end has a new port,
 * and when its own network has changed. */
#define PATHS_MAX 64
/* ns: at most one in so long, in the mean since the first connection. */
#define PATHS_PERIOD TICK_S

/* Begins zeroed: no connection was made. */
struct paths {
    bool known; /* the next one */
    struct sockaddr_storage host;
    bool begun; /* the next one */
    tick_t since;
    unsigned opened;
};

/* A connection was made. `fd` is its socket, which stays the caller's. `straight`: nothing stands
 * between it and the server. Else, and where it is no TCP socket, there are no paths. */
void paths_follow(struct paths *p, int fd, bool straight, tick_t now);

/* A socket to this port of the server's host (rfb/net/datagram_socket.h); the caller closes it. -1:
 * there is none, or not now. */
int paths_open(struct paths *p, uint16_t port, tick_t now);

#ifdef __cplusplus
}
#endif
#endif
