/* Whether the server sends updates by itself ("pushes"): the extensions Fence and ContinuousUpdates
 * of the RFB community specification. Pure; the caller holds its own lock.
 *
 * A server announces each extension by a message, after a SetEncodings that lists it and before the
 * first update. What it announces, and in which order, tells who it is:
 *
 *   TigerVNC, TurboVNC   first a fence that has only the Request flag, and no payload or one zero
 *                        byte; then EndOfContinuousUpdates. These servers limit by fences what is
 *                        on its way.
 *   neatvnc              EndOfContinuousUpdates first, then perhaps a fence that carries a time.
 *                        While it pushes, an incremental request is never consumed, and all input
 *                        behind that request waits for ever. A fence may stop it, too. So it gets
 *                        neither. Answers would also let it bound what is on its way by the
 *                        shortest round trip, and it takes the time between the words of the
 *                        handshake for one: words that are said early leave no time between them
 *                        (rfb/proto/handshake/early.h).
 *   anything else        is not told to push. Its fences are answered.
 */
#ifndef VNCHL_PUSH_H
#define VNCHL_PUSH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rfb/proto/message_types.h"
#include "rfb/region.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The flags of a fence that an answer keeps: all messages before the fence have taken effect. The
 * other flags are dropped: the receiver goes on with the messages after the fence while the sender
 * still has to write the answer. */
#define FENCE_HONOURED FENCE_BLOCK_BEFORE

enum push_state {
    PUSH_NEVER,   /* not offered, or taken back: the server gets no message of the extensions */
    PUSH_OFFERED, /* SetEncodings lists them; the server has announced nothing yet */
    PUSH_FENCED,  /* the server has sent a fence of the known kind */
    PUSH_STRANGE, /* the server has sent a fence of another kind */
    PUSH_ON,      /* the server pushes */
    PUSH_OVER,    /* the server does not push; its fences are still answered */
};

struct push {
    enum push_state state;
    bool enable_due; /* EnableContinuousUpdates is to be sent, for the whole screen */
};

void push_init(struct push *p, bool offered);

/* Whether SetEncodings is to list the two extensions. */
bool push_listed(const struct push *p);

/* Writes EnableContinuousUpdates if it is due, for the whole screen. Returns the bytes,
 * CLIENT_WRITE_MAX at most. */
size_t push_write_enable(struct push *p, uint8_t *out, struct rect screen);

/* A fence has arrived. True: it is to be answered. */
bool push_fence(struct push *p, uint32_t flags, const uint8_t *payload, size_t size);

/* EndOfContinuousUpdates has arrived. Returns why the server does not push (any longer), for the
 * user; NULL: there is nothing to say. */
const char *push_ended(struct push *p);

/* An update has been received. Returns the same. */
const char *push_update(struct push *p);

/* Whether the `waiting` bytes after an update hold the next update. A server that fences sends a
 * fence after each update, so a few bytes do not. */
bool push_more(const struct push *p, int waiting);

/* The screen has a new size: a server that pushes has to be told the new area. */
void push_resized(struct push *p);

#ifdef __cplusplus
}
#endif
#endif
