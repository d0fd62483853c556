/* How a confined far end gets a way to its viewer as datagrams: through the *door*, a
 * SOCK_SEQPACKET socket to vnchl-accel, which has the network. The first message is the opening.
 * Each later one brings the descriptor of a UDP socket that is connected to the viewer. A newer one
 * takes the place of the one before: the viewer's address has changed.
 */
#ifndef VNCHL_DOOR_H
#define VNCHL_DOOR_H

#include <stdint.h>

#include "rfb/datagrams/sealed.h"

struct door_opening {
    uint8_t secret[SEALED_SECRET];
    uint16_t port; /* at which hellos are awaited */
};

#endif
