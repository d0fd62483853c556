#include "rfb/pusher/update_parts.h"

#include <string.h>

#include "rfb/decode/framebuffer.h"
#include "rfb/pusher/constants.h"

void update_parts_add(struct update_parts *p, const struct update_part *part)
{
    static const struct rect all = {0, 0, FRAMEBUFFER_MAX_SIDE, FRAMEBUFFER_MAX_SIDE};

    if (p->count < UPDATE_PARTS)
        p->part[p->count++] = *part;
    else
        p->part[UPDATE_PARTS - 1] = (struct update_part){.area = all};
}

/* ---- copies that are nearly one ---- */

static struct rect parts_from(const struct update_part *part)
{
    return (struct rect){part->from_x, part->from_y, part->area.w, part->area.h};
}

static bool parts_meet(struct rect a, struct rect b)
{
    struct rect both = rect_intersect(a, b);

    return both.w > 0 && both.h > 0;
}

/* Whether it moves as the first one does, and is not of what one of these has copied. */
static bool parts_follow(const struct update_part *first, unsigned count,
                         const struct update_part *next)
{
    if (!next->copied || next->area.x - next->from_x != first->area.x - first->from_x ||
        next->area.y - next->from_y != first->area.y - first->from_y)
        return false;
    for (unsigned i = 0; i < count; i++)
        if (parts_meet(parts_from(next), first[i].area))
            return false;
    return true;
}

/* Takes a part out of the rectangle; what is left of it goes behind the others. Returns how many
 * there are then. */
static unsigned parts_cut(struct rect *left, unsigned count, unsigned which, struct rect part)
{
    struct rect r = left[which], both = rect_intersect(r, part);
    const struct rect around[] = {
        {r.x, r.y, r.w, both.y - r.y},
        {r.x, both.y + both.h, r.w, r.y + r.h - both.y - both.h},
        {r.x, both.y, both.x - r.x, both.h},
        {both.x + both.w, both.y, r.x + r.w - both.x - both.w, both.h},
    };

    left[which] = left[--count];
    for (unsigned i = 0; i < sizeof around / sizeof *around; i++)
        if (around[i].w > 0 && around[i].h > 0)
            left[count++] = around[i];
    return count;
}

/* What is between the copies: at most so many rectangles; else `most` + 1. */
static unsigned parts_between(const struct update_part *first, unsigned count, struct rect bounds,
                              struct rect *left, unsigned most)
{
    unsigned pieces = 1;

    left[0] = bounds;
    for (unsigned i = 0; i < count; i++)
        for (unsigned k = 0; k < pieces;) {
            if (!parts_meet(left[k], first[i].area)) {
                k++;
                continue;
            }
            pieces = parts_cut(left, pieces, k, first[i].area);
            if (pieces > UPDATE_PARTS_JOINED)
                return most + 1;
        }
    return pieces <= most ? pieces : most + 1;
}

/* Joins these. Returns how many parts they are then. */
static unsigned parts_join(struct update_part *first, unsigned count)
{
    struct rect left[UPDATE_PARTS_JOINED + 4], bounds = first->area;
    int64_t pixels = 0;
    unsigned between;

    for (unsigned i = 0; i < count; i++) {
        bounds = rect_bounds(bounds, first[i].area);
        pixels += (int64_t)first[i].area.w * first[i].area.h;
    }
    if (count < 2 || pixels * 100 < (int64_t)bounds.w * bounds.h * UPDATE_PARTS_NEARLY)
        return count;
    between = parts_between(first, count, bounds, left, count - 1);
    if (between > count - 1)
        return count;
    first->from_x += bounds.x - first->area.x;
    first->from_y += bounds.y - first->area.y;
    first->area = bounds;
    for (unsigned i = 0; i < between; i++)
        first[1 + i] = (struct update_part){.area = left[i]};
    return 1 + between;
}

void update_parts_join(struct update_parts *p)
{
    unsigned first = 0, count = 0, joined;

    while (first < p->count && !p->part[first].copied)
        first++;
    if (first == p->count)
        return;
    while (first + count < p->count && count < UPDATE_PARTS_JOINED &&
           parts_follow(p->part + first, count, p->part + first + count))
        count++;
    joined = parts_join(p->part + first, count);
    memmove(p->part + first + joined, p->part + first + count,
            (p->count - first - count) * sizeof *p->part);
    p->count -= count - joined;
}
