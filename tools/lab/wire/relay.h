/* A connection of a viewer to a server that goes through this process, which notes when bytes pass.
 *
 * One thread. Both ends are on this machine, without encryption and without a password: what the
 * viewer says is read, to find the key events in it. Bytes are passed on as they come. */
#ifndef VNCHL_LAB_RELAY_H
#define VNCHL_LAB_RELAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "prerequest/tick.h"

struct relay {
    int listener, viewer, server; /* sockets; -1: none */
    tick_t down_at;               /* the newest byte for the viewer lay in its socket */
    uint64_t down;                /* bytes for the viewer */
    tick_t key_at;                /* a key event was read from the viewer; TICK_NEVER: none yet */
    size_t opening;               /* bytes of the viewer's handshake that are still to come */
    uint64_t skip;                /* bytes of a text that are still to come */
    uint8_t *said;                /* by the viewer, and not understood yet */
    size_t said_size;
};

/* Listens on a free port of 127.0.0.1, *port. False, with errno, when that fails. */
bool relay_open(struct relay *r, int *port);
void relay_close(struct relay *r);

/* Waits for the viewer, and connects it with the server on 127.0.0.1. False: it did not come within
 * `limit`, or there is no server. */
bool relay_accept(struct relay *r, int server_port, tick_t limit);

/* Passes on what has come; waits for it until `wait` ns have passed. False when an end has left,
 * or says what cannot be understood. */
bool relay_pass(struct relay *r, tick_t wait);

#endif
