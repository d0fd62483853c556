#include "prerequest/push/picture/cells.h"

#include <string.h>

/* A rectangle in pixels, as its edges. */
struct area {
    int left, top, right, bottom;
};

static int cells_for(int pixels)
{
    return (pixels + PUSH_CELL - 1) / PUSH_CELL;
}

size_t push_cells_count(int width, int height)
{
    return (size_t)cells_for(width) * (size_t)cells_for(height);
}

static struct push_cell *cells_at(struct push_cells *c, int column, int row)
{
    return c->cell + (size_t)row * (size_t)c->columns + column;
}

/* The part of a rectangle that is in the picture. */
static struct area cells_area(const struct push_cells *c, int x, int y, int w, int h)
{
    struct area a = {x, y, x + w, y + h};

    a.left = a.left < 0 ? 0 : a.left;
    a.top = a.top < 0 ? 0 : a.top;
    a.right = a.right > c->width ? c->width : a.right;
    a.bottom = a.bottom > c->height ? c->height : a.bottom;
    return a;
}

static bool cells_area_empty(struct area a)
{
    return a.left >= a.right || a.top >= a.bottom;
}

/* Its cells, the outer edges not among them. */
static struct area cells_of_area(struct area a)
{
    return (struct area){a.left / PUSH_CELL, a.top / PUSH_CELL, cells_for(a.right),
                         cells_for(a.bottom)};
}

/* ---- the summaries ---- */

static uint32_t cells_is_changed(uint8_t state)
{
    return (state & PUSH_CHANGED) != 0;
}

static uint32_t cells_is_urgent(uint8_t state)
{
    return (state & PUSH_URGENT) != 0;
}

static uint32_t cells_is_lossy(uint8_t state)
{
    return (state & (PUSH_LOSSY | PUSH_CHANGED)) == PUSH_LOSSY;
}

static uint32_t cells_is_lost(uint8_t state)
{
    return (state & PUSH_LOST) != 0;
}

/* Gives a cell its state, and counts it. */
static void cells_set(struct push_cells *c, int row, struct push_cell *cell, uint8_t state)
{
    struct push_row *r = c->row + row;
    uint32_t changed = cells_is_changed(state) - cells_is_changed(cell->state);
    uint32_t urgent = cells_is_urgent(state) - cells_is_urgent(cell->state);
    uint32_t lossy = cells_is_lossy(state) - cells_is_lossy(cell->state);

    if (cells_is_changed(state) && (r->changed == 0 || push_cells_before(cell->turn, r->turn)))
        r->turn = cell->turn;
    if (cells_is_lossy(state) && (r->lossy == 0 || push_cells_before(cell->at, r->rest)))
        r->rest = cell->at;
    r->changed = (uint16_t)(r->changed + changed);
    r->urgent = (uint16_t)(r->urgent + urgent);
    r->lossy = (uint16_t)(r->lossy + lossy);
    c->changed += changed;
    c->urgent += urgent;
    c->lossy += lossy;
    c->lost += cells_is_lost(state) - cells_is_lost(cell->state);
    cell->state = state;
}

/* Cells of the row have been sent: what is the oldest now? */
static void cells_row_again(struct push_cells *c, int row)
{
    struct push_row *r = c->row + row;
    const struct push_cell *cell = push_cells_at(c, 0, row);
    bool turn = false, rest = false;

    for (int i = 0; i < c->columns; i++, cell++) {
        if (cells_is_changed(cell->state) && (!turn || push_cells_before(cell->turn, r->turn))) {
            r->turn = cell->turn;
            turn = true;
        }
        if (cells_is_lossy(cell->state) && (!rest || push_cells_before(cell->at, r->rest))) {
            r->rest = cell->at;
            rest = true;
        }
    }
}

/* ---- what happens ---- */

static void cells_mark(struct push_cells *c, int row, struct push_cell *cell, bool urgent)
{
    uint8_t state = (uint8_t)(cell->state & ~PUSH_LOST);

    if (!cells_is_changed(state))
        cell->turn = c->turn;
    cells_set(c, row, cell, (uint8_t)(state | PUSH_CHANGED | (urgent ? PUSH_URGENT : 0)));
}

void push_cells_init(struct push_cells *c, struct push_cell *memory, int width, int height,
                     tick_t now)
{
    size_t count;

    c->cell = memory;
    c->width = width < 0 ? 0 : width > PUSH_SIDE_MOST ? PUSH_SIDE_MOST : width;
    c->height = height < 0 ? 0 : height > PUSH_SIDE_MOST ? PUSH_SIDE_MOST : height;
    c->columns = cells_for(c->width);
    c->rows = cells_for(c->height);
    c->turn = 1;
    c->changed = c->urgent = c->lossy = c->lost = c->update = c->moving = 0;
    memset(c->row, 0, sizeof c->row);
    count = push_cells_count(c->width, c->height);
    for (size_t i = 0; i < count; i++)
        memory[i] = (struct push_cell){.at = push_cells_ms(now), .apart = PUSH_MOVES};
    for (int row = 0; row < c->rows; row++) /* nothing of it was sent; and nothing moves by that */
        for (int column = 0; column < c->columns; column++)
            cells_mark(c, row, cells_at(c, column, row), false);
}

/* Its pixels are others now. Two rectangles of an update may both have a part of it: that is one
 * change. */
static void cells_touch(struct push_cell *cell, uint32_t ms)
{
    uint32_t since = ms - cell->at;

    if (since == 0 && cell->moves > 0)
        return;
    if (since >= PUSH_MOVES)
        cell->moves = 0;
    else if (cell->moves < UINT8_MAX)
        cell->moves++;
    if (since >= cell->apart)
        cell->apart = (uint16_t)(since < PUSH_MOVES ? since : PUSH_MOVES);
    else
        cell->apart = (uint16_t)(cell->apart - (cell->apart - since) / 4);
    cell->at = ms;
}

void push_cells_change(struct push_cells *c, int x, int y, int w, int h, bool urgent, tick_t now)
{
    struct area pixels = cells_area(c, x, y, w, h), a = cells_of_area(pixels);

    if (cells_area_empty(pixels))
        return;
    for (int row = a.top; row < a.bottom; row++)
        for (int column = a.left; column < a.right; column++) {
            struct push_cell *cell = cells_at(c, column, row);
            bool moving;

            cells_touch(cell, push_cells_ms(now));
            moving = cell->moves >= PUSH_MOVING;
            cells_mark(c, row, cell, urgent && !moving);
            c->update++;
            c->moving += moving;
        }
}

void push_cells_shown(struct push_cells *c)
{
    c->turn++;
    c->update = c->moving = 0;
}

void push_cells_sent(struct push_cells *c, const struct push_run *r, uint32_t sequence, bool exact)
{
    for (int i = 0; i < r->count; i++) {
        struct push_cell *cell = cells_at(c, r->column + i, r->row);

        cell->sequence = sequence;
        cells_set(c, r->row, cell, exact ? 0 : PUSH_LOSSY);
    }
    cells_row_again(c, r->row);
}

void push_cells_has(struct push_cells *c, int x, int y, int w, int h, uint32_t sequence)
{
    struct area pixels = cells_area(c, x, y, w, h), a = cells_of_area(pixels);

    if (cells_area_empty(pixels))
        return;
    for (int row = a.top; row < a.bottom; row++)
        push_cells_sent(c, &(struct push_run){a.left, row, a.right - a.left}, sequence, true);
}

void push_cells_lost(struct push_cells *c, int x, int y, int w, int h, uint32_t sequence)
{
    struct area pixels = cells_area(c, x, y, w, h), a = cells_of_area(pixels);

    if (cells_area_empty(pixels))
        return;
    for (int row = a.top; row < a.bottom; row++) {
        for (int column = a.left; column < a.right; column++) {
            struct push_cell *cell = cells_at(c, column, row);

            if (cell->sequence != sequence || cells_is_changed(cell->state))
                continue;
            cell->turn = c->turn - PUSH_LOST_TURNS;
            cells_set(c, row, cell, (uint8_t)(cell->state | PUSH_CHANGED | PUSH_LOST));
        }
        cells_row_again(c, row);
    }
}

static bool cells_carried_by(const struct push_cells *c, struct area a, uint32_t sequence)
{
    for (int row = a.top; row < a.bottom; row++)
        for (int column = a.left; column < a.right; column++) {
            const struct push_cell *cell = push_cells_at(c, column, row);

            if (cell->sequence != sequence || cells_is_changed(cell->state))
                return false;
        }
    return true;
}

bool push_cells_again(struct push_cells *c, int x, int y, int w, int h, uint32_t before,
                      uint32_t sequence)
{
    struct area pixels = cells_area(c, x, y, w, h), a = cells_of_area(pixels);

    if (cells_area_empty(pixels) || !cells_carried_by(c, a, before))
        return false;
    for (int row = a.top; row < a.bottom; row++)
        for (int column = a.left; column < a.right; column++)
            cells_at(c, column, row)->sequence = sequence;
    return true;
}

/* ---- copies ---- */

static bool cells_unsent(const struct push_cells *c, struct area a)
{
    for (int row = a.top; row < a.bottom; row++) {
        if (c->row[row].changed == 0)
            continue;
        for (int column = a.left; column < a.right; column++)
            if (cells_is_changed(push_cells_at(c, column, row)->state))
                return true;
    }
    return false;
}

static bool cells_lossy(const struct push_cells *c, struct area a)
{
    for (int row = a.top; row < a.bottom; row++)
        for (int column = a.left; column < a.right; column++)
            if (push_cells_at(c, column, row)->state & PUSH_LOSSY)
                return true;
    return false;
}

/* A cell gets pixels of a source `dx`, `dy` away. Where it gets all of its pixels, what it was
 * before does not matter. */
static void cells_copy_one(struct push_cells *c, struct area target, int dx, int dy, int column,
                           int row, uint32_t ms)
{
    struct push_cell *cell = cells_at(c, column, row);
    struct area all = cells_area(c, column * PUSH_CELL, row * PUSH_CELL, PUSH_CELL, PUSH_CELL),
                part;
    uint8_t state;

    part.left = all.left > target.left ? all.left : target.left;
    part.top = all.top > target.top ? all.top : target.top;
    part.right = all.right < target.right ? all.right : target.right;
    part.bottom = all.bottom < target.bottom ? all.bottom : target.bottom;
    state = memcmp(&part, &all, sizeof all) == 0 ? 0 : cell->state;
    part = (struct area){part.left - dx, part.top - dy, part.right - dx, part.bottom - dy};
    if (cells_lossy(c, cells_of_area(part)))
        state |= PUSH_LOSSY;
    cells_touch(cell, ms);
    cells_set(c, row, cell, state);
}

/* The order is such that no cell gets its new state before others have read the old one. */
bool push_cells_copy(struct push_cells *c, int from_x, int from_y, int x, int y, int w, int h,
                     tick_t now)
{
    struct area from = cells_area(c, from_x, from_y, w, h), to = cells_area(c, x, y, w, h), a;
    int dx = x - from_x, dy = y - from_y;

    if (cells_area_empty(to) || from.right - from.left != w || from.bottom - from.top != h ||
        to.right - to.left != w || to.bottom - to.top != h || cells_unsent(c, cells_of_area(from)))
        return false;
    a = cells_of_area(to);
    for (int i = 0; i < a.bottom - a.top; i++) {
        int row = dy > 0 ? a.bottom - 1 - i : a.top + i;

        for (int k = 0; k < a.right - a.left; k++)
            cells_copy_one(c, to, dx, dy, dx > 0 ? a.right - 1 - k : a.left + k, row,
                           push_cells_ms(now));
    }
    for (int row = a.top; row < a.bottom; row++)
        cells_row_again(c, row);
    return true;
}
