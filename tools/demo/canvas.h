/* Rectangles, fillings, lines of text and the test card, drawn into plain memory. Whatever lies
 * outside the picture is cut off, except in the test card, whose rectangle must lie inside. */
#ifndef VNCHL_DEMO_CANVAS_H
#define VNCHL_DEMO_CANVAS_H

#include <stdint.h>

#include "rfb/region.h"

/* A small fixed-width font for the demo picture: printable ASCII, 5 x 7 pixels drawn twice as
 * large. libvncserver's own font header is not part of the distribution's package. */

#define FONT_CELL_W 12
#define FONT_CELL_H 20 /* with room for descenders and the gap between lines */

/* Draws one character with its cell's top left at x, y. Other than printable ASCII gives a box.
 * The cell must lie inside the picture of `stride` pixels a row. */
void font_draw(uint32_t *pixels, int stride, int x, int y, unsigned character, uint32_t colour);

/* The seven rows of a character, the leftmost of five pixels in bit 4, for those who draw it at
 * another size; `drop` (may be NULL) is how many rows lower than the others it stands: 0 or 2. */
const uint8_t *font_rows(unsigned character, int *drop);

struct canvas {
    uint32_t *pixels; /* 0x00RRGGBB, rows of `width` */
    int width, height;
};

void canvas_fill(struct canvas *c, struct rect r, uint32_t colour);

/* One line of text, whole characters only up to `right`. */
void canvas_text(struct canvas *c, int x, int y, int right, const char *line, uint32_t colour);

/* Colour bars, grey steps, fine lines, a circle and a label. */
void canvas_test_card(struct canvas *c, struct rect r);

#endif
