#include "viewer/desktop/display/drawing/shrink.h"

#include <stdlib.h>
#include <string.h>

#define SHRINK_ONE 256 /* the weights of one pixel */

/* So many rows of the small picture are made at a time, at most. */
#define SHRINK_ROWS_MAX 4
/* Columns of the large picture that are done at a time: what is in between stays in the fastest
 * cache. Chosen. */
#define SHRINK_COLUMNS 256

/* The same twice: for every processor, and for one with vectors of 32 bytes. */
#define SHRINK_ROWS 2
#define SHRINK_TARGET
#define SHRINK(name) name##_plain
#include "viewer/desktop/display/drawing/shrink_block.h"

#ifdef __x86_64__
#define SHRINK_ROWS   4
#define SHRINK_TARGET __attribute__((target("avx2")))
#define SHRINK(name)  name##_wide
#include "viewer/desktop/display/drawing/shrink_block.h"
#else
#define shrink_block_wide shrink_block_plain
#endif

static void shrink_drop_side(struct shrink_side *s)
{
    free(s->first);
    free(s->source);
    free(s->weights);
    *s = (struct shrink_side){0};
}

/* The parts of a pixel end where it ends. What of 256 lies before each end is rounded; so the
 * weights add up. */
static bool shrink_prepare_side(struct shrink_side *s, int from, int to)
{
    int parts = 0;

    shrink_drop_side(s);
    s->first = malloc(((size_t)to + 1) * sizeof *s->first);
    s->source = malloc((size_t)to * sizeof *s->source);
    s->weights = malloc(((size_t)from + (size_t)to) * sizeof *s->weights);
    if (!s->first || !s->source || !s->weights)
        return false;
    s->from = from;
    s->to = to;
    for (int i = 0; i < to; i++) {
        /* in units of 1 / to of a source pixel */
        int64_t begin = (int64_t)i * from, end = begin + from;
        int64_t before = 0;

        s->first[i] = parts;
        s->source[i] = (int)(begin / to);
        for (int64_t p = begin / to; p * to < end; p++) {
            int64_t done = (p + 1) * to < end ? (p + 1) * to - begin : from;
            int64_t now = (done * SHRINK_ONE + from / 2) / from;

            s->weights[parts++] = (uint16_t)(now - before);
            before = now;
        }
    }
    s->first[to] = parts;
    return true;
}

static bool shrink_has_wide(void)
{
#ifdef __x86_64__
    return __builtin_cpu_supports("avx2");
#else
    return false;
#endif
}

void shrink_drop(struct shrink *s)
{
    shrink_drop_side(&s->x);
    shrink_drop_side(&s->y);
    free(s->rows);
    s->rows = NULL;
}

bool shrink_prepare(struct shrink *s, int from_w, int from_h, int to_w, int to_h)
{
    size_t columns;

    if (s->rows && s->x.from == from_w && s->x.to == to_w && s->y.from == from_h && s->y.to == to_h)
        return true;
    shrink_drop(s);
    columns = SHRINK_COLUMNS + (size_t)(from_w / to_w) + 2; /* a part of one lies at each end */
    s->rows = calloc(columns * 4 * SHRINK_ROWS_MAX, sizeof *s->rows);
    s->wide = shrink_has_wide();
    if (s->rows && shrink_prepare_side(&s->x, from_w, to_w) &&
        shrink_prepare_side(&s->y, from_h, to_h))
        return true;
    shrink_drop(s);
    return false;
}

/* From the first pixel that shows something of begin .. end to behind the last. */
static void shrink_cover(const struct shrink_side *s, int begin, int end, int *at, int *size)
{
    *at = (int)((int64_t)begin * s->to / s->from);
    *size = (int)(((int64_t)end * s->to + s->from - 1) / s->from) - *at;
}

struct rect shrink_target(const struct shrink *s, struct rect part)
{
    struct rect r;

    shrink_cover(&s->x, part.x, part.x + part.w, &r.x, &r.w);
    shrink_cover(&s->y, part.y, part.y + part.h, &r.y, &r.h);
    return r;
}

static int shrink_less(int a, int b)
{
    return a < b ? a : b;
}

void shrink_draw(struct shrink *s, const uint32_t *from, int from_stride, uint32_t *to,
                 int to_stride, struct rect part, unsigned light)
{
    const int right = part.x + part.w, bottom = part.y + part.h;
    const int64_t columns = (int64_t)SHRINK_COLUMNS * s->x.to / s->x.from;
    const int step = columns > 1 ? (int)columns : 1, rows = s->wide ? 4 : 2;

    for (int y = part.y; y < bottom; y += rows)
        for (int x = part.x; x < right; x += step) {
            struct rect block = {x, y, shrink_less(step, right - x), shrink_less(rows, bottom - y)};

            if (s->wide)
                shrink_block_wide(s, from, from_stride, to, to_stride, block, light);
            else
                shrink_block_plain(s, from, from_stride, to, to_stride, block, light);
        }
}
