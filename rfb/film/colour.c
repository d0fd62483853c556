#include "rfb/film/colour.h"

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
