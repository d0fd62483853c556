/* The moving part of the demo picture: drifting colours under film grain, so that every 16 x 16
 * block differs in every frame, as in a film from a camera. The same frame number draws the same
 * picture.
 */
#ifndef VNCHL_DEMO_FILM_H
#define VNCHL_DEMO_FILM_H

#include <stdint.h>

struct film;

/* NULL when memory is short. */
struct film *film_create(int width, int height);
void film_destroy(struct film *f);

/* Draws frame `frame` at `pixels`, whose rows are `stride` pixels apart. */
void film_draw(struct film *f, uint32_t *pixels, int stride, uint64_t frame);

#endif
