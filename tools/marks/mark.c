#include "tools/marks/mark.h"

#define TIME_UNIT (TICK_MS / 100)

/* A place this many pixels off still reads in a clean picture; so looking at every STEP-th pixel
 * of every STEP-th row finds every mark, also where JPEG has narrowed that. */
#define SLACK 3
#define STEP  4

/* The first row, from the left: alternating too seldom for a pattern, too often for an edge. */
static const bool finder[MARK_COLUMNS] = {1, 0, 1, 1, 0, 0, 1, 0, 1, 0};

static uint16_t mark_crc(uint64_t data)
{
    uint16_t c = 0xffff;

    for (int bit = 63; bit >= 0; bit--) {
        bool high = (c >> 15) ^ (data >> bit & 1);

        c = (uint16_t)(c << 1);
        if (high)
            c ^= 0x1021;
    }
    return c;
}

uint32_t mark_time(tick_t now)
{
    uint32_t t = (uint32_t)(now / TIME_UNIT);

    return t ? t : 1;
}

tick_t mark_age(const struct mark *m, tick_t now)
{
    /* signed: a clock read just before the mark's may make it a little negative */
    return (tick_t)(int32_t)((uint32_t)(now / TIME_UNIT) - m->time) * TIME_UNIT;
}

static void fill_cell(const struct mark_picture *p, int x, int y, bool white)
{
    for (int row = 0; row < MARK_CELL; row++)
        for (int column = 0; column < MARK_CELL; column++)
            p->pixels[(y + row) * p->stride + x + column] = white ? 0xffffff : 0;
}

void mark_draw(const struct mark_picture *p, int x, int y, const struct mark *m)
{
    uint64_t data =
        (uint64_t)m->kind << 60 | (uint64_t)(m->number & MARK_NUMBER_MAX) << 32 | m->time;
    uint16_t check = mark_crc(data);

    for (int i = 0; i < MARK_COLUMNS; i++)
        fill_cell(p, x + i * MARK_CELL, y, finder[i]);
    for (int i = 0; i < 80; i++) {
        bool bit = i < 64 ? data >> (63 - i) & 1 : check >> (79 - i) & 1;

        fill_cell(p, x + i % MARK_COLUMNS * MARK_CELL, y + (1 + i / MARK_COLUMNS) * MARK_CELL, bit);
    }
}

/* The middle of a cell: four pixels outvote what JPEG does to one. */
static bool mark_cell(const struct mark_picture *p, int x, int y)
{
    const uint32_t *at = p->pixels + (y + MARK_CELL / 2 - 1) * p->stride + x + MARK_CELL / 2 - 1;
    const uint32_t four[4] = {at[0], at[1], at[p->stride], at[p->stride + 1]};
    uint32_t sum = 0;

    for (int i = 0; i < 4; i++)
        sum += (four[i] >> 16 & 0xff) + 2 * (four[i] >> 8 & 0xff) + (four[i] & 0xff);
    return sum >= 4 * 4 * 128;
}

bool mark_read(const struct mark_picture *p, int x, int y, struct mark *m)
{
    uint64_t data = 0;
    uint16_t check = 0;

    if (x < 0 || y < 0 || x > p->width - MARK_WIDTH || y > p->height - MARK_HEIGHT)
        return false;
    for (int i = 0; i < MARK_COLUMNS; i++)
        if (mark_cell(p, x + i * MARK_CELL, y) != finder[i])
            return false;
    for (int i = 0; i < 80; i++) {
        bool bit =
            mark_cell(p, x + i % MARK_COLUMNS * MARK_CELL, y + (1 + i / MARK_COLUMNS) * MARK_CELL);

        if (i < 64)
            data = data << 1 | bit;
        else
            check = (uint16_t)(check << 1 | bit);
    }
    if (mark_crc(data) != check)
        return false;
    m->kind = (enum mark_kind)(data >> 60);
    m->number = data >> 32 & MARK_NUMBER_MAX;
    m->time = (uint32_t)data;
    return true;
}

static bool mark_reads(const struct mark_picture *p, enum mark_kind kind, int x, int y)
{
    struct mark m;

    return mark_read(p, x, y, &m) && m.kind == kind;
}

/* The middle of `low`..`high`, all of which read. Where an edge of the picture (0 or `max`) may
 * have cut the range off, its other end tells where the middle is. */
static int mark_middle(int low, int high, int max)
{
    if (low == 0 && high < 2 * SLACK)
        return high > SLACK ? high - SLACK : 0;
    if (high == max && max - low < 2 * SLACK)
        return low + SLACK < max ? low + SLACK : max;
    return low + (high - low) / 2;
}

/* From a place that reads to the best one. */
static void mark_centre(const struct mark_picture *p, enum mark_kind kind, int *x, int *y)
{
    int low = *x, high = *x;

    while (mark_reads(p, kind, low - 1, *y))
        low--;
    while (mark_reads(p, kind, high + 1, *y))
        high++;
    *x = mark_middle(low, high, p->width - MARK_WIDTH);
    low = high = *y;
    while (mark_reads(p, kind, *x, low - 1))
        low--;
    while (mark_reads(p, kind, *x, high + 1))
        high++;
    *y = mark_middle(low, high, p->height - MARK_HEIGHT);
}

/* The last step is shorter: it reaches the edge. */
static int mark_step(int at, int last)
{
    if (at >= last)
        return last + 1;
    return at + STEP < last ? at + STEP : last;
}

bool mark_find(const struct mark_picture *p, enum mark_kind kind, int *x, int *y, struct mark *m)
{
    int right = p->width - MARK_WIDTH, bottom = p->height - MARK_HEIGHT;

    for (int row = 0; row <= bottom; row = mark_step(row, bottom)) {
        for (int column = 0; column <= right; column = mark_step(column, right)) {
            if (!mark_read(p, column, row, m) || m->kind != kind)
                continue;
            *x = column;
            *y = row;
            mark_centre(p, kind, x, y);
            return mark_read(p, *x, *y, m);
        }
    }
    return false;
}
