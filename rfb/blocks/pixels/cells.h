/* A run of cells with few colours: their palette, and which colour each pixel has. It also tells
 * what kind of cell one is. Each cell is looked at once; what was found of the first n cells is
 * what would have been found of these alone, so a run that is too long is just cut.
 *
 * One thread at a time; a block_writer owns one.
 */
#ifndef VNCHL_CELLS_H
#define VNCHL_CELLS_H

#include <stdint.h>

#include "rfb/blocks/block.h"
#include "rfb/blocks/pixels/palette.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Cells of a run: there are most of them where they are one pixel high. */
#define CELLS_MAX (BLOCK_AREA_MAX / BLOCK_CELL)
/* Of the hash table; a power of 2. */
#define CELLS_SLOTS 1024

enum cell_kind {
    CELL_SOLID, /* one colour */
    CELL_TEXT,  /* few */
    CELL_DOUBT, /* more than that, on an even ground: text with soft edges, or part of a picture */
    CELL_PICTURE, /* many */
    CELL_FULL,    /* few, but the palette has no room for them */
};

struct cells {
    int h;            /* of all cells, pixels */
    int sure;         /* of the first cells, how many are without doubt */
    int doubtful;     /* of the first cells, how many are in doubt */
    int w, count;     /* of the cells so far: pixels, and how many */
    int colours;      /* of them */
    uint32_t changes; /* where a pixel has not the colour of the one above it */
    uint32_t colour[PALETTE_MAX];
    int16_t at[PALETTE_MAX];       /* its slot */
    int looked;                    /* cells that were looked at */
    int seen[PALETTE_MAX];         /* which of them had it last */
    int16_t slot[CELLS_SLOTS];     /* a colour, or -1 */
    int colours_to[CELLS_MAX];     /* the palette's colours with each cell */
    int width_to[CELLS_MAX];       /* pixels */
    uint32_t cost_to[CELLS_MAX];   /* changes */
    uint8_t index[BLOCK_AREA_MAX]; /* column by column */
};

/* Begins a run of cells that are h pixels high, 1..BLOCK_CELL. */
void cells_begin(struct cells *c, int h);

/* Looks at the next cell, w pixels wide, 1..BLOCK_CELL. One that is solid, text or in doubt is
 * added. The
 * others change nothing. All cells that are added have BLOCK_AREA_MAX pixels at most. */
enum cell_kind cells_add(struct cells *c, const uint32_t *pixels, int stride, int w);

#ifdef __cplusplus
}
#endif
#endif
