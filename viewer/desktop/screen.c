#include <stdlib.h>

#include <SDL.h>

#include "rfb/clock.h"
#include "viewer/data/icon.h"
#include "viewer/desktop/renderer.h"
#include "viewer/desktop/screen_state.h"
#include "viewer/desktop/window_dpi.h"

/* In units of an ordinary display. */
#define EMPTY_WIDTH  640
#define EMPTY_HEIGHT 480

/* How often all is drawn again after the window got another size: OpenGL may still draw for the old
 * one the first time. */
#define DRAWS_AFTER_RESIZE 2

/* What the window's pixels are: on a high-density display more than its units. */
static void output_size(struct screen *s, int *w, int *h)
{
    SDL_Surface *memory;

    if (s->renderer && SDL_GetRendererOutputSize(s->renderer, w, h) == 0)
        return;
    memory = s->shown && !s->renderer && !s->x_window ? SDL_GetWindowSurface(s->window) : NULL;
    if (memory) {
        *w = memory->w;
        *h = memory->h;
    } else {
        SDL_GetWindowSize(s->window, w, h);
    }
}

/* A maximised window has no more room to give: there a picture that nearly fits is drawn at its own
 * size, and what has no room is reached by panning. */
static const struct scale *screen_scale_now(const struct screen *s)
{
    static const struct scale own_size = {.kind = SCALE_RATIO, .ratio = 1};
    bool maximized = SDL_GetWindowFlags(s->window) & SDL_WINDOW_MAXIMIZED;

    return s->scale.kind == SCALE_AUTO && maximized && !screen_is_full_screen(s) &&
                   screen_map_nearly_fits(&s->map)
               ? &own_size
               : &s->scale;
}

void screen_update_map(struct screen *s)
{
    int window_w = 0, window_h = 0, output_w = 0, output_h = 0;
    SDL_GetWindowSize(s->window, &window_w, &window_h);
    output_size(s, &output_w, &output_h);
    s->map = screen_map_make(s->width, s->height, window_w, window_h, output_w, output_h);
    screen_map_zoom(&s->map, screen_scale_now(s), &s->pan.x, &s->pan.y);
    if (s->texture)
        SDL_SetTextureScaleMode(s->texture, screen_map_whole(&s->map) > 0 ? SDL_ScaleModeNearest
                                                                          : SDL_ScaleModeLinear);
    s->dirty = true;
}

void screen_destroy(struct screen *s)
{
    if (!s)
        return;
    /* SDL wakes this thread by an X event to the window, over a second connection to the display. A
     * wake-up that comes after the window is destroyed would end the program with an X error.
     * Hiding waits for the display, which has taken what was sent before. */
    SDL_HideWindow(s->window);
    screen_close_memory(s);
    screen_drop_renderer(s);
    SDL_DestroyWindow(s->window);
    free(s);
}

static bool open_window(struct screen *s, bool full_screen, struct reason *why)
{
    SDL_Rect area;
    float scale;

    s->renderer = renderer_open(s->window, s->vsync); /* first: it may make the window anew */
    if (!s->renderer)
        screen_open_memory(s);
    screen_update_map(s);
    /* in units: those of a high-density display are larger than its pixels */
    scale = theme_scale(window_dpi(s->window), s->map.window_w, s->map.output_w) *
            (float)s->map.window_w / (float)s->map.output_w;
    area = screen_usable_area(s);
    screen_set_size(s, SDL_min((int)(EMPTY_WIDTH * scale), area.w),
                    SDL_min((int)(EMPTY_HEIGHT * scale), area.h));
    SDL_SetWindowPosition(s->window, SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED);
    if (full_screen)
        screen_set_full_screen(s, true, false);
    SDL_ShowWindow(s->window);
    s->shown = true;
    screen_update_map(s);
    return s->renderer || s->x_window || SDL_GetWindowSurface(s->window) ||
           reason_set(why, "cannot draw in a window: %s", SDL_GetError());
}

/* Of the title bar and the list of windows. */
static void set_icon(SDL_Window *window)
{
    SDL_Surface *icon =
        SDL_CreateRGBSurfaceWithFormatFrom((void *)(uintptr_t)icon_rgba, ICON_SIDE, ICON_SIDE, 32,
                                           ICON_SIDE * 4, SDL_PIXELFORMAT_RGBA32);

    if (icon)
        SDL_SetWindowIcon(window, icon);
    SDL_FreeSurface(icon);
}

struct screen *screen_create(struct ui *ui, bool vsync, bool full_screen, struct reason *why)
{
    struct screen *s = calloc(1, sizeof *s);

    if (!s) {
        reason_set(why, "out of memory");
        return NULL;
    }
    s->ui = ui;
    s->vsync = vsync;
    pan_init(&s->pan);
    s->window = SDL_CreateWindow(
        "vnchl", SDL_WINDOWPOS_UNDEFINED, SDL_WINDOWPOS_UNDEFINED, EMPTY_WIDTH, EMPTY_HEIGHT,
        SDL_WINDOW_HIDDEN | SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI);
    if (!s->window) {
        reason_set(why, "cannot open a window: %s", SDL_GetError());
    } else {
        set_icon(s->window);
        if (open_window(s, full_screen, why))
            return s;
    }
    screen_destroy(s);
    return NULL;
}

void screen_event(struct screen *s, const SDL_Event *event)
{
    switch (event->type) {
    case SDL_WINDOWEVENT:
        if (event->window.event == SDL_WINDOWEVENT_SIZE_CHANGED ||
            event->window.event == SDL_WINDOWEVENT_MAXIMIZED ||
            event->window.event == SDL_WINDOWEVENT_RESTORED) {
            screen_note_size(s);
            screen_update_map(s);
            s->draw_again = DRAWS_AFTER_RESIZE;
        } else if (event->window.event == SDL_WINDOWEVENT_EXPOSED ||
                   event->window.event == SDL_WINDOWEVENT_SHOWN)
            s->dirty = true;
        else if (event->window.event == SDL_WINDOWEVENT_LEAVE)
            pan_stop(&s->pan);
        break;
    case SDL_MOUSEMOTION:
        pan_pointer(&s->pan, &s->map, event->motion.x, event->motion.y, tick_now());
        break;
    case SDL_RENDER_TARGETS_RESET:
    case SDL_RENDER_DEVICE_RESET:
        screen_drop_texture(s);
        ui_forget_renderer(s->ui);
        s->dirty = true;
        break;
    default:
        break;
    }
}

bool screen_shows_ui(const struct screen *s)
{
    return s->width == 0 || ui_is_visible(s->ui);
}

void screen_draw_ui(struct screen *s, SDL_Renderer *renderer)
{
    const struct ui_view view = {
        .window_w = s->map.window_w,
        .window_h = s->map.window_h,
        .dpi = window_dpi(s->window),
        .picture = s->width > 0,
        .at = s->map.target,
    };

    if (screen_shows_ui(s))
        ui_draw(s->ui, renderer, &view);
}

static void present(struct screen *s)
{
    SDL_SetRenderDrawColor(s->renderer, 0, 0, 0, SDL_ALPHA_OPAQUE);
    SDL_RenderClear(s->renderer);
    if (s->texture) {
        SDL_Rect to = {s->map.target.x, s->map.target.y, s->map.target.w, s->map.target.h};
        SDL_RenderCopy(s->renderer, s->texture, NULL, &to);
    }
    screen_draw_ui(s, s->renderer);
    SDL_RenderPresent(s->renderer);
}

/* The session that had it is gone. */
static void forget_picture(struct screen *s)
{
    screen_drop_texture(s);
    screen_note_picture(s, 0, 0);
}

bool screen_draw(struct screen *s, struct framebuffer_reader *picture, struct reason *why)
{
    if (!screen_is_seen(s))
        return true;
    if (ui_take_changed(s->ui) || s->draw_again > 0)
        s->dirty = true;
    if (s->draw_again > 0)
        s->draw_again--;
    if (!picture && s->width > 0)
        forget_picture(s);
    if ((s->renderer && picture && !screen_take_picture(s, picture)) ||
        (!s->renderer && !screen_draw_memory(s, picture)))
        return reason_set(why, "cannot draw the picture: %s", SDL_GetError());
    if (s->renderer && s->dirty)
        present(s);
    s->dirty = false;
    return true;
}

uint64_t screen_pictures(const struct screen *s)
{
    return s->pictures;
}

tick_t screen_wait(const struct screen *s)
{
    return s->pan.due;
}

bool screen_time(struct screen *s, tick_t now)
{
    if (!pan_move(&s->pan, &s->map, now))
        return false;
    screen_update_map(s);
    return true;
}

bool screen_drag(struct screen *s, const SDL_Event *e, bool keys)
{
    switch (e->type) {
    case SDL_MOUSEBUTTONDOWN:
        return e->button.button == SDL_BUTTON_LEFT && keys &&
               pan_hold(&s->pan, &s->map, e->button.x, e->button.y);
    case SDL_MOUSEMOTION:
        if (pan_drag(&s->pan, &s->map, e->motion.x, e->motion.y))
            screen_update_map(s);
        return s->pan.held;
    case SDL_MOUSEBUTTONUP:
        if (!s->pan.held || e->button.button != SDL_BUTTON_LEFT)
            return false;
        screen_drag_ends(s);
        return true;
    default:
        return false;
    }
}

void screen_drag_ends(struct screen *s)
{
    pan_let_go(&s->pan);
}

SDL_Window *screen_get_window(struct screen *s)
{
    return s->window;
}

const struct screen_map *screen_get_map(const struct screen *s)
{
    return &s->map;
}
