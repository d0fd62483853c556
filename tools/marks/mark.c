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

/* Which cells are white: the finder's, then those of the data and its check. */
static void mark_cells(const struct mark *m, bool cells[MARK_ROWS * MARK_COLUMNS])
{
    uint64_t data =
        (uint64_t)m->kind << 60 | (uint64_t)(m->number & MARK_NUMBER_MAX) << 32 | m->time;
    uint16_t check = mark_crc(data);

    for (int i = 0; i < MARK_COLUMNS; i++)
        cells[i] = finder[i];
    for (int i = 0; i < 80; i++)
        cells[MARK_COLUMNS + i] = i < 64 ? data >> (63 - i) & 1 : check >> (79 - i) & 1;
}

void mark_draw(const struct mark_picture *p, int x, int y, const struct mark *m)
{
    bool cells[MARK_ROWS * MARK_COLUMNS];

    mark_cells(m, cells);
    for (int i = 0; i < MARK_ROWS * MARK_COLUMNS; i++)
        fill_cell(p, x + i % MARK_COLUMNS * MARK_CELL, y + i / MARK_COLUMNS * MARK_CELL, cells[i]);
}

/* How bright a pixel is: 0 to MARK_WHITE. */
#define MARK_WHITE (4 * 255)
static int mark_brightness(uint32_t pixel)
{
    return (int)((pixel >> 16 & 0xff) + 2 * (pixel >> 8 & 0xff) + (pixel & 0xff));
}

/* The middle of a cell: four pixels outvote what JPEG does to one. */
static bool mark_cell(const struct mark_picture *p, int x, int y)
{
    const uint32_t *at = p->pixels + (y + MARK_CELL / 2 - 1) * p->stride + x + MARK_CELL / 2 - 1;

    return mark_brightness(at[0]) + mark_brightness(at[1]) + mark_brightness(at[p->stride]) +
               mark_brightness(at[p->stride + 1]) >=
           4 * 4 * 128;
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

/* How far the picture is from this mark at this place: the sum of squares; or a part of it that is
 * `most` already. */
static int64_t mark_distance(const struct mark_picture *p, int x, int y, const bool *cells,
                             int64_t most)
{
    int64_t sum = 0;

    for (int row = 0; row < MARK_HEIGHT && sum < most; row++)
        for (int column = 0; column < MARK_WIDTH; column++) {
            bool white = cells[row / MARK_CELL * MARK_COLUMNS + column / MARK_CELL];
            int64_t differs = mark_brightness(p->pixels[(y + row) * p->stride + x + column]) -
                              (white ? MARK_WHITE : 0);

            sum += differs * differs;
        }
    return sum;
}

/* JPEG narrows the places where a mark reads, on one side more than on the other. But the picture
 * is most like the mark at the mark's own place. The first place that is tried is (x, y). */
static void mark_move(const struct mark_picture *p, const struct mark *m, int *x, int *y)
{
    int from_x = *x, from_y = *y;
    bool cells[MARK_ROWS * MARK_COLUMNS];
    int64_t least;

    mark_cells(m, cells);
    least = mark_distance(p, from_x, from_y, cells, INT64_MAX);
    for (int row = from_y - SLACK; row <= from_y + SLACK; row++)
        for (int column = from_x - SLACK; column <= from_x + SLACK; column++) {
            int64_t distance;

            if (column < 0 || row < 0 || column > p->width - MARK_WIDTH ||
                row > p->height - MARK_HEIGHT)
                continue;
            distance = mark_distance(p, column, row, cells, least);
            if (distance >= least)
                continue;
            least = distance;
            *x = column;
            *y = row;
        }
}

bool mark_settle(const struct mark_picture *p, int *x, int *y, struct mark *m)
{
    uint32_t pixels[(MARK_HEIGHT + 2 * SLACK) * (MARK_WIDTH + 2 * SLACK)];
    int left = *x < SLACK ? 0 : *x - SLACK, top = *y < SLACK ? 0 : *y - SLACK;
    int right = *x + MARK_WIDTH + SLACK, bottom = *y + MARK_HEIGHT + SLACK;
    struct mark_picture part = {pixels, 0, 0, MARK_WIDTH + 2 * SLACK};
    int part_x = *x - left, part_y = *y - top;

    if (*x < 0 || *y < 0 || *x > p->width - MARK_WIDTH || *y > p->height - MARK_HEIGHT)
        return false;
    part.width = (right < p->width ? right : p->width) - left;
    part.height = (bottom < p->height ? bottom : p->height) - top;
    for (int row = 0; row < part.height; row++)
        for (int column = 0; column < part.width; column++)
            pixels[row * part.stride + column] = p->pixels[(top + row) * p->stride + left + column];
    if (!mark_read(&part, part_x, part_y, m))
        return false;
    mark_move(&part, m, &part_x, &part_y);
    *x = left + part_x;
    *y = top + part_y;
    return true;
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
            return mark_settle(p, x, y, m);
        }
    }
    return false;
}
