#include "tools/lab/eye/likeness.h"

#include <math.h>
#include <stdint.h>

#define BLOCK  4
#define WINDOW (4 * BLOCK * BLOCK) /* pixels: two blocks by two */

#define PEAK 255.0
#define C1   ((0.01 * PEAK) * (0.01 * PEAK))
#define C2   ((0.03 * PEAK) * (0.03 * PEAK))

/* Of the lumas a and b of the same pixels. */
struct sums {
    bool counts;
    uint32_t a, b, squares, product; /* squares: of both */
};

struct total {
    uint64_t squared, values; /* differences of colours */
    double ssim;
    uint64_t windows;
};

/* JPEG's Y, rounded. */
static uint32_t likeness_luma(uint32_t pixel)
{
    return (19595 * (pixel >> 16 & 0xff) + 38470 * (pixel >> 8 & 0xff) + 7471 * (pixel & 0xff) +
            32768) >>
           16;
}

uint32_t likeness_difference(uint32_t one, uint32_t other)
{
    uint32_t sum = 0;

    for (int shift = 0; shift <= 16; shift += 8) {
        int d = (int)(one >> shift & 0xff) - (int)(other >> shift & 0xff);

        sum += (uint32_t)(d * d);
    }
    return sum;
}

static struct sums likeness_add_block(const struct mark_picture *drawn,
                                      const struct mark_picture *shown, int x, int y,
                                      struct total *total)
{
    struct sums s = {.counts = true};

    for (int row = y; row < y + BLOCK; row++) {
        const uint32_t *one = drawn->pixels + (long)row * drawn->stride + x;
        const uint32_t *other = shown->pixels + (long)row * shown->stride + x;

        for (int i = 0; i < BLOCK; i++) {
            uint32_t a = likeness_luma(one[i]), b = likeness_luma(other[i]);

            s.a += a;
            s.b += b;
            s.squares += a * a + b * b;
            s.product += a * b;
            total->squared += likeness_difference(one[i], other[i]);
        }
    }
    total->values += 3 * BLOCK * BLOCK;
    return s;
}

static void add_window(const struct sums *above, const struct sums *below, struct total *total)
{
    double a, b, variances, covariance;
    const struct sums *four[] = {above, above + 1, below, below + 1};
    struct sums s = {.counts = true};

    for (int i = 0; i < 4; i++) {
        if (!four[i]->counts)
            return;
        s.a += four[i]->a;
        s.b += four[i]->b;
        s.squares += four[i]->squares;
        s.product += four[i]->product;
    }
    a = (double)s.a / WINDOW;
    b = (double)s.b / WINDOW;
    variances = (double)s.squares / WINDOW - a * a - b * b;
    covariance = (double)s.product / WINDOW - a * b;
    total->ssim +=
        (2 * a * b + C1) * (2 * covariance + C2) / ((a * a + b * b + C1) * (variances + C2));
    total->windows++;
}

static bool likeness_touches(struct rect r, int x, int y)
{
    return x < r.x + r.w && x + BLOCK > r.x && y < r.y + r.h && y + BLOCK > r.y;
}

static bool left_out(const struct rect *without, size_t count, int x, int y)
{
    for (size_t i = 0; i < count; i++)
        if (likeness_touches(without[i], x, y))
            return true;
    return false;
}

bool likeness_of(const struct mark_picture *drawn, const struct mark_picture *shown,
                 struct rect area, const struct rect *without, size_t count, struct likeness *out)
{
    struct sums rows[2][LIKENESS_WIDTH_MAX / BLOCK];
    struct total total = {0};
    int columns = area.w / BLOCK;
    double mean;

    if (area.w > LIKENESS_WIDTH_MAX)
        return false;
    for (int row = 0; row < area.h / BLOCK; row++) {
        struct sums *above = rows[(row + 1) % 2], *now = rows[row % 2];

        for (int i = 0; i < columns; i++) {
            int x = area.x + i * BLOCK, y = area.y + row * BLOCK;

            now[i] = left_out(without, count, x, y)
                         ? (struct sums){.counts = false}
                         : likeness_add_block(drawn, shown, x, y, &total);
            if (row > 0 && i > 0)
                add_window(above + i - 1, now + i - 1, &total);
        }
    }
    if (total.windows == 0)
        return false;
    mean = (double)total.squared / (double)total.values;
    out->exact = total.squared == 0;
    out->psnr_db =
        out->exact ? LIKENESS_PSNR_EXACT : fmin(10 * log10(PEAK * PEAK / mean), LIKENESS_PSNR_MOST);
    out->ssim = total.ssim / (double)total.windows;
    return true;
}
