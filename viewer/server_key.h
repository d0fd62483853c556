/* The name under which something is remembered of a server: a certificate, a password.
 *
 * It is the host, as the person named it. Behind a gateway (--via) or a repeater the same name may
 * be another machine, "localhost" for example: then the way is a part of it. Pure.
 */
#ifndef VNCHL_SERVER_KEY_H
#define VNCHL_SERVER_KEY_H

#include "rfb/session/session.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes that hold every key, with the NUL. */
#define SERVER_KEY_MAX (2 * SESSION_HOST_MAX + 8)

/* "far.example", "/run/desk.sock", "localhost,via=me@gate.example:2222" of the server that asks. */
void server_key(const struct session_question *q, char out[SERVER_KEY_MAX]);

#ifdef __cplusplus
}
#endif
#endif
