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
 *          (EVENT_REQUEST_SKIPPED).
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

#include "prerequest/event.h"
#include "prerequest/path.h"
#include "prerequest/quality.h"
#include "prerequest/tick.h"
#include "prerequest/tuner.h"

#ifdef __cplusplus
extern "C" {
#endif

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
    bool refreshes;            /* auto: the user wants lossless refreshes */
    bool had_news;             /* the newest update was not only what a refresh asked for */
    tick_t lossy;              /* what it takes to send what is lossy without loss; 0: nothing is */
    bool refreshing;           /* it is being asked for */
    bool refresh_in_vain;      /* until there is news: it came with loss again, or not at all */
    tick_t refresh_at;         /* the next slice is not due before */
    tick_t refresh_seen;       /* the newest slice was sent or answered */
};

void scheduler_init(struct scheduler *s, const struct scheduler_options *options);

/* Something has happened. */
void scheduler_tell(struct scheduler *s, const struct scheduler_event *event, tick_t now);

/* When the next request is due, and why. */
struct scheduler_next scheduler_next(const struct scheduler *s);

/* The step of quality to ask for now (quality.h). */
int scheduler_quality(const struct scheduler *s, tick_t now);

/* Whether the server is to send without loss now. */
bool scheduler_refreshing(const struct scheduler *s);

/* All of these at once. */
struct scheduler_decision scheduler_decide(const struct scheduler *s, tick_t now);

/* How many pixels the refresh that is due is to ask for. */
uint64_t scheduler_refresh_pixels(const struct scheduler *s);

/* Whether the newest update showed something new: what a refresh has asked for does not come. */
bool scheduler_had_news(const struct scheduler *s);

/* The period in force (ns); 0: there is none, with PRP_OFF or a server that pushes. */
tick_t scheduler_prp(const struct scheduler *s, tick_t now);

/* What is known of the connection, for the log. */
struct scheduler_facts {
    tick_t round_trip;       /* ns; 0: not known */
    double rate;             /* what the path delivers, bytes per second; 0: not known */
    double queue;            /* how long the newest update waited on its way, at most, ns */
    double busy;             /* share of the downlink that is used, 0..1 */
    unsigned in_flight;      /* requests */
    const char *quality_why; /* the newest change of quality, in a few words */
};

struct scheduler_facts scheduler_facts(const struct scheduler *s);

#ifdef __cplusplus
}
#endif
#endif
