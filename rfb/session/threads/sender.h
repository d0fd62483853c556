/* The sender thread of a session. It sleeps until the scheduler's next deadline, until the outbox
 * has something, or until a full socket has room. Then it sends what is due: input first, then the
 * request. Once the handshake is over nobody else writes. It also runs the watchdog, even while it
 * waits for room.
 */
#ifndef VNCHL_SENDER_H
#define VNCHL_SENDER_H

#include "rfb/session/connection/life.h"
#include "rfb/session/connection/link.h"
#include "rfb/session/input/outbox.h"
#include "rfb/session/input/sound.h"
#include "rfb/session/pacing/pacing.h"
#include "rfb/session/pacing/responses.h"
#include "rfb/session/push/datagrams.h"
#include "rfb/session/push/old_picture.h"
#include "rfb/session/push/pushed.h"
#include "rfb/session/recorder.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sender;

struct sender_parts {
    struct life *life;
    struct link *link;
    struct outbox *outbox;
    struct pacing *pacing;
    struct pushed *pushed;
    struct recorder *recorder;
    struct old_picture *old;
    struct datagrams *datagrams;
    struct responses *responses;
    struct sound *sound;
};

/* All parts must outlive it. NULL when out of memory. */
struct sender *sender_create(const struct sender_parts *parts);
void sender_destroy(struct sender *s); /* after its thread has ended, or never began */

bool sender_start(struct sender *s);
/* Waits for the end of its thread, `limit` ns at most; TICK_NEVER: without a limit. */
bool sender_join(struct sender *s, tick_t limit);

#ifdef __cplusplus
}
#endif
#endif
