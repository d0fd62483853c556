/* Where the viewer of a far end that is kept uses its ticket: a UDP socket, as long as the far end
 * is kept. A ticket is a secret that the viewer was told in its session (rfb/pusher/ahead.h). Who
 * proves that he has it is shown the picture, before his connection stands. He gets a socket at the
 * same port, which is connected to him, and that ticket is void.
 *
 * Nobody is answered here. What is no ticket, was one before, or comes twice costs a look at a
 * packet, and a number. One owner, not locked.
 */
#ifndef VNCHL_ACCELERATOR_TICKET_DOOR_H
#define VNCHL_ACCELERATOR_TICKET_DOOR_H

#include <stdbool.h>
#include <stdint.h>

#include "rfb/pusher/words.h"
#include "tools/accelerator/push/door_socket.h"

#ifdef __cplusplus
extern "C" {
#endif

struct ticket_door {
    int udp; /* -1: none; nothing is issued then */
    uint16_t port;
    struct opener *opener;          /* of the ticket that may be used; NULL: none may */
    struct sockaddr_storage viewer; /* who has it: its host, as its connection has shown it */
    uint64_t refused;               /* packets */
};

/* Opens it at this address, AF_INET or AF_INET6; its port does not matter. False, with a reason:
 * it is closed. */
bool ticket_door_open(struct ticket_door *t, const struct sockaddr_storage *local,
                      const struct door_ports *ports, struct reason *why);
void ticket_door_close(struct ticket_door *t);

/* Makes a ticket for the viewer from this host, in place of the one before. `out` has port 0 if
 * there is none: the door is closed, or `viewer` is NULL. */
void ticket_door_issue(struct ticket_door *t, const struct sockaddr_storage *viewer,
                       struct door_opening *out);

struct ticket_use {
    bool proved;    /* who has used it is at the host that it is for */
    uint16_t tries; /* how often he had tried before, by the hello's number */
};

/* Takes what has come. Returns a socket to who has used the ticket, the caller's; -1: nobody has.
 */
int ticket_door_read(struct ticket_door *t, struct ticket_use *use);

#ifdef __cplusplus
}
#endif
#endif
