/* Finds by how much the content of a picture has moved: text that scrolls up, down or sideways, a
 * window that was moved.
 *
 * A *feature* is what a window of SHIFTS_WIDTH x SHIFTS_HEIGHT pixels has, as a number (a rolling
 * hash). One of 64 windows has a number that is looked at: the same ones wherever the content
 * stands. A feature that was once in the old picture, and is in the new one, votes for what its
 * place has changed by. What is there twice, as even ground is, says nothing. Votes are only hints:
 * the pixels have to be compared.
 *
 * One thread at a time.
 */
#ifndef VNCHL_SHIFTS_H
#define VNCHL_SHIFTS_H

#include <stdbool.h>
#include <stdint.h>

#include "rfb/region.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Pixels. Chosen: four letters of a line. Fewer are there too often. */
#define SHIFTS_WIDTH  32
#define SHIFTS_HEIGHT 16
/* Shifts that are given at most, and the votes of one at least. Chosen. */
#define SHIFTS_MOST  3
#define SHIFTS_VOTES 3

struct shift {
    int dx, dy; /* what was at (x, y) is at (x + dx, y + dy) */
    unsigned votes;
};

struct shifts;

/* NULL when out of memory. */
struct shifts *shifts_create(void);
void shifts_destroy(struct shifts *s);

/* Compares the same part of two pictures of pixels 0x??RRGGBB in rows of `stride`; its width is at
 * most 65535. Returns how many shifts there are; the one with the most votes is the first. */
unsigned shifts_find(struct shifts *s, const uint32_t *then, const uint32_t *now, int stride,
                     struct rect part, struct shift out[SHIFTS_MOST]);

#ifdef __cplusplus
}
#endif
#endif
