#include "viewer/desktop/screen.h"

#include <stdlib.h>

#include <SDL.h>

#include "viewer/desktop/memory.h"
#include "viewer/desktop/renderer.h"

/* In units of an ordinary display. */
#define EMPTY_WIDTH  640
#define EMPTY_HEIGHT 480

/* How often all is drawn again after the window got another size: OpenGL may still draw for the old
 * one the first time. */
#define DRAWS_AFTER_RESIZE 2

struct screen {
    struct ui *ui;
    SDL_Window *window;
    SDL_Renderer *renderer; /* NULL: drawn in memory */
    SDL_Texture *texture;   /* NULL before the first picture and when it was lost */
    struct memory memory;
    int width, height; /* of the picture; 0 before the first */
    struct screen_map map;
    struct window_place place;
    bool vsync;
    bool shown;
    bool grab;        /* screen_set_grab() */
    bool screen_grab; /* in full screen, which takes the keys, too */
    bool take_all;    /* nothing of this picture was taken yet */
    bool dim;
    bool dirty;     /* what is on the display is old */
    int draw_again; /* so many times, whether it is old or not */
};

/* What the window's pixels are: on a high-density display more than its units. */
static void output_size(struct screen *s, int *w, int *h)
{
    SDL_Surface *memory;

    if (s->renderer && SDL_GetRendererOutputSize(s->renderer, w, h) == 0)
        return;
    memory = s->shown && !s->renderer ? SDL_GetWindowSurface(s->window) : NULL;
    if (memory) {
        *w = memory->w;
        *h = memory->h;
    } else {
        SDL_GetWindowSize(s->window, w, h);
    }
}

static void update_map(struct screen *s)
{
    int window_w = 0, window_h = 0, output_w = 0, output_h = 0;
    SDL_GetWindowSize(s->window, &window_w, &window_h);
    output_size(s, &output_w, &output_h);
    s->map = screen_map_make(s->width, s->height, window_w, window_h, output_w, output_h);
    if (s->texture)
        SDL_SetTextureScaleMode(s->texture, screen_map_is_exact(&s->map) ? SDL_ScaleModeNearest
                                                                         : SDL_ScaleModeLinear);
    s->dirty = true;
}

static void drop_texture(struct screen *s)
{
    if (s->texture)
        SDL_DestroyTexture(s->texture);
    s->texture = NULL;
}

static void drop_renderer(struct screen *s)
{
    drop_texture(s);
    ui_forget_renderer(s->ui);
    if (s->renderer)
        SDL_DestroyRenderer(s->renderer);
    s->renderer = NULL;
}

static void draw_without_card(struct screen *s)
{
    drop_renderer(s);
    s->renderer = renderer_without_card(s->window);
}

void screen_destroy(struct screen *s)
{
    if (!s)
        return;
    /* SDL wakes this thread by an X event to the window, over a second connection to the display. A
     * wake-up that comes after the window is destroyed would end the program with an X error.
     * Hiding waits for the display, which has taken what was sent before. */
    SDL_HideWindow(s->window);
    memory_drop(&s->memory);
    drop_renderer(s);
    SDL_DestroyWindow(s->window);
    free(s);
}

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

/* Also keeps the window inside the display. */
static void set_window_size(struct screen *s, int width, int height, bool keep_middle)
{
    SDL_Rect area = usable_area(s);
    int x, y, old_width, old_height;

    screen_map_fit(width, height, area.w, area.h, &width, &height);
    SDL_GetWindowPosition(s->window, &x, &y);
    SDL_GetWindowSize(s->window, &old_width, &old_height);
    SDL_SetWindowSize(s->window, width, height);
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
    update_map(s);
}

static float display_dpi(const struct screen *s)
{
    int display = SDL_GetWindowDisplayIndex(s->window);
    float dpi = 0;

    return display >= 0 && SDL_GetDisplayDPI(display, &dpi, NULL, NULL) == 0 ? dpi : 0;
}

static bool open_window(struct screen *s, bool full_screen, struct reason *why)
{
    float scale = theme_scale(display_dpi(s), 0, 0);

    s->renderer = renderer_open(s->window, s->vsync); /* first: it may make the window anew */
    SDL_SetWindowSize(s->window, (int)(EMPTY_WIDTH * scale), (int)(EMPTY_HEIGHT * scale));
    SDL_SetWindowPosition(s->window, SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED);
    if (full_screen)
        screen_set_full_screen(s, true, false);
    SDL_ShowWindow(s->window);
    s->shown = true;
    update_map(s);
    return s->renderer || SDL_GetWindowSurface(s->window) ||
           reason_set(why, "cannot draw in a window: %s", SDL_GetError());
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
    s->window = SDL_CreateWindow(
        "vnchl", SDL_WINDOWPOS_UNDEFINED, SDL_WINDOWPOS_UNDEFINED, EMPTY_WIDTH, EMPTY_HEIGHT,
        SDL_WINDOW_HIDDEN | SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI);
    if (!s->window)
        reason_set(why, "cannot open a window: %s", SDL_GetError());
    else if (open_window(s, full_screen, why))
        return s;
    screen_destroy(s);
    return NULL;
}

static bool has_fixed_size(const struct screen *s)
{
    uint32_t fixed = SDL_WINDOW_FULLSCREEN_DESKTOP | SDL_WINDOW_MAXIMIZED;

    return s->place.width > 0 || (SDL_GetWindowFlags(s->window) & fixed);
}

void screen_show(struct screen *s, int width, int height, bool grab)
{
    s->screen_grab = grab && screen_is_full_screen(s);
    SDL_SetWindowKeyboardGrab(s->window, s->grab || s->screen_grab);
    if (!has_fixed_size(s))
        set_window_size(s, width, height, true);
    if (s->place.placed) /* the size may count from the other edges */
        put_in_place(s);
    update_map(s);
}

void screen_follow(struct screen *s, int width, int height)
{
    if (has_fixed_size(s))
        return;
    set_window_size(s, width, height, false);
    update_map(s);
}

void screen_set_title(struct screen *s, const char *title)
{
    SDL_SetWindowTitle(s->window, title);
}

void screen_flash(struct screen *s)
{
    SDL_FlashWindow(s->window, SDL_FLASH_BRIEFLY);
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
    update_map(s);
}

void screen_set_grab(struct screen *s, bool on)
{
    s->grab = on;
    SDL_SetWindowKeyboardGrab(s->window, s->grab || s->screen_grab);
}

void screen_event(struct screen *s, const SDL_Event *event)
{
    switch (event->type) {
    case SDL_WINDOWEVENT:
        if (event->window.event == SDL_WINDOWEVENT_SIZE_CHANGED) {
            update_map(s);
            s->draw_again = DRAWS_AFTER_RESIZE;
        } else if (event->window.event == SDL_WINDOWEVENT_EXPOSED ||
                   event->window.event == SDL_WINDOWEVENT_SHOWN ||
                   event->window.event == SDL_WINDOWEVENT_RESTORED)
            s->dirty = true;
        break;
    case SDL_RENDER_TARGETS_RESET:
    case SDL_RENDER_DEVICE_RESET:
        drop_texture(s);
        ui_forget_renderer(s->ui);
        s->dirty = true;
        break;
    default:
        break;
    }
}

void screen_new_picture(struct screen *s)
{
    s->take_all = true;
}

/* The texture is as bright as it should be. */
static void shade_texture(struct screen *s)
{
    uint8_t light = s->dim ? MEMORY_DIM : UINT8_MAX;

    if (s->texture)
        SDL_SetTextureColorMod(s->texture, light, light, light);
}

void screen_set_dim(struct screen *s, bool dim)
{
    if (dim == s->dim)
        return;
    s->dim = dim;
    s->dirty = true;
    memory_set_dim(&s->memory, dim);
    shade_texture(s);
}

/* The format is the picture's own, so an upload is a copy. */
static SDL_Texture *new_texture(struct screen *s, int width, int height)
{
    SDL_Texture *t = SDL_CreateTexture(s->renderer, SDL_PIXELFORMAT_RGB888,
                                       SDL_TEXTUREACCESS_STREAMING, width, height);
    if (t)
        SDL_SetTextureBlendMode(t, SDL_BLENDMODE_NONE);
    return t;
}

/* The picture has another size, or the texture was lost. A picture may be larger than the graphics
 * card can hold: then none draws. */
static bool new_picture(struct screen *s, int width, int height)
{
    drop_texture(s);
    s->texture = s->renderer ? new_texture(s, width, height) : NULL;
    if (s->renderer && !s->texture) {
        draw_without_card(s);
        s->texture = s->renderer ? new_texture(s, width, height) : NULL;
    }
    if (s->renderer && !s->texture)
        return false;
    shade_texture(s);
    s->width = width;
    s->height = height;
    s->take_all = true;
    update_map(s);
    return true;
}

/* Copies what changed into the texture. */
static bool upload(struct screen *s, struct framebuffer_view *view)
{
    struct rect whole = {0, 0, view->width, view->height};
    bool ok = true;

    for (int i = 0; i < view->damage.count && ok; i++) {
        struct rect r = rect_intersect(view->damage.rects[i], whole);
        SDL_Rect at = {r.x, r.y, r.w, r.h};
        if (r.w > 0 && r.h > 0)
            ok = SDL_UpdateTexture(s->texture, &at, view->pixels + (size_t)r.y * view->width + r.x,
                                   view->width * (int)sizeof *view->pixels) == 0;
    }
    s->dirty = s->dirty || view->damage.count > 0;
    return ok;
}

/* Something of the ui is to be seen: a page, a notice, or the ground where there is no picture. */
static bool shows_ui(const struct screen *s)
{
    return s->width == 0 || ui_is_visible(s->ui);
}

static void draw_ui(struct screen *s, SDL_Renderer *renderer)
{
    const struct ui_view view = {
        .window_w = s->map.window_w,
        .window_h = s->map.window_h,
        .dpi = display_dpi(s),
        .picture = s->width > 0,
    };

    if (shows_ui(s))
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
    draw_ui(s, s->renderer);
    SDL_RenderPresent(s->renderer);
}

static bool fits(const struct screen *s, const struct framebuffer_view *view)
{
    return s->width == view->width && s->height == view->height && (s->texture || !s->renderer);
}

static bool take(struct screen *s, struct framebuffer_view *view)
{
    if (s->take_all) {
        region_clear(&view->damage);
        region_add(&view->damage, (struct rect){0, 0, view->width, view->height});
    }
    s->take_all = false;
    return s->renderer ? upload(s, view) : memory_take(&s->memory, view);
}

/* Copies what changed to where it is drawn from. A picture whose size changes meanwhile comes with
 * the next wake-up. */
static bool take_picture(struct screen *s, struct framebuffer_reader *picture)
{
    struct framebuffer_view view;
    bool ok;

    for (int tries = 0; tries < 2 && framebuffer_lock(picture, &view, true); tries++) {
        if (fits(s, &view)) {
            ok = take(s, &view);
            framebuffer_unlock(picture);
            return ok;
        }
        framebuffer_unlock(picture); /* making a texture may take long */
        if (!new_picture(s, view.width, view.height))
            return false;
    }
    return true;
}

/* The window's memory may be another one each time: a renderer for it lives only this long. */
static void draw_ui_in_memory(struct screen *s, SDL_Surface *window)
{
    SDL_Renderer *renderer = SDL_CreateSoftwareRenderer(window);

    if (!renderer)
        return;
    draw_ui(s, renderer);
    SDL_RenderFlush(renderer);
    ui_forget_renderer(s->ui);
    SDL_DestroyRenderer(renderer);
    SDL_SetClipRect(window, NULL); /* the renderer leaves its own */
}

static bool draw_memory(struct screen *s)
{
    SDL_Surface *window = SDL_GetWindowSurface(s->window);
    bool above = shows_ui(s);
    bool all = s->dirty || (above && s->memory.damage.count > 0); /* what is above covers it */
    struct memory_changes changes;

    if (!window || !memory_draw(&s->memory, window, &s->map, all, &changes))
        return false;
    if (all && above)
        draw_ui_in_memory(s, window);
    if (changes.count > 0)
        SDL_UpdateWindowSurfaceRects(s->window, changes.rects, changes.count);
    return true;
}

bool screen_draw(struct screen *s, struct framebuffer_reader *picture, struct reason *why)
{
    if (SDL_GetWindowFlags(s->window) & (SDL_WINDOW_HIDDEN | SDL_WINDOW_MINIMIZED))
        return true;
    if (ui_take_changed(s->ui) || s->draw_again > 0)
        s->dirty = true;
    if (s->draw_again > 0)
        s->draw_again--;
    if ((picture && !take_picture(s, picture)) || (!s->renderer && !draw_memory(s)))
        return reason_set(why, "cannot draw the picture: %s", SDL_GetError());
    if (s->renderer && s->dirty)
        present(s);
    s->dirty = false;
    return true;
}

const struct screen_map *screen_get_map(const struct screen *s)
{
    return &s->map;
}
