/* The sockets of a connection: making them, and what the kernel knows of the client's. Any thread;
 * the descriptors are the caller's. Nothing here waits.
 */
#ifndef VNCHL_ACCELERATOR_LEG_H
#define VNCHL_ACCELERATOR_LEG_H

#include <netdb.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#include "rfb/reason.h"
#include "tools/accelerator/flight.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A congestion control that is tried when none is named, and that need not be there. */
#define LEG_CONGESTION "bbr"

/* Whether the kernel lets us use it. */
bool leg_congestion_known(const char *name, struct reason *why);

/* The client's socket: nothing waits for more, a dead client is noticed, the congestion control is
 * this one (NULL: LEG_CONGESTION if there is one). */
void leg_tune_client(int fd, const char *congestion);
void leg_tune_server(int fd);

/* What the kernel says of the client's socket. False for a socket that is not TCP's. */
struct leg_info {
    struct flight_sample sample; /* without `waits` */
    tick_t silent;               /* so long ago anything was acknowledged */
    size_t unsent;               /* bytes that are in the socket and were never sent */
};
bool leg_info(int fd, struct leg_info *info);

/* From how many unsent bytes on the socket has no room. */
void leg_set_unsent(int fd, size_t bytes);

/* Begins to connect. -1 with errno; else the socket, and *connected says whether it is. */
int leg_connect(const struct sockaddr *address, socklen_t size, bool *connected);

/* Whether only this machine reaches it. */
bool leg_is_loopback(const struct sockaddr_storage *address);

/* Whether they count as one client: the same address, or of IPv6 the same /64, of which one client
 * may have all. */
bool leg_same_client(const struct sockaddr_storage *a, const struct sockaddr_storage *b);

/* The peer's address as text, "192.0.2.1" or "unix"; at most 64 bytes with the NUL. */
void leg_peer(const struct sockaddr_storage *address, char *out, size_t size);

#ifdef __cplusplus
}
#endif
#endif
