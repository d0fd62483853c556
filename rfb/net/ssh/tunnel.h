/* A connection through ssh to a gateway, as a transport (rfb/net/transport.h).
 *
 * `ssh -W` carries the bytes of the connection: one end of a pair of sockets is its standard input
 * and output. So nobody else on this machine can get into the tunnel, and the end of ssh is the end
 * of the connection. ssh takes the user's own configuration, keys and agent. It asks on the
 * terminal, or by SSH_ASKPASS.
 *
 * To a far end (--ssh) ssh runs vnchl-accel at its other side instead, whose standard input and
 * output are the connection (rfb/net/ssh/far_end.h).
 *
 * With VNC_VIA_CMD a shell runs that command instead, with four variables in its environment: L is
 * a free port of this machine, H and R are the server's host and port, G is the gateway. The
 * command has to make L lead to the server. It may stay, or go into the background.
 *
 * The round trip is not known here: what the kernel could measure ends at ssh. What goes through
 * ssh's standard input and output is counted by the tunnel.
 */
#ifndef VNCHL_TUNNEL_H
#define VNCHL_TUNNEL_H

#include "prerequest/tick.h"
#include "rfb/net/address/address.h"
#include "rfb/net/ssh/gateway.h"
#include "rfb/net/transport.h"
#include "rfb/texts/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Begins the way to `to`, which route_check() has let through, through the gateway. With `ssh -W`
 * it returns at once: whether ssh gets there shows when the server greets, and transport_explain()
 * tells why it did not. A far end and a command are waited for until `deadline`. NULL with a
 * reason. */
struct transport *tunnel_connect(const struct gateway *gateway, const struct address *to,
                                 const struct transport_options *options, tick_t deadline,
                                 int cancel_fd, struct reason *why);

#ifdef __cplusplus
}
#endif
#endif
