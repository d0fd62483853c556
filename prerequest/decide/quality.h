/* How good the pictures are: JPEG quality and compression level that fit the path.
 *
 * Both matter. TightVNC's server uses JPEG for moving pictures only at compression level 3 and
 * above, so no step has a lower one. The two are taken together, as QUALITY_STEPS steps from the
 * best picture (0) to the smallest.
 *
 * The rule is in the spirit of Octopus's adaptation (section 4.3), which weighs frame rate against
 * quality. Here motion comes first, up to the content's own rate; quality takes what the path has
 * left. For what was sent with loss comes again without it when it stands still (refresh.h), so
 * quality in motion is the cheaper of the two. With
 *
 *   need = service / gap      the share of the downlink that the content's full rate takes
 *
 * (service.h, content_gap.h), once updates of the present step have arrived:
 *
 *   need > QUALITY_FULL     down, by as many steps as bring it to QUALITY_AIM: a step is taken to
 *                           leave QUALITY_STEP of the bytes
 *   need < QUALITY_SPARE    up one step after a while; when that was too much soon after, the
 *                           while doubles
 *   need < QUALITY_PLENTY   up one step as soon as the last one has shown, unless one was too much
 *
 * Steps beyond QUALITY_COARSE look bad in motion. They are used only where the path would give
 * fewer than QUALITY_SLOW frames per second without them.
 *
 * At first and after a rest TCP begins with ten packets and doubles them every round trip. A large
 * picture takes several round trips then. So a path longer than QUALITY_NEAR begins with
 * QUALITY_COARSE, one longer than QUALITY_FAR with the last step, and a near one whose rate is not
 * known with QUALITY_CAREFUL.
 *
 * Pure: no clock, no allocation.
 */
#ifndef VNCHL_QUALITY_H
#define VNCHL_QUALITY_H

#include <stdbool.h>

#include "prerequest/rules.h"
#include "prerequest/tick.h"

#ifdef __cplusplus
extern "C" {
#endif

#define QUALITY_STEPS   9
#define QUALITY_COARSE  6 /* the last step that is taken for the sake of a full frame rate */
#define QUALITY_NEAR    (20 * TICK_MS)
#define QUALITY_FAR     (200 * TICK_MS)
#define QUALITY_CAREFUL 1 /* to begin with, where the rate is not known */
#define QUALITY_FULL    0.85
#define QUALITY_AIM     0.70
#define QUALITY_SPARE   0.60 /* a step up makes less than QUALITY_FULL of it */
#define QUALITY_PLENTY  0.25 /* a step up makes less than QUALITY_SPARE of it, whatever it is */
#define QUALITY_STEP    0.78
#define QUALITY_SLOW    25.0          /* frames per second: a film's */
#define QUALITY_EVERY   (TICK_S / 2)  /* between two changes */
#define QUALITY_UP      (TICK_S)      /* spare capacity for this long before a step up */
#define QUALITY_UP_MAX  (32 * TICK_S) /* the longest that failures make it */
#define QUALITY_BACK    (TICK_S / 4)  /* the same for steps up that need no waiting */
#define QUALITY_START   4             /* round trips without a step up, after a pause */
#define QUALITY_SETTLE  2             /* updates of a new step before it is judged as too much */
#define QUALITY_SURE    8             /* before it is judged as little */

struct quality {
    rule_set without; /* rules that are switched off */
    int step;         /* 0: best */
    tick_t changed;   /* when the step was; TICK_NEVER: never */
    tick_t spare_since;
    tick_t patience;
    tick_t settles; /* no step up before */
    int before;     /* the step before a pause */
    bool returns;   /* to that */
    bool pinned;    /* the user's: the step stays 0 */
    enum { QUALITY_NEW, QUALITY_WENT_DOWN, QUALITY_WENT_UP, QUALITY_WOKE } last; /* change */
    unsigned updates; /* since the last change */
};

/* `pinned`: the user has chosen quality and compression level; the step stays 0. `without`: rules
 * that are switched off. */
void quality_init(struct quality *q, bool pinned, rule_set without);

/* The step to begin with on a path of this round trip (ns); `known`: updates have arrived. */
int quality_first(tick_t rtt, bool known);

/* An update of pixels has arrived. */
struct quality_update {
    double service; /* how long an update takes up the downlink (service.h), ns */
    tick_t gap;     /* between the content's frames (content_gap.h), ns */
    double since;   /* since the frame before, ns */
    tick_t asked;   /* when it was asked for: what was before a change says nothing about it */
};

/* When the step changes, the factor by which updates should change their size is returned, else 1.
 */
double quality_update(struct quality *q, const struct quality_update *u, tick_t now);

/* The path has become slower while an update arrives, and with it `service`. Returns the same. */
double quality_slower(struct quality *q, double service, tick_t gap, tick_t now);

/* The screen was still and moves again, and what came meanwhile is of the step `asked`. Comes back
 * to its own step soon after QUALITY_START round trips, if the path allows. Returns the same as
 * quality_update(). */
double quality_wake(struct quality *q, int asked, tick_t rtt, tick_t now);

/* Why the step is what it is, in a few words. */
const char *quality_why(const struct quality *q);

/* JPEG quality and compression level, 0..9, of a step. */
int quality_jpeg(int step);
int quality_compress(int step);

#ifdef __cplusplus
}
#endif
#endif
