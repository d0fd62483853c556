/* The pace of a session: what is asked of the server and when, how good its pictures are to be, and
 * what came of it. The scheduler (prerequest/decide/scheduler.h) decides; here it is told what the
 * receiver and the sender see, in the forms of the protocol, and what it wants is written as
 * messages. The meter, the lossy parts of the picture and the trace go with it.
 *
 * Any thread; it has a lock of its own. It knows no socket and no clock: time and counters are
 * arguments. Time does not go back: an older one counts as the newest that was told. Functions of
 * the receiver that return `bool` say whether the sender has to be woken: something is due before
 * it wakes by itself.
 *
 * Pictures come as updates, or as blocks that stand alone. Both are told by pacing_drawn(), one
 * rectangle at a time, and by pacing_shown() when the picture is a whole one again.
 */
#ifndef VNCHL_PACING_H
#define VNCHL_PACING_H

#include <stdbool.h>
#include <stdint.h>

#include "prerequest/decide/scheduler.h"
#include "rfb/net/stream.h"
#include "rfb/proto/client_messages.h"
#include "rfb/region.h"
#include "rfb/session/session_message.h"
#include "rfb/session/session_stats.h"
#include "rfb/session/trace_log.h"

#ifdef __cplusplus
extern "C" {
#endif

struct pacing;

struct pacing_options {
    struct scheduler_options scheduler;
    struct encoding_options encodings; /* levels may be LEVEL_AUTO: they follow the scheduler */
    bool relayed;            /* the way to the server leads through a tunnel or a repeater */
    struct trace_log *trace; /* NULL: none. It must outlive the pacing, or pacing_end_trace(). */
};

/* NULL when out of memory. */
struct pacing *pacing_create(const struct pacing_options *options);
void pacing_destroy(struct pacing *p);

/* No record is added from now on. */
void pacing_end_trace(struct pacing *p);

/* Tells the scheduler, and the trace, of an event that no other function tells. */
void pacing_report(struct pacing *p, const struct scheduler_event *event, tick_t now);

/* ---- the beginning ---- */

/* The round trip that the handshake has shown, ms. Where that is much longer than the kernel's, or
 * the way is relayed, the kernel's is only of the near end. */
void pacing_set_handshake_rtt(struct pacing *p, double ms);

/* Tells the scheduler the round trip, if it is known. */
void pacing_learn_round_trip(struct pacing *p, const struct transport_info *info, tick_t now);

/* Writes what the server is told of pixels: SetPixelFormat and SetEncodings, PACING_SETUP_MAX bytes
 * at most. `ahead`: a request follows at once. TigerVNC would answer it with the list of its
 * screens alone, and the picture would take another round trip. So the server is asked for its
 * screens later. Returns the bytes. */
#define PACING_SETUP_MAX (2 * CLIENT_WRITE_MAX)
size_t pacing_write_setup(struct pacing *p, uint8_t *out, bool ahead, tick_t now);

/* The picture has this size from now on. `asks`: all of it is requested. */
void pacing_new_picture(struct pacing *p, int width, int height, bool asks, tick_t now);

/* The first request left with the handshake, at this time. */
void pacing_asked_ahead(struct pacing *p, tick_t at);
/* Pictures come without a request: from a recording; or `pushed`, from a source that is asked only
 * for a new picture and for what came with loss. */
void pacing_unasked(struct pacing *p, bool pushed, tick_t now);

/* ---- what the server sends ---- */

/* What has come so far. */
struct pacing_bytes {
    struct transport_info info; /* asked just now */
    uint64_t taken;             /* bytes that were read from the stream */
    int waiting;                /* bytes that have arrived and were not read yet */
};

/* Whether the kernel is to be asked how much has arrived: once for each piece of SLOWDOWN_PIECE
 * bytes, because an update may have thousands of rectangles. Then it is told. */
bool pacing_wants_bytes(struct pacing *p, uint64_t taken);
void pacing_arrived(struct pacing *p, const struct pacing_bytes *bytes, tick_t now);

/* An update begins. Blocks have no beginning: the first one that is drawn is it. */
bool pacing_begun(struct pacing *p, const struct pacing_bytes *bytes, tick_t now);
/* This rectangle shows new pixels. `loss`: they are not exact. `answer`: it answers the watchdog's
 * question (connection/life.h), and an update with nothing else is no frame. */
bool pacing_drawn(struct pacing *p, struct rect r, int32_t encoding, bool loss, bool answer,
                  tick_t now);
/* What was drawn can be seen now. `pixels`: some were drawn. *not_pushed: why the server does not
 * push, for the user; NULL: there is nothing to say. */
bool pacing_shown(struct pacing *p, const struct pacing_bytes *bytes, bool pixels, tick_t now,
                  const char **not_pushed);
/* All that has arrived is read. */
bool pacing_ran_dry(struct pacing *p, tick_t now);

/* What has shown itself. An accelerator merges our requests, whatever the server behind it does. */
enum pacing_server {
    PACING_COUNTS,       /* a server that sends an update for each request */
    PACING_LIBVNCSERVER, /* merges requests */
    PACING_ACCELERATOR,
};
bool pacing_server_kind(struct pacing *p, enum pacing_server kind, tick_t now);
/* EndOfContinuousUpdates. Returns as *not_pushed above. */
const char *pacing_push_ended(struct pacing *p, tick_t now);
/* H.264 has come that cannot be read: it is not offered any more; where what decodes it is `gone`,
 * nor are films. Returns how often that was. */
uint64_t pacing_h264_unread(struct pacing *p, bool gone);
/* A fence has come. Whether it is to be answered. */
bool pacing_fence(struct pacing *p, uint32_t flags, const uint8_t *payload, size_t size);

/* ---- what the user wishes ---- */

void pacing_tune(struct pacing *p, const struct session_tuning *tuning, tick_t now);
/* The server is to tell of its screens, too. */
void pacing_want_screens(struct pacing *p);
/* All of the picture is asked for again. */
void pacing_ask_all(struct pacing *p, tick_t now);
/* Nobody can see the picture, or somebody can again. An accelerator does not count our requests: it
 * asks for all that the last one names, so while nobody looks that is one pixel. */
void pacing_hide(struct pacing *p, bool on, tick_t now);
/* ---- the sender ---- */

/* So many messages of input leave now; `acts`: they are more than motion. `room`: our own socket is
 * empty. */
void pacing_input(struct pacing *p, unsigned messages, bool acts, bool room, tick_t now);

struct pacing_turn {
    bool room;       /* our own socket is empty. While it is not, only what is urgent leaves; with
                      * a policy that is unguarded (scheduler_facts) this is always true */
    bool more_waits; /* something else waits for room, too */
};

/* Writes what is due: SetEncodings when the quality changes, EnableContinuousUpdates, the request;
 * PACING_WRITE_MAX bytes at most. Without room the request is skipped.
 * Returns the bytes. */
#define PACING_WRITE_MAX (5 * CLIENT_WRITE_MAX)
size_t pacing_write(struct pacing *p, uint8_t *out, const struct pacing_turn *turn, tick_t now);

/* Whether something waits until the socket has room, since the last pacing_write(). */
bool pacing_waits_for_room(struct pacing *p);

/* When the sender, which has to wake at `until`, is to look again at the latest. */
tick_t pacing_sleep(struct pacing *p, tick_t until, tick_t now);

/* ---- figures ---- */

/* Fills in what is known here. `info`: the newest counters of the link. `row`: the gaps of the row
 * begin afresh. */
void pacing_stats(struct pacing *p, const struct transport_info *info, bool row, tick_t now,
                  struct session_stats *out);

/* As the scheduler has them. */
struct scheduler_facts pacing_facts(struct pacing *p);

/* 1 + the step of quality that fitted; 0: none did yet (struct session_memory). */
int pacing_quality(struct pacing *p);

#ifdef __cplusplus
}
#endif
#endif
