/* A VNC server of the user who runs this: found, or named, and connected to. Never another user's:
 * whoever listens there would get the keys, and the proof of the password.
 *
 * In the beginning, before the process is confined. Waits for the connection, which is this
 * machine's.
 */
#ifndef VNCHL_ACCELERATOR_OWN_SERVER_H
#define VNCHL_ACCELERATOR_OWN_SERVER_H

#include "rfb/reason.h"
#include "tools/accelerator/connection/targets.h"
#include "tools/accelerator/ssh/listening.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where servers are looked for: displays 0 to 99. */
#define OWN_SERVER_PORT_FIRST 5900
#define OWN_SERVER_PORT_LAST  5999

/* The one port at which a server of this user listens. False, with a reason: there is none, or
 * there are several. */
bool own_server_find(const struct listening *l, uid_t uid, uint16_t *port, struct reason *why);

/* Connects to the server that is named (as address_parse() takes it), which root may have started,
 * or to the one that is found (NULL). NULL with a reason. */
struct target *own_server_connect(const char *name, struct reason *why);

#ifdef __cplusplus
}
#endif
#endif
