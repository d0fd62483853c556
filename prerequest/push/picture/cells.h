/* What of the picture the viewer does not have yet: a map of cells.
 *
 * The picture is cut into cells of PUSH_CELL x PUSH_CELL pixels; those at its right and lower edge
 * may be smaller. For each cell is known:
 *
 *   CHANGED  it changed since it was sent; `turn` counts the server's updates and tells in which
 *            one that was. A cell that changes again before it left keeps its turn: it goes once,
 *            as it is then, and does not lose its place in the queue.
 *   LOSSY    the viewer has it with loss. When it is still for long enough, it goes again exact.
 *   URGENT   it changed so that the user waits for it (push/plan.h). Such cells are also CHANGED.
 *   at       when it changed last, ms
 *   moves    how often it changed in a row, each time within PUSH_MOVES of the time before
 *   apart    the longest time from one change to the next of late, ms: it falls by a quarter of the
 *            difference with each shorter one (chosen); PUSH_MOVES: not known
 *
 *   LOST     the block that carried it last was lost. Such cells are also CHANGED, and are older
 *            than all that has changed by itself: they go first.
 *   sequence the block that carried it last
 *
 * Invariant: where a cell is not CHANGED, the viewer has our pixels, or will have them once all
 * that was sent has come and push_cells_lost() was told of what is lost. It has them exactly, or
 * with loss if the cell is LOSSY. So a copy within the picture is safe if no cell of its source is
 * CHANGED, and if nothing that was sent may be lost: a loss that is told later would be noted in
 * the source's cells only, not in the copy's.
 *
 * Each row of cells has a summary, so that a search for work looks at rows first. 1920x1080 has
 * 8160 cells in 68 rows.
 *
 * The memory of the cells is the caller's. Pure.
 */
#ifndef VNCHL_PUSH_CELLS_H
#define VNCHL_PUSH_CELLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "prerequest/push/constants.h"
#include "prerequest/tick.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Pixels. */
#define PUSH_CELL 16
/* Pixels of a picture's side at most: RFB's sizes have 16 bits. */
#define PUSH_SIDE_MOST 65535
#define PUSH_ROWS_MOST ((PUSH_SIDE_MOST + PUSH_CELL - 1) / PUSH_CELL)

enum push_state { PUSH_CHANGED = 1, PUSH_LOSSY = 2, PUSH_URGENT = 4, PUSH_LOST = 8 };

struct push_cell {
    uint32_t turn;     /* the update of its oldest change that was not sent */
    uint32_t at;       /* when it changed last, ms; wraps around */
    uint32_t sequence; /* of the newest block with it, if it was sent */
    uint8_t state;     /* of enum push_state */
    uint8_t moves;
    uint16_t apart;
};

/* A summary of a row of cells. */
struct push_row {
    uint32_t turn; /* the oldest of its changed cells */
    uint32_t rest; /* no cell that could be refined changed before this time, ms */
    uint16_t changed, urgent;
    uint16_t lossy; /* lossy and not changed: it could be refined */
};

struct push_cells {
    struct push_cell *cell;
    int width, height; /* pixels */
    int columns, rows;
    uint32_t turn;                   /* of the server's update that comes now, or comes next */
    uint32_t changed, urgent, lossy; /* cells; as in struct push_row */
    uint32_t lost;                   /* cells; they are among the changed ones */
    uint32_t update, moving;         /* cells that this update changed, and those that move */
    struct push_row row[PUSH_ROWS_MOST];
};

/* Cells beside each other in a row. */
struct push_run {
    int column, row, count;
};

/* How many cells a picture has. */
size_t push_cells_count(int width, int height);

/* A new picture, in the caller's memory: all of it has changed. */
void push_cells_init(struct push_cells *c, struct push_cell *memory, int width, int height,
                     tick_t now);

/* These pixels changed. `urgent`: the user waits for them. A moving cell is never urgent: a film
 * must not overtake what was typed. */
void push_cells_change(struct push_cells *c, int x, int y, int w, int h, bool urgent, tick_t now);

/* The server's update has ended. */
void push_cells_shown(struct push_cells *c);

/* These cells left with this block. */
void push_cells_sent(struct push_cells *c, const struct push_run *r, uint32_t sequence, bool exact);

/* This block tells the viewer that it has exactly these pixels: whole cells. */
void push_cells_has(struct push_cells *c, int x, int y, int w, int h, uint32_t sequence);

/* This block with these pixels was lost: those of its cells that no later block has carried have to
 * go again. It is no change: neither the time nor the moves of a cell become others. */
void push_cells_lost(struct push_cells *c, int x, int y, int w, int h, uint32_t sequence);

/* These pixels left again, as they were in block `before`, in this one: whole cells. False, and
 * nothing is changed: some of them have changed meanwhile, or a later block has carried them. */
bool push_cells_again(struct push_cells *c, int x, int y, int w, int h, uint32_t before,
                      uint32_t sequence);

/* The server copied w x h pixels. True: the viewer may do the same, and the state of the source
 * went with the pixels. False: nothing was done, for a part of the source has not been sent. */
bool push_cells_copy(struct push_cells *c, int from_x, int from_y, int x, int y, int w, int h,
                     tick_t now);

static inline const struct push_cell *push_cells_at(const struct push_cells *c, int column, int row)
{
    return c->cell + (size_t)row * (size_t)c->columns + column;
}

static inline uint32_t push_cells_ms(tick_t now)
{
    return (uint32_t)(now / TICK_MS);
}

/* Whether `a` is before `b`, for turns and for times in ms; both wrap around. */
static inline bool push_cells_before(uint32_t a, uint32_t b)
{
    return (int32_t)(a - b) < 0;
}

#ifdef __cplusplus
}
#endif
#endif
