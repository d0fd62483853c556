/* Finds the rectangles of cells that a shift explains: in which the picture looks as the viewer's
 * does elsewhere. Of all such rectangles the one with the most cells that wait to be sent.
 *
 * One thread at a time.
 */
#ifndef VNCHL_MOVES_H
#define VNCHL_MOVES_H

#include <stdbool.h>
#include <stdint.h>

#include "rfb/blocks/shadow.h"
#include "rfb/blocks/shifts.h"

#ifdef __cplusplus
extern "C" {
#endif

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
