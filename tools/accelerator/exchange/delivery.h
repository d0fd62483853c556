/* What waits for a client, and which of it may leave. One object for each connection. Pure: no
 * socket, no clock.
 *
 * Places are counted in bytes from the beginning of the connection: `come` for the client, `left`
 * for it.
 *
 * All that has come may leave, or whole messages only (`whole`). Taylor and Pasquale compare the
 * two (section 6): a client that reads while bytes come is faster with the first.
 *
 * How fast bytes leave is measured while some of them wait: so it is known when the last one will
 * have left. It is not the path's rate (flight.h), which is only known while the path is full: an
 * update now and then leaves faster than their mean.
 */
#ifndef VNCHL_ACCELERATOR_DELIVERY_H
#define VNCHL_ACCELERATOR_DELIVERY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "prerequest/tick.h"
#include "tools/accelerator/exchange/backlog.h"
#include "tools/accelerator/exchange/constants.h"

#ifdef __cplusplus
extern "C" {
#endif

struct delivery {
    struct backlog held; /* what waits */
    uint64_t come, left;
    tick_t held_since; /* since when there are bytes that wait */

    bool whole;     /* only whole messages leave */
    size_t most;    /* so many bytes may be held */
    bool too_large; /* the message under way does not fit into that: it leaves as it comes */
    uint64_t ended; /* where the last whole message ends */

    double rate;            /* bytes per second while some wait, smoothed; 0: not known */
    bool measuring;         /* bytes have waited since the beginning of the measurement */
    tick_t measured_since;  /* when that was, */
    uint64_t measured_from; /* and where */
};

/* `most`: how many bytes may be held before messages that are not whole leave, too. */
void delivery_init(struct delivery *d, bool whole, size_t most);
void delivery_deinit(struct delivery *d);

/* Bytes for the client. False: out of memory. */
bool delivery_add(struct delivery *d, const void *bytes, size_t size, tick_t now);

/* A message ends at `end`. */
void delivery_message_ends(struct delivery *d, uint64_t end);

/* No ends of messages are told any more: what has come may leave. */
void delivery_end(struct delivery *d);

/* How many bytes may leave. */
size_t delivery_ready(struct delivery *d);

/* The first `size` bytes have left. */
void delivery_left(struct delivery *d, size_t size, tick_t now);

#ifdef __cplusplus
}
#endif
#endif
