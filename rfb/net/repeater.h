/* The way through a repeater of UltraVNC. It greets a viewer with "RFB 000.000", and gets 250 bytes
 * that say where to: "HOST:PORT" of a server (mode I), or "ID:NUMBER", under which a server has
 * connected to the repeater itself (mode II). From then on it hands bytes on, and the server
 * greets.
 */
#ifndef VNCHL_REPEATER_H
#define VNCHL_REPEATER_H

#include <stdbool.h>

#include "prerequest/tick.h"
#include "rfb/net/address/address.h"
#include "rfb/net/transport.h"
#include "rfb/texts/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

#define REPEATER_FIELD 250 /* bytes, with a NUL at the end */

/* "ID:NUMBER". It becomes a->host, and a->port is 0. */
bool repeater_parse_id(struct address *a, const char *text, struct reason *why);

/* Whether the server can be named to a repeater; `out` is then what the repeater gets. */
bool repeater_field(char out[REPEATER_FIELD], const struct address *server, struct reason *why);

/* Tells the repeater at the other end of the transport where to, before `deadline`. Gives up when
 * `cancel_fd` becomes readable. */
bool repeater_enter(struct transport *t, const struct address *server, tick_t deadline,
                    int cancel_fd, struct reason *why);

#ifdef __cplusplus
}
#endif
#endif
