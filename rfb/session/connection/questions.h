/* The questions that the receiver asks the owner while it connects, one at a time, and the owner's
 * answers. The handshake's deadlines wait meanwhile (life.h).
 *
 * It has a lock of its own. It knows no socket: a question goes out as an event.
 */
#ifndef VNCHL_QUESTIONS_H
#define VNCHL_QUESTIONS_H

#include <stdbool.h>

#include "rfb/net/crypto/key_doubt.h"
#include "rfb/proto/handshake/security.h"
#include "rfb/session/connection/life.h"
#include "rfb/session/events.h"
#include "rfb/session/session.h"

#ifdef __cplusplus
extern "C" {
#endif

struct questions;

/* `options`, `events` and `life` must outlive it. NULL when out of memory. */
struct questions *questions_create(const struct session_options *options, struct events *events,
                                   struct life *life);
void questions_destroy(struct questions *q);

/* The receiver asks, and waits for the answer, or for the end. `user` is the questions. The rest is
 * as struct handshake_options (rfb/proto/handshake/handshake.h) and key_trust
 * (rfb/net/crypto/key_doubt.h) want it. False, with a reason: refused, or the session ends. */
bool questions_ask_credentials(void *user, bool want_user, const struct security *way, char **name,
                               char **password, struct reason *why);
bool questions_ask_trust(void *user, const struct key_doubt *doubt, struct reason *why);

/* Any thread: keeps the answer if it answers the open question; else ignores it. */
void questions_answer(struct questions *q, const struct session_answer *answer);

/* Any thread, once the session is to end (life_stop()): nobody waits for an answer any more. */
void questions_stop(struct questions *q);

#ifdef __cplusplus
}
#endif
#endif
