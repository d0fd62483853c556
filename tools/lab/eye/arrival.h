/* Which share of a large update is on the screen, over the time since the press that asked for it:
 * figure 6 of S. Das and J. Ma, "Trading Reliability for Responsiveness in Remote Desktop".
 *
 * For scenes whose presses open something large, and close it again (scene.h). The eye draws it
 * itself, in advance. It looks at cells of 16 x 16 pixels, every 10 ms for three seconds: one that
 * is more like the new picture than like the one before, by squared differences, has arrived. So a
 * coarse cell counts as well. Cells that look the same before and after do not count. */
#ifndef VNCHL_LAB_ARRIVAL_H
#define VNCHL_LAB_ARRIVAL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "prerequest/tick.h"
#include "tools/lab/content/scene.h"
#include "tools/marks/mark.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ARRIVAL_STEP  (10 * TICK_MS)
#define ARRIVAL_STEPS 300

struct arrival {
    struct scene *scene; /* has the awaited picture; NULL: nothing is looked for */
    uint32_t *before;    /* the picture that it replaces */
    uint32_t presses;
    tick_t pressed; /* when it was asked for; TICK_NEVER: it was not yet, or is over */
    bool counts;
    int step;                     /* the next one */
    double share[ARRIVAL_STEPS];  /* of what is awaited */
    double shares[ARRIVAL_STEPS]; /* sums of all that is over */
    unsigned openings;
    unsigned left_out; /* the screen did not show the picture before when the press was made */
};

/* False when memory is short. `kind` NULL, or one that opens nothing: nothing is looked for. */
bool arrival_open(struct arrival *a, const struct scene_kind *kind, uint32_t seed);
void arrival_close(struct arrival *a);

/* A press was made at `now`. Takes some milliseconds. Not `counts`: outside of what is measured. */
void arrival_press(struct arrival *a, bool counts, tick_t now);

/* The frame mark lies at (x, y) of the screen. */
void arrival_look(struct arrival *a, const struct mark_picture *screen, int x, int y, tick_t now);

/* One JSON object in one line, without a newline: the mean share, 0 to 1, at each step. */
void arrival_write(const struct arrival *a, FILE *to);

#ifdef __cplusplus
}
#endif
#endif
