#include "prerequest/know/content_gap.h"

#include <math.h>

#include "prerequest/rules.h"

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
    if (f->since >= (double)CONTENT_GAP_STILL) {
        begin_window(g);
        return;
    }
    g->swing +=
        (tick_t)(CONTENT_GAP_SWING_GAIN * (fabs(f->since - (double)g->gap) - (double)g->swing));
    if (f->waited && f->busy < CONTENT_GAP_FREE && f->service < CONTENT_GAP_FREE * f->since)
        g->gap += (tick_t)(CONTENT_GAP_GAIN * (f->since - (double)g->gap));
    g->window += f->since;
    g->frames++;
    if (g->window < (double)CONTENT_GAP_WINDOW)
        return;
    if (rule_on(RULE_FAST_CONTENT) && g->window < (double)g->gap * g->frames)
        g->gap = (tick_t)(g->window / g->frames);
    begin_window(g);
}
