#include "rfb/proto/encodings/cursor.h"

#include <string.h>

#define OPAQUE    0xff000000u
#define X_COLOURS 6 /* foreground, then background: red, green, blue */

static size_t mask_row(int width)
{
    return ((size_t)width + 7) / 8;
}

static bool cursor_bit(const uint8_t *mask, int width, int x, int y)
{
    return mask[(size_t)y * mask_row(width) + (size_t)x / 8] >> (7 - x % 8) & 1;
}

size_t cursor_rich_size(int width, int height)
{
    return ((size_t)width * sizeof(uint32_t) + mask_row(width)) * (size_t)height;
}

size_t cursor_x_size(int width, int height)
{
    return width && height ? X_COLOURS + 2 * mask_row(width) * (size_t)height : 0;
}

size_t cursor_alpha_size(int width, int height)
{
    return (size_t)width * (size_t)height * sizeof(uint32_t);
}

void cursor_from_rich(const uint8_t *data, int width, int height, uint32_t *out)
{
    const uint8_t *mask = data + (size_t)width * (size_t)height * sizeof(uint32_t);

    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++, data += sizeof(uint32_t), out++) {
            uint32_t pixel = data[0] | (uint32_t)data[1] << 8 | (uint32_t)data[2] << 16;
            *out = cursor_bit(mask, width, x, y) ? pixel | OPAQUE : 0;
        }
}

static uint32_t cursor_colour(const uint8_t *rgb)
{
    return OPAQUE | (uint32_t)rgb[0] << 16 | (uint32_t)rgb[1] << 8 | rgb[2];
}

void cursor_from_x(const uint8_t *data, int width, int height, uint32_t *out)
{
    uint32_t foreground = cursor_colour(data), background = cursor_colour(data + 3);
    const uint8_t *bitmap = data + X_COLOURS;
    const uint8_t *mask = bitmap + mask_row(width) * (size_t)height;

    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++, out++) {
            uint32_t pixel = cursor_bit(bitmap, width, x, y) ? foreground : background;
            *out = cursor_bit(mask, width, x, y) ? pixel : 0;
        }
}

/* A server multiplies the colours by alpha. One that is brighter than its alpha is not possible; it
 * becomes the brightest. */
static uint32_t without_alpha(uint32_t value, uint32_t alpha)
{
    uint32_t plain = alpha ? (value * 255 + alpha / 2) / alpha : 0;

    return plain > 255 ? 255 : plain;
}

void cursor_from_alpha(const uint8_t *data, int width, int height, uint32_t *out)
{
    for (int i = 0; i < width * height; i++, data += sizeof(uint32_t)) {
        uint32_t a = data[3];

        out[i] = a << 24 | without_alpha(data[0], a) << 16 | without_alpha(data[1], a) << 8 |
                 without_alpha(data[2], a);
    }
}
