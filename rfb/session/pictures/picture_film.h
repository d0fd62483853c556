/* Draws a film, which a far end pushes in blocks (BLOCK_FILM), into the picture.
 *
 * Receiver thread.
 */
#ifndef VNCHL_PICTURE_FILM_H
#define VNCHL_PICTURE_FILM_H

#include <stdbool.h>
#include <stdint.h>

#include "rfb/blocks/block_newest.h"
#include "rfb/region.h"
#include "rfb/texts/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

struct picture_film;

/* It takes its memory with the first block. NULL when out of memory. */
struct picture_film *picture_film_create(void);
void picture_film_destroy(struct picture_film *f);

/* A picture of another size: what was said before is not for it. */
void picture_film_forget(struct picture_film *f);

/* The picture that is drawn into. */
struct picture_film_target {
    struct newest *newest;
    uint32_t *pixels;
    int width, height;
    uint8_t generation;
};

struct picture_film_drawn {
    unsigned frames;      /* that were decoded */
    struct region region; /* other pixels than before */
    bool broken; /* frames could not be decoded: the far end is to send the rectangle again */
    bool gone;   /* nor can any other one */
};

/* Takes a block of the picture's generation, and draws the frames that are whole by that. False,
 * with a reason: no far end says it, or there is no memory. */
bool picture_film_take(struct picture_film *f, const struct picture_film_target *t,
                       const struct block *b, struct picture_film_drawn *drawn, struct reason *why);

#ifdef __cplusplus
}
#endif
#endif
