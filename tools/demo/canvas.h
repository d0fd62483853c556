/* Rectangles, fillings, lines of text and the test card, drawn into plain memory. Whatever lies
 * outside the picture is cut off, except in the test card, whose rectangle must lie inside. */
#ifndef VNCHL_DEMO_CANVAS_H
#define VNCHL_DEMO_CANVAS_H

#include <stdint.h>

#include "rfb/region.h"

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
