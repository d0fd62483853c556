/* The beginning of a connection: from the server's greeting to ServerInit (RFB 3.8, section 7.1 to
 * 7.3; VeNCrypt and TLS of the community specification). Receiver thread.
 *
 * The handshake is ours and not libvncclient's: the library takes the first type that it knows,
 * follows a server into types whose code a hostile server can crash, and cannot be told that a
 * certificate is wanted (docs/decisions/own-handshake.md).
 */
#ifndef VNCHL_HANDSHAKE_H
#define VNCHL_HANDSHAKE_H

#include <stdbool.h>

#include "prerequest/tick.h"
#include "rfb/net/stream.h"
#include "rfb/proto/encodings/pixel_format.h"
#include "rfb/proto/handshake/early.h"
#include "rfb/proto/handshake/handshake_security.h"
#include "rfb/proto/handshake/security.h"
#include "rfb/texts/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

struct handshake_options {
    bool shared;
    struct security_terms security;
    /* The server wants a password (and a user name), which go in this way: malloc'ed strings, which
     * become the handshake's. False, with a reason, gives up. May wait, as long as it likes. */
    bool (*credentials)(void *user, bool want_user, const struct security *way, char **name,
                        char **password, struct reason *why);
    void *user;
    struct early_plan early;
};

struct server_init {
    int width, height;
    char *name;                         /* malloc'ed, as the server sent it */
    uint8_t format[PIXEL_FORMAT_BYTES]; /* the server's own pixels */
    const struct security *security;
    enum failure failure; /* of a handshake that failed */
    int minor;            /* RFB 3.minor was spoken */
    /* When options.early.ahead was written, and need not be again; TICK_NEVER: it was not. */
    tick_t ahead_at;
    /* Of a handshake that failed: something was said early, and the server may be one that does not
     * take that. A new connection without it may succeed. */
    bool surprised;
    bool hello_lost; /* and what it does not take may be no more than the ClientHello */
    /* Of a handshake that failed in VeNCrypt: a new connection that goes into this way only may
     * succeed. NULL: there is none. */
    const struct security *beside;
    double rtt_ms; /* mean round trip, prompts left out; 0 where they are uneven */
};

bool handshake(struct stream *s, const struct handshake_options *options, struct server_init *init,
               struct reason *why);

/* Whether a server with this greeting has to be spoken to in RFB 3.3, where the server chooses the
 * security type. */
bool handshake_is_33(const char *greeting);

#ifdef __cplusplus
}
#endif
#endif
