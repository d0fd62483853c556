#include "viewer/desktop/display/drawing/screen_renderer.h"

#include <stdlib.h>
#include <string.h>

#include <SDL.h>
#include <xcb/xcb.h>

/* SDL's OpenGL headers define it, and much else. */
#define GL_RENDERER_NAME 0x1F01

static bool screen_renderer_is_x11(void)
{
    const char *driver = SDL_GetCurrentVideoDriver();

    return driver && strcmp(driver, "x11") == 0;
}

/* A graphics card draws for an X server that hands it out, by one of these extensions. Where there
 * is none, Mesa would be loaded only to compute what a card would draw, and takes 67 MB. False also
 * where the server cannot be asked. */
static bool screen_renderer_has_card(void)
{
    static const char *const extensions[] = {"DRI3", "DRI2", "NV-GLX"};
    enum { COUNT = sizeof extensions / sizeof *extensions };
    xcb_connection_t *x = xcb_connect(NULL, NULL);
    xcb_query_extension_cookie_t asked[COUNT];
    bool has = false;

    for (size_t i = 0; i < COUNT; i++)
        asked[i] = xcb_query_extension(x, (uint16_t)strlen(extensions[i]), extensions[i]);
    for (size_t i = 0; i < COUNT; i++) {
        xcb_query_extension_reply_t *reply = xcb_query_extension_reply(x, asked[i], NULL);

        has = has || (reply && reply->present);
        free(reply);
    }
    xcb_disconnect(x);
    return has;
}

/* Without a graphics card Mesa computes what a card would draw. */
static bool screen_renderer_is_computed(void)
{
    static const char *const computed[] = {"llvmpipe", "softpipe", "swrast", "Software Rasterizer"};
    const char *(*get_string)(unsigned) = NULL;
    const char *name;

    if (SDL_GL_GetCurrentContext())
        get_string = (const char *(*)(unsigned))(uintptr_t)SDL_GL_GetProcAddress("glGetString");
    name = get_string ? get_string(GL_RENDERER_NAME) : NULL;
    for (size_t i = 0; name && i < sizeof computed / sizeof *computed; i++)
        if (strstr(name, computed[i]))
            return true;
    return false;
}

bool screen_renderer_open_without_card(struct screen_renderer *r, SDL_Window *window)
{
    if (screen_renderer_is_x11())
        SDL_SetHint(SDL_HINT_FRAMEBUFFER_ACCELERATION, "0");
    else
        r->renderer = SDL_CreateRenderer(window, -1, SDL_RENDERER_SOFTWARE);
    return r->renderer;
}

bool screen_renderer_open(struct screen_renderer *r, SDL_Window *window, bool vsync)
{
    uint32_t flags = SDL_RENDERER_ACCELERATED | (vsync ? SDL_RENDERER_PRESENTVSYNC : 0);

    if (screen_renderer_is_x11() && !SDL_GetHint(SDL_HINT_RENDER_DRIVER) &&
        !screen_renderer_has_card())
        return screen_renderer_open_without_card(r, window);
    r->renderer = SDL_CreateRenderer(window, -1, flags);
    if (r->renderer && !(screen_renderer_is_x11() && screen_renderer_is_computed()))
        return true;
    screen_renderer_close(r);
    return screen_renderer_open_without_card(r, window);
}

void screen_renderer_close(struct screen_renderer *r)
{
    screen_renderer_drop_picture(r);
    if (r->renderer)
        SDL_DestroyRenderer(r->renderer);
    r->renderer = NULL;
}

bool screen_renderer_size(const struct screen_renderer *r, int *w, int *h)
{
    return r->renderer && SDL_GetRendererOutputSize(r->renderer, w, h) == 0;
}

/* ---- the texture ---- */

void screen_renderer_drop_picture(struct screen_renderer *r)
{
    if (r->texture)
        SDL_DestroyTexture(r->texture);
    r->texture = NULL;
    if (r->small) {
        SDL_FreeSurface(r->small);
        memory_drop(&r->memory);
    }
    r->small = NULL;
}

/* The format is the picture's own, so an upload is a copy. */
static bool screen_renderer_make_texture(struct screen_renderer *r, int width, int height)
{
    r->texture = SDL_CreateTexture(r->renderer, SDL_PIXELFORMAT_RGB888, SDL_TEXTUREACCESS_STREAMING,
                                   width, height);
    if (r->texture)
        SDL_SetTextureBlendMode(r->texture, SDL_BLENDMODE_NONE);
    return r->texture;
}

/* A card looks at four pixels of the picture for each that it draws. Below a half it passes others
 * over, and with them thin lines: then the picture is made smaller here (shrink.h). */
static bool screen_renderer_makes_small(const struct screen_map *map)
{
    return screen_map_shrinks(map) &&
           (2 * map->target.w < map->picture_w || 2 * map->target.h < map->picture_h);
}

bool screen_renderer_is_ready(const struct screen_renderer *r, const struct screen_map *map)
{
    int w = 0, h = 0;

    if (!r->texture || SDL_QueryTexture(r->texture, NULL, NULL, &w, &h) != 0 ||
        screen_renderer_makes_small(map) != (r->small != NULL))
        return false;
    return r->small ? w == map->target.w && h == map->target.h
                    : w == map->picture_w && h == map->picture_h;
}

bool screen_renderer_make_ready(struct screen_renderer *r, const struct screen_map *map, bool dim)
{
    int w = map->picture_w, h = map->picture_h;

    screen_renderer_drop_picture(r);
    if (screen_renderer_makes_small(map)) {
        w = map->target.w;
        h = map->target.h;
        r->small = SDL_CreateRGBSurfaceWithFormat(0, w, h, 32, SDL_PIXELFORMAT_RGB888);
        if (!r->small)
            return false;
    }
    if (!screen_renderer_make_texture(r, w, h))
        return false;
    screen_renderer_set_map(r, map);
    screen_renderer_set_dim(r, dim);
    return true;
}

void screen_renderer_set_map(struct screen_renderer *r, const struct screen_map *map)
{
    if (r->texture)
        SDL_SetTextureScaleMode(r->texture, screen_map_whole(map) > 0 ? SDL_ScaleModeNearest
                                                                      : SDL_ScaleModeLinear);
}

void screen_renderer_set_dim(struct screen_renderer *r, bool dim)
{
    uint8_t light = dim ? MEMORY_DIM : UINT8_MAX;

    if (r->texture)
        SDL_SetTextureColorMod(r->texture, light, light, light);
}

static bool screen_renderer_take_as_it_is(struct screen_renderer *r,
                                          const struct framebuffer_view *view)
{
    const struct rect whole = {0, 0, view->width, view->height};
    bool ok = true;

    for (int i = 0; i < view->damage.count && ok; i++) {
        struct rect part = rect_intersect(view->damage.rects[i], whole);
        SDL_Rect at = {part.x, part.y, part.w, part.h};

        if (part.w > 0 && part.h > 0)
            ok = SDL_UpdateTexture(r->texture, &at,
                                   view->pixels + (size_t)part.y * view->width + part.x,
                                   view->width * (int)sizeof *view->pixels) == 0;
    }
    return ok;
}

static bool screen_renderer_take_smaller(struct screen_renderer *r,
                                         const struct framebuffer_view *view, struct screen_map map)
{
    struct memory_changes changes;

    map.target.x = map.target.y = 0;
    if (!memory_draw(&r->memory, view, r->small, &map, false, &changes))
        return false;
    for (int i = 0; i < changes.count; i++) {
        const SDL_Rect *at = &changes.rects[i];
        const uint8_t *first = (const uint8_t *)r->small->pixels +
                               (size_t)at->y * (size_t)r->small->pitch + (size_t)at->x * 4;

        if (SDL_UpdateTexture(r->texture, at, first, r->small->pitch) != 0)
            return false;
    }
    return true;
}

bool screen_renderer_take(struct screen_renderer *r, const struct framebuffer_view *view,
                          const struct screen_map *map, bool *changed)
{
    *changed = view->damage.count > 0;
    return r->small ? screen_renderer_take_smaller(r, view, *map)
                    : screen_renderer_take_as_it_is(r, view);
}

void screen_renderer_show(struct screen_renderer *r, const struct screen_frame *frame)
{
    const struct rect *at = &frame->map->target;
    SDL_Rect to = {at->x, at->y, at->w, at->h};

    SDL_SetRenderDrawColor(r->renderer, 0, 0, 0, SDL_ALPHA_OPAQUE);
    SDL_RenderClear(r->renderer);
    if (r->texture)
        SDL_RenderCopy(r->renderer, r->texture, NULL, &to);
    if (frame->above)
        ui_draw(frame->above, r->renderer, &frame->view);
    SDL_RenderPresent(r->renderer);
}
