#include "rfb/blocks/tile_digest.h"

#include <nettle/sha2.h>
#include <stddef.h>

#define TILE_COLOUR 3 /* bytes of a pixel */

static int tile_side(int begin, int end)
{
    return end - begin < BLOCKS_TILE ? end - begin : BLOCKS_TILE;
}

struct rect tile_at(int width, int height, uint32_t tile)
{
    uint32_t columns = blocks_tiles(width, 1);
    int x = (int)(tile % columns) * BLOCKS_TILE, y = (int)(tile / columns) * BLOCKS_TILE;

    return (struct rect){x, y, tile_side(x, width), tile_side(y, height)};
}

void tile_digest(const uint32_t *pixels, int width, struct rect area,
                 uint8_t out[BLOCKS_DIGEST_BYTES])
{
    uint8_t row[BLOCKS_TILE * TILE_COLOUR];
    struct sha256_ctx sha;

    sha256_init(&sha);
    for (int y = area.y; y < area.y + area.h; y++) {
        const uint32_t *from = pixels + (ptrdiff_t)y * width + area.x;
        uint8_t *to = row;

        for (int x = 0; x < area.w; x++) {
            *to++ = (uint8_t)(from[x] >> 16);
            *to++ = (uint8_t)(from[x] >> 8);
            *to++ = (uint8_t)from[x];
        }
        sha256_update(&sha, (size_t)(to - row), row);
    }
    sha256_digest(&sha, BLOCKS_DIGEST_BYTES, out);
}
