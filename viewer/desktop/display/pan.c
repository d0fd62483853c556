#include "viewer/desktop/display/pan.h"

#include <stdint.h>

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
static int pan_direction(int at, int window, int begin, int size, int output)
{
    if (at < PAN_EDGE && begin < 0)
        return -1;
    return at >= window - PAN_EDGE && begin + size > output ? 1 : 0;
}

static void pan_look(struct pan *p, const struct screen_map *m, int x, int y)
{
    p->dx = pan_direction(x, m->window_w, m->target.x, m->target.w, m->output_w);
    p->dy = pan_direction(y, m->window_h, m->target.y, m->target.h, m->output_h);
}

void pan_pointer(struct pan *p, const struct screen_map *map, int x, int y, tick_t now)
{
    if (p->held)
        return;
    pan_look(p, map, x, y);
    if (p->dx == 0 && p->dy == 0)
        p->due = TICK_NEVER;
    else if (p->due == TICK_NEVER)
        p->due = now;
}

static int pan_within(int v, int most)
{
    if (v > most)
        v = most;
    return v < 0 ? 0 : v;
}

/* To what is left out of a picture; true when that is news. */
static bool pan_move_to(struct pan *p, const struct screen_map *m, int x, int y)
{
    const int old_x = p->x, old_y = p->y;

    p->x = pan_within(x, m->target.w - m->output_w);
    p->y = pan_within(y, m->target.h - m->output_h);
    return p->x != old_x || p->y != old_y;
}

static int to_output(int at, int window, int output)
{
    return (int)((int64_t)at * output / window);
}

bool pan_hold(struct pan *p, const struct screen_map *m, int x, int y)
{
    p->held = m->target.w > m->output_w || m->target.h > m->output_h;
    if (!p->held)
        return false;
    pan_stop(p);
    p->held_x = to_output(x, m->window_w, m->output_w) + p->x;
    p->held_y = to_output(y, m->window_h, m->output_h) + p->y;
    return true;
}

bool pan_drag(struct pan *p, const struct screen_map *m, int x, int y)
{
    return p->held && pan_move_to(p, m, p->held_x - to_output(x, m->window_w, m->output_w),
                                  p->held_y - to_output(y, m->window_h, m->output_h));
}

void pan_let_go(struct pan *p)
{
    p->held = false;
}

bool pan_event(struct pan *p, const struct screen_map *m, const SDL_Event *e, bool keys,
               bool *moved)
{
    *moved = false;
    switch (e->type) {
    case SDL_MOUSEBUTTONDOWN:
        return e->button.button == SDL_BUTTON_LEFT && keys &&
               pan_hold(p, m, e->button.x, e->button.y);
    case SDL_MOUSEMOTION:
        *moved = pan_drag(p, m, e->motion.x, e->motion.y);
        return p->held;
    case SDL_MOUSEBUTTONUP:
        if (!p->held || e->button.button != SDL_BUTTON_LEFT)
            return false;
        pan_let_go(p);
        return true;
    default:
        return false;
    }
}

bool pan_move(struct pan *p, const struct screen_map *m, tick_t now)
{
    if (now < p->due)
        return false;
    p->due = now + PAN_PERIOD;
    if (pan_move_to(p, m, p->x + p->dx * PAN_STEP, p->y + p->dy * PAN_STEP))
        return true;
    pan_stop(p); /* at the end */
    return false;
}
