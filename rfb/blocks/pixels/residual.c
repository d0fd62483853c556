#include "rfb/blocks/pixels/residual.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

void residual_spread(uint8_t *out, const uint32_t *pixels, int stride, int w, int h)
{
    for (int y = 0; y < h; y++, pixels += stride)
        for (int x = 0; x < w; x++) {
            uint8_t green = (uint8_t)(pixels[x] >> 8);

            *out++ = green;
            *out++ = (uint8_t)((pixels[x] >> 16) - green);
            *out++ = (uint8_t)(pixels[x] - green);
        }
}

void residual_gather(uint32_t *pixels, int stride, const uint8_t *bytes, int w, int h)
{
    for (int y = 0; y < h; y++, pixels += stride)
        for (int x = 0; x < w; x++, bytes += RESIDUAL_PIXEL) {
            uint8_t green = bytes[0], red = (uint8_t)(bytes[1] + green);

            pixels[x] = (uint32_t)red << 16 | (uint32_t)green << 8 | (uint8_t)(bytes[2] + green);
        }
}

static uint8_t residual_paeth(int left, int up, int corner)
{
    int by_left = abs(up - corner), by_up = abs(left - corner);
    int by_corner = abs(left + up - 2 * corner);

    if (by_left <= by_up && by_left <= by_corner)
        return (uint8_t)left;
    return (uint8_t)(by_up <= by_corner ? up : corner);
}

/* What foretells byte i of the row at `row`. `row_bytes` before it is the row above, unless it is
 * the first. */
static uint8_t residual_foretell(const uint8_t *row, ptrdiff_t i, ptrdiff_t row_bytes, bool first,
                                 enum residual_filter filter)
{
    int left = i >= RESIDUAL_PIXEL ? row[i - RESIDUAL_PIXEL] : 0;
    int up = first ? 0 : row[i - row_bytes];

    if (filter == RESIDUAL_LEFT)
        return (uint8_t)left;
    if (filter == RESIDUAL_UP)
        return (uint8_t)up;
    return residual_paeth(left, up,
                          i >= RESIDUAL_PIXEL && !first ? row[i - row_bytes - RESIDUAL_PIXEL] : 0);
}

void residual_take(uint8_t *out, const uint8_t *bytes, int w, int h, enum residual_filter filter)
{
    ptrdiff_t row_bytes = (ptrdiff_t)w * RESIDUAL_PIXEL;

    for (int y = 0; y < h; y++, bytes += row_bytes, out += row_bytes)
        for (ptrdiff_t i = 0; i < row_bytes; i++)
            out[i] = (uint8_t)(bytes[i] - residual_foretell(bytes, i, row_bytes, y == 0, filter));
}

void residual_restore(uint8_t *bytes, int w, int h, enum residual_filter filter)
{
    ptrdiff_t row_bytes = (ptrdiff_t)w * RESIDUAL_PIXEL;

    for (int y = 0; y < h; y++, bytes += row_bytes)
        for (ptrdiff_t i = 0; i < row_bytes; i++)
            bytes[i] = (uint8_t)(bytes[i] + residual_foretell(bytes, i, row_bytes, y == 0, filter));
}

uint32_t residual_weight(const uint8_t *bytes, int w, int h)
{
    ptrdiff_t size = (ptrdiff_t)w * h * RESIDUAL_PIXEL;
    uint32_t sum = 0;

    for (ptrdiff_t i = 0; i < size; i++)
        sum += (uint32_t)abs((int8_t)bytes[i]);
    return sum;
}
