/* A client that takes blocks, and its server, are handed to a process that pushes
 * (rfb/pusher/pusher.h). From then on the connection is a pipe between the client and that process,
 * which has the server's socket, or an end of a bridge to it where TLS is spoken here. It may have
 * a door for datagrams, too.
 */
#ifndef VNCHL_ACCELERATOR_HANDOVER_H
#define VNCHL_ACCELERATOR_HANDOVER_H

#include <stdbool.h>

#include "tools/accelerator/connection/connection.h"
#include "tools/accelerator/connection/greeting.h"
#include "tools/accelerator/exchange/exchange.h"
#include "tools/accelerator/push/bridge.h"
#include "tools/accelerator/push/door.h"
#include "tools/accelerator/transport/side.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether the configuration allows it, and there is what starts the process. */
bool handover_possible(const struct connection_host *host);

/* What stays here of it. All zero: nothing was handed over. */
struct handed {
    struct bridge *bridge; /* NULL: the server's socket itself was handed on */
    struct door *door;     /* NULL: no datagrams come */
};

/* Hands over. `greeting` knows the server's name. `server` is the way to the process then, and
 * nothing is read any more. `handed` is for the caller to end. False: it has failed, and the
 * connection has to end. */
bool handover(struct connection_host *host, struct side *server, const struct side *client,
              struct exchange *x, const struct greeting *greeting, struct handed *handed);
void handover_end(struct handed *handed);

/* Why such a connection has ended, as far as it is known here. */
const char *handover_why_over(const struct handed *handed);

#ifdef __cplusplus
}
#endif
#endif
