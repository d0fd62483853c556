#include "tools/demo/film.h"

#include <math.h>
#include <stdlib.h>

#define WAVE  1024 /* steps of a full turn; a power of two */
#define GRAIN 4096 /* a power of two */

struct film {
    int width, height;
    int16_t wave[WAVE];
    uint32_t palette[WAVE];
    uint32_t grain[GRAIN];
    int16_t *column; /* one wave along x, for the frame being drawn */
};

static uint32_t film_mix(uint32_t x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

/* 20..235: leaves room for the grain, which is added to all three channels at once. */
static uint32_t film_channel(double angle)
{
    return (uint32_t)(127.5 + 107.5 * sin(angle));
}

struct film *film_create(int width, int height)
{
    struct film *f = calloc(1, sizeof *f);
    if (!f) {
        return NULL;
    }
    f->width = width;
    f->height = height;
    f->column = calloc((size_t)width, sizeof *f->column);
    if (!f->column) {
        free(f);
        return NULL;
    }
    for (int i = 0; i < WAVE; i++) {
        double a = i * 2 * 3.14159265358979 / WAVE;
        f->wave[i] = (int16_t)lround(256 * sin(a));
        f->palette[i] =
            film_channel(a) << 16 | film_channel(a + 1.9) << 8 | film_channel(2 * a + 4.2);
    }
    for (uint32_t i = 0; i < GRAIN; i++) {
        f->grain[i] = film_mix(i + 1) % 12 * 0x010101;
    }
    return f;
}

void film_destroy(struct film *f)
{
    if (f) {
        free(f->column);
        free(f);
    }
}

void film_draw(struct film *f, uint32_t *pixels, int stride, uint64_t frame)
{
    unsigned t = (unsigned)frame;
    for (int x = 0; x < f->width; x++) {
        f->column[x] = f->wave[((unsigned)x * 2 + t * 9) % WAVE];
    }
    for (int y = 0; y < f->height; y++) {
        uint32_t *row = pixels + (long)y * stride;
        unsigned uy = (unsigned)y;
        int across = f->wave[(uy * 3 - t * 7) % WAVE] + 512;
        unsigned bend = (unsigned)(f->wave[(uy * 4 + t * 5) % WAVE] / 2 + 128);
        unsigned grain = film_mix(t * 8192u + uy);
        for (int x = 0; x < f->width; x++) {
            unsigned ux = (unsigned)x;
            int v = f->column[x] + across + f->wave[(ux + uy + bend + t * 11) % WAVE];
            row[x] = f->palette[((unsigned)v + t * 6) % WAVE] + f->grain[(ux + grain) % GRAIN];
        }
    }
}
