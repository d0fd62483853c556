#include "prerequest/know/content_gap.h"

#include <math.h>

/* The downlink has time to spare below this share of the gap. */
#define FREE 0.75
/* The share of the newest frame: about twenty frames are remembered. */
#define GAIN 0.1
/* The same for the swing: about fifty. */
#define SWING_GAIN 0.04
/* ns: enough frames for a mean, and soon enough. */
#define WINDOW (TICK_S / 2)
/* ns: after so long without a frame the screen was still. */
#define STILL TICK_S

void content_gap_init(struct content_gap *g, bool corrects)
{
    *g = (struct content_gap){.gap = CONTENT_GAP_FIRST, .corrects = corrects};
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
    if (g->corrects && g->window < (double)g->gap * g->frames)
        g->gap = (tick_t)(g->window / g->frames);
    begin_window(g);
}
