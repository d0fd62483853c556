#include "rfb/blocks/pixels/palette.h"

#include <stdlib.h>
#include <string.h>

#define PALETTE_BYTE 8 /* bits */

int palette_bits(int colours)
{
    return colours <= 2 ? 1 : colours <= 4 ? 2 : colours <= 16 ? 4 : 8;
}

static size_t palette_column(int bits, int h)
{
    return ((size_t)h * (size_t)bits + PALETTE_BYTE - 1) / PALETTE_BYTE;
}

size_t palette_bytes(int colours, int w, int h)
{
    return (size_t)w * palette_column(palette_bits(colours), h);
}

void palette_pack(uint8_t *out, const uint8_t *index, const uint8_t *rank, int colours, int w,
                  int h)
{
    int bits = palette_bits(colours);

    for (int x = 0; x < w; x++) {
        unsigned byte = 0;
        int used = 0;

        for (int y = 0; y < h; y++) {
            byte = byte << bits | rank[*index++];
            used += bits;
            if (used == PALETTE_BYTE) {
                *out++ = (uint8_t)byte;
                byte = 0;
                used = 0;
            }
        }
        if (used)
            *out++ = (uint8_t)(byte << (PALETTE_BYTE - used));
    }
}

void palette_unpack(uint8_t *index, const uint8_t *packed, int colours, int w, int h)
{
    int bits = palette_bits(colours);
    unsigned mask = (1u << bits) - 1;

    if (bits == PALETTE_BYTE) {
        memcpy(index, packed, (size_t)w * (size_t)h);
        return;
    }
    for (int x = 0; x < w; x++) {
        int left = 0;

        for (int y = 0; y < h; y++) {
            if (left == 0) {
                packed++;
                left = PALETTE_BYTE;
            }
            left -= bits;
            *index++ = (uint8_t)(packed[-1] >> left & mask);
        }
    }
}

/* As a number that grows with green, then with red, then with blue. */
static uint32_t palette_by_green(uint32_t colour)
{
    return (colour >> 8 & 0xff) << 16 | (colour >> 16 & 0xff) << 8 | (colour & 0xff);
}

static int palette_compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

void palette_order(const uint32_t *colour, int colours, uint8_t *rank)
{
    uint64_t sorted[PALETTE_MAX]; /* what it is sorted by, and its number */

    for (int i = 0; i < colours; i++)
        sorted[i] = (uint64_t)palette_by_green(colour[i]) << 8 | (unsigned)i;
    qsort(sorted, (size_t)colours, sizeof *sorted, palette_compare);
    for (int i = 0; i < colours; i++)
        rank[sorted[i] & 0xff] = (uint8_t)i;
}

void palette_put(uint8_t *out, const uint32_t *colour, const uint8_t *rank, int colours)
{
    uint8_t *green = out, *red = out + colours, *blue = red + colours;

    for (int i = 0; i < colours; i++) {
        green[rank[i]] = (uint8_t)(colour[i] >> 8);
        red[rank[i]] = (uint8_t)((colour[i] >> 16) - (colour[i] >> 8));
        blue[rank[i]] = (uint8_t)(colour[i] - (colour[i] >> 8));
    }
    for (int i = colours - 1; i > 0; i--) {
        green[i] = (uint8_t)(green[i] - green[i - 1]);
        red[i] = (uint8_t)(red[i] - red[i - 1]);
        blue[i] = (uint8_t)(blue[i] - blue[i - 1]);
    }
}

void palette_get(uint32_t *colour, const uint8_t *in, int colours)
{
    const uint8_t *green_at = in, *red_at = in + colours, *blue_at = red_at + colours;
    uint8_t green = 0, red = 0, blue = 0; /* the last two less green */

    for (int i = 0; i < colours; i++) {
        green = (uint8_t)(green + green_at[i]);
        red = (uint8_t)(red + red_at[i]);
        blue = (uint8_t)(blue + blue_at[i]);
        colour[i] =
            (uint32_t)(uint8_t)(red + green) << 16 | (uint32_t)green << 8 | (uint8_t)(blue + green);
    }
}
