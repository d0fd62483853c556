/* Standard input and output as one socket: what ssh gives is two pipes, or a socket, and a
 * connection wants a socket of its own. So bytes are carried between these and one end of a pair,
 * whose other end is the client.
 *
 * It runs in the loop, and not in a thread: little is to be done, and the end is seen in its order.
 * Only the loop's thread.
 */
#ifndef VNCHL_ACCELERATOR_PUMP_H
#define VNCHL_ACCELERATOR_PUMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uv.h>

#include "rfb/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What waits here is older than it need be: so it is little. */
#define PUMP_BYTES 16384

/* One direction. */
struct pump_flow {
    int from, to;
    bool ended; /* nothing more comes, or nothing more is taken */
    /* Where nothing is taken any more, what comes is dropped: the other direction goes on. */
    bool drops, refused;
    size_t first, size;
    uint8_t bytes[PUMP_BYTES];
};

struct pump {
    int in, out, near; /* near: our end of the pair */
    struct pump_flow up, down;
    bool begun;
    uv_poll_t in_poll, out_poll, near_poll;
};

/* Takes standard input and output away: both are /dev/null then, so that nothing is printed into
 * the connection. `client` gets the other end of the pair. False, with a reason: they are no pipes
 * and no sockets. */
bool pump_take(struct pump *p, int *client, struct reason *why);

/* The same with a connection that is there already, and the pump's from then on, also when it
 * fails. */
bool pump_take_for(struct pump *p, int near, struct reason *why);

/* Writes a line in front of all that the client gets. */
bool pump_say(struct pump *p, const char *line, struct reason *why);

/* Begins to carry. False with a reason. */
bool pump_begin(struct pump *p, uv_loop_t *loop, struct reason *why);

/* Whether nothing more comes for the client, and all has left. */
bool pump_is_over(const struct pump *p);

/* What was said to the client before its end was closed still leaves, for five seconds at most.
 * Then closes all; the loop has to run once more, to be rid of the polls. */
void pump_end(struct pump *p);

#ifdef __cplusplus
}
#endif
#endif
