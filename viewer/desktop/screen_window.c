/* The window itself: its place and size, full screen, which keys it takes, its title. */
#include <SDL.h>

#include "viewer/desktop/screen_state.h"

/* The part of the display that windows may take, without this window's own frame. */
static SDL_Rect usable_area(const struct screen *s)
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

/* The window's side for a picture's side of this length. What has no room is reached by panning. */
static int scaled_side(double side, int room)
{
    return side < room ? (int)side : room;
}

/* For a picture of this size. Also keeps the window inside the display. */
static void set_window_size(struct screen *s, int width, int height, bool keep_middle)
{
    SDL_Rect area = usable_area(s);
    int x, y, old_width, old_height;

    if (s->scale.kind == SCALE_RATIO) {
        width = scaled_side(width * s->scale.ratio * s->map.window_w / s->map.output_w, area.w);
        height = scaled_side(height * s->scale.ratio * s->map.window_h / s->map.output_h, area.h);
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
        SDL_SetWindowPosition(s->window, new_x, new_y);
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
        SDL_SetWindowPosition(s->window, window_place_at(p->x, p->from_right, width, all.x, all.w),
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
    return SDL_GetWindowFlags(s->window) & (SDL_WINDOW_FULLSCREEN_DESKTOP | SDL_WINDOW_MAXIMIZED);
}

void screen_set_size(struct screen *s, int width, int height)
{
    s->set_w = width;
    s->set_h = height;
    s->left_fixed = false;
    SDL_SetWindowSize(s->window, width, height);
}

void screen_note_size(struct screen *s)
{
    bool fixed = is_fixed(s);

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
    if (!has_own_size(s))
        set_window_size(s, width, height, true);
    if (s->place.placed) /* the size may count from the other edges */
        put_in_place(s);
    screen_update_map(s);
}

void screen_follow(struct screen *s, int width, int height)
{
    if (has_own_size(s))
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

bool screen_is_full_screen(const struct screen *s)
{
    return SDL_GetWindowFlags(s->window) & SDL_WINDOW_FULLSCREEN_DESKTOP;
}

void screen_set_full_screen(struct screen *s, bool on, bool grab)
{
    SDL_SetWindowFullscreen(s->window, on ? SDL_WINDOW_FULLSCREEN_DESKTOP : 0);
    s->screen_grab = on && grab;
    SDL_SetWindowKeyboardGrab(s->window, s->grab || s->screen_grab);
    screen_update_map(s);
}

void screen_set_grab(struct screen *s, bool on)
{
    s->grab = on;
    SDL_SetWindowKeyboardGrab(s->window, s->grab || s->screen_grab);
}
