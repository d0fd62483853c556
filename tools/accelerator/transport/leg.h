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
#include "tools/accelerator/exchange/flight.h"
#include "tools/accelerator/transport/constants.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A congestion control that is tried when none is named, and that need not be there. */
#define LEG_CONGESTION "bbr"

/* Whether the kernel lets us use it. */
bool leg_congestion_known(const char *name, struct reason *why);

/* What the socket uses; empty: it is not TCP's. */
#define LEG_CONGESTION_NAME 16
void leg_congestion_of(int fd, char out[LEG_CONGESTION_NAME]);

/* What the sockets of clients use, if this is wanted (NULL: LEG_CONGESTION if there is one). */
void leg_congestion_in_force(const char *wanted, char out[LEG_CONGESTION_NAME]);

/* The client's socket: nothing waits for more, a dead client is noticed, the congestion control is
 * this one (NULL: LEG_CONGESTION if there is one). */
void leg_tune_client(int fd, const char *congestion);
void leg_tune_server(int fd);

/* BBR sends four packets a round trip, for 200 ms and a round trip, when it has met no shorter
 * round trip for 10 s: the path might have become longer, or be full by its own doing. Pictures
 * stand still meanwhile, for 0.6 s at 300 ms. The path is not full here
 * (tools/accelerator/exchange/flight.h). So BBR begins anew before that (LEG_BBR_RENEWED): it keeps
 * its window, and measures the rate within a round trip. Other congestion controls are left alone.
 */
void leg_renew_bbr(int fd);

/* What the kernel says of the client's socket. False for a socket that is not TCP's. */
struct leg_info {
    struct flight_sample sample; /* without `waits` */
    tick_t silent;               /* so long ago anything was acknowledged */
    size_t unsent;               /* bytes that are in the socket and were never sent */
    bool recovers;               /* what was lost is being sent again */
};
bool leg_info(int fd, struct leg_info *info);

/* Bytes that have arrived behind a gap, of `sent` that are not acknowledged. The kernel counts
 * segments, and each update ends with a short one: so all count as their mean. */
uint64_t leg_beyond(uint64_t sent, unsigned unacked, unsigned sacked);

/* From how many unsent bytes on the socket has no room; 0: as many as the system has it. */
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
