/* The talk with a server while a handshake goes on: pieces of it are read and written here, and
 * what was said early is not said again (rfb/proto/handshake/early.h). What is said is decided
 * above: handshake.c, and handshake_security.c for the security type. Receiver thread.
 */
#ifndef VNCHL_TALK_H
#define VNCHL_TALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "prerequest/tick.h"
#include "rfb/net/stream.h"
#include "rfb/proto/handshake/early.h"
#include "rfb/texts/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The reason where the stream ends. */
#define TALK_CLOSED "the server closed the connection during the handshake"

struct talk {
    struct stream *stream; /* the caller's, as is `why` */
    struct reason *why;
    enum failure failure; /* FAILURE_NONE: the stream's, or that of the protocol */
    int minor;            /* of the version spoken: 3, 7 or 8 */
    bool asked;           /* for a password */
    bool written;         /* since the last read: the next one takes a round trip */
    struct early early;   /* what was said before it was asked for */
    tick_t early_at;      /* when the newest of it was; TICK_NEVER: never */
    bool differs;         /* something else was due than what was said early */
    int round_trips;
};

/* Each of these is false, with a reason, when the connection has ended. */
bool talk_get(struct talk *t, void *out, size_t size);
bool talk_get_number(struct talk *t, uint32_t *out);

/* Writes nothing that was said early, and fails when something else was. */
bool talk_put(struct talk *t, const void *bytes, size_t size);
bool talk_put_number(struct talk *t, uint32_t v);

/* Writes what t->early has to say now. */
bool talk_put_early(struct talk *t);

/* The server says why it does not go on: `what`, and its text. False. */
bool talk_refused(struct talk *t, const char *what);

#ifdef __cplusplus
}
#endif
#endif
