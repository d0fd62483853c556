#include "rfb/blocks/block_newest.h"

#include <stdlib.h>
#include <string.h>

struct newest_cell {
    uint32_t sequence;
    bool drawn;
};

struct newest {
    struct newest_cell *cells; /* row by row; NULL without a picture */
    int width, height;         /* pixels */
    int columns;
    uint8_t generation;
    uint32_t apart[BLOCK_AREA_MAX]; /* a block, before some of its cells are drawn */
};

struct newest *newest_create(void)
{
    return calloc(1, sizeof(struct newest));
}

void newest_destroy(struct newest *n)
{
    if (!n)
        return;
    free(n->cells);
    free(n);
}

static int newest_count(int pixels)
{
    return (pixels + BLOCK_CELL - 1) / BLOCK_CELL;
}

bool newest_begin(struct newest *n, int width, int height, uint8_t generation)
{
    free(n->cells);
    n->width = width;
    n->height = height;
    n->columns = newest_count(width);
    n->generation = generation;
    n->cells = calloc((size_t)n->columns * (size_t)newest_count(height), sizeof *n->cells);
    return n->cells;
}

/* Whole cells of the picture: it ends where cells do, or where the picture does. A copy need not.
 */
bool newest_is_whole(const struct newest *n, const struct block *b)
{
    int right = b->area.x + b->area.w, bottom = b->area.y + b->area.h;

    if (b->codec == BLOCK_COPY)
        return right <= n->width && bottom <= n->height;
    return b->area.x % BLOCK_CELL == 0 && b->area.y % BLOCK_CELL == 0 && right <= n->width &&
           bottom <= n->height && (right % BLOCK_CELL == 0 || right == n->width) &&
           (bottom % BLOCK_CELL == 0 || bottom == n->height);
}

/* The block's cells: columns and rows. A copy may have parts of some. */
static struct rect newest_cells_of(const struct block *b)
{
    int column = b->area.x / BLOCK_CELL, row = b->area.y / BLOCK_CELL;

    return (struct rect){column, row, newest_count(b->area.x + b->area.w) - column,
                         newest_count(b->area.y + b->area.h) - row};
}

static struct newest_cell *newest_at(const struct newest *n, int column, int row)
{
    return &n->cells[(size_t)row * (size_t)n->columns + (size_t)column];
}

static bool newest_is_newer(const struct block *b, const struct newest_cell *cell)
{
    return !cell->drawn || (int32_t)(b->sequence - cell->sequence) > 0;
}
/* Whether this is so of all cells of a part of the picture. */
static bool newest_all(const struct newest *n, struct rect r, uint32_t sequence,
                       bool (*is)(const struct newest_cell *cell, uint32_t sequence))
{
    r = rect_intersect(r, (struct rect){0, 0, n->width, n->height});
    if (r.w == 0 || r.h == 0)
        return true;
    for (int row = r.y / BLOCK_CELL; row * BLOCK_CELL < r.y + r.h; row++)
        for (int column = r.x / BLOCK_CELL; column * BLOCK_CELL < r.x + r.w; column++)
            if (!is(newest_at(n, column, row), sequence))
                return false;
    return true;
}

static bool newest_is_older(const struct newest_cell *cell, uint32_t sequence)
{
    return cell->drawn && (int32_t)(sequence - cell->sequence) > 0;
}

static bool newest_is_by(const struct newest_cell *cell, uint32_t sequence)
{
    return cell->drawn && cell->sequence == sequence;
}

bool newest_has(const struct newest *n, struct rect r, uint32_t sequence)
{
    return newest_all(n, r, sequence, newest_is_older);
}

bool newest_is(const struct newest *n, struct rect r, uint32_t sequence)
{
    return newest_all(n, r, sequence, newest_is_by);
}

/* Whether what a copy is from has been drawn, and not by a newer block. It need not be whole cells.
 * What is outside of the picture is left to the reader. */
static bool newest_has_source(const struct newest *n, const struct block *b)
{
    struct rect from = {.w = b->area.w, .h = b->area.h};

    block_get_copy(b, &from.x, &from.y);
    return newest_has(n, from, b->sequence);
}

enum newest_cells newest_ask(const struct newest *n, const struct block *b)
{
    struct rect cells = newest_cells_of(b);
    int newer = 0;

    if (!n->cells || b->generation != n->generation || !newest_is_whole(n, b))
        return NEWEST_NONE;
    for (int row = cells.y; row < cells.y + cells.h; row++)
        for (int column = cells.x; column < cells.x + cells.w; column++)
            newer += newest_is_newer(b, newest_at(n, column, row));
    if (newer == 0)
        return NEWEST_NONE;
    if (b->codec == BLOCK_COPY && !newest_has_source(n, b))
        return NEWEST_GONE;
    return newer == cells.w * cells.h ? NEWEST_ALL : NEWEST_SOME;
}

static void newest_remember(struct newest *n, const struct block *b)
{
    struct rect cells = newest_cells_of(b);

    for (int row = cells.y; row < cells.y + cells.h; row++)
        for (int column = cells.x; column < cells.x + cells.w; column++) {
            struct newest_cell *cell = newest_at(n, column, row);

            if (newest_is_newer(b, cell))
                *cell = (struct newest_cell){b->sequence, true};
        }
}

enum newest_cells newest_take(struct newest *n, const struct block *b)
{
    enum newest_cells cells = newest_ask(n, b);

    if (cells >= NEWEST_SOME)
        newest_remember(n, b);
    return cells;
}

/* The part of the block that is in this cell. */
static struct rect newest_part(const struct block *b, int column, int row)
{
    struct rect cell = {column * BLOCK_CELL, row * BLOCK_CELL, BLOCK_CELL, BLOCK_CELL};

    return rect_intersect(cell, b->area);
}

/* One colour, a copy, or the old picture: as a block of its own for one cell. */
static bool newest_draw_part(struct newest *n, struct block_reader *r, const struct block *b,
                             struct rect part, uint32_t *pixels, struct reason *why)
{
    struct block one = *b;
    uint8_t payload[BLOCK_COPY_BYTES];

    one.area = part;
    if (b->codec == BLOCK_COPY) {
        int x, y;

        block_get_copy(b, &x, &y);
        block_set_copy(&one, x + part.x - b->area.x, y + part.y - b->area.y, payload);
    }
    return block_read(r, &one, pixels, n->width, n->height, why);
}

/* From what was drawn apart. */
static void newest_put_part(struct newest *n, const struct block *b, struct rect part,
                            uint32_t *pixels)
{
    const uint32_t *from =
        n->apart + (ptrdiff_t)(part.y - b->area.y) * b->area.w + (part.x - b->area.x);
    uint32_t *to = pixels + (ptrdiff_t)part.y * n->width + part.x;

    for (int y = 0; y < part.h; y++, from += b->area.w, to += n->width)
        memcpy(to, from, (size_t)part.w * sizeof *to);
}

static bool newest_draw_apart(struct newest *n, struct block_reader *r, const struct block *b,
                              struct reason *why)
{
    struct block apart = *b;

    apart.area.x = apart.area.y = 0;
    return block_read(r, &apart, n->apart, b->area.w, b->area.h, why);
}

/* A copy goes over the cells so that none is drawn before it has been read. */
static bool newest_draw_some(struct newest *n, struct block_reader *r, const struct block *b,
                             uint32_t *pixels, struct reason *why)
{
    struct rect cells = newest_cells_of(b);
    bool whole = block_is_plain(b);
    int from_x = b->area.x, from_y = b->area.y;
    bool up, back;

    if (b->codec == BLOCK_COPY)
        block_get_copy(b, &from_x, &from_y);
    up = from_y < b->area.y;
    back = from_x < b->area.x;
    if (!whole && !newest_draw_apart(n, r, b, why))
        return false;
    for (int i = 0; i < cells.h; i++)
        for (int j = 0; j < cells.w; j++) {
            int row = cells.y + (up ? cells.h - 1 - i : i);
            int column = cells.x + (back ? cells.w - 1 - j : j);
            struct rect part = newest_part(b, column, row);

            if (!newest_is_newer(b, newest_at(n, column, row)))
                continue;
            if (!whole)
                newest_put_part(n, b, part, pixels);
            else if (!newest_draw_part(n, r, b, part, pixels, why))
                return false;
        }
    return true;
}

bool newest_take_cell(struct newest *n, uint8_t generation, uint32_t sequence, int column, int row)
{
    const struct block b = {.sequence = sequence};
    struct newest_cell *cell = newest_at(n, column, row);

    if (generation != n->generation || !newest_is_newer(&b, cell))
        return false;
    *cell = (struct newest_cell){sequence, true};
    return true;
}

bool newest_draw(struct newest *n, struct block_reader *r, const struct block *b, uint32_t *pixels,
                 enum newest_cells *drawn, struct reason *why)
{
    enum newest_cells cells = newest_ask(n, b);

    *drawn = NEWEST_NONE;
    if (!n->cells || b->generation != n->generation)
        return true;
    if (!newest_is_whole(n, b))
        return reason_set(why, "a block is not of whole cells of the picture");
    if (cells == NEWEST_ALL && !block_read(r, b, pixels, n->width, n->height, why))
        return false;
    if (cells == NEWEST_SOME && !newest_draw_some(n, r, b, pixels, why))
        return false;
    if (cells >= NEWEST_SOME)
        newest_remember(n, b);
    *drawn = cells;
    return true;
}
