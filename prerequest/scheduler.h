/* When the next FramebufferUpdateRequest is due.
 *
 * Pure: no clock, socket, thread or allocation; the caller passes `now` and holds its own lock.
 * Three policies:
 *
 *   off    plain VNC: a request when an update has been received and rendered, nothing else.
 *   fixed  VNC-HL (thesis, section 3.1): as `off`, and a timer of PRP that is set when the client
 *          starts to wait; each expiry sends one more request and sets the timer again. While an
 *          update is being received nobody waits, so the timer does not run. Unlike there, an
 *          expiry sends nothing while our own socket holds unsent bytes
 *          (scheduler_request_skipped()).
 *   auto   requests leave steadily, also while an update is being received: the sender is a thread
 *          of its own, so the timer is never blind and the requests need no updates to set their
 *          beat. Their period is the longer of what the content needs (tuner.h) and what the path
 *          can answer (path.h); while more is on its way than fits the path, none leaves. A still
 *          screen is asked slowly; input or an update ends that at once. The quality of the
 * pictures follows the path, too (quality.h).
 *
 * A server that pushes sends by itself: with any policy only a new picture and lossless refreshes
 * are asked for.
 *
 * Invariant: while connected a request is owed, or one is unanswered, or the timer runs, or the
 * server pushes, so no policy can wait for ever.
 */
#ifndef VNCHL_SCHEDULER_H
#define VNCHL_SCHEDULER_H

#include <stdbool.h>

#include "prerequest/path.h"
#include "prerequest/quality.h"
#include "prerequest/tick.h"
#include "prerequest/tuner.h"

#ifdef __cplusplus
extern "C" {
#endif

enum prp_policy { PRP_OFF, PRP_FIXED, PRP_AUTO };

/* Why a request is sent. */
enum request_cause {
    REQUEST_FIRST,    /* non-incremental, of a new picture */
    REQUEST_REACTIVE, /* an update has arrived and is rendered */
    REQUEST_TIMER,    /* a pre-request: the PRP ran out */
    REQUEST_INPUT,    /* input was sent and no pre-request was about to leave */
    REQUEST_REFRESH,  /* non-incremental, of something still that was sent with loss */
    REQUEST_CAUSES
};

/* Shortest and longest PRP a user may fix: the thesis's experiments span 1..500 ms. */
#define PRP_FIXED_MIN_MS 1
#define PRP_FIXED_MAX_MS 10000

/* auto: a screen without update or input for this long is asked with the relaxed period. */
#define SCHEDULER_IDLE_AFTER  (2 * TICK_S)
#define SCHEDULER_RELAXED_PRP (250 * TICK_MS)
#define SCHEDULER_PATIENCE    (10 * TICK_S) /* the longest time without a request */
#define SCHEDULER_WATCHFUL    (60 * TICK_S) /* so long a server that merges is asked as if relaxed */

/* auto: what is still for this long is asked for without loss, and no sooner than that takes: when
 * it moves again meanwhile, the first picture comes without loss, too; requests leave this often
 * meanwhile, since some servers need one more to send what a non-incremental request asked for. An
 * answer that does not come for the limit ends it. */
#define SCHEDULER_STILL         (TICK_S / 2)
#define SCHEDULER_STILL_MOST    (10 * TICK_S)
#define SCHEDULER_REFRESH_PRP   (50 * TICK_MS)
#define SCHEDULER_REFRESH_LIMIT (5 * TICK_S)

/* An update of no more bytes than this is no movement: a blinking caret, a clock. */
#define SCHEDULER_SMALL 4000

/* auto: so many frames within the tuner's window show how far they are apart. */
#define SCHEDULER_PROBE_FRAMES 10

/* auto: after a key or a click requests leave more often for a while, so that one waits at the
 * server when the result appears, whatever else used up the one that went with it. */
#define SCHEDULER_TRAIN     2
#define SCHEDULER_TRAIN_PRP (10 * TICK_MS)

/* auto: where the path is the limit, a request follows input no sooner: so long a program takes to
 * show its effect. */
#define SCHEDULER_EFFECT (20 * TICK_MS)

/* An owed request that could not be sent is tried again after this. */
#define SCHEDULER_RETRY (5 * TICK_MS)

/* What the user allows `auto`; 0: no limit. */
struct scheduler_limits {
    double fps;
    double rate; /* bytes per second of pictures */
};

struct scheduler {
    enum prp_policy policy;
    tick_t fixed_prp;
    struct tuner tuner; /* auto only, as are the next two */
    struct quality quality;
    tick_t frame_at;           /* the newest frame; TICK_NEVER: none yet, or the screen was still */
    struct path path;          /* any policy: what the log tells */
    tick_t least_period;       /* auto: the user's; 0: none */
    bool owed[REQUEST_CAUSES]; /* requests due as soon as possible; never set for the timer */
    bool retrying;             /* an owed request could not be sent */
    tick_t sent_at;            /* the newest request */
    tick_t retry_at;           /* an owed request is not tried before this */
    tick_t timer;              /* when the next pre-request is due; TICK_NEVER: not running */
    bool pushed;               /* set while the server sends by itself (rfb/proto/push.h) */
    bool whole;                /* the next update brings the whole picture */
    bool nearby;               /* the round trip is much shorter than the time between frames */
    bool receiving;            /* between the beginning and the end of an update */
    tick_t active_at;          /* auto: last update or input */
    tick_t moved_at;           /* auto: last update of some size, or input */
    unsigned train;            /* auto: requests left of those that follow input */
    bool refreshes;            /* auto: set when the user wants lossless refreshes */
    tick_t lossy;              /* what it takes to send what is lossy without loss; 0: nothing is */
    bool refreshing;           /* it is being asked for */
    bool refresh_in_vain;      /* until there is news: it came with loss again, or not at all */
    tick_t refresh_at;         /* the next slice is not due before */
    tick_t refresh_seen;       /* the newest slice was sent or answered */
};

/* `fixed_prp` (ns) is used by PRP_FIXED only. */
void scheduler_init(struct scheduler *s, enum prp_policy policy, tick_t fixed_prp);

/* PRP_AUTO: asks for no more than that. */
void scheduler_limit(struct scheduler *s, const struct scheduler_limits *limits);

/* A new picture (connection or resize): owes one non-incremental request. */
void scheduler_new_picture(struct scheduler *s, tick_t now);

/* The header of an update has been read. */
void scheduler_update_begun(struct scheduler *s, tick_t now);

/* So many bytes have arrived since the connection began; told while an update does. */
void scheduler_arrived(struct scheduler *s, uint64_t bytes, tick_t now);

/* An update. `pixels` is false when it carried pseudo-rectangles only: it used up a request all the
 * same, but it is not a frame. `more`: bytes of what follows have arrived already. `news`: it is
 * not only what a refresh asked for, and something small beside it. `bytes`: 0 when not known. */
struct scheduler_update {
    bool pixels, more, news;
    uint64_t bytes;
};

/* It has been received and rendered. */
void scheduler_update_finished(struct scheduler *s, const struct scheduler_update *u, tick_t now);

/* Nothing more has arrived: what follows the newest update was no update. */
void scheduler_ran_dry(struct scheduler *s);

/* The kernel's round trip, ns, now and then. */
void scheduler_round_trip(struct scheduler *s, tick_t rtt, tick_t now);

/* The step of quality to ask for now. */
int scheduler_quality(const struct scheduler *s, tick_t now);

/* What it takes to send the lossy parts of the picture without loss, ns (0: there are none), and
 * whether some of them are on their way again. `again`: what was asked for without loss came with
 * it.
 */
void scheduler_lossy(struct scheduler *s, tick_t takes, bool asked, bool again, tick_t now);

/* Whether the server is to send without loss now. */
bool scheduler_refreshing(const struct scheduler *s);

/* The refresh that was due has been sent; `any`: there was something to ask for, which takes the
 * line for about `takes` ns. */
void scheduler_refresh_sent(struct scheduler *s, bool any, tick_t takes, tick_t now);

/* Now and then: gives up a refresh that no answer comes to. */
void scheduler_watch(struct scheduler *s, tick_t now);

/* Input has been sent to the server. `acts`: not only motion of the pointer. */
void scheduler_input_sent(struct scheduler *s, bool acts, tick_t now);

/* When the next request is due: TICK_NEVER, or a time that may lie in the past. */
tick_t scheduler_due(const struct scheduler *s);

/* What the request due now would be for. Call only when scheduler_due() <= now. */
enum request_cause scheduler_cause(const struct scheduler *s);

/* The request that was due has been sent / could not be sent because our own socket still holds
 * unsent bytes. A skipped timer request is dropped, any other is tried again shortly after; false
 * when this was such another try. */
void scheduler_request_sent(struct scheduler *s, enum request_cause cause, tick_t now);
bool scheduler_request_skipped(struct scheduler *s, enum request_cause cause, tick_t now);

/* The period in force (ns); 0 for PRP_OFF. */
tick_t scheduler_prp(const struct scheduler *s, tick_t now);

#ifdef __cplusplus
}
#endif
#endif
