/* Which parts of the picture were sent with loss and have not come without it since.
 *
 * Tiles of 16 x 16 pixels. A tile that a JPEG rectangle touches is lossy; one that another
 * rectangle covers is not. What is asked for again goes out in slices of whole tiles, so that a
 * slice does not keep the line for long; a tile that was asked for and has been answered is clean.
 *
 * Not locked: the session's lock. Memory only for the tiles.
 */
#ifndef VNCHL_LOSSY_H
#define VNCHL_LOSSY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "prerequest/tick.h"
#include "rfb/region.h"

#ifdef __cplusplus
extern "C" {
#endif

#define LOSSY_TILE   16
#define LOSSY_SLICES 32 /* asked for at the same time */

struct lossy {
    uint8_t *tiles;
    int columns, rows, width, height;
    size_t count; /* tiles that are lossy and not asked for */
    struct {
        struct rect area;
        tick_t asked;
    } slices[LOSSY_SLICES];
    unsigned first, asked; /* slices on their way: a ring */
};

/* All clean, for a picture of this size. False when out of memory; then nothing is ever lossy. */
bool lossy_resize(struct lossy *l, int width, int height);
void lossy_deinit(struct lossy *l);

/* A rectangle has been decoded. `jpeg`: what it shows has, or may have, come with loss. */
void lossy_drawn(struct lossy *l, struct rect r, bool jpeg);

/* Whether something is lossy and not asked for. */
static inline bool lossy_any(const struct lossy *l)
{
    return l->count > 0;
}

/* How many pixels are; whole tiles. */
static inline uint64_t lossy_pixels(const struct lossy *l)
{
    return (uint64_t)l->count * LOSSY_TILE * LOSSY_TILE;
}

/* Whether a rectangle lies in slices that were asked for: no news, only a better picture. */
bool lossy_asked_for(const struct lossy *l, struct rect r);

/* Whether an update may answer a slice: it left after what was asked until then had arrived. */
bool lossy_answers(const struct lossy *l, tick_t asked_until);

/* Takes the next slice of about so many pixels, at least one tile. False when there is none, or too
 * many are on their way. */
bool lossy_take(struct lossy *l, size_t pixels, tick_t now, struct rect *slice);

/* An update that answers everything asked up to then has arrived, and its rectangles were told to
 * lossy_drawn(): those slices are clean, but for what it brought with loss again. */
void lossy_answered(struct lossy *l, tick_t asked_until);

/* What is on its way counts as lossy again. */
void lossy_give_up(struct lossy *l);

#ifdef __cplusplus
}
#endif
#endif
