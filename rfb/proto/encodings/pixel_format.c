#include "rfb/proto/encodings/pixel_format.h"

#include <string.h>

#include "rfb/proto/bytes.h"

const struct pixel_format pixel_format_xrgb = {
    .bits = 32,
    .depth = 24,
    .true_colour = true,
    .max = {255, 255, 255},
    .shift = {16, 8, 0},
};

size_t pixel_format_write(uint8_t *out, const struct pixel_format *f)
{
    uint8_t *p = out;

    *p++ = f->bits;
    *p++ = f->depth;
    *p++ = f->big_endian;
    *p++ = f->true_colour;
    for (int i = 0; i < 3; i++)
        p = put16(p, f->max[i]);
    for (int i = 0; i < 3; i++)
        *p++ = f->shift[i];
    memset(p, 0, 3); /* padding */
    return PIXEL_FORMAT_BYTES;
}

/* Whether a colour has values, as many as a number of whole bits has, and these lie in the pixel.
 */
static bool colour_fits(const struct pixel_format *f, int i)
{
    uint64_t max = f->max[i];

    return max > 0 && (max & (max + 1)) == 0 && f->shift[i] < f->bits &&
           max << f->shift[i] >> f->bits == 0;
}

bool pixel_format_read(const uint8_t *bytes, struct pixel_format *f, struct reason *why)
{
    *f = (struct pixel_format){
        .bits = bytes[0],
        .depth = bytes[1],
        .big_endian = bytes[2] != 0,
        .true_colour = bytes[3] != 0,
        .max = {(uint16_t)get16(bytes + 4), (uint16_t)get16(bytes + 6), (uint16_t)get16(bytes + 8)},
        .shift = {bytes[10], bytes[11], bytes[12]},
    };
    if (f->bits != 8 && f->bits != 16 && f->bits != 32)
        return reason_set(why, "a pixel format of %d bits", f->bits);
    if (f->depth > f->bits)
        return reason_set(why, "a pixel format that uses %d bits of %d", f->depth, f->bits);
    for (int i = 0; f->true_colour && i < 3; i++)
        if (!colour_fits(f, i))
            return reason_set(why, "a pixel format with colours up to %d at bit %d of %d",
                              f->max[i], f->shift[i], f->bits);
    return true;
}
