/* How good the pictures of what moves are: a step of JPEG quality that fits the path.
 *
 * As for the servers that are asked (decide/quality.h), motion comes first, up to the content's own
 * rate, and quality takes what is left; what was sent with loss comes again exact when it is still.
 * Octopus (section 4.3) weighs the two against each other instead. Let
 *
 *   service = bytes of a frame / rate of the path
 *   need    = service / gap           gap: the time between the content's frames
 *
 *   need > LEVEL_FULL    down, by as many steps as bring it to LEVEL_AIM, if each step leaves
 *                        LEVEL_STEP of the bytes
 *   need < LEVEL_SPARE   up, soon, by as many steps as leave it below LEVEL_AIM. If none does, one
 *                        step after a while. If that was too much, the while doubles, and only
 *                        single steps are taken: at once where two would fit.
 *
 * For example: a frame takes 32 ms, the gap is 33 ms: need is 0.97. Two steps down are expected to
 * make it 0.97 x 0.78 x 0.78 = 0.59.
 *
 * On a far path the rate is found by what the pictures take of it (push/flow.h: their pace is seen
 * to be carried). So steps up follow it quickly, and use most of it.
 *
 * The rate is that of push/flow.h. The content's gap is measured as for those servers
 * (know/content_gap.h).
 *
 * Pure.
 */
#ifndef VNCHL_PUSH_LEVEL_H
#define VNCHL_PUSH_LEVEL_H

#include <stdbool.h>

#include "prerequest/push/constants.h"
#include "prerequest/tick.h"

#ifdef __cplusplus
extern "C" {
#endif

struct push_level {
    int pinned; /* JPEG quality that the user has chosen; 0: it follows the path */
    int step;
    unsigned frames;    /* since the last change */
    tick_t changed;     /* when the step changed last */
    tick_t spare_since; /* since when there is room; TICK_NEVER: there is none */
    tick_t patience;    /* with room before a step up, ns */
    int before;         /* the step before a rest */
    bool returns;       /* it goes back there */
    bool went_up;       /* the last change */
    double expected;    /* ns: what a frame was to take after the last step up */
};

void push_level_init(struct push_level *l, tick_t now);

/* `level`: the user's choice, 0..9 as VNC's JPEG levels; -1: it follows the path. */
void push_level_pin(struct push_level *l, int level);

/* The first round trip was measured, ns: where to begin. */
void push_level_path(struct push_level *l, tick_t rtt, tick_t now);

/* Something moves after a rest. A far path is slow at first then, so the quality begins as at
 * first, and comes back to what it was without waiting. */
void push_level_wake(struct push_level *l, tick_t rtt, tick_t now);

/* A frame that was begun at `begun` takes `service` ns of the path, and one comes every `gap` ns.
 */
void push_level_frame(struct push_level *l, double service, double gap, tick_t begun, tick_t now);

/* JPEG quality, 1..100. */
int push_level_jpeg(const struct push_level *l);

#ifdef __cplusplus
}
#endif
#endif
