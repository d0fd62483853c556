/* Draws blocks into the viewer's picture.
 *
 * Whoever sent a block may be hostile. A block draws inside of its rectangle or is refused. What it
 * costs is bounded by its rectangle, and for all but one colour, a copy, and the old picture by
 * BLOCK_AREA_MAX pixels.
 *
 * One thread at a time. No memory is taken for a block but by turbojpeg.
 */
#ifndef VNCHL_BLOCK_READER_H
#define VNCHL_BLOCK_READER_H

#include <stdbool.h>
#include <stdint.h>

#include "rfb/blocks/block.h"
#include "rfb/texts/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

struct block_reader;

/* NULL when out of memory. */
struct block_reader *block_reader_create(void);
void block_reader_destroy(struct block_reader *r);

/* The viewer's old picture, without gaps between its rows, which blocks may be of from now on. It
 * stays where it is until another one, or NULL: none. */
void block_reader_use_old(struct block_reader *r, const uint32_t *pixels, int width, int height);

/* Draws a block of block_unpack() into a picture of width * height pixels 0x00RRGGBB, which has no
 * gaps between its rows. False: the block is broken, or not inside the picture. Only one of JPEG
 * may have drawn then, into its rectangle. */
bool block_read(struct block_reader *r, const struct block *b, uint32_t *pixels, int width,
                int height, struct reason *why);

#ifdef __cplusplus
}
#endif
#endif
