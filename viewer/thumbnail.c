#include "viewer/thumbnail.h"

#include <stddef.h>

static int at_least_one(int64_t n)
{
    return n < 1 ? 1 : (int)n;
}

void thumbnail_size(int width, int height, int *w, int *h)
{
    *w = width;
    *h = height;
    if (*w > THUMBNAIL_W) {
        *h = at_least_one((int64_t)height * THUMBNAIL_W / width);
        *w = THUMBNAIL_W;
    }
    if (*h > THUMBNAIL_H) {
        *w = at_least_one((int64_t)width * THUMBNAIL_H / height);
        *h = THUMBNAIL_H;
    }
}

static uint32_t thumbnail_mean(const uint32_t *in, int width, int x0, int x1, int y0, int y1)
{
    uint64_t r = 0, g = 0, b = 0, count = (uint64_t)(x1 - x0) * (uint64_t)(y1 - y0);

    for (int y = y0; y < y1; y++)
        for (int x = x0; x < x1; x++) {
            uint32_t p = in[(size_t)y * (size_t)width + (size_t)x];

            r += p >> 16 & 255;
            g += p >> 8 & 255;
            b += p & 255;
        }
    return (uint32_t)(r / count) << 16 | (uint32_t)(g / count) << 8 | (uint32_t)(b / count);
}

void thumbnail_make(const uint32_t *in, int width, int height, uint32_t *out, int w, int h)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            out[y * w + x] = thumbnail_mean(
                in, width, (int)((int64_t)x * width / w), (int)((int64_t)(x + 1) * width / w),
                (int)((int64_t)y * height / h), (int)((int64_t)(y + 1) * height / h));
}
