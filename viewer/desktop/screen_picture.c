/* What the picture is drawn from: a texture of the graphics card, or memory. It is kept like the
 * session's framebuffer. */
#include <SDL.h>

#include "viewer/desktop/renderer.h"
#include "viewer/desktop/screen_state.h"

void screen_drop_texture(struct screen *s)
{
    if (s->texture)
        SDL_DestroyTexture(s->texture);
    s->texture = NULL;
}

void screen_drop_renderer(struct screen *s)
{
    screen_drop_texture(s);
    ui_forget_renderer(s->ui);
    if (s->renderer)
        SDL_DestroyRenderer(s->renderer);
    s->renderer = NULL;
}

static void draw_without_card(struct screen *s)
{
    screen_drop_renderer(s);
    s->renderer = renderer_without_card(s->window);
    if (!s->renderer)
        screen_open_memory(s);
}

void screen_new_picture(struct screen *s)
{
    screen_note_picture(s, s->width, s->height);
}

void screen_note_picture(struct screen *s, int width, int height)
{
    x_window_detach(s->x_window, s->segment);
    s->segment = 0;
    s->width = width;
    s->height = height;
    s->take_all = true;
    screen_update_map(s);
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
    s->memory.dim = dim;
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
    screen_drop_texture(s);
    s->texture = s->renderer ? new_texture(s, width, height) : NULL;
    if (s->renderer && !s->texture) {
        draw_without_card(s);
        s->texture = s->renderer ? new_texture(s, width, height) : NULL;
    }
    if (s->renderer && !s->texture)
        return false;
    shade_texture(s);
    screen_note_picture(s, width, height);
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

static bool fits(const struct screen *s, const struct framebuffer_view *view)
{
    return s->width == view->width && s->height == view->height && s->texture;
}

static bool take(struct screen *s, struct framebuffer_view *view)
{
    if (s->take_all) {
        region_clear(&view->damage);
        region_add(&view->damage, (struct rect){0, 0, view->width, view->height});
    }
    s->take_all = false;
    s->pictures += view->damage.count > 0;
    return upload(s, view);
}

bool screen_take_picture(struct screen *s, struct framebuffer_reader *picture)
{
    struct framebuffer_view view;
    bool ok;

    for (int tries = 0; tries < 2 && s->renderer && framebuffer_lock(picture, &view, true);
         tries++) {
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
