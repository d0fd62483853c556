#include "viewer/desktop/input/cursor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <SDL.h>

/* Larger pointers fail on some systems. */
#define SHOWN_MAX_SIDE 256

#define DOT_SIDE 5

/* A black dot with a white rim, to be seen on any ground. */
static const uint32_t dot[DOT_SIDE * DOT_SIDE] = {
    0x00000000, 0xffffffff, 0xffffffff, 0xffffffff, 0x00000000, /**/
    0xffffffff, 0xff000000, 0xff000000, 0xff000000, 0xffffffff, /**/
    0xffffffff, 0xff000000, 0xff000000, 0xff000000, 0xffffffff, /**/
    0xffffffff, 0xff000000, 0xff000000, 0xff000000, 0xffffffff, /**/
    0x00000000, 0xffffffff, 0xffffffff, 0xffffffff, 0x00000000,
};

static const uint32_t nothing = 0;

struct cursor {
    uint32_t *pixels; /* NULL: no shape yet, or a hidden one */
    int width, height, hot_x, hot_y;
    bool known;  /* the server has sent a shape */
    bool system; /* the system's pointer is shown */
    bool dot;    /* shown where the server hides the pointer */
    double scale;
    SDL_Cursor *shown;
};

struct cursor *cursor_create(bool dot)
{
    struct cursor *c = calloc(1, sizeof *c);
    if (c) {
        c->scale = 1;
        c->dot = dot;
    }
    return c;
}

void cursor_destroy(struct cursor *c)
{
    if (!c)
        return;
    SDL_FreeCursor(c->shown);
    free(c->pixels);
    free(c);
}

bool cursor_is_blank(const uint32_t *pixels, int width, int height)
{
    for (int i = 0; i < width * height; i++)
        if (pixels[i] >> 24)
            return false;
    return true;
}

/* The mean of the pixels that [x0, x1) x [y0, y1) covers, each by its share. */
static uint32_t cursor_mean(const uint32_t *in, int width, int height, double x0, double x1,
                            double y0, double y1)
{
    double a = 0, r = 0, g = 0, b = 0, area = 0;
    for (int y = (int)y0; y < height && y < y1; y++) {
        double part_y = fmin(y + 1, y1) - fmax(y, y0);
        for (int x = (int)x0; x < width && x < x1; x++) {
            double part = part_y * (fmin(x + 1, x1) - fmax(x, x0));
            uint32_t p = in[y * width + x];
            double alpha = part * (p >> 24);
            area += part;
            a += alpha;
            r += alpha * (p >> 16 & 255);
            g += alpha * (p >> 8 & 255);
            b += alpha * (p & 255);
        }
    }
    if (a <= 0)
        return 0;
    return (uint32_t)lround(a / area) << 24 | (uint32_t)lround(r / a) << 16 |
           (uint32_t)lround(g / a) << 8 | (uint32_t)lround(b / a);
}

void cursor_resample(const uint32_t *in, int width, int height, uint32_t *out, int new_width,
                     int new_height)
{
    double sx = (double)width / new_width, sy = (double)height / new_height;
    for (int y = 0; y < new_height; y++)
        for (int x = 0; x < new_width; x++)
            out[y * new_width + x] =
                cursor_mean(in, width, height, x * sx, (x + 1) * sx, y * sy, (y + 1) * sy);
}

/* X11 wants colours multiplied by alpha and SDL hands them on as they are. */
static void cursor_premultiply(uint32_t *pixels, int count)
{
    for (int i = 0; i < count; i++) {
        uint32_t p = pixels[i], a = p >> 24;
        uint32_t r = ((p >> 16 & 255) * a + 127) / 255;
        uint32_t g = ((p >> 8 & 255) * a + 127) / 255;
        uint32_t b = ((p & 255) * a + 127) / 255;
        pixels[i] = a << 24 | r << 16 | g << 8 | b;
    }
}

static SDL_Cursor *cursor_make(const uint32_t *pixels, int width, int height, int hot_x, int hot_y,
                               double scale)
{
    double limit = (double)SHOWN_MAX_SIDE / (width > height ? width : height);
    if (scale > limit)
        scale = limit;
    int w = (int)fmax(1, round(width * scale)), h = (int)fmax(1, round(height * scale));
    SDL_Surface *s = SDL_CreateRGBSurfaceWithFormat(0, w, h, 32, SDL_PIXELFORMAT_ARGB8888);
    if (!s)
        return NULL;
    cursor_resample(pixels, width, height, s->pixels, w, h);
    const char *driver = SDL_GetCurrentVideoDriver();
    if (driver && strcmp(driver, "x11") == 0)
        cursor_premultiply(s->pixels, w * h);
    int x = (int)(hot_x * scale), y = (int)(hot_y * scale);
    SDL_Cursor *made = SDL_CreateColorCursor(s, x < w ? x : w - 1, y < h ? y : h - 1);
    SDL_FreeSurface(s);
    return made;
}

static void cursor_show(struct cursor *c)
{
    if (!c->known || c->system)
        return;
    SDL_Cursor *made;
    if (c->pixels)
        made = cursor_make(c->pixels, c->width, c->height, c->hot_x, c->hot_y, c->scale);
    else if (c->dot)
        made = cursor_make(dot, DOT_SIDE, DOT_SIDE, DOT_SIDE / 2, DOT_SIDE / 2, 1);
    else
        made = cursor_make(&nothing, 1, 1, 0, 0, 1);
    if (!made)
        return;
    SDL_SetCursor(made);
    SDL_FreeCursor(c->shown);
    c->shown = made;
}

static int clamp_hot(int v, int size)
{
    return v < 0 ? 0 : v >= size ? size - 1 : v;
}

void cursor_set_shape(struct cursor *c, const uint32_t *pixels, int width, int height, int hot_x,
                      int hot_y)
{
    free(c->pixels);
    c->pixels = NULL;
    c->known = true;
    if (pixels && width > 0 && height > 0 && !cursor_is_blank(pixels, width, height)) {
        size_t size = (size_t)width * (size_t)height * sizeof *pixels;
        c->pixels = malloc(size);
        if (c->pixels)
            memcpy(c->pixels, pixels, size);
        c->width = width;
        c->height = height;
        c->hot_x = clamp_hot(hot_x, width);
        c->hot_y = clamp_hot(hot_y, height);
    }
    cursor_show(c);
}

void cursor_set_scale(struct cursor *c, double scale)
{
    if (fabs(scale - c->scale) < 1e-9 || !(scale > 0))
        return;
    c->scale = scale;
    cursor_show(c);
}

void cursor_set_system(struct cursor *c, bool system)
{
    if (system == c->system)
        return;
    c->system = system;
    if (system)
        SDL_SetCursor(SDL_GetDefaultCursor());
    else
        cursor_show(c);
}
