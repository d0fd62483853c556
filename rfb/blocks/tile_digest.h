/* The digests by which a viewer says what it still has of a picture (BLOCKS_DIGESTS,
 * rfb/proto/blocks.h): the first bytes of SHA-256 of a tile's pixels, three bytes for each: red,
 * green, blue; row by row, without gaps.
 *
 * Any thread: functions without state.
 */
#ifndef VNCHL_TILE_DIGEST_H
#define VNCHL_TILE_DIGEST_H

#include <stdint.h>

#include "rfb/proto/blocks.h"
#include "rfb/region.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where the tile with this number is, in a picture of this size, which has it. */
struct rect tile_at(int width, int height, uint32_t tile);

/* Of a rectangle of at most BLOCKS_TILE x BLOCKS_TILE pixels 0x??RRGGBB, in a picture that is
 * `width` pixels wide and has no gaps. */
void tile_digest(const uint32_t *pixels, int width, struct rect area,
                 uint8_t out[BLOCKS_DIGEST_BYTES]);

#ifdef __cplusplus
}
#endif
#endif
