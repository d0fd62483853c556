/* A small set of rectangles: what changed.
 *
 * Exact while it is simple, a bounding box when it is not: past REGION_MAX rectangles they are
 * merged into one. It may therefore cover more than was added, never less. Value type.
 */
#ifndef VNCHL_REGION_H
#define VNCHL_REGION_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

#define REGION_MAX 32

struct rect {
    int x, y, w, h;
};

struct region {
    struct rect rects[REGION_MAX];
    int count;
};

static inline void region_clear(struct region *r)
{
    r->count = 0;
}

/* Adds a rectangle; empty ones are ignored. */
void region_add(struct region *r, struct rect add);

/* Adds every rectangle of `other`. */
void region_union(struct region *r, const struct region *other);

/* The smallest rectangle that has all of it. It is not empty. */
struct rect region_bounds(const struct region *r);

/* The part of `a` inside `b`; empty (w or h 0) when they do not meet. */
struct rect rect_intersect(struct rect a, struct rect b);

/* The smallest one that has both. */
struct rect rect_bounds(struct rect a, struct rect b);

/* Whether all of `inner` lies inside `outer`; its size is not negative then. */
bool rect_inside(struct rect inner, struct rect outer);

#ifdef __cplusplus
}
#endif
#endif
