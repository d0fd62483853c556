/* Whether the server sends updates by itself: the extensions Fence and ContinuousUpdates of the RFB
 * community specification. Pure; the caller holds its own lock.
 *
 * A server announces each by a message of its own after a SetEncodings that lists it, so before the
 * first update. What it announces, and in which order, tells who it is:
 *
 *   TigerVNC, TurboVNC   a fence with the Request flag alone and no payload but a zero byte, then
 *                        EndOfContinuousUpdates. They bound what is on its way by fences.
 *   neatvnc              EndOfContinuousUpdates first, then perhaps a fence that carries a time.
 *                        While it pushes it never consumes an incremental request, and input waits
 *                        behind it for ever; a fence can stop it, too. It must get neither.
 *   anything else        is not asked to push: a fence of another kind is answered, no more.
 */
#ifndef VNCHL_PUSH_H
#define VNCHL_PUSH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rfb/proto/message_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What an answer may say was done: all before it has taken effect. Messages after it are handled
 * without waiting for the answer, which another thread sends. */
#define FENCE_HONOURED FENCE_BLOCK_BEFORE

enum push_state {
    PUSH_NEVER,   /* not offered, or taken back: the server is to see none of it */
    PUSH_OFFERED, /* nothing is known of the server */
    PUSH_FENCED,  /* its fences are of the known kind */
    PUSH_STRANGE, /* they are not */
    PUSH_ON,
    PUSH_OVER, /* requests go on; fences are still answered */
};

struct push {
    enum push_state state;
    bool enable_due; /* EnableContinuousUpdates is to be sent, for the whole screen */
};

void push_init(struct push *p, bool offered);

/* Whether SetEncodings is to list the two. */
bool push_listed(const struct push *p);

/* A fence has arrived; true: it is to be answered. */
bool push_fence(struct push *p, uint32_t flags, const uint8_t *payload, size_t size);

/* EndOfContinuousUpdates has arrived / an update has been received. The reason not to push, or not
 * to push any longer, for the user; NULL: nothing new. */
const char *push_ended(struct push *p);
const char *push_update(struct push *p);

/* Whether bytes that wait after an update are those of the next one. A server that fences follows
 * each update with a fence. */
bool push_more(const struct push *p, int waiting);

/* The screen has a new size. */
void push_resized(struct push *p);

#ifdef __cplusplus
}
#endif
#endif
