#include "viewer/screen.h"

#include <stdlib.h>

#include <SDL.h>

struct screen {
    SDL_Window *window;
    SDL_Renderer *renderer;
    SDL_Texture *texture; /* NULL before the first picture and when it was lost */
    int width, height;    /* of the texture */
    struct screen_map map;
    bool vsync;
    bool shown;
    bool upload_all; /* the texture holds nothing yet */
    bool dirty;      /* what is on the display is old */
};

static void update_map(struct screen *s)
{
    int window_w = 0, window_h = 0, output_w = 0, output_h = 0;
    SDL_GetWindowSize(s->window, &window_w, &window_h);
    if (!s->renderer || SDL_GetRendererOutputSize(s->renderer, &output_w, &output_h) != 0) {
        output_w = window_w;
        output_h = window_h;
    }
    s->map = screen_map_make(s->texture ? s->width : 0, s->texture ? s->height : 0, window_w,
                             window_h, output_w, output_h);
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

static bool is_software(const struct screen *s)
{
    SDL_RendererInfo info;
    return SDL_GetRendererInfo(s->renderer, &info) == 0 && (info.flags & SDL_RENDERER_SOFTWARE);
}

/* The software renderer cannot see the display's refresh; SDL would only sleep in its place. */
static bool open_software_renderer(struct screen *s, struct reason *why)
{
    drop_texture(s);
    if (s->renderer)
        SDL_DestroyRenderer(s->renderer);
    s->renderer = SDL_CreateRenderer(s->window, -1, SDL_RENDERER_SOFTWARE);
    if (!s->renderer)
        return reason_set(why, "cannot draw in a window: %s", SDL_GetError());
    return true;
}

static bool open_renderer(struct screen *s, struct reason *why)
{
    uint32_t flags = SDL_RENDERER_ACCELERATED | (s->vsync ? SDL_RENDERER_PRESENTVSYNC : 0);
    s->renderer = SDL_CreateRenderer(s->window, -1, flags);
    return s->renderer || open_software_renderer(s, why);
}

struct screen *screen_create(bool vsync, struct reason *why)
{
    struct screen *s = calloc(1, sizeof *s);
    if (!s) {
        reason_set(why, "out of memory");
        return NULL;
    }
    s->vsync = vsync;
    s->window =
        SDL_CreateWindow("vnchl", SDL_WINDOWPOS_UNDEFINED, SDL_WINDOWPOS_UNDEFINED, 640, 480,
                         SDL_WINDOW_HIDDEN | SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI);
    if (!s->window) {
        reason_set(why, "cannot open a window: %s", SDL_GetError());
        free(s);
        return NULL;
    }
    return s;
}

void screen_destroy(struct screen *s)
{
    if (!s)
        return;
    drop_texture(s);
    if (s->renderer)
        SDL_DestroyRenderer(s->renderer);
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

static void set_window_size(struct screen *s, int width, int height)
{
    SDL_Rect area = usable_area(s);
    int x, y;

    screen_map_fit(width, height, area.w, area.h, &width, &height);
    SDL_GetWindowPosition(s->window, &x, &y);
    SDL_SetWindowSize(s->window, width, height);
    int new_x = keep_inside(x, width, area.x, area.w),
        new_y = keep_inside(y, height, area.y, area.h);
    if (!s->shown)
        SDL_SetWindowPosition(s->window, SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED);
    else if (new_x != x || new_y != y)
        SDL_SetWindowPosition(s->window, new_x, new_y);
}

bool screen_show(struct screen *s, int width, int height, bool full_screen, bool grab,
                 struct reason *why)
{
    if (!open_renderer(s, why)) /* first: it may make the window anew */
        return false;
    set_window_size(s, width, height);
    if (full_screen)
        screen_set_full_screen(s, true, grab);
    SDL_ShowWindow(s->window);
    s->shown = true;
    update_map(s);
    return true;
}

void screen_follow(struct screen *s, int width, int height)
{
    uint32_t fixed = SDL_WINDOW_FULLSCREEN_DESKTOP | SDL_WINDOW_MAXIMIZED;
    if (!s->shown || (SDL_GetWindowFlags(s->window) & fixed))
        return;
    set_window_size(s, width, height);
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
    SDL_SetWindowKeyboardGrab(s->window, on && grab);
    update_map(s);
}

void screen_event(struct screen *s, const SDL_Event *event)
{
    switch (event->type) {
    case SDL_WINDOWEVENT:
        if (event->window.event == SDL_WINDOWEVENT_SIZE_CHANGED)
            update_map(s);
        else if (event->window.event == SDL_WINDOWEVENT_EXPOSED ||
                 event->window.event == SDL_WINDOWEVENT_SHOWN ||
                 event->window.event == SDL_WINDOWEVENT_RESTORED)
            s->dirty = true;
        break;
    case SDL_RENDER_TARGETS_RESET:
    case SDL_RENDER_DEVICE_RESET:
        drop_texture(s);
        s->dirty = true;
        break;
    default:
        break;
    }
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

static bool open_texture(struct screen *s, int width, int height, struct reason *why)
{
    drop_texture(s);
    s->texture = new_texture(s, width, height);
    if (!s->texture && !is_software(s)) { /* larger than the graphics card can hold? */
        if (!open_software_renderer(s, why))
            return false;
        s->texture = new_texture(s, width, height);
    }
    if (!s->texture)
        return reason_set(why, "cannot show a picture of %d x %d: %s", width, height,
                          SDL_GetError());
    s->width = width;
    s->height = height;
    s->upload_all = true;
    update_map(s);
    return true;
}

/* Copies what changed into the texture. */
static bool upload(struct screen *s, struct framebuffer *fb, struct reason *why)
{
    struct framebuffer_view view;
    for (;;) {
        framebuffer_lock(fb, &view, true);
        if (!view.pixels) {
            framebuffer_unlock(fb);
            return true;
        }
        if (s->texture && s->width == view.width && s->height == view.height)
            break;
        framebuffer_unlock(fb); /* making a texture may take long */
        if (!open_texture(s, view.width, view.height, why))
            return false;
    }

    struct rect whole = {0, 0, view.width, view.height};
    if (s->upload_all) {
        region_clear(&view.damage);
        view.damage.rects[view.damage.count++] = whole;
    }
    bool ok = true;
    for (int i = 0; i < view.damage.count && ok; i++) {
        struct rect r = rect_intersect(view.damage.rects[i], whole);
        SDL_Rect at = {r.x, r.y, r.w, r.h};
        if (r.w > 0 && r.h > 0)
            ok = SDL_UpdateTexture(s->texture, &at, view.pixels + (size_t)r.y * view.width + r.x,
                                   view.width * (int)sizeof *view.pixels) == 0;
    }
    framebuffer_unlock(fb);
    if (!ok)
        return reason_set(why, "cannot draw the picture: %s", SDL_GetError());
    if (view.damage.count > 0)
        s->dirty = true;
    s->upload_all = false;
    return true;
}

bool screen_draw(struct screen *s, struct framebuffer *fb, struct reason *why)
{
    if (!s->shown || (SDL_GetWindowFlags(s->window) & (SDL_WINDOW_HIDDEN | SDL_WINDOW_MINIMIZED)))
        return true;
    if (!upload(s, fb, why))
        return false;
    if (!s->dirty)
        return true;
    s->dirty = false;
    SDL_SetRenderDrawColor(s->renderer, 0, 0, 0, SDL_ALPHA_OPAQUE);
    SDL_RenderClear(s->renderer);
    if (s->texture) {
        SDL_Rect to = {s->map.target.x, s->map.target.y, s->map.target.w, s->map.target.h};
        SDL_RenderCopy(s->renderer, s->texture, NULL, &to);
    }
    SDL_RenderPresent(s->renderer);
    return true;
}

const struct screen_map *screen_get_map(const struct screen *s)
{
    return &s->map;
}
