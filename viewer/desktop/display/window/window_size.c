#include "viewer/desktop/display/window/window_size.h"

#include <math.h>

#include <SDL.h>

#include "rfb/decode/picture_memory.h"
#include "rfb/system/clock.h"
#include "viewer/desktop/display/window/display.h"

/* How long after the window got a size another one may be an answer to what was before. Chosen. */
#define WINDOW_SIZE_OLD_NEWS (2 * TICK_S)

void window_size_init(struct window_size *s, SDL_Window *window)
{
    *s = (struct window_size){.window = window};
}

/* ---- the room that there is ---- */

SDL_Rect window_size_area(const struct window_size *s, bool framed)
{
    SDL_Rect area = {0, 0, FRAMEBUFFER_MAX_SIDE, FRAMEBUFFER_MAX_SIDE};
    int display = SDL_GetWindowDisplayIndex(s->window);
    int top = 0, left = 0, bottom = 0, right = 0;

    SDL_GetDisplayUsableBounds(display < 0 ? 0 : display, &area);
    if (framed)
        SDL_GetWindowBordersSize(s->window, &top, &left, &bottom, &right);
    return (SDL_Rect){area.x + left, area.y + top, area.w - left - right, area.h - top - bottom};
}

/* On Wayland only the compositor places a window, when it appears. From there it grows to the right
 * and down. Most are placed in the middle: so there is half of the room that is left. */
static SDL_Rect window_size_room(const struct window_size *s)
{
    SDL_Rect area = window_size_area(s, true);
    int width, height;

    if (!display_is_wayland())
        return area;
    SDL_GetWindowSize(s->window, &width, &height);
    area.w = (area.w + width) / 2;
    area.h = (area.h + height) / 2;
    return area;
}

/* ---- whose size it is ---- */

static bool window_size_is_fixed(const struct window_size *s, bool full_screen)
{
    return full_screen || (SDL_GetWindowFlags(s->window) & SDL_WINDOW_MAXIMIZED);
}

static bool window_size_is(const struct window_size *s, int w, int h)
{
    int width, height;

    SDL_GetWindowSize(s->window, &width, &height);
    return width == w && height == h;
}

/* It is the one that we gave it last. */
static bool window_size_is_given(const struct window_size *s)
{
    return window_size_is(s, s->w, s->h);
}

static bool window_size_is_before(const struct window_size *s)
{
    return window_size_is(s, s->before_w, s->before_h);
}

/* The window keeps its size, whatever the picture's is. */
static bool window_size_is_own(const struct window_size *s, bool full_screen)
{
    return s->place.width > 0 || window_size_is_fixed(s, full_screen) || !window_size_is_given(s);
}

bool window_size_is_users(const struct window_size *s, bool full_screen)
{
    return window_size_is_own(s, full_screen) || s->left_fixed;
}

void window_size_give(struct window_size *s, int width, int height)
{
    s->before_w = s->w;
    s->before_h = s->h;
    s->given_at = tick_now();
    s->w = width;
    s->h = height;
    s->left_fixed = s->unfitted = false;
    SDL_SetWindowSize(s->window, width, height);
}

/* A Wayland compositor confirms the window's first size, or as much of it as there is room for. It
 * may do so after the window has got another one. SDL takes it for a new wish. */
static bool window_size_is_old_news(const struct window_size *s)
{
    int width, height;

    SDL_GetWindowSize(s->window, &width, &height);
    return s->before_w > 0 && tick_now() - s->given_at < WINDOW_SIZE_OLD_NEWS &&
           width <= s->before_w && height <= s->before_h && (width != s->w || height != s->h);
}

void window_size_changed(struct window_size *s, bool full_screen)
{
    bool fixed = window_size_is_fixed(s, full_screen);

    if (!fixed && display_is_wayland() && window_size_is_old_news(s)) {
        s->before_w = 0; /* only once */
        SDL_SetWindowSize(s->window, s->w, s->h);
    }
    if (fixed) {
        s->left_fixed = false;
        s->grown = (s->was_fixed && s->grown) || !window_size_is_given(s);
    } else if (s->was_fixed) { /* more events may follow on the way to what is left behind */
        s->left_fixed = true;
    } else if (s->maximizes && !window_size_is_given(s) && !window_size_is_before(s)) {
        s->grown = true; /* while a window appears SDL may miss that it is maximised */
    }
    s->was_fixed = fixed;
}

/* ---- where it was asked to be ---- */

/* Not on Wayland: the window would stay where it is, and SDL would believe it somewhere else. */
static void window_size_move(struct window_size *s, int x, int y)
{
    if (!display_is_wayland())
        SDL_SetWindowPosition(s->window, x, y);
}

/* A part of the window may be outside of the screen then. */
static void window_size_put_in_place(struct window_size *s)
{
    const struct window_place *p = &s->place;
    int display = SDL_GetWindowDisplayIndex(s->window), width, height;
    SDL_Rect all = {0};

    if (p->width > 0)
        window_size_give(s, p->width, p->height);
    SDL_GetWindowSize(s->window, &width, &height);
    if (p->placed && SDL_GetDisplayBounds(display < 0 ? 0 : display, &all) == 0)
        window_size_move(s, window_place_at(p->x, p->from_right, width, all.x, all.w),
                         window_place_at(p->y, p->from_bottom, height, all.y, all.h));
}

void window_size_place(struct window_size *s, const struct window_place *place, bool maximize)
{
    s->place = *place;
    window_size_put_in_place(s);
    s->maximizes = maximize;
    if (maximize)
        SDL_MaximizeWindow(s->window);
}

/* ---- the size of a picture ---- */

static int window_size_keep_inside(int v, int size, int low, int room)
{
    if (v + size > low + room)
        v = low + room - size;
    return v < low ? low : v;
}

/* The window's side, in units, for a picture's side of this many pixels, of which `units` make
 * `output`. It is not too small for the last pixel. */
static int window_size_side(double side, int units, int output)
{
    return (int)ceil(side * units / output);
}

/* For this picture, in this room. */
static void window_size_for(const struct window_picture *p, const SDL_Rect *room, int *w, int *h)
{
    const struct screen_map *m = p->map;
    bool has_ratio = p->scale.kind == SCALE_RATIO || p->scale.kind == SCALE_SYSTEM;
    double ratio = has_ratio ? p->scale.ratio : 1;

    *w = window_size_side(p->w * ratio, m->window_w, m->output_w);
    *h = window_size_side(p->h * ratio, m->window_h, m->output_h);
    if (p->scale.kind != SCALE_RATIO) {
        screen_map_fit(*w, *h, room->w, room->h, w, h);
        return;
    }
    *w = SDL_min(*w, room->w); /* what has no room is reached by panning */
    *h = SDL_min(*h, room->h);
}

/* Also keeps the window inside the display. */
static void window_size_fit(struct window_size *s, const struct window_picture *p, bool keep_middle)
{
    SDL_Rect area = window_size_room(s);
    int x, y, old_width, old_height, width, height;

    window_size_for(p, &area, &width, &height);
    SDL_GetWindowPosition(s->window, &x, &y);
    SDL_GetWindowSize(s->window, &old_width, &old_height);
    window_size_give(s, width, height);
    int new_x = x + (keep_middle ? (old_width - width) / 2 : 0),
        new_y = y + (keep_middle ? (old_height - height) / 2 : 0);
    new_x = window_size_keep_inside(new_x, width, area.x, area.w);
    new_y = window_size_keep_inside(new_y, height, area.y, area.h);
    if (new_x != x || new_y != y)
        window_size_move(s, new_x, new_y);
}

/* A picture for which the display lacks a little room gets all that there is: it stays sharp in a
 * maximised window (screen.c), or the server's screen is made to fit. */
static void window_size_maximize_for(struct window_size *s, const struct window_picture *p)
{
    int window_w, window_h, output_w = p->map->output_w, output_h = p->map->output_h;
    struct screen_map m;

    if (p->scale.kind != SCALE_AUTO)
        return;
    SDL_GetWindowSize(s->window, &window_w, &window_h);
    output_w = (int)((int64_t)window_w * output_w / p->map->window_w);
    output_h = (int)((int64_t)window_h * output_h / p->map->window_h);
    m = screen_map_make(p->w, p->h, window_w, window_h, output_w, output_h);
    if (screen_map_nearly_fits(&m))
        SDL_MaximizeWindow(s->window);
}

void window_size_show(struct window_size *s, const struct window_picture *p, bool full_screen)
{
    const bool fixed = window_size_is_fixed(s, full_screen);

    if (!window_size_is_own(s, full_screen)) {
        window_size_fit(s, p, true);
        window_size_maximize_for(s, p);
    }
    if (s->place.placed) /* the size may count from the other edges */
        window_size_put_in_place(s);
    s->unfitted = fixed || s->maximizes;
}

/* The window manager gives back what the window had before, in its own time. Until then, and where
 * the user had given it a size before, the size is not one that we gave it. A size that was asked
 * for while it was full screen has not come to the window manager, nor one that came when it had
 * just maximised the window. One that has not yet begun to maximise the window may say that it is
 * not maximised. */
bool window_size_show_late(struct window_size *s, const struct window_picture *p, bool full_screen,
                           bool asks)
{
    const bool asked_for = s->place.width > 0;

    if (!s->unfitted || !s->grown || window_size_is_fixed(s, full_screen) ||
        (!asked_for && !window_size_is_given(s) && !window_size_is_before(s)))
        return false;
    SDL_PumpEvents(); /* it has its frame again, which SDL has not seen yet */
    if (!asked_for) {
        window_size_fit(s, p, true);
        s->left_fixed = asks;
    }
    window_size_put_in_place(s);
    return true;
}

bool window_size_follow(struct window_size *s, const struct window_picture *p, bool full_screen)
{
    /* it has left full screen, and its event for that has not been seen yet */
    bool just_left = s->was_fixed && !window_size_is_fixed(s, full_screen);

    if (window_size_is_own(s, full_screen) || just_left)
        return false;
    window_size_fit(s, p, false);
    return true;
}
