/* How good the pictures are: JPEG quality and compression level that fit the path.
 *
 * The two are chosen together, in QUALITY_STEPS steps from the best picture (0) to the smallest.
 * Both matter: TightVNC's server uses JPEG for moving pictures only at compression level 3 and
 * above, so no step has a lower one.
 *
 * Octopus (section 4.3) weighs frame rate against quality. Here motion comes first, up to the
 * content's own rate, and quality takes what the path has left. The reason: quality that is lost in
 * motion comes back, because what was sent with loss is asked for again when it stands still
 * (refresh.h). Let
 *
 *   need = service / gap      the share of the downlink that the content's full rate takes
 *
 * (downlink.h, content_gap.h). Once updates of the present step have arrived:
 *
 *   need > QUALITY_FULL     down, by as many steps as bring `need` to QUALITY_AIM, if each step
 *                           leaves QUALITY_STEP of the bytes
 *   need < QUALITY_SPARE    up one step after a while. If that was too much, the while doubles.
 *                           After QUALITY_CALM such whiles without a change it halves.
 *   need < QUALITY_PLENTY   up one step as soon as the last one has shown, unless a step up was too
 *                           much lately
 *
 * For example: an update takes 30 ms, the gap is 33 ms: need is 0.9. Two steps down are expected to
 * make it 0.9 x 0.78 x 0.78 = 0.55.
 *
 * Steps beyond QUALITY_COARSE look bad in motion. They are used only where the path would give
 * fewer than QUALITY_SLOW frames per second without them.
 *
 * At the start and after a rest TCP begins with ten packets, and doubles them every round trip. A
 * picture of 160 kB takes four round trips then. So a path longer than QUALITY_NEAR begins with
 * QUALITY_COARSE, one longer than QUALITY_FAR with the last step, and a near one whose rate is not
 * known with QUALITY_CAREFUL. Where an earlier session has needed a smaller picture, it begins with
 * that (scheduler_options.first_quality).
 *
 * Pure: no clock, no allocation.
 */
#ifndef VNCHL_QUALITY_H
#define VNCHL_QUALITY_H

#include <stdbool.h>

#include "prerequest/decide/constants.h"
#include "prerequest/tick.h"

#ifdef __cplusplus
extern "C" {
#endif

struct quality {
    int step;           /* 0: best */
    tick_t changed;     /* when the step changed last; TICK_NEVER: never */
    tick_t calm_since;  /* the last change, or when `patience` was halved since; TICK_NEVER: none */
    tick_t spare_since; /* since when the path has had room; TICK_NEVER: it has none */
    tick_t patience;    /* ns with room before a step up */
    tick_t settles;     /* no step up before this time */
    int before;         /* the step before a rest */
    bool returns;       /* it goes back to that step without waiting */
    bool pinned;        /* the user has chosen: the step stays 0 */
    enum { QUALITY_NEW, QUALITY_WENT_DOWN, QUALITY_WENT_UP, QUALITY_WOKE } last; /* change */
    unsigned updates; /* since the last change */
};

/* `pinned`: the user has chosen quality and compression level; the step stays 0. */
void quality_init(struct quality *q, bool pinned);

/* The step to begin with on a path whose round trip is `rtt` ns. `known`: updates have arrived. */
int quality_first(tick_t rtt, bool known);

/* The step that was found to fit the path; -1: nothing is known yet. */
int quality_reached(const struct quality *q);

/* An update of pixels has arrived. */
struct quality_update {
    double service; /* how long an update takes up the downlink (downlink.h), ns */
    tick_t gap;     /* between the content's frames (content_gap.h), ns */
    double since;   /* the time since the frame before, ns */
    tick_t asked;   /* when it was asked for. Before the last change: it says nothing about that. */
};

/* Returns the factor by which the size of updates is expected to change; 1 when the step stays. */
double quality_update(struct quality *q, const struct quality_update *u, tick_t now);

/* The path has become slower while an update arrives. `service` (ns) is already that of the slow
 * path. Returns the factor, as quality_update(). */
double quality_slower(struct quality *q, double service, tick_t gap, tick_t now);

/* The screen was still and moves again. The server was told the step `asked` meanwhile, so that is
 * the step now. It comes back to its own step soon after QUALITY_START round trips of `rtt` ns, if
 * the path allows. Returns the factor, as quality_update(). */
double quality_wake(struct quality *q, int asked, tick_t rtt, tick_t now);

/* The user lets the quality follow the path (`follows`), or not any more; or has chosen it
 * (`pinned`). Where it does not follow, the step is 0. Returns the factor, as quality_update(). */
double quality_restart(struct quality *q, bool pinned, bool follows, tick_t now);

/* Why the step changed last, in a few words. A constant text. */
const char *quality_why(const struct quality *q);

/* JPEG quality and compression level, 0..9, of a step. */
int quality_jpeg(int step);
int quality_compress(int step);

#ifdef __cplusplus
}
#endif
#endif
