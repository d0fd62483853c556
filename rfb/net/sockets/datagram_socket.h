/* A UDP socket beside a TCP connection: to the same host, and to nobody else as long as its holder
 * names no address.
 */
#ifndef VNCHL_DATAGRAM_SOCKET_H
#define VNCHL_DATAGRAM_SOCKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>

#include "prerequest/tick.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where a connected TCP socket leads. False: it is no TCP socket, or not connected. */
bool datagram_socket_host(int fd, struct sockaddr_storage *host);

/* A UDP socket that is connected to this port of the host, which is as datagram_socket_host() tells
 * it: its own port does not count. It does not block, and is not inherited. What it sends is never
 * fragmented. Its receive buffer has room for 300 ms at 50 Mbit/s, or for as much as the kernel
 * allows. The caller closes it. -1 with errno: there is none. */
int datagram_socket_open(const struct sockaddr_storage *host, uint16_t port);

/* Of a connected one; neither waits. Bytes of the next packet, cut to `size`; 0: it was an error,
 * such as that nobody listens there; -1: none is there. */
ssize_t datagram_socket_receive(int fd, void *out, size_t size);
/* The same, and how long ago it arrived, ns: as the kernel has noted it on a socket of
 * datagram_socket_open(); else 0. */
ssize_t datagram_socket_receive_aged(int fd, void *out, size_t size, tick_t *age);
/* What it sends is not fragmented from now on, or may be: of IPv4. By IPv6 nothing is fragmented on
 * its way. */
void datagram_socket_forbid_fragments(int fd, bool forbid);

/* False, with errno: it was not sent, as if it were lost. EMSGSIZE: it is too large for this
 * machine's own link. */
bool datagram_socket_send(int fd, const void *packet, size_t size);

#ifdef __cplusplus
}
#endif
#endif
