#include "prerequest/know/content_gap.h"

#include <math.h>

#include "prerequest/rules.h"

/* The downlink has time to spare while less than this share of its time is used. Chosen. */
#define FREE 0.75
/* How much the newest frame counts, 0..1: the mean is of the last twenty or so. Chosen. */
#define GAIN 0.1
/* The same for the swing: of the last fifty or so. Chosen. */
#define SWING_GAIN 0.04
/* ns: frames are counted for so long before they correct the gap. At 30 frames per second these
 * are 15, which is enough for a mean. Chosen. */
#define WINDOW (TICK_S / 2)
/* ns: after so long without a frame the content was still, so this time is no gap. Chosen. */
#define STILL TICK_S

void content_gap_init(struct content_gap *g)
{
    *g = (struct content_gap){.gap = CONTENT_GAP_FIRST};
}

static void begin_window(struct content_gap *g)
{
    g->window = g->frames = 0;
}

void content_gap_frame(struct content_gap *g, const struct content_frame *f)
{
    if (f->since >= (double)STILL) {
        begin_window(g);
        return;
    }
    g->swing += (tick_t)(SWING_GAIN * (fabs(f->since - (double)g->gap) - (double)g->swing));
    if (f->waited && f->busy < FREE && f->service < FREE * f->since)
        g->gap += (tick_t)(GAIN * (f->since - (double)g->gap));
    g->window += f->since;
    g->frames++;
    if (g->window < (double)WINDOW)
        return;
    if (rule_on(RULE_FAST_CONTENT) && g->window < (double)g->gap * g->frames)
        g->gap = (tick_t)(g->window / g->frames);
    begin_window(g);
}
