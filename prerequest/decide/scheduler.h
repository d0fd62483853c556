/* When the next FramebufferUpdateRequest is due, and why.
 *
 * The scheduler is told events (event.h). From them it learns what it can know of the connection
 * (know/), and decides (decide/): when requests leave, how good the pictures are, and what is asked
 * for again without loss.
 *
 * Three policies say when requests leave:
 *
 *   off    plain VNC: a request when an update has been received and rendered, nothing else.
 *   fixed  VNC-HL (thesis, section 3.1): as `off`, and a timer of PRP while the client waits.
 * Unlike there, the timer sends nothing while our own socket holds unsent bytes. auto   requests
 * leave steadily, also while an update is being received: the sender is a thread of its own, so the
 * timer is never blind. The period is the longest of what the content needs (period.h), what the
 * path can answer (path.h) and what the user allows. While more is on its way than fits the path,
 * none leaves. A still screen is asked slowly; input, or an update, ends that at once. The quality
 * of the pictures follows the path (quality.h).
 *
 * A server that pushes sends updates by itself: with any policy, only a new picture and lossless
 * refreshes are asked for.
 *
 * Invariant: while connected a request is owed, or one is unanswered, or the timer runs, or the
 * server pushes. So no policy can wait for ever.
 *
 * Pure: no clock, socket, thread or allocation. The caller passes `now` and holds its own lock.
 */
#ifndef VNCHL_SCHEDULER_H
#define VNCHL_SCHEDULER_H

#include <stdbool.h>

#include "prerequest/decide/period.h"
#include "prerequest/decide/quality.h"
#include "prerequest/decide/refresh.h"
#include "prerequest/event.h"
#include "prerequest/know/motion.h"
#include "prerequest/know/path.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The PRP that a user may fix, ms: the thesis's experiments span 1..500. */
#define PRP_FIXED_MIN_MS 1
#define PRP_FIXED_MAX_MS 10000

struct policy;

/* What is to be asked for, and when it was. */
struct asking {
    bool owed[REQUEST_CAUSES]; /* due as soon as possible; never set for timer and refresh */
    bool blocked;              /* our own socket is full: nothing can leave */
    tick_t timer;              /* when the next pre-request is due; TICK_NEVER: it does not run */
    tick_t sent_at;            /* the newest request */
    unsigned train;            /* requests left of those that follow input */
};

struct scheduler {
    struct scheduler_options options;
    const struct policy *policy;
    /* what we know */
    struct path path;
    struct motion motion;
    bool pushed;     /* the server sends updates by itself */
    bool whole;      /* the next update brings the whole picture */
    bool had_news;   /* the newest update was not only what a refresh had asked for */
    bool near;       /* the round trip is much shorter than the time between frames */
    tick_t frame_at; /* the newest frame; TICK_NEVER: there was none since the screen was still */
    /* what we do */
    struct asking asking;
    tick_t least_period; /* ns: of the user's --max-fps; 0: no limit */
    struct period period;
    struct quality quality;
    struct refresh refresh;
};

void scheduler_init(struct scheduler *s, const struct scheduler_options *options);

/* Something has happened. */
void scheduler_tell(struct scheduler *s, const struct scheduler_event *event, tick_t now);

/* When the next request is due, and why. */
struct scheduler_next scheduler_next(const struct scheduler *s);

/* When the caller has to look again, even if nothing happens: a request is due, the screen becomes
 * still, or an answer is waited for no longer. Tells EVENT_TIME then. TICK_NEVER: not at all. */
tick_t scheduler_wait(const struct scheduler *s, tick_t now);

/* Whether a request waits for room in our own socket. */
bool scheduler_blocked(const struct scheduler *s);

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

/* The period in force, ns; 0: there is none, with PRP_OFF or a server that pushes. */
tick_t scheduler_prp(const struct scheduler *s, tick_t now);

/* What is known of the connection, for the log. */
struct scheduler_facts {
    tick_t round_trip;       /* ns; 0: not known */
    double rate;             /* what the path delivers, bytes per second; 0: not known */
    double queue;            /* how long the newest update waited on its way, at most, ns */
    double busy;             /* share of the downlink in use, 0..1 */
    unsigned in_flight;      /* requests */
    const char *quality_why; /* the newest change of quality, in a few words */
};

struct scheduler_facts scheduler_facts(const struct scheduler *s);

#ifdef __cplusplus
}
#endif
#endif
