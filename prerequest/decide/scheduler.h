/* When the next FramebufferUpdateRequest is due, and why.
 *
 * The scheduler is told events (event.h). From them it learns what it can know of the connection
 * (know/). With that it decides (decide/): when requests leave, how good the pictures are, and what
 * is asked for again without loss.
 *
 * Four policies say when requests leave.
 *
 * - `off` is plain VNC: a request leaves when an update has been received and decoded.
 *
 * - `fixed` is VNC-HL (thesis, section 3.1): as `off`, and besides a timer sends a request whenever
 *   a PRP has passed and no update is being received. Unlike in the thesis, the timer sends nothing
 *   while our own socket holds unsent bytes.
 *
 * - `thesis` is VNC-HL to the letter, to reproduce the thesis (policy_plain.c): the timer is set
 *   whenever the client begins to wait, and requests leave even while our own socket holds unsent
 *   bytes.
 *
 * - `auto` sends requests steadily, also while an update is being received. The period is the
 *   longest of what the content needs (period.h), what the path can answer (path.h) and what the
 *   user allows. While more is in flight than fits the path, no request leaves; so a still screen,
 *   which answers none, is asked seldom. Input or an update ends that at once. The quality of the
 *   pictures follows the path (quality.h).
 *
 * While nobody can see the picture (its window is minimised, for example) none of them is in force:
 * one request is in flight at a time, and it leaves a second after the one before at the earliest.
 * When the picture can be seen again a request leaves at once.
 *
 * A server that pushes sends updates by itself. With any policy, it is asked only for a new picture
 * and for lossless refreshes.
 *
 * Invariant: while connected a request is owed, or one is unanswered, or the timer runs, or the
 * server pushes. So `fixed`, `auto` and `thesis` ask again even if an answer is lost; `off`, and
 * each of them while the picture is hidden, then waits, as plain VNC does. While our own socket is
 * full nothing is due until EVENT_ROOM; with `thesis` nobody says that it is full.
 *
 * Pure: no clock, socket, thread or allocation. The caller passes `now`, and holds its own lock.
 */
#ifndef VNCHL_SCHEDULER_H
#define VNCHL_SCHEDULER_H

#include <stdbool.h>

#include "prerequest/decide/constants.h"
#include "prerequest/decide/period.h"
#include "prerequest/decide/quality.h"
#include "prerequest/decide/refresh.h"
#include "prerequest/event.h"
#include "prerequest/know/motion.h"
#include "prerequest/know/path.h"

#ifdef __cplusplus
extern "C" {
#endif

struct policy;

/* What is to be asked for, and when something was asked for last. */
struct asking {
    bool owed[REQUEST_CAUSES]; /* due as soon as possible; never set for timer and refresh */
    bool blocked;              /* our own socket is full: no request is due until it has room */
    tick_t timer;              /* when the next pre-request is due; TICK_NEVER: it does not run */
    tick_t sent_at;            /* when the newest request left */
    bool answered;             /* an update has come since */
    unsigned train;            /* how many of the requests that follow input are still to leave */
};

struct scheduler {
    struct scheduler_options options;
    const struct policy *policy;
    /* what we know */
    struct path path;
    struct motion motion;
    bool pushed;     /* the server sends updates by itself */
    bool hidden;     /* nobody can see the picture */
    bool whole;      /* the next update brings the whole picture */
    bool had_news;   /* the newest update showed more than a refresh had asked for */
    bool near;       /* the round trip is much shorter than the time between frames */
    tick_t frame_at; /* when the newest frame came; TICK_NEVER: none since the screen was still */
    /* what we do */
    struct asking asking;
    tick_t least_period; /* ns: the shortest that the user's --max-fps allows; 0: no limit */
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
 * still, or a refresh has waited too long for its answer. If no request is due at that time, the
 * caller tells EVENT_TIME. TICK_NEVER: the caller need not look. */
tick_t scheduler_wait(const struct scheduler *s, tick_t now);

/* Whether a request was due while our own socket was full. No other is due until EVENT_ROOM. */
bool scheduler_blocked(const struct scheduler *s);

/* The step of quality that the server is to be told now (quality.h). It differs from quality.step
 * when the screen is still: what moves next is to come smaller. */
int scheduler_quality(const struct scheduler *s, tick_t now);

/* Whether the server is to send without loss now. */
bool scheduler_refreshing(const struct scheduler *s);

/* All of these at once. */
struct scheduler_decision scheduler_decide(const struct scheduler *s, tick_t now);

/* How many pixels the refresh that is due is to ask for. */
uint64_t scheduler_refresh_pixels(const struct scheduler *s);

/* Whether the newest update showed something new. Then the slices of a refresh that are on their
 * way are given up (rfb/decode/lossy.h). */
bool scheduler_had_news(const struct scheduler *s);

/* The period in force, ns; 0: there is none, with PRP_OFF or a server that pushes. */
tick_t scheduler_prp(const struct scheduler *s);

/* What is known of the connection, and of the policy in force. */
struct scheduler_facts {
    tick_t round_trip;       /* ns; 0: not known */
    double rate;             /* what the path delivers, bytes per second; 0: not known */
    double queue;            /* how long the newest update waited on its way, ns; path.h */
    double busy;             /* share of the downlink in use, 0..1 */
    unsigned in_flight;      /* requests */
    const char *quality_why; /* the newest change of quality, in a few words */
    const char *rule;        /* the rule that wants the next request; NULL: none does */
    bool unguarded;          /* what is due leaves even while our own socket holds unsent bytes */
};

struct scheduler_facts scheduler_facts(const struct scheduler *s);

#ifdef __cplusplus
}
#endif
#endif
