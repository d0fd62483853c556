/* Which block each cell of the viewer's picture shows. Blocks come in any order, twice, or late: a
 * late one is not to draw over what is newer.
 *
 * A cell remembers the sequence of the block that drew it last. Sequences are compared modulo 2^32:
 * a block is newer by up to 2^31 - 1, else older.
 *
 * One thread at a time.
 */
#ifndef VNCHL_BLOCK_NEWEST_H
#define VNCHL_BLOCK_NEWEST_H

#include <stdbool.h>
#include <stdint.h>

#include "rfb/blocks/block.h"
#include "rfb/blocks/block_reader.h"
#include "rfb/texts/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

struct newest;

/* Without a picture: it takes no block. NULL when out of memory. */
struct newest *newest_create(void);
void newest_destroy(struct newest *n);

/* A new picture, no cell of which was drawn. Only blocks of this generation are for it. False: out
 * of memory; then there is no picture. */
bool newest_begin(struct newest *n, int width, int height, uint8_t generation);

enum newest_cells {
    NEWEST_NONE, /* the block is to be dropped */
    NEWEST_GONE, /* it is to be dropped, and counts as lost: a copy of what is not there */
    NEWEST_SOME, /* some of its cells are newer */
    NEWEST_ALL,
};

/* In how many of its cells the block is newer than what is there. Remembers nothing. A block of
 * another generation, and one that is not inside of the picture or cuts a cell, has none; but a
 * copy may cut cells: it needs a channel that keeps the order of blocks. A copy is of what its
 * sender saw when it made the block: a cell that it is from must have been drawn, and not by a
 * newer block. Whether it was drawn by all the older ones, the sender has to know. */
enum newest_cells newest_ask(const struct newest *n, const struct block *b);

/* The same, and remembers that it was drawn into those. */
enum newest_cells newest_take(struct newest *n, const struct block *b);

/* Whether all cells of this part of the picture were drawn, and by blocks that are older than this
 * sequence. */
bool newest_has(const struct newest *n, struct rect r, uint32_t sequence);

/* Whether the block with this sequence drew all cells of this part of the picture last. */
bool newest_is(const struct newest *n, struct rect r, uint32_t sequence);

/* Draws the block into those of its cells in which it is newer, and remembers that. `pixels` is the
 * picture, whose size newest_begin() was told. *drawn is what newest_ask() would have said before.
 * False: the block is broken, is not inside of the picture, or cuts a cell; it is not remembered,
 * and *drawn is NEWEST_NONE. */
bool newest_draw(struct newest *n, struct block_reader *r, const struct block *b, uint32_t *pixels,
                 enum newest_cells *drawn, struct reason *why);

/* Whether the block covers whole cells of the picture. */
bool newest_is_whole(const struct newest *n, const struct block *b);

/* Whether what has this number is newer than what the cell shows; remembers that it was drawn
 * there. The cell is one of the picture. */
bool newest_take_cell(struct newest *n, uint8_t generation, uint32_t sequence, int column, int row);

#ifdef __cplusplus
}
#endif
#endif
