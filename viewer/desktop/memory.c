#include "viewer/desktop/memory.h"

#include <string.h>

static void add(struct memory_changes *changes, SDL_Rect r)
{
    if (r.w > 0 && r.h > 0)
        changes->rects[changes->count++] = r;
}

static bool has_size(const SDL_Surface *picture, int width, int height)
{
    return picture && picture->w == width && picture->h == height;
}

static void copy_rect(SDL_Surface *to, const struct framebuffer_view *from, struct rect r)
{
    for (int y = r.y; y < r.y + r.h; y++)
        memcpy((uint8_t *)to->pixels + (size_t)y * (size_t)to->pitch + (size_t)r.x * 4,
               from->pixels + (size_t)y * (size_t)from->width + (size_t)r.x, (size_t)r.w * 4);
}

bool memory_take(struct memory *m, const struct framebuffer_view *view)
{
    struct rect whole = {0, 0, view->width, view->height};
    struct region changed = view->damage;

    if (!has_size(m->picture, view->width, view->height)) {
        memory_drop(m);
        m->picture = SDL_CreateRGBSurfaceWithFormat(0, view->width, view->height, 32,
                                                    SDL_PIXELFORMAT_RGB888);
        if (!m->picture)
            return false;
        memory_set_dim(m, m->dim);
        region_clear(&changed);
        region_add(&changed, whole);
    }
    for (int i = 0; i < changed.count; i++) {
        struct rect r = rect_intersect(changed.rects[i], whole);

        copy_rect(m->picture, view, r);
        region_add(&m->damage, r);
    }
    return true;
}

void memory_drop(struct memory *m)
{
    SDL_FreeSurface(m->picture);
    m->picture = NULL;
    shrink_drop(&m->shrink);
    region_clear(&m->damage);
}

void memory_set_dim(struct memory *m, bool dim)
{
    uint8_t light = dim ? MEMORY_DIM : UINT8_MAX;

    m->dim = dim;
    if (m->picture)
        SDL_SetSurfaceColorMod(m->picture, light, light, light);
}

static SDL_Rect inside(SDL_Rect r, const SDL_Surface *of)
{
    const SDL_Rect all = {0, 0, of->w, of->h};
    SDL_Rect both = {0};

    SDL_IntersectRect(&r, &all, &both);
    return both;
}

/* Whether the pixels can be written as they are, without a conversion. */
static bool same_format(const SDL_Surface *a, const SDL_Surface *b)
{
    return a->format->format == b->format->format;
}

/* Each pixel becomes `by` x `by` of them. */
static bool draw_whole(struct memory *m, SDL_Surface *to, const struct screen_map *map, int by,
                       struct rect part, SDL_Rect *done)
{
    SDL_Rect source = {part.x, part.y, part.w, part.h};
    SDL_Rect target = {map->target.x + part.x * by, map->target.y + part.y * by, part.w * by,
                       part.h * by};

    *done = inside(target, to);
    return by == 1 ? SDL_BlitSurface(m->picture, &source, to, &target) == 0
                   : SDL_BlitScaled(m->picture, &source, to, &target) == 0;
}

static bool draw_smaller(struct memory *m, SDL_Surface *to, const struct screen_map *map,
                         struct rect part, SDL_Rect *done)
{
    struct rect target = shrink_target(&m->shrink, part);
    struct rect seen = {-map->target.x, -map->target.y, to->w, to->h};
    uint32_t *pixels = to->pixels;
    int stride = to->pitch / 4;

    target = rect_intersect(target, seen); /* a picture may reach over the edges */
    shrink_draw(&m->shrink, m->picture->pixels, m->picture->pitch / 4,
                pixels + (ptrdiff_t)map->target.y * stride + map->target.x, stride, target,
                m->dim ? MEMORY_DIM + 1 : 256); /* the light is of 256 */
    *done = (SDL_Rect){map->target.x + target.x, map->target.y + target.y, target.w, target.h};
    return true;
}

/* Larger, but not in whole steps; or for a window with other pixels than ours. */
static bool draw_smooth(const struct memory *m, SDL_Surface *to, const struct screen_map *map,
                        SDL_Rect *done)
{
    SDL_Surface *picture = m->picture;
    SDL_Rect target = {map->target.x, map->target.y, map->target.w, map->target.h};

    *done = inside(target, to);
    /* the smooth one neither converts nor dims nor clips, and reads two pixels at a time */
    if (!m->dim && same_format(to, picture) && picture->w > 1 && picture->h > 1 &&
        target.w == done->w && target.h == done->h &&
        SDL_SoftStretchLinear(picture, NULL, to, &target) == 0)
        return true;
    return SDL_BlitScaled(picture, NULL, to, &target) == 0;
}

/* Draws what shows this part of the picture. *done: which pixels of the surface it has drawn. */
static bool draw_part(struct memory *m, SDL_Surface *to, const struct screen_map *map,
                      struct rect part, SDL_Rect *done)
{
    int by = screen_map_whole(map);

    if (by > 0)
        return draw_whole(m, to, map, by, part, done);
    if (screen_map_shrinks(map) && same_format(to, m->picture) &&
        shrink_prepare(&m->shrink, map->picture_w, map->picture_h, map->target.w, map->target.h))
        return draw_smaller(m, to, map, part, done);
    return draw_smooth(m, to, map, done);
}

bool memory_draw(struct memory *m, SDL_Surface *to, const struct screen_map *map, bool all,
                 struct memory_changes *changes)
{
    bool ok = true;

    changes->count = 0;
    if (all)
        SDL_FillRect(to, NULL, 0);
    if (m->picture && all) {
        region_clear(&m->damage);
        region_add(&m->damage, (struct rect){0, 0, m->picture->w, m->picture->h});
    }
    for (int i = 0; ok && i < m->damage.count; i++) {
        SDL_Rect done;

        ok = draw_part(m, to, map, m->damage.rects[i], &done);
        add(changes, done);
    }
    if (all) {
        changes->count = 0;
        add(changes, (SDL_Rect){0, 0, to->w, to->h});
    }
    region_clear(&m->damage);
    return ok;
}
