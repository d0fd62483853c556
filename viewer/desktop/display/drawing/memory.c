#include "viewer/desktop/display/drawing/memory.h"

static void memory_add(struct memory_changes *changes, SDL_Rect r)
{
    if (r.w > 0 && r.h > 0)
        changes->rects[changes->count++] = r;
}

void memory_drop(struct memory *m)
{
    shrink_drop(&m->shrink);
}

/* A surface that stands for the picture where it lies; nobody writes to it. */
static SDL_Surface *surface_of(const struct memory *m, const struct framebuffer_view *view)
{
    uint8_t light = m->dim ? MEMORY_DIM : UINT8_MAX;
    SDL_Surface *s = SDL_CreateRGBSurfaceWithFormatFrom((void *)(uintptr_t)view->pixels,
                                                        view->width, view->height, 32,
                                                        view->width * 4, SDL_PIXELFORMAT_RGB888);

    if (s)
        SDL_SetSurfaceColorMod(s, light, light, light);
    return s;
}

static SDL_Rect memory_inside(SDL_Rect r, const SDL_Surface *of)
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
static bool draw_whole(SDL_Surface *picture, SDL_Surface *to, const struct screen_map *map, int by,
                       struct rect part, SDL_Rect *done)
{
    SDL_Rect source = {part.x, part.y, part.w, part.h};
    SDL_Rect target = {map->target.x + part.x * by, map->target.y + part.y * by, part.w * by,
                       part.h * by};

    *done = memory_inside(target, to);
    return by == 1 ? SDL_BlitSurface(picture, &source, to, &target) == 0
                   : SDL_BlitScaled(picture, &source, to, &target) == 0;
}

static bool draw_smaller(struct memory *m, const SDL_Surface *picture, SDL_Surface *to,
                         const struct screen_map *map, struct rect part, SDL_Rect *done)
{
    struct rect target = shrink_target(&m->shrink, part);
    struct rect seen = {-map->target.x, -map->target.y, to->w, to->h};
    uint32_t *pixels = to->pixels;
    int stride = to->pitch / 4;

    target = rect_intersect(target, seen); /* a picture may reach over the edges */
    shrink_draw(&m->shrink, picture->pixels, picture->pitch / 4,
                pixels + (ptrdiff_t)map->target.y * stride + map->target.x, stride, target,
                m->dim ? MEMORY_DIM + 1 : 256); /* the light is of 256 */
    *done = (SDL_Rect){map->target.x + target.x, map->target.y + target.y, target.w, target.h};
    return true;
}

/* Larger, but not in whole steps; or for a window with other pixels than ours. */
static bool draw_smooth(const struct memory *m, SDL_Surface *picture, SDL_Surface *to,
                        const struct screen_map *map, SDL_Rect *done)
{
    SDL_Rect target = {map->target.x, map->target.y, map->target.w, map->target.h};

    *done = memory_inside(target, to);
    /* the smooth one neither converts nor dims nor clips, and reads two pixels at a time */
    if (!m->dim && same_format(to, picture) && picture->w > 1 && picture->h > 1 &&
        target.w == done->w && target.h == done->h &&
        SDL_SoftStretchLinear(picture, NULL, to, &target) == 0)
        return true;
    return SDL_BlitScaled(picture, NULL, to, &target) == 0;
}

/* Draws what shows this part of the picture. *done: which pixels of the surface it has drawn. */
static bool draw_part(struct memory *m, SDL_Surface *picture, SDL_Surface *to,
                      const struct screen_map *map, struct rect part, SDL_Rect *done)
{
    int by = screen_map_whole(map);

    if (by > 0)
        return draw_whole(picture, to, map, by, part, done);
    if (screen_map_shrinks(map) && same_format(to, picture) &&
        shrink_prepare(&m->shrink, map->picture_w, map->picture_h, map->target.w, map->target.h))
        return draw_smaller(m, picture, to, map, part, done);
    return draw_smooth(m, picture, to, map, done);
}

static bool draw_parts(struct memory *m, const struct framebuffer_view *view, SDL_Surface *to,
                       const struct screen_map *map, bool all, struct memory_changes *changes)
{
    const struct rect whole = {0, 0, view->width, view->height};
    int count = all ? 1 : view->damage.count;
    SDL_Surface *picture = count > 0 ? surface_of(m, view) : NULL;
    bool ok = picture || count == 0;

    for (int i = 0; ok && i < count; i++) {
        struct rect part = all ? whole : rect_intersect(view->damage.rects[i], whole);
        SDL_Rect done;

        ok = draw_part(m, picture, to, map, part, &done);
        memory_add(changes, done);
    }
    SDL_FreeSurface(picture);
    return ok;
}

bool memory_draw(struct memory *m, const struct framebuffer_view *view, SDL_Surface *to,
                 const struct screen_map *map, bool all, struct memory_changes *changes)
{
    bool ok;

    changes->count = 0;
    if (all)
        SDL_FillRect(to, NULL, 0);
    ok = !view || draw_parts(m, view, to, map, all, changes);
    if (all) {
        changes->count = 0;
        memory_add(changes, (SDL_Rect){0, 0, to->w, to->h});
    }
    return ok;
}
