/* TCP and Unix sockets as a transport (rfb/net/transport.h): name lookup, connect with a deadline,
 * receive window, counters. Once a connection is made, only share() gives its
 * descriptor out, for the session's process.
 *
 * A Unix socket does not count: its bytes received and sent, and its round trip, are unknown. Its
 * unsent bytes are those that the server has not read, with what the kernel adds to each write.
 */
#ifndef VNCHL_SOCKET_H
#define VNCHL_SOCKET_H

#include "prerequest/tick.h"
#include "rfb/net/address/address.h"
#include "rfb/net/transport.h"
#include "rfb/texts/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Connects before `deadline`. Gives up when `cancel_fd` becomes readable. NULL with a reason. */
struct transport *socket_connect(const struct address *a, const struct transport_options *options,
                                 tick_t deadline, int cancel_fd, struct reason *why);

/* Sets the receive buffer of a socket, in bytes of payload; 0 leaves it as it is. */
void socket_set_window(int fd, int64_t bytes);

/* The receive buffer of a transport that socket_connect() or socket_adopt() has made, in bytes of
 * payload. */
int64_t socket_get_window(struct transport *t);

/* Takes over a connected stream socket. NULL when out of memory; the socket is closed then. */
struct transport *socket_adopt(int fd);

#ifdef __cplusplus
}
#endif
#endif
