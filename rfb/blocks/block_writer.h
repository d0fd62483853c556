/* Makes blocks of a picture: decides what each cell is, text or picture, and encodes as many cells
 * as fit a packet.
 *
 * Cells of few colours are text: they are always exact, and so sharp. Cells of many colours are a
 * picture: with loss where that is allowed, else exact, too.
 *
 * One thread at a time. No memory is taken for a block but by turbojpeg.
 */
#ifndef VNCHL_BLOCK_WRITER_H
#define VNCHL_BLOCK_WRITER_H

#include <stdbool.h>
#include <stdint.h>

#include "rfb/blocks/block.h"

#ifdef __cplusplus
extern "C" {
#endif

struct block_writer;

/* NULL when out of memory. */
struct block_writer *block_writer_create(void);
void block_writer_destroy(struct block_writer *w);

/* Encodes cells from the left of `strip`, a rectangle of the picture of pixels 0x??RRGGBB in rows
 * of `stride`: as many as are of one kind and fit. The strip is one row of cells: its x and y are
 * multiples of BLOCK_CELL, its height is 1..BLOCK_CELL. The cells are what is in it, also where it
 * ends inside of one. `jpeg`: cells of many colours may come with loss, at this quality, 1..100; 0:
 * all is exact.
 *
 * Sets codec, quality, area and payload of `out`, and nothing else of it: the rest is the caller's.
 * out->area begins at the strip's left and has its height; its width is 16 at least, or that of the
 * strip. The payload is valid until the next call. False: the strip is empty, or no row of cells.
 */
bool block_write_strip(struct block_writer *w, const uint32_t *pixels, int stride,
                       struct rect strip, int jpeg, struct block *out);

/* Encodes all of the width of `strip` with rows below it, as many as fit a packet by what pictures
 * of this quality take: all of its cells have to be a picture, and `jpeg` be 1..100. `most_h`:
 * pixels from the strip's top on, up to which it may go. Sets `out` as block_write_strip() does.
 * False: that is no more than one row; nothing was made. */
bool block_write_rows(struct block_writer *w, const uint32_t *pixels, int stride, struct rect strip,
                      int most_h, int jpeg, struct block *out);

/* From now on payloads have at most so many bytes: BLOCK_PAYLOAD_ANYWHERE, as at first, up to
 * BLOCK_PAYLOAD_MAX. */
void block_writer_give_room(struct block_writer *w, size_t bytes);

/* How often an encoder ran, and for how many blocks: the first is little more than the second. */
void block_writer_tries(const struct block_writer *w, uint64_t *tries, uint64_t *blocks);

#ifdef __cplusplus
}
#endif
#endif
