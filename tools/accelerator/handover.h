/* A client that takes blocks, and its server, are handed to a process that pushes
 * (rfb/pusher/pusher.h). From then on the connection is a pipe between the client and that process,
 * which has the server's socket.
 */
#ifndef VNCHL_ACCELERATOR_HANDOVER_H
#define VNCHL_ACCELERATOR_HANDOVER_H

#include <stdbool.h>

#include "tools/accelerator/connection.h"
#include "tools/accelerator/exchange.h"
#include "tools/accelerator/side.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Why such a connection has ended, as far as it is known here. */
#define HANDOVER_OVER                                                                              \
    "the server has closed the connection, or the process that pushes blocks has ended"

/* Whether the configuration allows it, and the server's socket can be handed on: TLS on it is only
 * known here. */
bool handover_possible(const struct connection_host *host, const struct side *server);

/* Hands over. `name`: the server's. `server` is the way to the process then, and nothing is read
 * any more. False: it has failed, and the connection has to end. */
bool handover(struct connection_host *host, struct side *server, struct exchange *x,
              const char *name);

#ifdef __cplusplus
}
#endif
#endif
