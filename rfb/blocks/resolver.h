/* Draws blocks that refer to what the viewer has (reference.h, prefix.h, foretold.h): makes of each
 * one that stands alone, or a copy, which newest_draw() draws. It has the tiles that are kept.
 *
 * What is referred to is compared with its digest before anything is drawn. Where it is not what
 * the viewer has, nothing is drawn, and the far end has to be told (BLOCKS_REFUSED).
 *
 * Whoever sent a block may be hostile. The work for one is bounded by REFERENCE_AREA_MAX pixels,
 * the memory of all by the tiles that are kept (kept.h).
 *
 * One thread at a time.
 */
#ifndef VNCHL_RESOLVER_H
#define VNCHL_RESOLVER_H

#include "rfb/blocks/block_newest.h"

#ifdef __cplusplus
extern "C" {
#endif

struct resolver;

/* Blocks that were drawn, and those that were refused. */
struct resolver_counts {
    uint64_t moved, kept, prefixed, foretold, refused;
};

/* `kept_mib`: MiB for tiles, 0..KEPT_MIB_MOST. NULL when out of memory. */
struct resolver *resolver_create(unsigned kept_mib);
void resolver_destroy(struct resolver *r);

/* Draws a BLOCK_PREFIXED, BLOCK_REFERENCE or BLOCK_FORETOLD, as newest_draw() does. NEWEST_GONE: it
 * is refused. A block that only lets tiles be kept is NEWEST_NONE. False: it is broken, or memory
 * is short. */
bool resolver_draw(struct resolver *r, struct newest *n, struct block_reader *reader,
                   const struct block *b, uint32_t *pixels, int width, int height,
                   enum newest_cells *drawn, struct reason *why);

/* The pieces of the BLOCK_FORETOLD that was drawn last; the block's area is around them. */
unsigned resolver_pieces(const struct resolver *r, const struct rect **pieces);

struct resolver_counts resolver_counts(const struct resolver *r);

#ifdef __cplusplus
}
#endif
#endif
