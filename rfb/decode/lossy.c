#include "rfb/decode/lossy.h"

#include <stdlib.h>
#include <string.h>

enum tile { CLEAN, LOSSY, ASKED };

bool lossy_resize(struct lossy *l, int width, int height)
{
    lossy_deinit(l);
    l->columns = (width + LOSSY_TILE - 1) / LOSSY_TILE;
    l->rows = (height + LOSSY_TILE - 1) / LOSSY_TILE;
    l->width = width;
    l->height = height;
    l->tiles = calloc((size_t)l->columns * (size_t)l->rows, sizeof *l->tiles);
    if (!l->tiles)
        l->columns = l->rows = 0;
    return l->tiles != NULL;
}

void lossy_deinit(struct lossy *l)
{
    free(l->tiles);
    memset(l, 0, sizeof *l);
}

/* A span of tiles: [left, right) x [top, bottom). */
struct span {
    int left, top, right, bottom;
};

static int lossy_limit(int v, int most)
{
    return v < 0 ? 0 : v > most ? most : v;
}

static struct span lossy_touched(const struct lossy *l, struct rect r)
{
    return (struct span){lossy_limit(r.x / LOSSY_TILE, l->columns),
                         lossy_limit(r.y / LOSSY_TILE, l->rows),
                         lossy_limit((r.x + r.w + LOSSY_TILE - 1) / LOSSY_TILE, l->columns),
                         lossy_limit((r.y + r.h + LOSSY_TILE - 1) / LOSSY_TILE, l->rows)};
}

/* The tiles that lie in the rectangle as a whole. A tile at the picture's edge is cut off there. */
static struct span lossy_covered(const struct lossy *l, struct rect r)
{
    int right = r.x + r.w >= l->width ? l->columns : (r.x + r.w) / LOSSY_TILE;
    int bottom = r.y + r.h >= l->height ? l->rows : (r.y + r.h) / LOSSY_TILE;

    return (struct span){lossy_limit((r.x + LOSSY_TILE - 1) / LOSSY_TILE, l->columns),
                         lossy_limit((r.y + LOSSY_TILE - 1) / LOSSY_TILE, l->rows),
                         lossy_limit(right, l->columns), lossy_limit(bottom, l->rows)};
}

static uint8_t *lossy_tile(const struct lossy *l, int column, int row)
{
    return &l->tiles[(size_t)row * (size_t)l->columns + (size_t)column];
}

static void lossy_set(struct lossy *l, struct span s, enum tile to)
{
    for (int row = s.top; row < s.bottom; row++) {
        for (int column = s.left; column < s.right; column++) {
            uint8_t *t = lossy_tile(l, column, row);

            l->count -= *t == LOSSY;
            l->count += to == LOSSY;
            *t = (uint8_t)to;
        }
    }
}

void lossy_drawn(struct lossy *l, struct rect r, bool jpeg)
{
    lossy_set(l, jpeg ? lossy_touched(l, r) : lossy_covered(l, r), jpeg ? LOSSY : CLEAN);
}

bool lossy_asked_for(const struct lossy *l, struct rect r)
{
    struct span s = lossy_touched(l, r);

    for (int row = s.top; row < s.bottom; row++)
        for (int column = s.left; column < s.right; column++)
            if (*lossy_tile(l, column, row) != ASKED)
                return false;
    return s.left < s.right && s.top < s.bottom;
}

bool lossy_answers(const struct lossy *l, tick_t asked_until)
{
    return l->asked > 0 && l->slices[l->first].asked <= asked_until;
}

static bool row_has_loss(const struct lossy *l, int row, int *left, int *right)
{
    *left = l->columns;
    *right = 0;
    for (int column = 0; column < l->columns; column++) {
        if (*lossy_tile(l, column, row) == LOSSY) {
            if (column < *left)
                *left = column;
            *right = column + 1;
        }
    }
    return *right > 0;
}

/* The next slice, in tiles: from the first row with loss on, as many rows as fit into `pixels`, as
 * wide as their loss is. */
static struct span next_slice(const struct lossy *l, size_t pixels)
{
    size_t tiles = pixels / (LOSSY_TILE * LOSSY_TILE);
    struct span s = {0, 0, 0, 0};
    int row = 0, left, right;

    while (!row_has_loss(l, row, &left, &right))
        row++;
    s = (struct span){left, row, right, row + 1};
    if ((size_t)(right - left) > tiles)
        s.right = left + (tiles > 0 ? (int)tiles : 1);
    else
        for (row++; row < l->rows && row_has_loss(l, row, &left, &right); row++) {
            struct span more = {left < s.left ? left : s.left, s.top,
                                right > s.right ? right : s.right, row + 1};

            if ((size_t)(more.right - more.left) * (size_t)(more.bottom - more.top) > tiles)
                break;
            s = more;
        }
    return s;
}

bool lossy_take(struct lossy *l, size_t pixels, tick_t now, struct rect *slice)
{
    struct rect all = {0, 0, l->width, l->height};
    struct span s;

    if (l->count == 0 || l->asked == LOSSY_SLICES)
        return false;
    s = next_slice(l, pixels);
    lossy_set(l, s, ASKED);
    *slice = rect_intersect((struct rect){s.left * LOSSY_TILE, s.top * LOSSY_TILE,
                                          (s.right - s.left) * LOSSY_TILE,
                                          (s.bottom - s.top) * LOSSY_TILE},
                            all);
    l->slices[(l->first + l->asked) % LOSSY_SLICES].area = *slice;
    l->slices[(l->first + l->asked++) % LOSSY_SLICES].asked = now;
    return true;
}

static void end_slice(struct lossy *l, enum tile to)
{
    struct span s = lossy_touched(l, l->slices[l->first].area);

    for (int row = s.top; row < s.bottom; row++)
        for (int column = s.left; column < s.right; column++)
            if (*lossy_tile(l, column, row) == ASKED)
                lossy_set(l, (struct span){column, row, column + 1, row + 1}, to);
    l->first = (l->first + 1) % LOSSY_SLICES;
    l->asked--;
}

void lossy_answered(struct lossy *l, tick_t asked_until)
{
    while (lossy_answers(l, asked_until))
        end_slice(l, CLEAN);
}

void lossy_give_up(struct lossy *l)
{
    while (l->asked > 0)
        end_slice(l, LOSSY);
}
