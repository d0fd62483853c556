/* Which of the bytes for a client may leave: all that have come, or whole messages only. Taylor and
 * Pasquale compare the two (section 6): a client that reads while bytes come is faster with the
 * first. One object for each connection. Pure.
 *
 * Places are counted in bytes from the beginning of the connection: `come` from the server, `left`
 * for the client.
 */
#ifndef VNCHL_ACCELERATOR_FORWARD_H
#define VNCHL_ACCELERATOR_FORWARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct forward {
    bool whole;     /* only whole messages leave */
    bool too_large; /* the message under way does not fit into what may be held: it leaves as it
                       comes */
    uint64_t ended; /* where the last whole message ends */
};

/* A message of the server ends at `end`. */
void forward_ended(struct forward *f, uint64_t end);

/* How many bytes may leave. `most`: how many may be held. */
size_t forward_room(struct forward *f, uint64_t come, uint64_t left, size_t most);

#ifdef __cplusplus
}
#endif
#endif
