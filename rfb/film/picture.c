#include "rfb/film/picture.h"

#include <stdlib.h>
#include <string.h>

#include "rfb/film/colour.h"

/* Factors of BT.601 as JFIF has them, in 1/65536. */
#define PICTURE_HALF (1 << 15)
#define PICTURE_GREY (128 << 16)

void film_picture_deinit(struct film_picture *p)
{
    free(p->bytes);
    *p = (struct film_picture){0};
}

static bool picture_size(struct film_picture *p, int w, int h)
{
    size_t luma = (size_t)film_side(w) * (size_t)film_side(h), bytes = luma + luma / 2;
    uint8_t *more = bytes > p->room ? realloc(p->bytes, bytes) : p->bytes;

    if (!more)
        return false;
    p->bytes = more;
    p->room = bytes > p->room ? bytes : p->room;
    p->w = film_side(w);
    p->h = film_side(h);
    return true;
}

struct film_planes film_picture_planes(const struct film_picture *p)
{
    size_t luma = (size_t)p->w * (size_t)p->h;

    return (struct film_planes){{p->bytes, p->bytes + luma, p->bytes + luma + luma / 4},
                                {p->w, p->w / 2, p->w / 2}};
}

/* Brightness of a row of w pixels. The row has `whole` of them: the last one is repeated. */
static void picture_take_luma(uint8_t *out, const uint32_t *row, int w, int whole)
{
    for (int x = 0; x < w; x++) {
        uint32_t c = row[x];
        uint32_t r = c >> 16 & 255, g = c >> 8 & 255, b = c & 255;

        out[x] = (uint8_t)((19595 * r + 38470 * g + 7471 * b + PICTURE_HALF) >> 16);
    }
    memset(out + w, out[w - 1], (size_t)(whole - w));
}

/* Colour of 2x2 pixels: that of their mean. */
static void picture_take_one(uint8_t *blue, uint8_t *red, uint32_t c0, uint32_t c1, uint32_t c2,
                             uint32_t c3)
{
    int r = (int)((c0 >> 16 & 255) + (c1 >> 16 & 255) + (c2 >> 16 & 255) + (c3 >> 16 & 255));
    int g = (int)((c0 >> 8 & 255) + (c1 >> 8 & 255) + (c2 >> 8 & 255) + (c3 >> 8 & 255));
    int b = (int)((c0 & 255) + (c1 & 255) + (c2 & 255) + (c3 & 255));

    *blue =
        (uint8_t)((-11059 * r - 21709 * g + 32768 * b + 4 * (PICTURE_GREY + PICTURE_HALF - 1)) >>
                  18);
    *red =
        (uint8_t)((32768 * r - 27439 * g - 5329 * b + 4 * (PICTURE_GREY + PICTURE_HALF - 1)) >> 18);
}

/* Of two rows of w pixels. */
static void picture_take_chroma(uint8_t *blue, uint8_t *red, const uint32_t *upper,
                                const uint32_t *lower, int w, int whole)
{
    int pairs = w / 2, x = 0;

    for (; x < pairs; x++)
        picture_take_one(blue + x, red + x, upper[2 * x], upper[2 * x + 1], lower[2 * x],
                         lower[2 * x + 1]);
    if (w % 2) {
        picture_take_one(blue + x, red + x, upper[w - 1], upper[w - 1], lower[w - 1], lower[w - 1]);
        x++;
    }
    memset(blue + x, blue[x - 1], (size_t)(whole / 2 - x));
    memset(red + x, red[x - 1], (size_t)(whole / 2 - x));
}

bool film_picture_take(struct film_picture *p, const uint32_t *pixels, int stride, int w, int h)
{
    size_t luma;

    if (!picture_size(p, w, h))
        return false;
    luma = (size_t)p->w * (size_t)p->h;
    for (int y = 0; y < p->h; y += 2) {
        const uint32_t *upper = pixels + (ptrdiff_t)(y < h ? y : h - 1) * stride;
        const uint32_t *lower = pixels + (ptrdiff_t)(y + 1 < h ? y + 1 : h - 1) * stride;
        uint8_t *out = p->bytes + (ptrdiff_t)y * p->w;
        uint8_t *blue = p->bytes + luma + (ptrdiff_t)(y / 2) * (p->w / 2);

        picture_take_luma(out, upper, w, p->w);
        picture_take_luma(out + p->w, lower, w, p->w);
        picture_take_chroma(blue, blue + luma / 4, upper, lower, w, p->w);
    }
    return true;
}

void film_picture_draw(const struct film_planes *from, int x, int y, uint32_t *pixels, int stride,
                       int w, int h)
{
    const struct film_colour jpeg = {FILM_BT601, true};

    for (int i = 0; i < h; i++)
        film_colour_row(&jpeg, from->plane[0] + (ptrdiff_t)(y + i) * from->stride[0] + x,
                        from->plane[1] + (ptrdiff_t)((y + i) / 2) * from->stride[1] + x / 2,
                        from->plane[2] + (ptrdiff_t)((y + i) / 2) * from->stride[2] + x / 2, true,
                        pixels + (ptrdiff_t)i * stride, w);
}
