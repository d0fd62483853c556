/* The receiver thread of a session: it begins the session (connection/open.h), then reads what the
 * far side sends, and tells each part what it means.
 */
#ifndef VNCHL_RECEIVER_H
#define VNCHL_RECEIVER_H

#include "rfb/session/connection/open.h"
#include "rfb/session/input/outbox.h"
#include "rfb/session/input/sound.h"
#include "rfb/session/pacing/responses.h"
#include "rfb/session/push/pushed.h"

#ifdef __cplusplus
extern "C" {
#endif

struct receiver;

struct receiver_parts {
    struct open_parts open;
    struct events *events;
    struct outbox *outbox;
    struct pushed *pushed;
    struct old_picture *old;
    struct datagrams *datagrams;
    struct responses *responses;
    struct weights *weights;
    struct sound *sound;
    /* The receiver is at its end, and the owner has gone (life_abandon()) and does not wait for it:
     * frees it all, the receiver, too. */
    void (*free_all)(void *user);
    void *user;
};

/* All parts must outlive it. NULL when out of memory. */
struct receiver *receiver_create(const struct receiver_parts *parts);
void receiver_destroy(struct receiver *r); /* after its thread has ended, or never began */

bool receiver_start(struct receiver *r);
/* Waits for the end of its thread, `limit` ns at most; TICK_NEVER: without a limit. */
bool receiver_join(struct receiver *r, tick_t limit);

/* Any thread: fills in what is known of the server, and the memory for the next session but for
 * quality and window. */
void receiver_stats(struct receiver *r, struct session_stats *out);

#ifdef __cplusplus
}
#endif
#endif
