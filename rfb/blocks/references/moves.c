#include "rfb/blocks/references/moves.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "rfb/blocks/block.h"

#define SHIFTS_SIDE_MOST 65535

/* A window's number is a polynomial of its pixels modulo 2^32. These are what it is of: any large
 * odd numbers. */
#define SHIFTS_ACROSS 0x01000193u
#define SHIFTS_DOWN   0x85ebca6bu
#define SHIFTS_MIX    0x9e3779b1u
#define SHIFTS_RGB    0xffffffu

/* Of a feature's number the highest bits are 0. */
#define SHIFTS_RARE 26

/* Features of the old picture. Powers of two. */
#define SHIFTS_SLOTS 65536
#define SHIFTS_FULL  (SHIFTS_SLOTS * 3 / 4)
/* Different shifts that have votes, and the votes that are counted: they bound the work for
 * pictures that were made to cause much of it. So does how far a number is looked for. */
#define SHIFTS_BALLOTS  512
#define SHIFTS_ELECTORS 65536
#define SHIFTS_PROBES   32

#define SHIFTS_FREE  (-1)
#define SHIFTS_TWICE (-2)

struct shifts_slot {
    uint32_t number;
    int32_t x; /* SHIFTS_FREE, SHIFTS_TWICE: it is at several places */
    int32_t y;
};

struct shifts {
    struct shifts_slot slot[SHIFTS_SLOTS];
    unsigned used;
    struct shift ballot[SHIFTS_BALLOTS];
    unsigned ballots, electors;
    uint32_t row[SHIFTS_HEIGHT][SHIFTS_SIDE_MOST]; /* of the newest rows */
    uint32_t window[SHIFTS_SIDE_MOST];
};

typedef void shifts_visit(struct shifts *s, uint32_t number, int x, int y);

struct shifts *shifts_create(void)
{
    return malloc(sizeof(struct shifts));
}

void shifts_destroy(struct shifts *s)
{
    free(s);
}

static uint32_t shifts_power(uint32_t base, int n)
{
    uint32_t power = 1;

    for (int i = 0; i < n; i++)
        power *= base;
    return power;
}

/* The numbers of all windows of one row of pixels. */
static void shifts_row(uint32_t *out, const uint32_t *pixels, int windows)
{
    const uint32_t first = shifts_power(SHIFTS_ACROSS, SHIFTS_WIDTH - 1) * SHIFTS_MIX;
    uint32_t number = 0;

    for (int x = 0; x < SHIFTS_WIDTH - 1; x++)
        number = number * SHIFTS_ACROSS + (pixels[x] & SHIFTS_RGB) * SHIFTS_MIX;
    for (int x = 0; x < windows; x++) {
        number = number * SHIFTS_ACROSS + (pixels[x + SHIFTS_WIDTH - 1] & SHIFTS_RGB) * SHIFTS_MIX;
        out[x] = number;
        number -= (pixels[x] & SHIFTS_RGB) * first;
    }
}

/* Visits the features in a row of windows, whose upper edge is at y. */
static void shifts_look(struct shifts *s, int windows, int left, int y, shifts_visit *visit)
{
    uint32_t newest = 0; /* what is beside an equal one is even ground */

    for (int x = 0; x < windows; x++) {
        uint32_t number = s->window[x] * SHIFTS_MIX;

        if (number >> SHIFTS_RARE != 0)
            continue;
        if (number != newest)
            visit(s, number, left + x, y);
        newest = number;
    }
}

/* Visits the features of a part of a picture. */
static void shifts_scan(struct shifts *s, const uint32_t *pixels, int stride, struct rect part,
                        shifts_visit *visit)
{
    const uint32_t first = shifts_power(SHIFTS_DOWN, SHIFTS_HEIGHT - 1);
    int windows = part.w - SHIFTS_WIDTH + 1;

    memset(s->window, 0, (size_t)windows * sizeof *s->window);
    for (int y = 0; y < part.h; y++) {
        uint32_t *row = s->row[y % SHIFTS_HEIGHT];

        for (int x = 0; y >= SHIFTS_HEIGHT && x < windows; x++)
            s->window[x] -= row[x] * first;
        shifts_row(row, pixels + (ptrdiff_t)(part.y + y) * stride + part.x, windows);
        for (int x = 0; x < windows; x++)
            s->window[x] = s->window[x] * SHIFTS_DOWN + row[x];
        if (y >= SHIFTS_HEIGHT - 1)
            shifts_look(s, windows, part.x, part.y + y - SHIFTS_HEIGHT + 1, visit);
    }
}

/* Where this number is, or would be. NULL: there is no room. */
static struct shifts_slot *shifts_slot(struct shifts *s, uint32_t number)
{
    unsigned at = (number * SHIFTS_ACROSS) >> 16;

    for (int i = 0; i < SHIFTS_PROBES; i++, at = (at + 1) % SHIFTS_SLOTS)
        if (s->slot[at].x == SHIFTS_FREE || s->slot[at].number == number)
            return s->slot + at;
    return NULL;
}

static void shifts_remember(struct shifts *s, uint32_t number, int x, int y)
{
    struct shifts_slot *slot = shifts_slot(s, number);

    if (!slot)
        return;
    if (slot->x != SHIFTS_FREE) {
        slot->x = SHIFTS_TWICE;
    } else if (s->used < SHIFTS_FULL) {
        *slot = (struct shifts_slot){number, x, y};
        s->used++;
    }
}

static void shifts_vote(struct shifts *s, uint32_t number, int x, int y)
{
    const struct shifts_slot *slot = shifts_slot(s, number);
    int dx, dy;

    if (!slot || slot->x < 0 || s->electors == SHIFTS_ELECTORS)
        return;
    dx = x - slot->x;
    dy = y - slot->y;
    if (dx == 0 && dy == 0)
        return;
    s->electors++;
    for (unsigned i = 0; i < s->ballots; i++)
        if (s->ballot[i].dx == dx && s->ballot[i].dy == dy) {
            s->ballot[i].votes++;
            return;
        }
    if (s->ballots < SHIFTS_BALLOTS)
        s->ballot[s->ballots++] = (struct shift){dx, dy, 1};
}

/* Takes the shift with the most votes out of them. */
static struct shift shifts_first(struct shifts *s)
{
    struct shift first = {0, 0, 0};
    unsigned at = 0;

    for (unsigned i = 0; i < s->ballots; i++)
        if (s->ballot[i].votes > first.votes) {
            first = s->ballot[i];
            at = i;
        }
    if (first.votes > 0)
        s->ballot[at].votes = 0;
    return first;
}

unsigned shifts_find(struct shifts *s, const uint32_t *then, const uint32_t *now, int stride,
                     struct rect part, struct shift out[SHIFTS_MOST])
{
    unsigned count = 0;

    if (part.w < SHIFTS_WIDTH || part.h < SHIFTS_HEIGHT || part.w > SHIFTS_SIDE_MOST)
        return 0;
    s->used = s->ballots = s->electors = 0;
    for (int i = 0; i < SHIFTS_SLOTS; i++)
        s->slot[i].x = SHIFTS_FREE;
    shifts_scan(s, then, stride, part, shifts_remember);
    shifts_scan(s, now, stride, part, shifts_vote);
    while (count < SHIFTS_MOST && (out[count] = shifts_first(s)).votes >= SHIFTS_VOTES)
        count++;
    return count;
}

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
