/* The payload of a block with few colours, deflated as if what the viewer has beside it had gone
 * before (BLOCK_PREFIXED): the *prefix* is what is in the same rows of pixels, as it is before the
 * block is drawn. A letter that is typed into a line is mostly there already, with its colours.
 *
 * The prefix is named by its digest: a viewer that has something else there draws nothing, and says
 * so (BLOCKS_REFUSED).
 *
 * One thread at a time.
 */
#ifndef VNCHL_PREFIX_H
#define VNCHL_PREFIX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rfb/blocks/block.h"
#include "rfb/blocks/references/reference.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Pixels of the prefix at most. Deflate looks back 32 KiB. */
#define PREFIX_AREA_MAX 16384

/* Bytes before the deflated ones: x and width of the prefix, its digest, and how many colours
 * follow, three bytes for each. */
#define PREFIX_HEAD (2 + 2 + REFERENCE_DIGEST + 1)

struct prefix;

/* NULL when out of memory. */
struct prefix *prefix_create(void);
void prefix_destroy(struct prefix *p);

/* The payload of `area` of the picture `now`, with a prefix of the picture `then`: both have rows
 * of `stride` pixels 0x??RRGGBB. `from` has the same rows, and PREFIX_AREA_MAX pixels at most; the
 * area has BLOCK_AREA_MAX. Returns the bytes, which are valid until the next call; 0: it has too
 * many colours, or takes `most` bytes or more. */
size_t prefix_write(struct prefix *p, const uint32_t *now, const uint32_t *then, int stride,
                    struct rect area, struct rect from, size_t most, const uint8_t **payload);

/* Where the prefix of a block is. False: there is none. */
bool prefix_from(const struct block *b, struct rect *from, const uint8_t **digest,
                 struct reason *why);

/* The block's pixels, three bytes for each (rgb.h), valid until the next call. The prefix is inside
 * of the picture, and was compared with its digest. NULL: the block is broken. */
const uint8_t *prefix_read(struct prefix *p, const struct block *b, const uint32_t *pixels,
                           int stride, struct reason *why);

#ifdef __cplusplus
}
#endif
#endif
