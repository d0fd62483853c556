/* ContinuousUpdates and fences that the accelerator itself offers to a client, whatever the server
 * has. The server knows nothing of them. One object for each connection. Pure: no socket, no clock.
 *
 * Why: a client that asks for each update changes its pixel format between two updates. It cannot
 * know of those that are on their way already. A client with ContinuousUpdates switches them off
 * first, and waits for EndOfContinuousUpdates: what comes before has the old format.
 *
 * Such a client makes no requests. So a fence follows each update. Its payload is the number of
 * updates so far, and the answer tells that the client has read them.
 */
#ifndef VNCHL_ACCELERATOR_OWN_PUSH_H
#define VNCHL_ACCELERATOR_OWN_PUSH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rfb/proto/client_messages.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The most that own_push_say() writes. */
#define OWN_PUSH_SAY_MAX 32

struct own_push {
    bool offered; /* the client has, or soon will have been told */
    bool on;      /* the client has switched it on */
    bool offer_due;
    uint32_t came;   /* updates since the offer */
    uint32_t marked; /* of them, those that a fence has followed */
    uint32_t read;   /* of them, those that the client has answered for */
};

/* The client's SetEncodings has both. */
void own_push_offer(struct own_push *p);

/* An update has come whole from the server. */
void own_push_update(struct own_push *p);

/* What is to be said to the client now, between two messages of the server. Returns its bytes. */
size_t own_push_say(struct own_push *p, uint8_t *out);

/* The client has sent a fence. If that is a question the answer is written to `out`, which has room
 * for FENCE_HEAD + FENCE_MAX bytes; its bytes are returned. */
size_t own_push_fence(struct own_push *p, const struct client_message *fence, uint8_t *out);

/* Updates that the client may still have to read, if so many have come whole and not left yet. */
unsigned own_push_unread(const struct own_push *p, unsigned waiting);

#ifdef __cplusplus
}
#endif
#endif
