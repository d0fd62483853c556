#include "rfb/blocks/moves.h"

#include <stdlib.h>
#include <string.h>

#include "rfb/blocks/block.h"

void moves_deinit(struct moves *m)
{
    free(m->match);
    free(m->waiting);
    free(m->height);
    free(m->open);
    *m = (struct moves){0};
}

bool moves_begin(struct moves *m, int columns, int rows)
{
    moves_deinit(m);
    m->columns = columns;
    m->rows = rows;
    m->match = malloc((size_t)columns * (size_t)rows);
    m->waiting = malloc((size_t)(columns + 1) * (size_t)(rows + 1) * sizeof *m->waiting);
    m->height = malloc((size_t)columns * sizeof *m->height);
    m->open = malloc((size_t)(columns + 1) * sizeof *m->open);
    if (m->match && m->waiting && m->height && m->open)
        return true;
    moves_deinit(m);
    return false;
}

static uint8_t *moves_at(const struct moves *m, int column, int row)
{
    return m->match + (size_t)row * (size_t)m->columns + column;
}

static uint32_t *moves_corner(const struct moves *m, int column, int row)
{
    return m->waiting + (size_t)row * (size_t)(m->columns + 1) + column;
}

static uint32_t moves_waiting(const struct moves *m, struct rect cells)
{
    int right = cells.x + cells.w, bottom = cells.y + cells.h;

    return *moves_corner(m, right, bottom) - *moves_corner(m, cells.x, bottom) -
           *moves_corner(m, right, cells.y) + *moves_corner(m, cells.x, cells.y);
}

static bool moves_explains(const struct moves_of *of, const struct shift *shift, int column,
                           int row)
{
    const struct rect whole = {0, 0, of->then->width, of->then->height};
    struct rect area = rect_intersect(
        (struct rect){column * BLOCK_CELL, row * BLOCK_CELL, BLOCK_CELL, BLOCK_CELL}, whole);
    struct rect from = {area.x - shift->dx, area.y - shift->dy, area.w, area.h};

    return rect_inside(from, whole) && shadow_knows(of->then, from, of->sure) &&
           shadow_is(of->then, of->now, area, from.x, from.y);
}

static void moves_count(struct moves *m, const uint8_t *waits)
{
    memset(m->waiting, 0, (size_t)(m->columns + 1) * sizeof *m->waiting);
    for (int row = 0; row < m->rows; row++) {
        uint32_t count = 0;

        *moves_corner(m, 0, row + 1) = 0;
        for (int column = 0; column < m->columns; column++) {
            count += waits[(size_t)row * (size_t)m->columns + (size_t)column] != 0;
            *moves_corner(m, column + 1, row + 1) = *moves_corner(m, column + 1, row) + count;
        }
    }
}

void moves_match(struct moves *m, const struct moves_of *of, const struct shift *shift)
{
    moves_count(m, of->waits);
    for (int row = of->cells.y; row < of->cells.y + of->cells.h; row++)
        for (int column = of->cells.x; column < of->cells.x + of->cells.w; column++)
            *moves_at(m, column, row) = moves_explains(of, shift, column, row);
}

/* Rectangles that end at this row: each is as wide as its height lets it be. So every rectangle
 * that cannot grow is looked at once. */
static void moves_look(struct moves *m, const struct moves_of *of, int row, int most,
                       struct rect *best, unsigned *waiting)
{
    int left = of->cells.x, right = left + of->cells.w, open = 0;

    for (int column = left; column <= right; column++) {
        unsigned height = column < right ? m->height[column] : 0;
        int from = column;

        while (open > 0 && m->open[open - 1].height > height) {
            struct rect r = {.x = m->open[--open].left, .h = m->open[open].height};

            from = r.x;
            r.w = column - r.x;
            r.h = r.h * r.w <= most ? r.h : most / r.w;
            r.y = row + 1 - r.h;
            if (r.h > 0 && moves_waiting(m, r) > *waiting) {
                *waiting = moves_waiting(m, r);
                *best = r;
            }
        }
        if (height > 0 && (open == 0 || m->open[open - 1].height < height)) {
            m->open[open].left = (uint16_t)from;
            m->open[open++].height = (uint16_t)height;
        }
    }
}

struct rect moves_best(struct moves *m, const struct moves_of *of, int most, unsigned *waiting)
{
    struct rect best = {0, 0, 0, 0};

    *waiting = 0;
    memset(m->height, 0, (size_t)m->columns * sizeof *m->height);
    for (int row = of->cells.y; row < of->cells.y + of->cells.h; row++) {
        for (int column = of->cells.x; column < of->cells.x + of->cells.w; column++)
            m->height[column] =
                *moves_at(m, column, row) ? (uint16_t)(m->height[column] + 1) : (uint16_t)0;
        moves_look(m, of, row, most, &best, waiting);
    }
    for (int row = best.y; row < best.y + best.h; row++)
        memset(moves_at(m, best.x, row), 0, (size_t)best.w);
    return best;
}
