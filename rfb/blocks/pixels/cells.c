#include "rfb/blocks/pixels/cells.h"

#include <stdbool.h>
#include <string.h>

/* Colours of a cell that is text without doubt: letters in two colours, icons. */
#define CELLS_FEW 16
/* Colours of text with soft edges at most: so many fit a packet with one cell. And how many of 256
 * pixels have another colour than the one above: letters stand on a ground that is even. */
#define CELLS_MANY    160
#define CELLS_CHANGES 160

#define CELLS_RGB 0xffffffu

void cells_begin(struct cells *c, int h)
{
    c->h = h;
    c->w = c->count = c->sure = c->doubtful = c->colours = c->looked = 0;
    c->changes = 0;
    memset(c->slot, 0xff, sizeof c->slot); /* -1 */
}

static unsigned cells_hash(uint32_t colour)
{
    return (colour * 2654435761u) >> 22; /* CELLS_SLOTS - 1 at most */
}

/* The number of this colour; it gets one. -1: there is no room. */
static int cells_colour(struct cells *c, uint32_t colour)
{
    unsigned slot = cells_hash(colour);

    for (; c->slot[slot] >= 0; slot = (slot + 1) % CELLS_SLOTS)
        if (c->colour[c->slot[slot]] == colour)
            return c->slot[slot];
    if (c->colours == PALETTE_MAX)
        return -1;
    c->slot[slot] = (int16_t)c->colours;
    c->at[c->colours] = (int16_t)slot;
    c->colour[c->colours] = colour;
    c->seen[c->colours] = 0;
    return c->colours++;
}

/* The newest go first, so that what was put behind them in the table is gone before. */
static void cells_forget(struct cells *c, int colours)
{
    while (c->colours > colours)
        c->slot[c->at[--c->colours]] = -1;
}

/* How many pixels have another colour than the one above. Most cells are BLOCK_CELL wide: then the
 * compiler knows it, and looks at several at a time. */
static int cells_changes(const uint32_t *pixels, int stride, int w, int h)
{
    uint32_t changes = 0;

    for (int y = 1; y < h; y++) {
        const uint32_t *row = pixels + (ptrdiff_t)y * stride, *above = row - stride;

        if (w == BLOCK_CELL)
            for (int x = 0; x < BLOCK_CELL; x++)
                changes += ((row[x] ^ above[x]) & CELLS_RGB) != 0;
        else
            for (int x = 0; x < w; x++)
                changes += ((row[x] ^ above[x]) & CELLS_RGB) != 0;
    }
    return (int)changes;
}

static void cells_take(struct cells *c, int w, int changes, bool doubt)
{
    if (!doubt && c->sure == c->count)
        c->sure++;
    if (doubt && c->doubtful == c->count)
        c->doubtful++;
    c->w += w;
    c->changes += (uint32_t)changes;
    c->width_to[c->count] = c->w;
    c->colours_to[c->count] = c->colours;
    c->cost_to[c->count] = c->changes;
    c->count++;
}

/* The numbers of the cell's colours, into `index`. Returns how many there are; -1: the palette has
 * no room; most + 1: more than that. */
static int cells_number(struct cells *c, const uint32_t *pixels, int stride, int w, int most)
{
    uint8_t *index = c->index + (size_t)c->w * (size_t)c->h;
    int count = 0, number = 0;
    uint32_t last = ~0u;

    for (int x = 0; x < w; x++)
        for (int y = 0; y < c->h; y++) {
            uint32_t colour = pixels[(ptrdiff_t)y * stride + x] & CELLS_RGB;

            if (colour != last) {
                number = cells_colour(c, colour);
                if (number < 0)
                    return -1;
                last = colour;
                if (c->seen[number] != c->looked) {
                    c->seen[number] = c->looked;
                    if (++count > most)
                        return count;
                }
            }
            *index++ = (uint8_t)number;
        }
    return count;
}

enum cell_kind cells_add(struct cells *c, const uint32_t *pixels, int stride, int w)
{
    int changes = cells_changes(pixels, stride, w, c->h), before = c->colours;
    bool even = changes * (BLOCK_CELL * BLOCK_CELL) <= CELLS_CHANGES * w * c->h;
    int most = even ? CELLS_MANY : CELLS_FEW, count;

    c->looked++;
    count = cells_number(c, pixels, stride, w, most);
    if (count < 0 || count > most) {
        cells_forget(c, before);
        return count < 0 ? CELL_FULL : CELL_PICTURE;
    }
    cells_take(c, w, changes + w, count > CELLS_FEW);
    return count == 1 ? CELL_SOLID : count <= CELLS_FEW ? CELL_TEXT : CELL_DOUBT;
}
