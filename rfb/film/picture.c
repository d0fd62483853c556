#include "rfb/film/picture.h"

#include <stdlib.h>
#include <string.h>

/* Pixels that are converted at a time: a multiple of two. */
#define COLOUR_PIECE 256

/* A value times 128, times a factor times 8192, of which the upper 16 bits are left: sixteenths.
 * All of it fits 16 bits, so that eight pixels are computed at a time. */
#define COLOUR_VALUE_BITS  7
#define COLOUR_FACTOR_BITS 13
#define COLOUR_SUM_BITS    4

/* What a step of Y, Cb or Cr adds to a colour, times 1 << COLOUR_FACTOR_BITS. */
struct colour_factors {
    int16_t black; /* Y of black */
    int16_t y, cr_red, cb_green, cr_green, cb_blue;
};

/* The shares of red and blue in brightness (ITU-T H.273, table 4). */
static const struct {
    double red, blue;
} colour_shares[FILM_MATRICES] = {
    [FILM_BT601] = {0.299, 0.114},
    [FILM_BT709] = {0.2126, 0.0722},
    [FILM_BT2020] = {0.2627, 0.0593},
};

static int16_t colour_factor(double value)
{
    return (int16_t)(value * (1 << COLOUR_FACTOR_BITS) + (value < 0 ? -0.5 : 0.5));
}

static struct colour_factors colour_factors_of(const struct film_colour *c)
{
    double red = colour_shares[c->matrix].red, blue = colour_shares[c->matrix].blue;
    double green = 1 - red - blue;
    double y = c->full ? 1 : 255.0 / 219, chroma = c->full ? 1 : 255.0 / 224;

    return (struct colour_factors){
        .black = c->full ? 0 : 16,
        .y = colour_factor(y),
        .cr_red = colour_factor(2 * (1 - red) * chroma),
        .cb_green = colour_factor(-2 * (1 - blue) * blue / green * chroma),
        .cr_green = colour_factor(-2 * (1 - red) * red / green * chroma),
        .cb_blue = colour_factor(2 * (1 - blue) * chroma),
    };
}

static inline int16_t colour_times(int16_t value, int16_t factor)
{
    return (int16_t)(value * factor >> 16);
}

static inline uint32_t colour_clamp(int16_t sum)
{
    int16_t v = (int16_t)((sum + (1 << (COLOUR_SUM_BITS - 1))) >> COLOUR_SUM_BITS);

    return (uint32_t)(v < 0 ? 0 : v > 255 ? 255 : v);
}

/* Cb or Cr of each pixel. */
static void colour_spread(int16_t *out, const uint8_t *from, bool halved, int w)
{
    if (!halved) {
        for (int x = 0; x < w; x++)
            out[x] = (int16_t)((from[x] - 128) * (1 << COLOUR_VALUE_BITS));
        return;
    }
    for (int x = 0; x < w / 2; x++)
        out[2 * x] = out[2 * x + 1] = (int16_t)((from[x] - 128) * (1 << COLOUR_VALUE_BITS));
    if (w % 2)
        out[w - 1] = (int16_t)((from[w / 2] - 128) * (1 << COLOUR_VALUE_BITS));
}

static void colour_piece(const struct colour_factors *f, const uint8_t *y, const int16_t *cb,
                         const int16_t *cr, uint32_t *out, int w)
{
    for (int x = 0; x < w; x++) {
        int16_t l = colour_times((int16_t)((y[x] - f->black) * (1 << COLOUR_VALUE_BITS)), f->y);
        int16_t r = (int16_t)(l + colour_times(cr[x], f->cr_red));
        int16_t g =
            (int16_t)(l + colour_times(cb[x], f->cb_green) + colour_times(cr[x], f->cr_green));
        int16_t b = (int16_t)(l + colour_times(cb[x], f->cb_blue));

        out[x] = colour_clamp(r) << 16 | colour_clamp(g) << 8 | colour_clamp(b);
    }
}

void film_colour_row(const struct film_colour *c, const uint8_t *y, const uint8_t *cb,
                     const uint8_t *cr, bool halved, uint32_t *out, int w)
{
    const struct colour_factors f = colour_factors_of(c);
    int16_t blue[COLOUR_PIECE], red[COLOUR_PIECE];

    for (int x = 0; x < w; x += COLOUR_PIECE) {
        int piece = w - x < COLOUR_PIECE ? w - x : COLOUR_PIECE;

        colour_spread(blue, cb + (halved ? x / 2 : x), halved, piece);
        colour_spread(red, cr + (halved ? x / 2 : x), halved, piece);
        colour_piece(&f, y + x, blue, red, out + x, piece);
    }
}

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
