/* The digests by which a viewer says what it still has of a picture (BLOCKS_DIGESTS,
 * rfb/proto/blocks.h), and the sum of those tiles that the far end has found to be the same.
 *
 * A digest is HMAC-SHA256 (RFC 2104) of the tile's number, 4 bytes, and of its pixels, three bytes
 * for each: red, green, blue; row by row, without gaps. The key is the far end's key, then the
 * viewer's. So nobody can compare digests of two connections, and neither side chooses the key
 * alone. Equal tiles of a picture have other digests.
 *
 * The sum is HMAC-SHA256 with the same key, of 4 bytes 255 and of the digests of these tiles, all
 * TILE_DIGEST_BYTES of each, in their order. A viewer says only the first bytes of a digest. Where
 * two tiles had the same ones by chance, the sums differ.
 *
 * Any thread, one at a time: a value without memory of its own.
 */
#ifndef VNCHL_TILE_DIGEST_H
#define VNCHL_TILE_DIGEST_H

#include <nettle/hmac.h>
#include <stdint.h>

#include "rfb/proto/blocks.h"
#include "rfb/region.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TILE_DIGEST_BYTES SHA256_DIGEST_SIZE

struct tile_digest {
    struct hmac_sha256_ctx tile, sum;
};

/* Where the tile with this number is, in a picture of this size, which has it. */
struct rect tile_at(int width, int height, int side, uint32_t tile);

void tile_digest_begin(struct tile_digest *d, const uint8_t far_end[BLOCKS_KEY_BYTES],
                       const uint8_t viewer[BLOCKS_KEY_BYTES]);

/* The digest of this tile, which is there: at most BLOCKS_SIDE_MAX a side, of a picture of pixels
 * 0x??RRGGBB that is `width` pixels wide and has no gaps. */
void tile_digest_make(struct tile_digest *d, const uint32_t *pixels, int width, struct rect area,
                      uint32_t tile, uint8_t out[TILE_DIGEST_BYTES]);

/* The next tile that is the same has this digest. */
void tile_digest_add(struct tile_digest *d, const uint8_t digest[TILE_DIGEST_BYTES]);

/* The sum of all of them; none are added after that. */
void tile_digest_sum(struct tile_digest *d, uint8_t out[TILE_DIGEST_BYTES]);

#ifdef __cplusplus
}
#endif
#endif
