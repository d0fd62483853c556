/* A layer that keeps what is read through it, for a while: so a message that was read and
 * understood can be passed on as it came.
 *
 * Positions count the bytes that have come from the transport below. The thread that reads uses it.
 */
#ifndef VNCHL_TAP_H
#define VNCHL_TAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rfb/net/transport.h"
#include "rfb/pusher/constants.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tap;

/* Lies on `below` from now on, and owns it; `out` is the tap in the transport that is returned.
 * NULL when out of memory: `below` is destroyed then. */
struct transport *tap_create(struct transport *below, struct tap **out);

/* Of what comes, only the last TAP_LITTLE bytes are kept; or again all. */
void tap_keep_little(struct tap *t, bool little);

/* What came before this position is not wanted any more. */
void tap_drop(struct tap *t, uint64_t until);

/* The bytes from this position to that one, valid until the next reading. NULL: they are not kept
 * any more. */
const uint8_t *tap_bytes(const struct tap *t, uint64_t from, uint64_t to);

#ifdef __cplusplus
}
#endif
#endif
