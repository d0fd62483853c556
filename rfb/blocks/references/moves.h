/* What has moved in a picture: by how much (struct shift), and the rectangles of cells that such a
 * shift explains.
 *
 * One thread at a time.
 */
#ifndef VNCHL_MOVES_H
#define VNCHL_MOVES_H

#include <stdbool.h>
#include <stdint.h>

#include "rfb/blocks/references/shadow.h"
#include "rfb/region.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Finds by how much the content of a picture has moved: text that scrolls up, down or sideways, a
 * window that was moved.
 *
 * A *feature* is what a window of SHIFTS_WIDTH x SHIFTS_HEIGHT pixels has, as a number (a rolling
 * hash). One of 64 windows has a number that is looked at: the same ones wherever the content
 * stands. A feature that was once in the old picture, and is in the new one, votes for what its
 * place has changed by. What is there twice, as even ground is, says nothing. Votes are only hints:
 * the pixels have to be compared. */

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

/* Finds the rectangles of cells that a shift explains: in which the picture looks as the viewer's
 * does elsewhere. Of all such rectangles the one with the most cells that wait to be sent. */
struct moves {
    int columns, rows; /* of the picture, cells */
    uint8_t *match;    /* of each cell, whether the shift explains it */
    uint32_t *waiting; /* how many cells above and left of a corner wait */
    uint16_t *height;  /* of each column: cells that match, up from this row */
    struct {
        uint16_t left, height;
    } * open; /* rectangles that go on to the right */
};

/* Zeroed is an empty one. False: out of memory. */
bool moves_begin(struct moves *m, int columns, int rows);
void moves_deinit(struct moves *m);

/* What is compared, and which cells wait to be sent: one byte for each, not 0. */
struct moves_of {
    const struct shadow *then;
    const uint32_t *now; /* of the same size */
    const uint8_t *waits;
    struct rect cells; /* only these are looked at */
    bool sure;         /* the viewer has to have told of what it is from */
};

/* Looks which cells the shift explains. */
void moves_match(struct moves *m, const struct moves_of *of, const struct shift *shift);

/* The best rectangle, in cells, of at most `most` cells, and how many of them wait. What is given
 * does not match any more. */
struct rect moves_best(struct moves *m, const struct moves_of *of, int most, unsigned *waiting);

#ifdef __cplusplus
}
#endif
#endif
