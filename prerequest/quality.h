/* JPEG quality and compression level that fit the path.
 *
 * Both matter: TightVNC uses JPEG for moving pictures only at compression level 3 and above, so no
 * step has a lower one. They are taken together, as steps from the best picture to the smallest.
 * The rule, in the spirit of Octopus's adaptation (section 4.3), which weighs frame rate against
 * quality: motion first, up to the content's own rate, then quality from what the path has left;
 * what was sent with loss is refreshed when it stands still, so quality in motion is the cheaper of
 * the two. With
 *
 *   need = service / gap      the share of the downlink that the content's full rate takes
 *
 * (service as in path.h, gap between the content's frames), once the present step has shown:
 *
 *   need > QUALITY_FULL    down, by as many steps as bring it to QUALITY_AIM: a step is taken for
 *                          QUALITY_STEP of the bytes
 *   need < QUALITY_SPARE for a while   up one step; when that was too much soon after,
 *                          the while doubles
 *   need < QUALITY_PLENTY  up one step as soon as the last one has shown, unless one was too much
 *
 * The gap is measured as long as the path is not the limit. While it is, the content may be faster
 * than what arrives: the last gap seen counts, QUALITY_GAP before one was. It is not slower, so
 * frames that arrive faster than that for half a second correct it at once.
 *
 * Steps beyond QUALITY_COARSE look bad in motion, so they are used only below QUALITY_SLOW frames
 * per second.
 *
 * At first and after a pause TCP begins with ten packets and doubles them every round trip. A large
 * picture takes several then, so on a path longer than QUALITY_NEAR it begins with QUALITY_COARSE,
 * on one longer than QUALITY_FAR with the last step, and on a near one whose rate is not known with
 * QUALITY_CAREFUL.
 *
 * Pure; part of the scheduler.
 */
#ifndef VNCHL_QUALITY_H
#define VNCHL_QUALITY_H

#include <stdbool.h>

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
#define QUALITY_GAP     (TICK_S / 30) /* of content that has not shown its own rate yet */
#define QUALITY_EVERY   (TICK_S / 2)  /* between two changes */
#define QUALITY_UP      (TICK_S)      /* spare capacity for this long before a step up */
#define QUALITY_UP_MAX  (32 * TICK_S) /* the longest that failures make it */
#define QUALITY_BACK    (TICK_S / 4)  /* the same for steps up that need no waiting */
#define QUALITY_START   4             /* round trips without a step up, after a pause */
#define QUALITY_FIRST   (TICK_S / 2)
#define QUALITY_SETTLE  2 /* updates of a new step before it is judged as too much */
#define QUALITY_SURE    8 /* before it is judged as little */

struct quality {
    int step;      /* 0: best */
    tick_t gap;    /* of the content, ns */
    double window; /* ns: over which frames are counted */
    unsigned frames;
    tick_t changed; /* when the step was; TICK_NEVER: never */
    tick_t spare_since;
    tick_t patience;
    tick_t settles; /* no step up before */
    int before;     /* the step before a pause */
    bool returns;   /* to that */
    bool pinned;    /* the user's: the step stays 0 */
    enum { QUALITY_NEW, QUALITY_WENT_DOWN, QUALITY_WENT_UP, QUALITY_WOKE } last; /* change */
    unsigned updates; /* since the last change */
};

void quality_init(struct quality *q);

/* An update of pixels has arrived. */
struct quality_update {
    double service; /* as in path.h, ns */
    double gap;     /* since the one before, ns */
    double busy;    /* share of the downlink */
    bool waited;    /* a request waited at the server for it */
    tick_t asked;   /* when it was: what was asked for before a change says nothing */
};

/* When the step changes, the factor by which updates should change their size is returned, else 1.
 */
double quality_update(struct quality *q, const struct quality_update *u, tick_t now);

/* The path has become slower while an update arrives, and with it `service`. Returns the same. */
double quality_slower(struct quality *q, double service, tick_t now);

/* The first picture takes that long without TCP's slow start, ns: begins with a step at which
 * another one would take no more than QUALITY_FIRST. */
void quality_begin(struct quality *q, double takes);

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
