/* The window itself: its place and size, which keys it takes, its title. */
#include <math.h>

#include <SDL.h>

#include "rfb/clock.h"
#include "viewer/desktop/display.h"
#include "viewer/desktop/screen_state.h"
#include "viewer/desktop/wayland.h"

/* How long after the window got a size another one may be an answer to what was before. Chosen. */
#define OLD_NEWS (2 * TICK_S)

SDL_Rect screen_usable_area(const struct screen *s)
{
    SDL_Rect area = {0, 0, FRAMEBUFFER_MAX_SIDE, FRAMEBUFFER_MAX_SIDE};
    int display = SDL_GetWindowDisplayIndex(s->window);
    int top = 0, left = 0, bottom = 0, right = 0;

    SDL_GetDisplayUsableBounds(display < 0 ? 0 : display, &area);
    if (s->shown)
        SDL_GetWindowBordersSize(s->window, &top, &left, &bottom, &right);
    return (SDL_Rect){area.x + left, area.y + top, area.w - left - right, area.h - top - bottom};
}

static int keep_inside(int v, int size, int low, int room)
{
    if (v + size > low + room)
        v = low + room - size;
    return v < low ? low : v;
}

/* The window's side, in units, for a picture's side of this many pixels, of which `units` make
 * `output`. It is not too small for the last pixel. */
static int side_of(double side, int units, int output)
{
    return (int)ceil(side * units / output);
}

/* What has no room is reached by panning. */
static int limited(int side, int room)
{
    return side < room ? side : room;
}

/* On Wayland only the compositor places a window, when it appears. From there it grows to the right
 * and down. Most are placed in the middle: so there is half of the room that is left. */
static SDL_Rect room_for(const struct screen *s)
{
    SDL_Rect area = screen_usable_area(s);
    int width, height;

    if (!display_is_wayland())
        return area;
    SDL_GetWindowSize(s->window, &width, &height);
    area.w = (area.w + width) / 2;
    area.h = (area.h + height) / 2;
    return area;
}

/* Not on Wayland: the window would stay where it is, and SDL would believe it somewhere else. */
static void set_position(struct screen *s, int x, int y)
{
    if (!display_is_wayland())
        SDL_SetWindowPosition(s->window, x, y);
}

/* For a picture of this size. Also keeps the window inside the display. */
static void set_window_size(struct screen *s, int width, int height, bool keep_middle)
{
    SDL_Rect area = room_for(s);
    double ratio = s->scale.kind == SCALE_RATIO ? s->scale.ratio : 1;
    int x, y, old_width, old_height;

    width = side_of(width * ratio, s->map.window_w, s->map.output_w);
    height = side_of(height * ratio, s->map.window_h, s->map.output_h);
    if (s->scale.kind == SCALE_RATIO) {
        width = limited(width, area.w);
        height = limited(height, area.h);
    } else {
        screen_map_fit(width, height, area.w, area.h, &width, &height);
    }
    SDL_GetWindowPosition(s->window, &x, &y);
    SDL_GetWindowSize(s->window, &old_width, &old_height);
    screen_set_size(s, width, height);
    int new_x = x + (keep_middle ? (old_width - width) / 2 : 0),
        new_y = y + (keep_middle ? (old_height - height) / 2 : 0);
    new_x = keep_inside(new_x, width, area.x, area.w);
    new_y = keep_inside(new_y, height, area.y, area.h);
    if (new_x != x || new_y != y)
        set_position(s, new_x, new_y);
}

/* A picture for which the display lacks a little room gets all that there is: it stays sharp in a
 * maximised window (screen_update_map()), or the server's screen is made to fit. */
static void maximize_for(struct screen *s, int width, int height)
{
    int window_w, window_h, output_w = s->map.output_w, output_h = s->map.output_h;
    struct screen_map m;

    if (s->scale.kind != SCALE_AUTO)
        return;
    SDL_GetWindowSize(s->window, &window_w, &window_h);
    output_w = (int)((int64_t)window_w * output_w / s->map.window_w);
    output_h = (int)((int64_t)window_h * output_h / s->map.window_h);
    m = screen_map_make(width, height, window_w, window_h, output_w, output_h);
    if (screen_map_nearly_fits(&m))
        SDL_MaximizeWindow(s->window);
}

/* Puts the window where it was asked to be. A part of it may be outside of the screen then. */
static void put_in_place(struct screen *s)
{
    const struct window_place *p = &s->place;
    int display = SDL_GetWindowDisplayIndex(s->window), width, height;
    SDL_Rect all = {0};

    if (p->width > 0)
        SDL_SetWindowSize(s->window, p->width, p->height);
    SDL_GetWindowSize(s->window, &width, &height);
    if (p->placed && SDL_GetDisplayBounds(display < 0 ? 0 : display, &all) == 0)
        set_position(s, window_place_at(p->x, p->from_right, width, all.x, all.w),
                     window_place_at(p->y, p->from_bottom, height, all.y, all.h));
}

void screen_place(struct screen *s, const struct window_place *place, bool maximize)
{
    s->place = *place;
    put_in_place(s);
    if (maximize)
        SDL_MaximizeWindow(s->window);
    screen_update_map(s);
}

static bool is_fixed(const struct screen *s)
{
    return screen_is_full_screen(s) || (SDL_GetWindowFlags(s->window) & SDL_WINDOW_MAXIMIZED);
}

void screen_set_size(struct screen *s, int width, int height)
{
    s->set_before_w = s->set_w;
    s->set_before_h = s->set_h;
    s->set_at = tick_now();
    s->set_w = width;
    s->set_h = height;
    s->left_fixed = false;
    SDL_SetWindowSize(s->window, width, height);
}

/* A Wayland compositor confirms the window's first size, or as much of it as there is room for. It
 * may do so after the window has got another one. SDL takes it for a new wish. */
static bool is_old_news(const struct screen *s)
{
    int width, height;

    SDL_GetWindowSize(s->window, &width, &height);
    return s->set_before_w > 0 && tick_now() - s->set_at < OLD_NEWS && width <= s->set_before_w &&
           height <= s->set_before_h && (width != s->set_w || height != s->set_h);
}

void screen_note_size(struct screen *s)
{
    bool fixed = is_fixed(s);

    if (!fixed && display_is_wayland() && is_old_news(s)) {
        s->set_before_w = 0; /* only once */
        SDL_SetWindowSize(s->window, s->set_w, s->set_h);
    }
    s->left_fixed = s->was_fixed && !fixed;
    s->was_fixed = fixed;
}

/* The window keeps its size, whatever the picture's is. */
static bool has_own_size(const struct screen *s)
{
    int width, height;

    SDL_GetWindowSize(s->window, &width, &height);
    return s->place.width > 0 || is_fixed(s) || width != s->set_w || height != s->set_h;
}

bool screen_users_size(struct screen *s, int *w, int *h)
{
    if (!has_own_size(s) && !s->left_fixed)
        return false;
    *w = s->map.output_w;
    *h = s->map.output_h;
    return true;
}

void screen_show(struct screen *s, int width, int height, bool grab)
{
    s->screen_grab = grab && screen_is_full_screen(s);
    SDL_SetWindowKeyboardGrab(s->window, s->grab || s->screen_grab);
    if (!has_own_size(s)) {
        set_window_size(s, width, height, true);
        maximize_for(s, width, height);
    }
    if (s->place.placed) /* the size may count from the other edges */
        put_in_place(s);
    screen_update_map(s);
}

/* It has left full screen, and its event for that has not been seen yet. */
static bool has_just_left(const struct screen *s)
{
    return s->was_fixed && !is_fixed(s);
}

void screen_follow(struct screen *s, int width, int height)
{
    if (has_own_size(s) || has_just_left(s))
        return;
    set_window_size(s, width, height, false);
    screen_update_map(s);
}

void screen_set_scale(struct screen *s, const struct scale *scale)
{
    s->scale = *scale;
    screen_update_map(s);
}

void screen_set_title(struct screen *s, const char *title)
{
    SDL_SetWindowTitle(s->window, title);
}

void screen_flash(struct screen *s)
{
    SDL_FlashWindow(s->window, SDL_FLASH_BRIEFLY);
}

bool screen_is_seen(const struct screen *s)
{
    return !(SDL_GetWindowFlags(s->window) & (SDL_WINDOW_HIDDEN | SDL_WINDOW_MINIMIZED));
}

bool screen_set_grab(struct screen *s, bool on)
{
    bool can = !on || !display_is_wayland() || wayland_gives_keys();

    s->grab = on && can;
    SDL_SetWindowKeyboardGrab(s->window, s->grab || s->screen_grab);
    return can;
}
