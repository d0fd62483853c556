/* Waits for a server to connect to the viewer (a reverse connection), then carries that connection
 * as rfb/net/sockets/socket.h does.
 *
 * Whoever can reach the port can connect. All that do are waited for at the same time, so one that
 * is silent keeps nobody out. A peer that does not greet as a VNC server does is sent away, and the
 * wait goes on. Only one server is taken: the first that greets. Then nobody listens any more.
 */
#ifndef VNCHL_LISTENER_H
#define VNCHL_LISTENER_H

#include "rfb/net/address/address.h"
#include "rfb/net/transport.h"
#include "rfb/texts/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

#define LISTENER_PORT 5500

/* PORT, or HOST::PORT to listen on that address of this machine only. NULL: port 5500. Without a
 * host, a->host is empty. */
bool listener_parse(struct address *a, const char *text, struct reason *why);

/* Waits without a limit; gives up when `cancel_fd` becomes readable. a->host becomes the server's
 * address, as a number. NULL with a reason. */
struct transport *listener_accept(struct address *a, const struct transport_options *options,
                                  int cancel_fd, struct reason *why);

#ifdef __cplusplus
}
#endif
#endif
