#include "rfb/blocks/pixels/rgb.h"

#include <nettle/sha2.h>

/* Pixels of a row that are given to SHA-256 at once. */
#define RGB_PIECE 256

size_t rgb_take(uint8_t *out, const uint32_t *pixels, int stride, struct rect r)
{
    uint8_t *to = out;

    for (int y = r.y; y < r.y + r.h; y++) {
        const uint32_t *from = pixels + (ptrdiff_t)y * stride + r.x;

        for (int x = 0; x < r.w; x++) {
            *to++ = (uint8_t)(from[x] >> 16);
            *to++ = (uint8_t)(from[x] >> 8);
            *to++ = (uint8_t)from[x];
        }
    }
    return (size_t)(to - out);
}

void rgb_digest(const uint32_t *pixels, int stride, struct rect r, uint8_t out[RGB_DIGEST])
{
    uint8_t piece[RGB_PIECE * RGB_PIXEL];
    struct sha256_ctx sha;

    sha256_init(&sha);
    for (int y = r.y; y < r.y + r.h; y++)
        for (int x = r.x; x < r.x + r.w; x += RGB_PIECE) {
            struct rect part = {x, y, r.x + r.w - x, 1};

            part.w = part.w < RGB_PIECE ? part.w : RGB_PIECE;
            sha256_update(&sha, rgb_take(piece, pixels, stride, part), piece);
        }
    sha256_digest(&sha, RGB_DIGEST, out);
}

void rgb_digest_bytes(const uint8_t *bytes, size_t size, uint8_t out[RGB_DIGEST])
{
    struct sha256_ctx sha;

    sha256_init(&sha);
    sha256_update(&sha, size, bytes);
    sha256_digest(&sha, RGB_DIGEST, out);
}
