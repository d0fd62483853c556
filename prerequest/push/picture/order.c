#include "prerequest/push/picture/order.h"

/* As many cells from here as have one of `states` and none of `without`. */
static int order_count(const struct push_cells *c, int column, int row, uint8_t states,
                       uint8_t without)
{
    const struct push_cell *cell = push_cells_at(c, column, row);
    int n = 0;

    while (column + n < c->columns && (cell[n].state & states) && !(cell[n].state & without))
        n++;
    return n;
}

bool push_order_urgent(const struct push_cells *c, int pointer_y, struct push_run *out)
{
    int best = -1, near = 0;

    for (int row = 0; c->urgent > 0 && row < c->rows; row++) {
        int away = row - pointer_y / PUSH_CELL;

        away = away < 0 ? -away : away;
        if (c->row[row].urgent > 0 && (best < 0 || away < near)) {
            best = row;
            near = away;
        }
    }
    if (best < 0)
        return false;
    *out = (struct push_run){.row = best};
    while (!(push_cells_at(c, out->column, best)->state & PUSH_URGENT))
        out->column++;
    out->count = order_count(c, out->column, best, PUSH_URGENT, 0);
    return true;
}

/* The row with the oldest change; -1: nothing has changed. */
static int order_oldest_row(const struct push_cells *c)
{
    int best = -1;

    for (int row = 0; c->changed > 0 && row < c->rows; row++)
        if (c->row[row].changed > 0 &&
            (best < 0 || push_cells_before(c->row[row].turn, c->row[best].turn)))
            best = row;
    return best;
}

uint32_t push_order_oldest(const struct push_cells *c)
{
    int row = order_oldest_row(c);

    return row < 0 ? c->turn : c->row[row].turn;
}

bool push_order_changed(const struct push_cells *c, struct push_run *out)
{
    int row = order_oldest_row(c);

    if (row < 0)
        return false;
    *out = (struct push_run){.row = row};
    for (const struct push_cell *cell = push_cells_at(c, 0, row);
         !(cell->state & PUSH_CHANGED) || cell->turn != c->row[row].turn; cell++)
        out->column++;
    out->count = order_count(c, out->column, row, PUSH_CHANGED, 0);
    return true;
}

int push_order_below(const struct push_cells *c, const struct push_run *r, int most)
{
    int rows = 1;

    while (rows < most && r->row + rows < c->rows &&
           c->row[r->row + rows].turn == c->row[r->row].turn &&
           order_count(c, r->column, r->row + rows, PUSH_CHANGED, PUSH_URGENT) >= r->count)
        rows++;
    return rows;
}

static bool order_is_still(const struct push_cell *cell, uint32_t ms)
{
    return (cell->state & (PUSH_LOSSY | PUSH_CHANGED)) == PUSH_LOSSY &&
           !push_cells_before(ms, cell->at + PUSH_STILL);
}

/* Finds still cells of the row. Without any it corrects when to look again. */
static bool order_still_in_row(struct push_cells *c, int row, uint32_t ms, struct push_run *out)
{
    const struct push_cell *cell = push_cells_at(c, 0, row);
    int from = 0;
    bool any = false;

    while (from < c->columns && !order_is_still(cell + from, ms))
        from++;
    if (from < c->columns) {
        *out = (struct push_run){.column = from, .row = row};
        while (from + out->count < c->columns && order_is_still(cell + from + out->count, ms))
            out->count++;
        return true;
    }
    for (int i = 0; i < c->columns; i++)
        if ((cell[i].state & (PUSH_LOSSY | PUSH_CHANGED)) == PUSH_LOSSY &&
            (!any || push_cells_before(cell[i].at, c->row[row].rest))) {
            c->row[row].rest = cell[i].at;
            any = true;
        }
    return false;
}

static int order_longest_still(const struct push_cells *c)
{
    int best = -1;

    for (int row = 0; c->lossy > 0 && row < c->rows; row++)
        if (c->row[row].lossy > 0 &&
            (best < 0 || push_cells_before(c->row[row].rest, c->row[best].rest)))
            best = row;
    return best;
}

bool push_order_still(struct push_cells *c, tick_t now, struct push_run *out)
{
    uint32_t ms = push_cells_ms(now);

    for (;;) {
        int row = order_longest_still(c);

        if (row < 0 || push_cells_before(ms, c->row[row].rest + PUSH_STILL))
            return false;
        if (order_still_in_row(c, row, ms, out))
            return true;
    }
}

tick_t push_order_still_at(const struct push_cells *c, tick_t now)
{
    int row = order_longest_still(c);
    int32_t left;

    if (row < 0)
        return TICK_NEVER;
    left = (int32_t)(c->row[row].rest + PUSH_STILL - push_cells_ms(now));
    return left <= 0 ? now : (now / TICK_MS + left) * TICK_MS;
}
