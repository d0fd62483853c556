#include "viewer/desktop/pages/menu/top_edge.h"

void top_edge_move(struct top_edge *e, int y, int bottom, tick_t now)
{
    const bool at_edge = y < TOP_EDGE_LINES;

    e->elsewhere = e->elsewhere || !at_edge;
    if (at_edge && !e->at_edge && !e->shown)
        e->since = now;
    e->at_edge = e->elsewhere && at_edge;
    e->spent = e->spent && e->at_edge;
    /* a hand is not steady: the bar stays a little below it, too */
    e->shown = e->shown && y < 2 * bottom;
}

void top_edge_leave(struct top_edge *e)
{
    *e = (struct top_edge){.elsewhere = e->elsewhere};
}

void top_edge_reset(struct top_edge *e)
{
    *e = (struct top_edge){.elsewhere = false};
}

void top_edge_spend(struct top_edge *e)
{
    e->spent = e->at_edge;
    e->shown = false;
}

bool top_edge_takes_clicks(const struct top_edge *e)
{
    return e->shown && e->armed && !e->at_edge;
}

tick_t top_edge_wait(const struct top_edge *e)
{
    if (!e->shown)
        return e->at_edge && !e->spent ? e->since + TOP_EDGE_REST : TICK_NEVER;
    if (!e->armed)
        return e->since + TOP_EDGE_ARMING;
    return e->at_edge ? e->since + TOP_EDGE_STAY : TICK_NEVER;
}

void top_edge_time(struct top_edge *e, tick_t now)
{
    if (now < top_edge_wait(e))
        return;
    if (!e->shown) {
        e->shown = true;
        e->armed = false;
        e->since = now;
    } else if (!e->armed) {
        e->armed = true;
    } else {
        top_edge_spend(e);
    }
}
