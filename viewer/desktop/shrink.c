#include "viewer/desktop/shrink.h"

#include <stdlib.h>
#include <string.h>

#define ONE 256 /* the weights of one pixel */

/* Eight channels at a time. The compiler makes of it what the processor has. */
typedef uint8_t bytes8 __attribute__((vector_size(8)));
typedef uint16_t words8 __attribute__((vector_size(16)));
#define LANES 8

static void drop_side(struct shrink_side *s)
{
    free(s->first);
    free(s->source);
    free(s->weights);
    *s = (struct shrink_side){0};
}

/* The parts of a pixel end where it ends. What of 256 lies before each end is rounded; so the
 * weights add up. */
static bool prepare_side(struct shrink_side *s, int from, int to)
{
    int parts = 0;

    drop_side(s);
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
            int64_t now = (done * ONE + from / 2) / from;

            s->weights[parts++] = (uint16_t)(now - before);
            before = now;
        }
    }
    s->first[to] = parts;
    return true;
}

void shrink_drop(struct shrink *s)
{
    drop_side(&s->x);
    drop_side(&s->y);
    free(s->row);
    s->row = NULL;
}

/* Rows are rounded up to whole vectors. */
static size_t row_lanes(int pixels)
{
    return ((size_t)pixels * 4 + LANES - 1) / LANES * LANES;
}

bool shrink_prepare(struct shrink *s, int from_w, int from_h, int to_w, int to_h)
{
    if (s->row && s->x.from == from_w && s->x.to == to_w && s->y.from == from_h && s->y.to == to_h)
        return true;
    shrink_drop(s);
    s->row = malloc(row_lanes(from_w) * sizeof *s->row);
    if (s->row && prepare_side(&s->x, from_w, to_w) && prepare_side(&s->y, from_h, to_h))
        return true;
    shrink_drop(s);
    return false;
}

/* From the first pixel that shows something of begin .. end to behind the last. */
static void cover(const struct shrink_side *s, int begin, int end, int *at, int *size)
{
    *at = (int)((int64_t)begin * s->to / s->from);
    *size = (int)(((int64_t)end * s->to + s->from - 1) / s->from) - *at;
}

struct rect shrink_target(const struct shrink *s, struct rect part)
{
    struct rect r;

    cover(&s->x, part.x, part.x + part.w, &r.x, &r.w);
    cover(&s->y, part.y, part.y + part.h, &r.y, &r.h);
    return r;
}

/* Channels i .. i + LANES of the mean of `count` rows. `size`: of these channels, those that the
 * rows have. */
static inline words8 mean_of(const uint8_t *row, size_t pitch, const uint16_t *weights, int count,
                             size_t i, size_t size)
{
    words8 sum = {0};

    sum += ONE / 2; /* rounds */
    for (int p = 0; p < count; p++, row += pitch) {
        bytes8 b = {0};

        memcpy(&b, row + i, size);
        sum += __builtin_convertvector(b, words8) * weights[p];
    }
    return sum >> 8;
}

/* The rows that row `y` covers become one: columns x .. x + w of the large picture. */
static void mean_of_rows(struct shrink *s, const uint32_t *from, int stride, int y, int x, int w)
{
    const struct shrink_side *side = &s->y;
    const uint8_t *row = (const uint8_t *)(from + (size_t)side->source[y] * (size_t)stride + x);
    const uint16_t *weights = side->weights + side->first[y];
    const int count = side->first[y + 1] - side->first[y];
    const size_t lanes = (size_t)w * 4, whole = lanes / LANES * LANES, pitch = (size_t)stride * 4;
    words8 mean;

    for (size_t i = 0; i < whole; i += LANES) {
        mean = mean_of(row, pitch, weights, count, i, LANES);
        memcpy(s->row + i, &mean, sizeof mean);
    }
    if (whole == lanes)
        return;
    mean = mean_of(row, pitch, weights, count, whole, LANES / 2); /* one pixel is left */
    memcpy(s->row + whole, &mean, sizeof mean);
}

/* Two channels are computed at a time, in the halves of a number. */
#define HALVES 0x00ff00ffu

static uint32_t dim(uint32_t pixel, unsigned light)
{
    uint32_t a = (pixel & HALVES) * light >> 8 & HALVES;
    uint32_t b = (pixel >> 8 & HALVES) * light & ~HALVES;

    return a | b;
}

/* A pixel whose channels have 16 bits each, in 32 bits. */
static uint32_t narrow(uint64_t channels)
{
    channels |= channels >> 8;
    return (uint32_t)(channels & 0xffff) | (uint32_t)(channels >> 16 & 0xffff0000u);
}

/* Four channels are computed at a time: they do not get in each other's way, because the weights
 * add up to 256. */
static void mean_of_columns(const struct shrink *s, uint32_t *to, int x, int end, unsigned light)
{
    const struct shrink_side *side = &s->x;
    const int begin = side->source[x];

    for (; x < end; x++) {
        const uint16_t *p = s->row + (size_t)(side->source[x] - begin) * 4;
        uint64_t sum = 0x0080008000800080u; /* rounds */

        for (int i = side->first[x]; i < side->first[x + 1]; i++, p += 4) {
            uint64_t pixel;

            memcpy(&pixel, p, sizeof pixel);
            sum += pixel * side->weights[i];
        }
        *to = narrow(sum >> 8 & 0x00ff00ff00ff00ffu);
        if (light < ONE)
            *to = dim(*to, light);
        to++;
    }
}

void shrink_draw(struct shrink *s, const uint32_t *from, int from_stride, uint32_t *to,
                 int to_stride, struct rect part, unsigned light)
{
    const struct shrink_side *side = &s->x;
    int last = part.x + part.w - 1, begin, width;

    if (part.w < 1 || part.h < 1)
        return;
    begin = side->source[part.x];
    width = side->source[last] + side->first[last + 1] - side->first[last] - begin;
    for (int y = part.y; y < part.y + part.h; y++) {
        mean_of_rows(s, from, from_stride, y, begin, width);
        mean_of_columns(s, to + (size_t)y * (size_t)to_stride + part.x, part.x, part.x + part.w,
                        light);
    }
}
