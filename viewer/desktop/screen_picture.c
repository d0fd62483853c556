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
    if (s->small) {
        SDL_FreeSurface(s->small);
        memory_drop(&s->memory);
    }
    s->small = NULL;
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

/* The texture, or the memory, is as bright as it should be. */
static void shade(struct screen *s)
{
    uint8_t light = s->dim ? MEMORY_DIM : UINT8_MAX;

    if (s->texture)
        SDL_SetTextureColorMod(s->texture, light, light, light);
    s->memory.dim = s->dim && !s->renderer;
}

void screen_set_dim(struct screen *s, bool dim)
{
    if (dim == s->dim)
        return;
    s->dim = dim;
    s->dirty = true;
    shade(s);
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

/* A card looks at four pixels of the picture for each that it draws. Below a half it passes others
 * over, and with them thin lines: then the picture is made smaller here (shrink.h). */
static bool is_made_small(const struct screen *s)
{
    return s->renderer && screen_map_shrinks(&s->map) &&
           (2 * s->map.target.w < s->width || 2 * s->map.target.h < s->height);
}

static bool make_small(struct screen *s)
{
    s->small = SDL_CreateRGBSurfaceWithFormat(0, s->map.target.w, s->map.target.h, 32,
                                              SDL_PIXELFORMAT_RGB888);
    s->texture = s->small ? new_texture(s, s->small->w, s->small->h) : NULL;
    return s->texture;
}

static bool make_texture(struct screen *s)
{
    if (is_made_small(s))
        return make_small(s);
    s->texture = s->renderer ? new_texture(s, s->width, s->height) : NULL;
    return s->texture || !s->renderer;
}

/* The picture has another size, or the texture was lost, or is to hold something else. A picture
 * may be larger than the graphics card can hold: then none draws. */
static bool new_picture(struct screen *s, int width, int height)
{
    screen_drop_texture(s);
    screen_note_picture(s, width, height);
    if (!make_texture(s)) {
        draw_without_card(s);
        if (!make_texture(s))
            return false;
    }
    shade(s);
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

/* The same of a picture that is made small. */
static bool upload_small(struct screen *s, const struct framebuffer_view *view)
{
    struct screen_map map = s->map;
    struct memory_changes changes;

    map.target.x = map.target.y = 0;
    if (!memory_draw(&s->memory, view, s->small, &map, false, &changes))
        return false;
    for (int i = 0; i < changes.count; i++) {
        const SDL_Rect *r = &changes.rects[i];
        const uint8_t *first = (const uint8_t *)s->small->pixels +
                               (size_t)r->y * (size_t)s->small->pitch + (size_t)r->x * 4;

        if (SDL_UpdateTexture(s->texture, r, first, s->small->pitch) != 0)
            return false;
    }
    s->dirty = s->dirty || changes.count > 0;
    return true;
}

/* In pixels of the window. */
static struct rect in_window(const struct screen_map *m, struct rect r)
{
    const struct rect *t = &m->target;

    return (struct rect){
        t->x + (int)((long long)r.x * t->w / m->picture_w),
        t->y + (int)((long long)r.y * t->h / m->picture_h),
        (int)((long long)r.w * t->w / m->picture_w) + 1,
        (int)((long long)r.h * t->h / m->picture_h) + 1,
    };
}

static struct rect around(const struct region *region)
{
    struct rect all = region->rects[0];

    for (int i = 1; i < region->count; i++) {
        const struct rect *r = &region->rects[i];
        int right = SDL_max(all.x + all.w, r->x + r->w),
            bottom = SDL_max(all.y + all.h, r->y + r->h);

        all.x = SDL_min(all.x, r->x);
        all.y = SDL_min(all.y, r->y);
        all.w = right - all.x;
        all.h = bottom - all.y;
    }
    return all;
}

void screen_note_damage(struct screen *s, const struct region *damage)
{
    struct rect where;

    if (damage->count == 0)
        return;
    s->pictures++;
    if (s->map.picture_w < 1 || s->map.picture_h < 1)
        return;
    where = in_window(&s->map, around(damage));
    ui_picture_changed(s->ui, &where);
}

/* The texture is what the map needs. */
static bool has_texture(const struct screen *s)
{
    if (!s->texture || is_made_small(s) != (s->small != NULL))
        return false;
    return !s->small || (s->small->w == s->map.target.w && s->small->h == s->map.target.h);
}

static bool fits(const struct screen *s, const struct framebuffer_view *view)
{
    return s->width == view->width && s->height == view->height && has_texture(s);
}

static bool take(struct screen *s, struct framebuffer_view *view)
{
    if (s->take_all) {
        region_clear(&view->damage);
        region_add(&view->damage, (struct rect){0, 0, view->width, view->height});
    }
    s->take_all = false;
    screen_note_damage(s, &view->damage);
    return s->small ? upload_small(s, view) : upload(s, view);
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
