/* Where one pushed viewer's datagrams come in: a UDP socket, until the viewer has proved itself
 * there. Then the socket is connected to it, and goes to the confined process that pushes, which
 * can choose no address (rfb/datagrams/door.h says what passes between the two).
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

#ifdef __cplusplus
extern "C" {
#endif

/* The ports that are tried, the first and the last among them. */
struct door_ports {
    uint16_t first, last;
};
#define DOOR_PORT_FIRST 60000
#define DOOR_PORT_LAST  61000

struct door;

/* Opens one at this address, for a viewer at that one: AF_INET or AF_INET6; their ports do not
 * matter. Where the connection is not encrypted, whoever reads it knows the secret. So only the
 * viewer's own address may use it, as only that may use the connection. `end`: the
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
