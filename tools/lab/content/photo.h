/* A picture like a photograph, made by arithmetic: sky, mountains and a meadow with soft shades and
 * fine grain, so that it weighs about what a photograph of its size weighs in any encoding. */
#ifndef VNCHL_LAB_PHOTO_H
#define VNCHL_LAB_PHOTO_H

#include <stdint.h>

#include "tools/demo/canvas.h"

/* Fills `r`, which must lie inside the picture. Takes some milliseconds. */
void photo_draw(struct canvas *c, struct rect r, uint32_t seed);

#endif
