/* Encodes the frames of a film, in a thread of its own with low priority: what the viewer says and
 * what else is to leave does not wait for it. One frame at a time.
 *
 * The loop calls all of it, but for the thread itself.
 */
#ifndef VNCHL_FILM_MAKER_H
#define VNCHL_FILM_MAKER_H

#include <stdbool.h>

#include "prerequest/push/picture/film.h"
#include "rfb/blocks/block.h"

#ifdef __cplusplus
extern "C" {
#endif

struct film_maker;

/* Begins the thread. `wake_fd`: an eventfd, written to when a frame is made. NULL: there is no
 * encoder, or no memory or thread for it. */
struct film_maker *film_maker_create(int wake_fd);
void film_maker_destroy(struct film_maker *m); /* safe on NULL */

/* Whether it makes a frame, or one is made that nobody has asked for. */
bool film_maker_is_busy(struct film_maker *m);

/* Begins a frame: of this rectangle of a picture of pixels 0x??RRGGBB in rows of `stride`. The
 * pixels are taken at once. Not while it is busy. False: out of memory. */
bool film_maker_begin(struct film_maker *m, const struct push_film_order *order, struct rect area,
                      const uint32_t *pixels, int stride);

/* A frame that was made. */
struct film_made {
    uint32_t id;
    size_t bytes; /* 0: that did not work, or it has too many */
    int qp;       /* its quantiser, 1..51 */
};

/* A frame is made; it is told of once. It is there until the next one is begun. */
bool film_maker_made(struct film_maker *m, struct film_made *out);

/* It leaves in so many blocks: as many as it takes at least. */
void film_maker_cut(struct film_maker *m, unsigned blocks);

/* Sets codec, quality, area and payload of the block for this part, and nothing else of it. */
void film_maker_part(struct film_maker *m, unsigned index, struct block *out);

#ifdef __cplusplus
}
#endif
#endif
