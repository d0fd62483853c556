#include "rfb/region.h"

static int rect_min(int a, int b)
{
    return a < b ? a : b;
}

static int rect_max(int a, int b)
{
    return a > b ? a : b;
}

struct rect rect_intersect(struct rect a, struct rect b)
{
    int x = rect_max(a.x, b.x), y = rect_max(a.y, b.y);
    int right = rect_min(a.x + a.w, b.x + b.w), bottom = rect_min(a.y + a.h, b.y + b.h);

    return (struct rect){x, y, rect_max(0, right - x), rect_max(0, bottom - y)};
}

struct rect rect_bounds(struct rect a, struct rect b)
{
    int x = rect_min(a.x, b.x), y = rect_min(a.y, b.y);

    return (struct rect){x, y, rect_max(a.x + a.w, b.x + b.w) - x,
                         rect_max(a.y + a.h, b.y + b.h) - y};
}

static bool rect_contains(struct rect outer, struct rect inner)
{
    return inner.x >= outer.x && inner.y >= outer.y && inner.x + inner.w <= outer.x + outer.w &&
           inner.y + inner.h <= outer.y + outer.h;
}

struct rect region_bounds(const struct region *r)
{
    struct rect all = r->rects[0];

    for (int i = 1; i < r->count; i++)
        all = rect_bounds(all, r->rects[i]);
    return all;
}

void region_add(struct region *r, struct rect add)
{
    int kept = 0;

    if (add.w <= 0 || add.h <= 0)
        return;
    for (int i = 0; i < r->count; i++)
        if (rect_contains(r->rects[i], add))
            return;
    for (int i = 0; i < r->count; i++)
        if (!rect_contains(add, r->rects[i]))
            r->rects[kept++] = r->rects[i];
    r->count = kept;
    if (r->count == REGION_MAX) {
        add = rect_bounds(add, region_bounds(r));
        r->count = 0;
    }
    r->rects[r->count++] = add;
}

void region_union(struct region *r, const struct region *other)
{
    for (int i = 0; i < other->count; i++)
        region_add(r, other->rects[i]);
}

bool rect_inside(struct rect inner, struct rect outer)
{
    struct rect cut = rect_intersect(inner, outer);

    return inner.w >= 0 && inner.h >= 0 && cut.w == inner.w && cut.h == inner.h;
}
