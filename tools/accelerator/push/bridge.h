/* A server's TLS, spoken here for a process that cannot: the keys stay in this one. Between the
 * server's side and one end of a pair of sockets bytes are carried, decrypted one way and encrypted
 * the other way. The process has the other end. Only the loop's thread.
 */
#ifndef VNCHL_ACCELERATOR_BRIDGE_H
#define VNCHL_ACCELERATOR_BRIDGE_H

#include "tools/accelerator/transport/side.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What waits here is older than it need be: so it is little. */
#define BRIDGE_BYTES 16384

struct bridge;

/* Takes the server's side over, whose TLS stands; it is as after side_init(-1) then. `end`: the
 * process's end of the pair, the caller's. What the one or the other has said before it ended is
 * still carried. NULL: there are no sockets, or there is no memory; `end` is -1 and
 * nothing is taken over. */
struct bridge *bridge_begin(uv_loop_t *loop, struct side *server, int *end);

/* Closes all of it. NULL: there is none. */
void bridge_end(struct bridge *b);

/* What is wrong with the server's TLS; NULL: nothing, or there is no bridge. */
const char *bridge_fault(const struct bridge *b);

#ifdef __cplusplus
}
#endif
#endif
