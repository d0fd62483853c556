/* Paths for datagrams beside the connection: UDP sockets for the process, which may be in a
 * server's hands. It says a port. The host is always the one that the connection leads to, or ssh
 * beneath it, and what it may ask for is limited. Courier's thread only.
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

/* How often one session may name another port than before. Chosen: an honest one does so when its
 * far end is another one. */
#define PATHS_PORTS 64
/* ns: between two sockets. An honest session asks for one when its network has changed, and while
 * nothing gets through. */
#define PATHS_PERIOD TICK_S

/* Begins zeroed: no connection was made. */
struct paths {
    bool known; /* the next one */
    struct sockaddr_storage host;
    uint16_t port;    /* of the newest socket; 0: there was none */
    unsigned ports;   /* that were named */
    tick_t opened_at; /* the newest one */
};

/* A connection was made, the first or another one. `fd` is its socket, which stays the caller's.
 * `straight`: nothing stands between it and the server. Else, and where it is no TCP socket, there
 * are no paths. */
void paths_follow(struct paths *p, int fd, bool straight);
/* The connection that was made is carried by something else that leads to this host. */
void paths_lead(struct paths *p, const struct sockaddr_storage *host);

/* A socket to this port of the server's host (rfb/net/sockets/datagram_socket.h); the caller closes
 * it. -1: there is none, or not now. */
int paths_open(struct paths *p, uint16_t port, tick_t now);

#ifdef __cplusplus
}
#endif
#endif
