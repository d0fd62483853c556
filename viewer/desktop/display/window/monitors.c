#include "viewer/desktop/display/window/monitors.h"

/* The number of this monitor, from 0: how many come before it. */
static int number_of(const struct monitors *m, int monitor)
{
    const struct rect *own = &m->at[monitor];
    int before = 0;

    for (int i = 0; i < m->count; i++) {
        const struct rect *r = &m->at[i];

        before += r->x < own->x || (r->x == own->x && r->y < own->y) ||
                  (r->x == own->x && r->y == own->y && i < monitor);
    }
    return before;
}

static bool is_chosen(const struct monitors *m, int monitor, const struct full_screen *wish)
{
    return wish->mode == FULL_SCREEN_ALL ||
           (wish->mode == FULL_SCREEN_SELECTED && wish->selected >> number_of(m, monitor) & 1);
}

static void monitors_widen(struct monitors_span *s, const struct monitors *m, int monitor)
{
    const struct rect *r = &m->at[monitor];

    if (s->count++ == 0) {
        s->top = s->bottom = s->left = s->right = monitor;
        return;
    }
    if (r->y < m->at[s->top].y)
        s->top = monitor;
    if (r->y + r->h > m->at[s->bottom].y + m->at[s->bottom].h)
        s->bottom = monitor;
    if (r->x < m->at[s->left].x)
        s->left = monitor;
    if (r->x + r->w > m->at[s->right].x + m->at[s->right].w)
        s->right = monitor;
}

static int monitors_bits(uint32_t set)
{
    int n = 0;

    for (; set; set &= set - 1)
        n++;
    return n;
}

struct monitors_span monitors_choose(const struct monitors *m, const struct full_screen *wish)
{
    struct monitors_span s = {0};

    for (int i = 0; i < m->count; i++)
        if (is_chosen(m, i, wish))
            monitors_widen(&s, m, i);
    if (s.count > 0) {
        s.area.x = m->at[s.left].x;
        s.area.y = m->at[s.top].y;
        s.area.w = m->at[s.right].x + m->at[s.right].w - s.area.x;
        s.area.h = m->at[s.bottom].y + m->at[s.bottom].h - s.area.y;
    }
    s.missing = wish->mode == FULL_SCREEN_SELECTED && monitors_bits(wish->selected) > s.count;
    return s;
}

struct monitors_span monitors_one(const struct monitors *m, int x, int y)
{
    struct monitors_span s = {0};
    int found = 0;

    for (int i = 0; i < m->count; i++) {
        const struct rect *r = &m->at[i];

        if (x >= r->x && x < r->x + r->w && y >= r->y && y < r->y + r->h)
            found = i;
    }
    if (m->count > 0)
        monitors_widen(&s, m, found);
    s.area = m->at[found];
    return s;
}
