/* When the next FramebufferUpdateRequest is due.
 *
 * Pure: no clock, socket, thread or allocation; the caller passes `now` and holds its own lock.
 * Three policies:
 *
 *   off    plain VNC: a request when an update has been received and rendered, nothing else.
 *   fixed  VNC-HL (thesis, section 3.1): as `off`, and a timer of PRP that is set when the client
 *          starts to wait; each expiry sends one more request and sets the timer again. While an
 *          update is being received nobody waits, so the timer does not run.
 *   auto   requests leave at the PRP of the tuner, steadily, also while an update is being
 *          received: the sender is a thread of its own, so the timer is never blind and the
 *          requests need no updates to set their beat. A still screen is asked slowly; input or an
 *          update ends that at once.
 *
 * Invariant: while connected a request is owed, or one is unanswered, or the timer runs, so no
 * policy can wait for ever.
 */
#ifndef VNCHL_SCHEDULER_H
#define VNCHL_SCHEDULER_H

#include <stdbool.h>

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
    REQUEST_CAUSES
};

/* Shortest and longest PRP a user may fix: the thesis's experiments span 1..500 ms. */
#define PRP_FIXED_MIN_MS 1
#define PRP_FIXED_MAX_MS 10000

/* auto: a screen without update or input for this long is asked with the relaxed period. */
#define SCHEDULER_IDLE_AFTER  (2 * TICK_S)
#define SCHEDULER_RELAXED_PRP (250 * TICK_MS)

/* An owed request that could not be sent is tried again after this. */
#define SCHEDULER_RETRY (5 * TICK_MS)

struct scheduler {
    enum prp_policy policy;
    tick_t fixed_prp;
    struct tuner tuner;        /* auto only */
    bool owed[REQUEST_CAUSES]; /* requests due as soon as possible; never set for the timer */
    bool retrying;             /* an owed request could not be sent */
    tick_t sent_at;            /* the newest request */
    tick_t retry_at;           /* an owed request is not tried before this */
    tick_t timer;              /* when the next pre-request is due; TICK_NEVER: not running */
    bool receiving;            /* between the beginning and the end of an update */
    tick_t active_at;          /* auto: last update or input */
};

/* `fixed_prp` (ns) is used by PRP_FIXED only. */
void scheduler_init(struct scheduler *s, enum prp_policy policy, tick_t fixed_prp);

/* A new picture (connection or resize): owes one non-incremental request. */
void scheduler_new_picture(struct scheduler *s, tick_t now);

/* The header of an update has been read. */
void scheduler_update_begun(struct scheduler *s, tick_t now);

/* An update has been received and rendered. `pixels` is false when it carried pseudo-rectangles
 * only: it used up a request all the same, but it is not a frame. */
void scheduler_update_finished(struct scheduler *s, bool pixels, tick_t now);

/* Input has been sent to the server. */
void scheduler_input_sent(struct scheduler *s, tick_t now);

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
