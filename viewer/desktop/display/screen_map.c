#include "viewer/desktop/display/screen_map.h"

#include <math.h>
#include <stdint.h>

static int at_least_1(int v)
{
    return v < 1 ? 1 : v;
}

static int screen_map_clamp(double v, int low, int high)
{
    if (!(v > low))
        return low;
    return v > high ? high : (int)v;
}

/* w x h scaled by the largest factor that keeps it inside the limits. */
static void scale_into(int w, int h, int max_w, int max_h, int *out_w, int *out_h)
{
    if ((long long)w * max_h > (long long)h * max_w) {
        *out_w = max_w;
        *out_h = screen_map_clamp(round((double)h * max_w / w), 1, max_h);
    } else {
        *out_h = max_h;
        *out_w = screen_map_clamp(round((double)w * max_h / h), 1, max_w);
    }
}

/* A window has whole units. So it may be larger than the picture by less than one, though it was
 * made for the picture. */
static bool fits_side(int picture, int window, int output)
{
    return picture <= output && (long long)(output - picture) * window < output;
}

static bool fits_exactly(const struct screen_map *m)
{
    return fits_side(m->picture_w, m->window_w, m->output_w) &&
           fits_side(m->picture_h, m->window_h, m->output_h);
}

struct screen_map screen_map_make(int picture_w, int picture_h, int window_w, int window_h,
                                  int output_w, int output_h)
{
    struct screen_map m = {.window_w = at_least_1(window_w),
                           .window_h = at_least_1(window_h),
                           .output_w = at_least_1(output_w),
                           .output_h = at_least_1(output_h)};
    if (picture_w < 1 || picture_h < 1)
        return m;
    m.picture_w = picture_w;
    m.picture_h = picture_h;
    if (fits_exactly(&m)) {
        m.target.w = picture_w;
        m.target.h = picture_h;
    } else {
        scale_into(picture_w, picture_h, m.output_w, m.output_h, &m.target.w, &m.target.h);
    }
    m.target.x = (m.output_w - m.target.w) / 2;
    m.target.y = (m.output_h - m.target.h) / 2;
    return m;
}

/* What is left out at the beginning of a side, and where it begins then. */
static int place_side(int size, int room, int *pan)
{
    *pan = *pan > size - room ? size - room : *pan;
    *pan = *pan < 0 ? 0 : *pan;
    return size > room ? -*pan : (room - size) / 2;
}

/* A window has whole units, and the server's screen whole pixels: so a picture that was made for
 * the window may leave a little of it free. */
static bool screen_map_fills_side(int picture, double by, int window, int output)
{
    double left = output - round(picture * by);

    return left >= 0 && left < by + (double)output / window;
}

static bool screen_map_fills(const struct screen_map *m, double by)
{
    return screen_map_fills_side(m->picture_w, by, m->window_w, m->output_w) &&
           screen_map_fills_side(m->picture_h, by, m->window_h, m->output_h);
}

/* Output pixels per pixel of the picture; 0: as many as fit. */
static double screen_map_ratio(const struct screen_map *m, const struct scale *scale)
{
    int whole;

    if (scale->kind == SCALE_RATIO)
        return scale->ratio;
    if (scale->kind == SCALE_SYSTEM)
        return screen_map_fills(m, scale->ratio) ? scale->ratio : 0;
    whole = m->output_w / m->picture_w < m->output_h / m->picture_h ? m->output_w / m->picture_w
                                                                    : m->output_h / m->picture_h;
    return scale->kind == SCALE_INTEGER ? whole : 0;
}

void screen_map_zoom(struct screen_map *m, const struct scale *scale, int *pan_x, int *pan_y)
{
    double by = m->picture_w > 0 ? screen_map_ratio(m, scale) : 0;

    if (by > 0) { /* else as large as fits */
        m->target.w = screen_map_clamp(round(m->picture_w * by), 1, INT16_MAX);
        m->target.h = screen_map_clamp(round(m->picture_h * by), 1, INT16_MAX);
    }
    m->target.x = place_side(m->target.w, m->output_w, pan_x);
    m->target.y = place_side(m->target.h, m->output_h, pan_y);
}

int screen_map_whole(const struct screen_map *m)
{
    int by = m->picture_w > 0 ? m->target.w / m->picture_w : 0;

    return m->target.w == m->picture_w * by && m->target.h == m->picture_h * by ? by : 0;
}

bool screen_map_shrinks(const struct screen_map *m)
{
    return m->target.w < m->picture_w && m->target.h <= m->picture_h;
}

bool screen_map_nearly_fits(const struct screen_map *m)
{
    return screen_map_shrinks(m) && 4LL * m->target.w > 3LL * m->picture_w;
}

bool screen_map_is_exact(const struct screen_map *m)
{
    return m->target.w == m->picture_w && m->target.h == m->picture_h;
}

struct rect screen_map_part(const struct screen_map *m, struct rect part)
{
    const struct rect *t = &m->target;

    if (m->picture_w < 1)
        return (struct rect){0};
    return (struct rect){
        t->x + (int)((int64_t)part.x * t->w / m->picture_w),
        t->y + (int)((int64_t)part.y * t->h / m->picture_h),
        (int)((int64_t)part.w * t->w / m->picture_w) + 1,
        (int)((int64_t)part.h * t->h / m->picture_h) + 1,
    };
}

bool screen_map_to_picture(const struct screen_map *m, int window_x, int window_y, int *x, int *y)
{
    *x = *y = 0;
    if (m->picture_w < 1)
        return false;
    double px = (window_x + 0.5) * m->output_w / m->window_w - m->target.x;
    double py = (window_y + 0.5) * m->output_h / m->window_h - m->target.y;
    *x = screen_map_clamp(px * m->picture_w / m->target.w, 0, m->picture_w - 1);
    *y = screen_map_clamp(py * m->picture_h / m->target.h, 0, m->picture_h - 1);
    return true;
}

void screen_map_to_window(const struct screen_map *m, int x, int y, int *window_x, int *window_y)
{
    *window_x = *window_y = 0;
    if (m->picture_w < 1)
        return;
    double ox = m->target.x + (x + 0.5) * m->target.w / m->picture_w;
    double oy = m->target.y + (y + 0.5) * m->target.h / m->picture_h;
    *window_x = screen_map_clamp(ox * m->window_w / m->output_w, 0, m->window_w - 1);
    *window_y = screen_map_clamp(oy * m->window_h / m->output_h, 0, m->window_h - 1);
}

double screen_map_scale(const struct screen_map *m)
{
    if (m->picture_w < 1)
        return 1;
    return (double)m->target.w * m->window_w / ((double)m->picture_w * m->output_w);
}

void screen_map_fit(int w, int h, int max_w, int max_h, int *fit_w, int *fit_h)
{
    w = at_least_1(w);
    h = at_least_1(h);
    max_w = at_least_1(max_w);
    max_h = at_least_1(max_h);
    *fit_w = w;
    *fit_h = h;
    if (w > max_w || h > max_h)
        scale_into(w, h, max_w, max_h, fit_w, fit_h);
}
