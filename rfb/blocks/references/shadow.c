#include "rfb/blocks/references/shadow.h"

#include <stdlib.h>
#include <string.h>

#include "rfb/blocks/block.h"

#define SHADOW_RGB 0xffffffu

void shadow_deinit(struct shadow *s)
{
    free(s->pixels);
    free(s->state);
    *s = (struct shadow){0};
}

struct rect shadow_cells(struct rect area)
{
    int left = area.x / BLOCK_CELL, top = area.y / BLOCK_CELL;

    return (struct rect){left, top, (area.x + area.w + BLOCK_CELL - 1) / BLOCK_CELL - left,
                         (area.y + area.h + BLOCK_CELL - 1) / BLOCK_CELL - top};
}

struct rect shadow_pixels(struct rect cells, int width, int height)
{
    return rect_intersect((struct rect){cells.x * BLOCK_CELL, cells.y * BLOCK_CELL,
                                        cells.w * BLOCK_CELL, cells.h * BLOCK_CELL},
                          (struct rect){0, 0, width, height});
}

bool shadow_begin(struct shadow *s, int width, int height)
{
    struct rect cells = shadow_cells((struct rect){0, 0, width, height});

    shadow_deinit(s);
    s->width = width;
    s->height = height;
    s->columns = cells.w;
    s->rows = cells.h;
    if ((int64_t)width * height > SHADOW_PIXELS_MOST)
        return false;
    s->pixels = malloc((size_t)width * (size_t)height * sizeof *s->pixels);
    s->state = calloc((size_t)cells.w * (size_t)cells.h, 1);
    if (s->pixels && s->state)
        return true;
    shadow_deinit(s);
    return false;
}

void shadow_forget(struct shadow *s)
{
    if (s->pixels)
        memset(s->state, SHADOW_UNKNOWN, (size_t)s->columns * (size_t)s->rows);
}

static void shadow_mark(struct shadow *s, struct rect area, enum shadow_state state)
{
    struct rect cells = shadow_cells(area);

    for (int row = cells.y; row < cells.y + cells.h; row++)
        memset(shadow_at(s, cells.x, row), (int)state, (size_t)cells.w);
}

void shadow_put(struct shadow *s, const uint32_t *now, struct rect area, enum shadow_state state)
{
    if (!s->pixels)
        return;
    shadow_mark(s, area, state);
    for (int y = area.y; state != SHADOW_UNKNOWN && y < area.y + area.h; y++) {
        ptrdiff_t at = (ptrdiff_t)y * s->width + area.x;

        for (int x = 0; x < area.w; x++)
            s->pixels[at + x] = now[at + x] & SHADOW_RGB;
    }
}

/* The worst of what is known of some cells. */
static uint8_t shadow_least(const struct shadow *s, struct rect area)
{
    struct rect cells = shadow_cells(area);
    uint8_t least = SHADOW_HAS;

    for (int row = cells.y; row < cells.y + cells.h; row++)
        for (int column = cells.x; column < cells.x + cells.w; column++) {
            uint8_t state = *shadow_at(s, column, row);

            least = state < least ? state : least;
        }
    return least;
}

/* A cell that is copied into, or into a part of. */
static uint8_t shadow_copied(const struct shadow *s, struct rect area, int from_x, int from_y,
                             int column, int row)
{
    struct rect cell = {column * BLOCK_CELL, row * BLOCK_CELL, BLOCK_CELL, BLOCK_CELL};
    struct rect part = rect_intersect(cell, area);
    bool whole = part.w == cell.w && part.h == cell.h;
    uint8_t own = whole ? SHADOW_HAS : *shadow_at(s, column, row), least;

    part.x += from_x - area.x;
    part.y += from_y - area.y;
    least = shadow_least(s, part);
    least = own < least ? own : least;
    return least < SHADOW_STREAMED ? least : SHADOW_STREAMED;
}

/* What is known of the cells, in an order in which the source is not written before it is read. */
static void shadow_copy_state(struct shadow *s, struct rect area, int from_x, int from_y)
{
    struct rect cells = shadow_cells(area);
    bool up = from_y < area.y, back = from_x < area.x;

    for (int i = 0; i < cells.h; i++)
        for (int j = 0; j < cells.w; j++) {
            int row = cells.y + (up ? cells.h - 1 - i : i);
            int column = cells.x + (back ? cells.w - 1 - j : j);

            *shadow_at(s, column, row) = shadow_copied(s, area, from_x, from_y, column, row);
        }
}

void shadow_copy(struct shadow *s, struct rect area, int from_x, int from_y)
{
    bool down = from_y < area.y;

    if (!s->pixels)
        return;
    shadow_copy_state(s, area, from_x, from_y);
    for (int i = 0; i < area.h; i++) {
        int y = down ? area.h - 1 - i : i;

        memmove(s->pixels + (ptrdiff_t)(area.y + y) * s->width + area.x,
                s->pixels + (ptrdiff_t)(from_y + y) * s->width + from_x,
                (size_t)area.w * sizeof *s->pixels);
    }
}

bool shadow_knows(const struct shadow *s, struct rect area, bool sure)
{
    uint8_t least = s->pixels ? shadow_least(s, area) : SHADOW_UNKNOWN;

    return sure ? least == SHADOW_HAS : least != SHADOW_UNKNOWN;
}

bool shadow_knows_streamed(const struct shadow *s, struct rect area)
{
    return s->pixels && shadow_least(s, area) >= SHADOW_STREAMED;
}

bool shadow_is(const struct shadow *s, const uint32_t *now, struct rect area, int from_x,
               int from_y)
{
    for (int y = 0; y < area.h; y++) {
        const uint32_t *is = now + (ptrdiff_t)(area.y + y) * s->width + area.x;
        const uint32_t *was = s->pixels + (ptrdiff_t)(from_y + y) * s->width + from_x;
        uint32_t differs = 0;

        for (int x = 0; x < area.w; x++)
            differs |= is[x] ^ was[x];
        if (differs & SHADOW_RGB)
            return false;
    }
    return true;
}
