/* The handshake with a viewer that comes to a far end which was kept: RFB 3.8 without a proof, up
 * to its ClientInit. Whoever lets it come has seen that it is the same user.
 *
 * The viewer may say all of it at once (docs/first-picture.md), or byte by byte. Pure.
 */
#ifndef VNCHL_NEWCOMER_H
#define VNCHL_NEWCOMER_H

#include <stddef.h>
#include <stdint.h>

#include "rfb/bytes_held.h"
#include "rfb/framing/client_framing.h"

#ifdef __cplusplus
extern "C" {
#endif

#define NEWCOMER_VERSION_BYTES 12

enum newcomer_state {
    NEWCOMER_VERSION, /* these three are awaited */
    NEWCOMER_TYPE,
    NEWCOMER_INIT,
    NEWCOMER_IN,      /* ServerInit follows, and messages */
    NEWCOMER_REFUSED, /* it said what this handshake does not have */
};

struct newcomer {
    enum newcomer_state state;
    uint8_t held[NEWCOMER_VERSION_BYTES]; /* of the version */
    size_t held_size;
};

/* Begins. What is said to the newcomer goes to `out`, here and below. False: out of memory. */
bool newcomer_begin(struct newcomer *n, struct bytes_held *out);

/* Takes bytes of the newcomer, up to the end of the handshake, and returns how many. Out of memory
 * counts as refused. */
size_t newcomer_read(struct newcomer *n, const uint8_t *bytes, size_t size, struct bytes_held *out);

/* ServerInit: a screen of this size, with this name. False: out of memory. */
bool newcomer_say_screen(struct bytes_held *out, int width, int height, const char *name);

/* Whether it may say this behind its handshake, before its encodings are known: only how its pixels
 * are. */
bool newcomer_may_say(const struct client_frame *found);

#ifdef __cplusplus
}
#endif
#endif
