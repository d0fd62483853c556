/* A handshake while it goes on. Only for the files that speak it: handshake.c, and
 * handshake_security.c, which agrees on the security type. Receiver thread.
 */
#ifndef VNCHL_HANDSHAKE_TALK_H
#define VNCHL_HANDSHAKE_TALK_H

#include "rfb/proto/handshake.h"

#define TYPES_MAX 255 /* a byte counts them */

struct talk {
    struct stream *stream;
    const struct handshake_options *options;
    struct reason *why;
    enum failure failure; /* FAILURE_NONE: the stream's, or that of the protocol */
    int minor;            /* of the version spoken: 3, 7 or 8 */
    bool asked;           /* for a password */
    bool written;         /* since the last read: the next one takes a round trip */
    struct early early;   /* what was said before it was asked for */
    tick_t early_at;      /* when the newest of it was; TICK_NEVER: never */
    int round_trips;
    tick_t prompt_time;         /* spent in the credentials callback */
    uint32_t others[TYPES_MAX]; /* types that the server offers beside VeNCrypt */
    size_t others_count;
};

/* Each is false, with a reason, when the connection has ended. talk_put() writes nothing that was
 * said early, and fails when something else was. */
bool talk_get(struct talk *t, void *out, size_t size);
bool talk_put(struct talk *t, const void *bytes, size_t size);
bool talk_get_number(struct talk *t, uint32_t *out);
bool talk_put_number(struct talk *t, uint32_t v);

/* The server says why it does not go on: `what`, and its text. False. */
bool talk_refused(struct talk *t, const char *what);

/* What both have, inside of TLS where that is a part of it. NULL with a reason. */
const struct security *talk_choose_security(struct talk *t);

#endif
