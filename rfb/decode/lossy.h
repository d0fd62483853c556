/* Which parts of the picture came with loss, and have not come without loss since.
 *
 * The picture is cut into tiles of 16 x 16 pixels. A tile that a JPEG rectangle touches is lossy. A
 * tile that another rectangle covers as a whole is clean. Lossy tiles are asked for again in
 * *slices*: rectangles of whole tiles, small enough not to keep the line busy for long. A tile that
 * was asked for, and whose slice has been answered, is clean.
 *
 * For example, with JPEG at (10, 10), 10 x 10 pixels: it touches four tiles, and all four are
 * lossy.
 *
 * The pacing's lock protects it (rfb/session/pacing/pacing.h). Only the tiles take memory: one byte
 * each.
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

/* Pixels. Chosen; JPEG itself works in blocks of 8 or 16. */
#define LOSSY_TILE 16
/* Slices that may be on their way at the same time. Chosen: 3.2 s of them (refresh.h). */
#define LOSSY_SLICES 32

struct lossy {
    uint8_t *tiles;
    int columns, rows, width, height;
    size_t count; /* tiles that are lossy and have not been asked for */
    struct {
        struct rect area;
        tick_t asked; /* when its request left */
    } slices[LOSSY_SLICES];
    unsigned first, asked; /* slices on their way, a ring: the oldest, and how many */
};

/* Begins with a picture of this size, all clean. False when out of memory; then nothing is ever
 * lossy. */
bool lossy_resize(struct lossy *l, int width, int height);
void lossy_deinit(struct lossy *l);

/* A rectangle has been decoded. `jpeg`: what it shows came, or may have come, with loss. */
void lossy_drawn(struct lossy *l, struct rect r, bool jpeg);

/* Whether something is lossy and has not been asked for. */
static inline bool lossy_any(const struct lossy *l)
{
    return l->count > 0;
}

/* How many pixels that is, in whole tiles. */
static inline uint64_t lossy_pixels(const struct lossy *l)
{
    return (uint64_t)l->count * LOSSY_TILE * LOSSY_TILE;
}

/* Whether a rectangle lies in slices that were asked for. Then it is no news, only a better picture
 * of the same. */
bool lossy_asked_for(const struct lossy *l, struct rect r);

/* Whether an update may answer the oldest slice. When it left the server, requests that had left
 * here up to the time `asked_until` had arrived there. */
bool lossy_answers(const struct lossy *l, tick_t asked_until);

/* Takes the next slice, of about `pixels` pixels and at least one tile; its request leaves at
 * `now`. False when nothing is left to ask for, or LOSSY_SLICES are on their way. */
bool lossy_take(struct lossy *l, size_t pixels, tick_t now, struct rect *slice);

/* An update has arrived that answers all slices asked for up to `asked_until`, and its rectangles
 * were told to lossy_drawn(). Those slices are clean now, but for tiles that came with loss again.
 */
void lossy_answered(struct lossy *l, tick_t asked_until);

/* Gives up all slices on their way: their tiles are lossy again. */
void lossy_give_up(struct lossy *l);

#ifdef __cplusplus
}
#endif
#endif
