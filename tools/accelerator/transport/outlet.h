/* How bytes leave for the client: no more are given to its socket than the path needs
 * (tools/accelerator/exchange/flight.h), and of those few that the kernel has not sent. What lies
 * in the socket cannot be held back any more. One object for each connection; only the loop's
 * thread.
 *
 * To reproduce the paper (tools/accelerator/exchange/relay.h) nothing is bounded but by the socket:
 * it gets all that it takes.
 */
#ifndef VNCHL_ACCELERATOR_OUTLET_H
#define VNCHL_ACCELERATOR_OUTLET_H

#include "tools/accelerator/exchange/backlog.h"
#include "tools/accelerator/exchange/flight.h"
#include "tools/accelerator/transport/constants.h"
#include "tools/accelerator/transport/leg.h"
#include "tools/accelerator/transport/side.h"

#ifdef __cplusplus
extern "C" {
#endif

struct outlet {
    struct flight flight;
    bool learns;           /* outlet_learn() was called, */
    bool fills;            /* or outlet_fill() */
    size_t unsent_allowed; /* bytes, as the socket was told; 0: nothing, or the system's own */
    tick_t look_again;     /* when there is room in flight again; TICK_NEVER: there is some, or the
                              socket tells when it has room */
    bool unacknowledged;   /* bytes are in the client's socket */
    tick_t renewed;        /* when its BBR began anew; 0: it has not yet */
};

void outlet_init(struct outlet *o);

/* From now on the path's rate is learnt, which bounds what is on its way. Not in a handshake: a
 * client that answers each message after a round trip looks like a path that carries no more. */
void outlet_learn(struct outlet *o);

/* From now on the socket gets what it takes, and BBR is left alone. */
void outlet_fill(struct outlet *o);

/* Bytes that may be written now, as the socket is. `waits`: some wait here. Pure. */
size_t outlet_room(struct outlet *o, const struct leg_info *info, bool waits, tick_t now);

/* Writes as much of the first `size` bytes of `held` as may leave now, and says how much that is.
 * What was written stays in `held`. client->full becomes true when the socket has to tell when it
 * has room. NULL; else why the client has gone: its kernel has acknowledged nothing for
 * OUTLET_SILENCE_LIMIT, or the socket takes nothing any more (client->ended). */
const char *outlet_write(struct outlet *o, struct side *client, const struct backlog *held,
                         size_t size, tick_t now, size_t *written);

/* When to look again; TICK_NEVER: when something happens. */
tick_t outlet_look_again(const struct outlet *o, tick_t now);

#ifdef __cplusplus
}
#endif
#endif
