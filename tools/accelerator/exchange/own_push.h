/* ContinuousUpdates and fences that the accelerator itself offers to a client, whatever the server
 * has. The server knows nothing of them. One object for each connection. Pure: no socket, no clock.
 *
 * Why: a client that asks for each update changes its pixel format between two updates. It cannot
 * know of those that are on their way already. A client with ContinuousUpdates switches them off
 * first, and waits for EndOfContinuousUpdates: what comes before has the old format.
 *
 * Such a client makes no requests. So a fence follows each update. Its payload is the number of
 * updates so far, and the answer tells that the client has read them.
 *
 * What is to be said to the client waits here until a message to it may begin.
 */
#ifndef VNCHL_ACCELERATOR_OWN_PUSH_H
#define VNCHL_ACCELERATOR_OWN_PUSH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rfb/bytes_held.h"
#include "rfb/proto/client_messages.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ContinuousUpdates and fences of a client. */
enum continuous_updates {
    CONTINUOUS_OWN,  /* are answered here */
    CONTINUOUS_HIDE, /* there are none */
    CONTINUOUS_PASS, /* are the server's */
};

/* The most that own_push_say() writes. */
#define OWN_PUSH_SAY_MAX 32

/* Answers that wait for the end of an update, bytes: its client is not read any more then. */
#define OWN_PUSH_ANSWERS_MOST ((size_t)4 << 10)

struct own_push {
    bool offered; /* the client has, or soon will have been told */
    bool on;      /* the client has switched it on */
    bool offer_due;
    bool mute;                 /* nothing can be said to the client any more, */
    bool unheard;              /* and nothing that it says about this is understood */
    uint32_t came;             /* updates since the offer */
    uint32_t marked;           /* of them, those that a fence has followed */
    uint32_t read;             /* of them, those that the client has answered for */
    unsigned ends_due;         /* so many EndOfContinuousUpdates */
    struct bytes_held answers; /* to the client's fences */
};

void own_push_deinit(struct own_push *p);

/* The client's SetEncodings has both. */
void own_push_offer(struct own_push *p);

/* The boundaries of what the client is sent are lost: nothing can be said any more. */
void own_push_mute(struct own_push *p);

/* An update has come whole from the server. */
void own_push_update(struct own_push *p);

/* What is to be said to the client now of the offer and of updates, between two messages of the
 * server. Returns its bytes. */
size_t own_push_say(struct own_push *p, uint8_t *out);

/* The client has sent a fence. If that is a question the answer is added to `answers`. False: out
 * of memory. */
bool own_push_fence(struct own_push *p, const struct client_message *fence);

/* Updates that the client may still have to read, if so many have come whole and not left yet. */
unsigned own_push_unread(const struct own_push *p, unsigned waiting);

#ifdef __cplusplus
}
#endif
#endif
