/* How a session begins: the connection, the handshake, and the messages that come first. A server
 * that was met before is told much of it before it asks (rfb/proto/handshake/early.h); when it does
 * not take that, the session connects again and waits for each answer. A recording may take a
 * server's place.
 *
 * Receiver thread.
 */
#ifndef VNCHL_OPEN_H
#define VNCHL_OPEN_H

#include <stdbool.h>

#include "rfb/decode/framebuffer.h"
#include "rfb/proto/handshake/handshake.h"
#include "rfb/session/connection/life.h"
#include "rfb/session/connection/link.h"
#include "rfb/session/connection/questions.h"
#include "rfb/session/events.h"
#include "rfb/session/pacing/pacing.h"
#include "rfb/session/pictures/preview.h"
#include "rfb/session/pictures/source.h"
#include "rfb/session/recorder.h"
#include "rfb/session/session.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Who takes part. The hook that connects changes the options: it knows who has come to us. */
struct open_parts {
    struct session_options *options;
    const struct session_hooks *hooks;
    struct events *events;
    struct framebuffer *fb;
    struct life *life;
    struct link *link;
    struct pacing *pacing;
    struct questions *questions;
    struct recorder *recorder;
    struct preview *preview;
};

/* What came of it. */
struct opened {
    struct server_init init;      /* its name is malloc'ed; NULL security: the source is not RFB */
    struct source source;         /* zeroed: there is none */
    struct session_memory learnt; /* for the next session with this server */
};

/* Whatever comes of it, the caller frees what is in `out`. */
bool open_session(const struct open_parts *parts, struct opened *out, struct reason *why);

/* What kind of failure a session that has ended is: `init` is of its opening, `failed` what the
 * watchdog says, `why` what the source says. */
enum failure open_failure(const struct open_parts *parts, const struct server_init *init,
                          const struct reason *failed, const struct reason *why);

/* Whether a recording takes the server's place. */
bool open_plays(const struct session_options *o);

#ifdef __cplusplus
}
#endif
#endif
