#include "rfb/blocks/shifts.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

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
