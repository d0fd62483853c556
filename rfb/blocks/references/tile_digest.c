#include "rfb/blocks/references/tile_digest.h"

#include <string.h>

#include "rfb/blocks/pixels/rgb.h"
#include "rfb/proto/bytes.h"

#define TILE_NONE UINT32_MAX /* no tile has this number: it begins the sum */

static int tile_side(int begin, int end, int side)
{
    return end - begin < side ? end - begin : side;
}

struct rect tile_at(int width, int height, int side, uint32_t tile)
{
    uint32_t columns = blocks_tiles(width, 1, side);
    int x = (int)(tile % columns) * side, y = (int)(tile / columns) * side;

    return (struct rect){x, y, tile_side(x, width, side), tile_side(y, height, side)};
}

static void tile_digest_number(struct hmac_sha256_ctx *to, uint32_t number)
{
    uint8_t bytes[4];

    put32(bytes, number);
    hmac_sha256_update(to, sizeof bytes, bytes);
}

void tile_digest_begin(struct tile_digest *d, const uint8_t far_end[BLOCKS_KEY_BYTES],
                       const uint8_t viewer[BLOCKS_KEY_BYTES])
{
    uint8_t key[2 * BLOCKS_KEY_BYTES];

    memcpy(key, far_end, BLOCKS_KEY_BYTES);
    memcpy(key + BLOCKS_KEY_BYTES, viewer, BLOCKS_KEY_BYTES);
    hmac_sha256_set_key(&d->tile, sizeof key, key);
    d->sum = d->tile;
    tile_digest_number(&d->sum, TILE_NONE);
}

void tile_digest_make(struct tile_digest *d, const uint32_t *pixels, int width, struct rect area,
                      uint32_t tile, uint8_t out[TILE_DIGEST_BYTES])
{
    uint8_t bytes[BLOCKS_SIDE_MAX * RGB_PIXEL];

    tile_digest_number(&d->tile, tile);
    for (int y = area.y; y < area.y + area.h; y++) {
        const struct rect row = {area.x, y, area.w, 1};

        hmac_sha256_update(&d->tile, rgb_take(bytes, pixels, width, row), bytes);
    }
    hmac_sha256_digest(&d->tile, TILE_DIGEST_BYTES, out); /* and begins the next one */
}

void tile_digest_add(struct tile_digest *d, const uint8_t digest[TILE_DIGEST_BYTES])
{
    hmac_sha256_update(&d->sum, TILE_DIGEST_BYTES, digest);
}

void tile_digest_sum(struct tile_digest *d, uint8_t out[TILE_DIGEST_BYTES])
{
    hmac_sha256_digest(&d->sum, TILE_DIGEST_BYTES, out);
}
