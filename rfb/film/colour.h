/* From video's colours to pixels: brightness (Y), and how blue (Cb) and how red (Cr), to red, green
 * and blue.
 *
 * Which Y, Cb and Cr a colour has depends on the matrix, ITU-R BT.601, BT.709 or BT.2020, and on
 * the range: full is 0 to 255, limited 16 to 235 for Y and 16 to 240 for Cb and Cr (ITU-T H.273,
 * 8.3). The result is at most one step beside the exact one.
 *
 * Any thread.
 */
#ifndef VNCHL_FILM_COLOUR_H
#define VNCHL_FILM_COLOUR_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum film_matrix { FILM_BT601, FILM_BT709, FILM_BT2020, FILM_MATRICES };

/* What Y, Cb and Cr mean. All zero: as in a JPEG file but for the range. */
struct film_colour {
    enum film_matrix matrix;
    bool full;
};

/* Draws a row of `w` pixels, 0x00RRGGBB. `halved`: a value of Cb and Cr is for two pixels. */
void film_colour_row(const struct film_colour *c, const uint8_t *y, const uint8_t *cb,
                     const uint8_t *cr, bool halved, uint32_t *out, int w);

#ifdef __cplusplus
}
#endif
#endif
