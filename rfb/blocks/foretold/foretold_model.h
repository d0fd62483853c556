/* Foretells the pixels of text from those that were coded before, and codes what they are
 * (BLOCK_FORETOLD). Both ends of a stream have one, and do the same with it: so they know the same.
 *
 * Pixels go column by column, each from top to bottom. What is beside a pixel, on its left and
 * above, is looked up in four tables, by more of it or by less: each tells which colour came last
 * behind the same. So a letter that was there before is foretold after its first columns, and so is
 * a word, wherever it stands. Then bits say whether it is right, and which other colour it is if
 * not; what the viewer has there before, and pixels beside it, are guesses, too.
 *
 * All its numbers are the wire's: who changes one needs another pseudo-encoding (PSEUDO_FORETOLD).
 *
 * One thread at a time.
 */
#ifndef VNCHL_FORETOLD_MODEL_H
#define VNCHL_FORETOLD_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "rfb/blocks/foretold/foretold.h"
#include "rfb/blocks/foretold/range_coder.h"

#ifdef __cplusplus
extern "C" {
#endif

struct foretold_model;

/* Has to be begun. NULL when out of memory. It takes 4 MiB, once it is begun. */
struct foretold_model *foretold_model_create(void);
void foretold_model_destroy(struct foretold_model *m);

/* It has seen nothing. */
void foretold_model_begin(struct foretold_model *m);

/* A part of a picture, and what of it is coded: the columns and rows from left to right - 1 and top
 * to bottom - 1. The others are as they were before. Pixels are 0x00RRGGBB, column by column: `h`
 * for each. `before`: what the viewer has there; NULL: it is not known, and then all is coded. A
 * reader gives `now` as it was before. */
struct foretold_piece {
    int w, h;
    int left, right, top, bottom;
    uint32_t *now;
    const uint32_t *before;
};

/* Writes the pixels, or reads them; stops when the coder is full. */
void foretold_model_code(struct foretold_model *m, struct range_coder *c,
                         const struct foretold_piece *p);

/* What undo_take_back() does not take back. */
void foretold_model_keep_colours(struct foretold_model *m);
void foretold_model_take_back_colours(struct foretold_model *m);

#ifdef __cplusplus
}
#endif
#endif
