/* What the viewer's picture looks like, as far as the far end knows: pixels that were sent exactly,
 * and of each cell whether the viewer has them. It has its own copy of them, for the server's
 * picture goes on.
 *
 * Zeroed is an empty one, of which nothing is known. One thread at a time.
 */
#ifndef VNCHL_SHADOW_H
#define VNCHL_SHADOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rfb/region.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Pixels of a picture at most, else nothing is known of it. 32 MiB: 3840x2160. */
#define SHADOW_PIXELS_MOST (1 << 23)

enum shadow_state {
    SHADOW_UNKNOWN,
    SHADOW_SENT,     /* it left as a datagram, and nothing was told of it yet */
    SHADOW_STREAMED, /* it left on the stream, likewise */
    SHADOW_HAS,      /* the viewer has it */
};

struct shadow {
    int width, height; /* pixels */
    int columns, rows; /* cells */
    uint32_t *pixels;  /* 0x00RRGGBB; NULL: nothing is known */
    uint8_t *state;    /* of each cell */
};

void shadow_deinit(struct shadow *s);

/* A new picture, of which nothing is known. False: it is too large, or there is no memory; then it
 * stays so. */
bool shadow_begin(struct shadow *s, int width, int height);

/* Nothing is known any more. */
void shadow_forget(struct shadow *s);

/* These whole cells left, as `now` has them, a picture of the same size; or with loss, if state is
 * SHADOW_UNKNOWN. */
void shadow_put(struct shadow *s, const uint32_t *now, struct rect area, enum shadow_state state);

/* The viewer copies within its picture, by a block of the stream; not only whole cells. */
void shadow_copy(struct shadow *s, struct rect area, int from_x, int from_y);

/* Whether all of this is known; `sure`: and the viewer has it. It may end inside of cells. */
bool shadow_knows(const struct shadow *s, struct rect area, bool sure);

/* Whether all of this is known for a block of the stream that comes next: no datagram may have been
 * lost. */
bool shadow_knows_streamed(const struct shadow *s, struct rect area);

/* Whether `now` looks here as the shadow does there. Both are in the picture. */
bool shadow_is(const struct shadow *s, const uint32_t *now, struct rect area, int from_x,
               int from_y);

static inline uint8_t *shadow_at(const struct shadow *s, int column, int row)
{
    return s->state + (size_t)row * (size_t)s->columns + column;
}

/* The cells that a rectangle has, or has parts of. */
struct rect shadow_cells(struct rect area);
/* The pixels of cells, cut off at the edges of a picture. */
struct rect shadow_pixels(struct rect cells, int width, int height);

#ifdef __cplusplus
}
#endif
#endif
