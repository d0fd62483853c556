#include "tools/lab/content/photo.h"

#include "tools/lab/content/text.h"

#define ONE 4096 /* fixed point */

static int photo_lattice(uint32_t seed, int x, int y)
{
    return (int)(text_hash(seed ^ (uint32_t)x * 0x85ebca6bu, (uint32_t)y) % ONE);
}

static int photo_blend(int a, int b, int t)
{
    return a + (b - a) * t / ONE;
}

/* 3t^2 - 2t^3: no creases at the lattice's lines. */
static int photo_ease(int t)
{
    return (int)((long)t * t / ONE * (3 * ONE - 2 * t) / ONE);
}

/* Value noise, 0..ONE, with a lattice of `step` pixels. */
static int photo_noise(uint32_t seed, int x, int y, int step)
{
    int cx = x / step, cy = y / step;
    int tx = photo_ease(x % step * ONE / step), ty = photo_ease(y % step * ONE / step);

    return photo_blend(
        photo_blend(photo_lattice(seed, cx, cy), photo_lattice(seed, cx + 1, cy), tx),
        photo_blend(photo_lattice(seed, cx, cy + 1), photo_lattice(seed, cx + 1, cy + 1), tx), ty);
}

/* Octaves from `step` pixels down to `least`, each weaker than the one before; 0..ONE. */
static int photo_cloud(uint32_t seed, int x, int y, int step, int least)
{
    int sum = 0, weight = ONE / 2, all = 0;

    for (; step >= least; step /= 2, weight = weight * 3 / 4) {
        sum += photo_noise(seed + (uint32_t)step, x, y, step) * weight / ONE;
        all += weight;
    }
    return all ? sum * ONE / all : 0;
}

/* Octaves average out: this brings back the contrast. */
static int photo_stretch(int t)
{
    t = (t - ONE / 2) * 5 / 2 + ONE / 2;
    return t < 0 ? 0 : t > ONE ? ONE : t;
}

static uint32_t photo_colour(const int low[3], const int high[3], int t, int grain)
{
    uint32_t out = 0;

    for (int i = 0; i < 3; i++) {
        int v = photo_blend(low[i], high[i], t) + grain;
        out = out << 8 | (uint32_t)(v < 0 ? 0 : v > 255 ? 255 : v);
    }
    return out;
}

void photo_draw(struct canvas *c, struct rect r, uint32_t seed)
{
    static const int sky[2][3] = {{88, 132, 186}, {236, 228, 214}};
    static const int rock[2][3] = {{58, 62, 78}, {176, 164, 158}};
    static const int grass[2][3] = {{34, 58, 24}, {150, 168, 74}};
    int big = r.h / 2 > 16 ? r.h / 2 : 16;

    for (int x = 0; x < r.w; x++) {
        int ridge = r.h / 5 + photo_cloud(seed + 1, x, 0, big, 4) * r.h / ONE / 3;
        int shore = r.h * 5 / 9 + photo_cloud(seed + 2, x, 7, big, 8) * r.h / ONE / 8;

        for (int y = 0; y < r.h; y++) {
            int grain = (int)(text_hash(seed + (uint32_t)x * 7919u, (uint32_t)y) % 9) - 4;
            uint32_t p;

            if (y < ridge) {
                int t = y * ONE / r.h + photo_cloud(seed + 3, x, 2 * y, big, 8) / 2;
                p = photo_colour(sky[0], sky[1], t < ONE ? t : ONE, grain / 2);
            } else if (y < shore) {
                int t = photo_stretch(photo_cloud(seed + 4, x * 2, y, big / 2, 1));
                int lit = photo_noise(seed + 5, x, y, 24) / 2;
                p = photo_colour(rock[0], rock[1], (t + lit) * 2 / 3, grain);
            } else {
                int t = photo_stretch(photo_cloud(seed + 6, x, 2 * y, 32, 1));
                p = photo_colour(grass[0], grass[1], t * 3 / 4 + (y - shore) * ONE / r.h / 3,
                                 grain);
            }
            c->pixels[(long)(r.y + y) * c->width + r.x + x] = p;
        }
    }
}
