/* The name under which something is remembered of a server: a certificate, a password, how it was
 * reached.
 *
 * It is the host in its one form (address_canonical_host()), or the path of a Unix socket. Behind a
 * gateway (--via), at the far end of ssh (--ssh) or behind a repeater the same name may be another
 * machine, "localhost" for example: then the way is a part of it. So is whether ssh or a command of
 * the user's (VNC_VIA_CMD) leads to the gateway, because nobody knows what the command protects. No
 * host has a comma, so no host is the key of another way. Pure.
 */
#ifndef VNCHL_SERVER_KEY_H
#define VNCHL_SERVER_KEY_H

#include <stdbool.h>

#include "rfb/session/session.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes that hold every key, with the NUL. */
#define SERVER_KEY_MAX (3 * SESSION_HOST_MAX + 16)

/* "far.example", "/run/desk.sock", "localhost,via=me@gate.example:2222",
 * "localhost,command=gate.example", "localhost,ssh=me@desk.example", "id:7,repeater=rep.example" of
 * the server that asks. */
void server_key(const struct session_question *q, char out[SERVER_KEY_MAX]);

/* The key of the server at this address, on this route. Returns the port, 0 of a Unix socket. */
unsigned server_key_of(const struct address *a, const struct route *route,
                       char out[SERVER_KEY_MAX]);

/* Whether both are the key of one server. They may have been written before hosts had one form. */
bool server_key_is(const char *a, const char *b);

#ifdef __cplusplus
}
#endif
#endif
