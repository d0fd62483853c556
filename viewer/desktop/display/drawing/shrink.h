/* Makes a picture smaller: each pixel of the small one is the mean of all that it covers of the
 * large one, in proportion to how much of each. So no line of a text is left out, as it is where
 * only the nearest pixels are looked at.
 *
 * A part of the picture can be done alone, and comes out as it would with all of it.
 *
 * Pure but for memory; UI thread. Pixels are 0x00RRGGBB.
 */
#ifndef VNCHL_SHRINK_H
#define VNCHL_SHRINK_H

#include <stdbool.h>
#include <stdint.h>

#include "rfb/region.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Which pixels of one side are covered, and by how much. */
struct shrink_side {
    int from, to;      /* pixels; `to` is not larger than `from` */
    int *first;        /* to + 1: pixel i covers the parts first[i] .. first[i + 1] */
    int *source;       /* to: where the first of its parts is */
    uint16_t *weights; /* of the parts; those of one pixel add up to 256 */
};

struct shrink {
    struct shrink_side x, y;
    uint16_t *rows; /* of some columns of the large picture, a number for each channel */
    bool wide;      /* the processor has wide vectors, which are used; the result is the same */
};

/* Prepares for these sizes, if they are others than before: to_w <= from_w, to_h <= from_h, none
 * is 0. False when out of memory. */
bool shrink_prepare(struct shrink *s, int from_w, int from_h, int to_w, int to_h);
void shrink_drop(struct shrink *s);

/* The pixels of the small picture that show something of this part of the large one. */
struct rect shrink_target(const struct shrink *s, struct rect part);

/* Writes the pixels `part` of the small picture. `to` is its first pixel, or would be: only `part`
 * is touched. Strides are in pixels. `light` of 256: how bright it is. */
void shrink_draw(struct shrink *s, const uint32_t *from, int from_stride, uint32_t *to,
                 int to_stride, struct rect part, unsigned light);

#ifdef __cplusplus
}
#endif
#endif
