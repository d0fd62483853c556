/* A picture of a film as video has it: brightness (Y) of each pixel, and for each 2x2 pixels how
 * blue (Cb) and how red (Cr) they are. As in a JPEG file: ITU-R BT.601, each value 0 to 255. And
 * back from the colours of any video to pixels.
 *
 * Any thread; a picture, one at a time.
 */
#ifndef VNCHL_FILM_PICTURE_H
#define VNCHL_FILM_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* From video's colours to pixels: brightness (Y), and how blue (Cb) and how red (Cr), to red, green
 * and blue.
 *
 * Which Y, Cb and Cr a colour has depends on the matrix, ITU-R BT.601, BT.709 or BT.2020, and on
 * the range: full is 0 to 255, limited 16 to 235 for Y and 16 to 240 for Cb and Cr (ITU-T H.273,
 * 8.3). The result is at most one step beside the exact one. */
enum film_matrix { FILM_BT601, FILM_BT709, FILM_BT2020, FILM_MATRICES };

/* What Y, Cb and Cr mean. All zero: as in a JPEG file but for the range. */
struct film_colour {
    enum film_matrix matrix;
    bool full;
};

/* Draws a row of `w` pixels, 0x00RRGGBB. `halved`: a value of Cb and Cr is for two pixels. */
void film_colour_row(const struct film_colour *c, const uint8_t *y, const uint8_t *cb,
                     const uint8_t *cr, bool halved, uint32_t *out, int w);

/* Sides are multiples of so many pixels, as H.264 codes them. */
#define FILM_STEP 16
/* Pixels of a picture at most: 1280x720 (prerequest/push/picture/film.h). */
#define FILM_PIXELS_MOST (3600 * FILM_STEP * FILM_STEP)

/* Of Y, Cb and Cr; rows of `stride` bytes. */
struct film_planes {
    const uint8_t *plane[3];
    int stride[3];
};

struct film_picture {
    int w, h; /* pixels; multiples of FILM_STEP */
    uint8_t *bytes;
    size_t room;
};

/* A side, or more up to the next multiple of FILM_STEP. */
static inline int film_side(int pixels)
{
    return (pixels + FILM_STEP - 1) / FILM_STEP * FILM_STEP;
}

/* Also of a zeroed one. */
void film_picture_deinit(struct film_picture *p);

/* Takes w x h pixels 0x??RRGGBB, 1x1 at least, in rows of `stride`. Where its sides are larger, the
 * last column and row are repeated. False: out of memory. */
bool film_picture_take(struct film_picture *p, const uint32_t *pixels, int stride, int w, int h);

struct film_planes film_picture_planes(const struct film_picture *p);

/* Draws w x h pixels, 0x00RRGGBB, from this place of a picture on; x and y are even. */
void film_picture_draw(const struct film_planes *from, int x, int y, uint32_t *pixels, int stride,
                       int w, int h);

#ifdef __cplusplus
}
#endif
#endif
