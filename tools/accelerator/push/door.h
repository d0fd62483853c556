/* Where one pushed viewer's datagrams come in: a UDP socket, at which the viewer proves itself. For
 * each address from which it does, a socket at the same port is connected to it, and goes to the
 * confined process that pushes, which can choose no address (rfb/pusher/words.h says what passes
 * between the two). The kernel gives a packet to the connected socket where there is one.
 *
 * A viewer whose address has changed proves itself again. Only its newest hello counts.
 *
 * Nobody is answered. Who does not know the secret costs a look at a packet, and a number.
 * Only the loop's thread.
 */
#ifndef VNCHL_ACCELERATOR_DOOR_H
#define VNCHL_ACCELERATOR_DOOR_H

#include <stdint.h>
#include <sys/socket.h>
#include <uv.h>

#include "rfb/reason.h"
#include "tools/accelerator/push/door_socket.h"

#ifdef __cplusplus
extern "C" {
#endif

struct door;

/* Opens one at this address: AF_INET or AF_INET6; its port does not matter. `viewer`: the only host
 * that may use it, its port does not matter either; NULL: any host. Where the connection is not
 * encrypted, an eavesdropper knows the secret, and could have the picture sent elsewhere. So there
 * only the viewer's own host may use it, as only that may use the connection. `end`: the
 * process's end, the caller's; the opening waits in it. Packets that are not the viewer's are
 * counted in `refused`, which outlives the door. NULL, with a reason: there is none, and `end` is
 * -1. */
struct door *door_begin(uv_loop_t *loop, const struct sockaddr_storage *local,
                        const struct sockaddr_storage *viewer, const struct door_ports *ports,
                        uint64_t *refused, int *end, struct reason *why);

/* Closes all that is still here; the process keeps what it was given. NULL: there is none. A door
 * whose process has gone has closed itself, and is to be ended even so. */
void door_end(struct door *d);

#ifdef __cplusplus
}
#endif
#endif
