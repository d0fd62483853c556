#include "viewer/desktop/pan.h"

void pan_init(struct pan *p)
{
    *p = (struct pan){.due = TICK_NEVER};
}

void pan_stop(struct pan *p)
{
    p->dx = p->dy = 0;
    p->due = TICK_NEVER;
}

/* Where a side moves when the pointer is at `at` of `window`. */
static int direction(int at, int window, int begin, int size, int output)
{
    if (at < PAN_EDGE && begin < 0)
        return -1;
    return at >= window - PAN_EDGE && begin + size > output ? 1 : 0;
}

static void look(struct pan *p, const struct screen_map *m, int x, int y)
{
    p->dx = direction(x, m->window_w, m->target.x, m->target.w, m->output_w);
    p->dy = direction(y, m->window_h, m->target.y, m->target.h, m->output_h);
}

void pan_pointer(struct pan *p, const struct screen_map *map, int x, int y, tick_t now)
{
    look(p, map, x, y);
    if (p->dx == 0 && p->dy == 0)
        p->due = TICK_NEVER;
    else if (p->due == TICK_NEVER)
        p->due = now;
}

static int moved(int v, int by, int most)
{
    v += by * PAN_STEP;
    if (v > most)
        v = most;
    return v < 0 ? 0 : v;
}

bool pan_move(struct pan *p, const struct screen_map *m, tick_t now)
{
    int x, y;

    if (now < p->due)
        return false;
    x = moved(p->x, p->dx, m->target.w - m->output_w);
    y = moved(p->y, p->dy, m->target.h - m->output_h);
    p->due = now + PAN_PERIOD;
    if (x == p->x && y == p->y) { /* at the end */
        pan_stop(p);
        return false;
    }
    p->x = x;
    p->y = y;
    return true;
}
