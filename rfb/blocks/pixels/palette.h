/* The payload of a block with few colours: how many, the colours, then for each pixel which of them
 * it has. Pixels go column by column, each from top to bottom. In a row of cells a letter then lies
 * in one piece, and begins at a whole byte wherever it stands: deflate finds it again. Of colours
 * only what they differ from each other is written, green, red and blue apart: the shades of soft
 * letters on an even ground then take about a byte each.
 *
 * Any thread: functions without state.
 */
#ifndef VNCHL_PALETTE_H
#define VNCHL_PALETTE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Colours of a palette. */
#define PALETTE_MIN 2
#define PALETTE_MAX 256

/* Bytes of a colour. */
#define PALETTE_COLOUR 3

/* Bits of an index: 1, 2, 4 or 8. */
int palette_bits(int colours);

/* Bytes of the indices of so many columns of h pixels. Each column begins at a whole byte. */
size_t palette_bytes(int colours, int w, int h);

/* Packs w * h indices, column by column, the first in the highest bits. Bits that are left over are
 * 0. What is packed of index i is rank[i]. */
void palette_pack(uint8_t *out, const uint8_t *index, const uint8_t *rank, int colours, int w,
                  int h);

/* The other way; `index` has room for w * h. */
void palette_unpack(uint8_t *index, const uint8_t *packed, int colours, int w, int h);

/* The order in which colours take few bytes: rank[i] is the new place of colour i. */
void palette_order(const uint32_t *colour, int colours, uint8_t *rank);

/* Writes colours in this order, PALETTE_COLOUR bytes for each. */
void palette_put(uint8_t *out, const uint32_t *colour, const uint8_t *rank, int colours);
void palette_get(uint32_t *colour, const uint8_t *in, int colours);

/* One colour as it is: red, green, blue. */
static inline uint8_t *palette_put_colour(uint8_t *out, uint32_t colour)
{
    *out++ = (uint8_t)(colour >> 16);
    *out++ = (uint8_t)(colour >> 8);
    *out++ = (uint8_t)colour;
    return out;
}

static inline uint32_t palette_get_colour(const uint8_t *in)
{
    return (uint32_t)in[0] << 16 | (uint32_t)in[1] << 8 | in[2];
}

#ifdef __cplusplus
}
#endif
#endif
