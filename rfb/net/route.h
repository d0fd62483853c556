/* How to reach a server: whether ssh or a repeater stands in between, the server comes to us, or a
 * recording takes its place.
 *
 * Flat, and part of a session's options. All zero is the straight way.
 * stream_connect_transport() (rfb/net/stream.h) goes it. Everything here is pure.
 */
#ifndef VNCHL_ROUTE_H
#define VNCHL_ROUTE_H

#include <stdbool.h>

#include "rfb/net/address/address.h"
#include "rfb/net/ssh/gateway.h"
#include "rfb/net/transport.h"
#include "rfb/texts/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

struct route {
    bool listen;             /* wait for the server to connect to the address: an address of this
                              * machine; without a host, any */
    struct gateway gateway;  /* through ssh to this machine (--via), or to a server of it (--ssh);
                              * without a host, straight */
    struct address repeater; /* through this repeater of UltraVNC; without a host, straight */
    char play[4096];         /* this recording takes the place of a server; empty: none does */
    double speed;            /* of the recording (rfb/net/recording/playback.h) */
    struct play_wish wish;   /* where it begins after its handshake, and whether it waits there */
};

/* The address that a user has written (NULL: none), as it is meant on this route. */
bool route_address(const struct route *route, struct address *a, const char *text,
                   struct reason *why);

/* Whether the parts of the route go together, and lead to such an address. */
bool route_check(const struct route *route, const struct address *a, struct reason *why);

/* Where a straight way does not lead to the server's network, says which one may. */
void route_add_advice(const struct route *route, struct reason *why);

/* Whether the kernel sees only the first part of the way: its round trip is not that to the
 * server. */
bool route_is_relayed(const struct route *route);

#ifdef __cplusplus
}
#endif
#endif
