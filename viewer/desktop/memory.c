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
    region_clear(&m->damage);
}

void memory_set_dim(struct memory *m, bool dim)
{
    uint8_t light = dim ? MEMORY_DIM : UINT8_MAX;

    m->dim = dim;
    if (m->picture)
        SDL_SetSurfaceColorMod(m->picture, light, light, light);
}

static bool draw_damage(struct memory *m, SDL_Surface *to, const struct screen_map *map,
                        struct memory_changes *changes)
{
    for (int i = 0; i < m->damage.count; i++) {
        struct rect r = m->damage.rects[i];
        SDL_Rect source = {r.x, r.y, r.w, r.h};
        SDL_Rect target = {map->target.x + r.x, map->target.y + r.y, r.w, r.h};

        if (SDL_BlitSurface(m->picture, &source, to, &target) != 0)
            return false;
        add(changes, target);
    }
    return true;
}

static bool draw_all(const struct memory *m, SDL_Surface *to, const struct screen_map *map)
{
    SDL_Surface *picture = m->picture;
    SDL_Rect target = {map->target.x, map->target.y, map->target.w, map->target.h};

    if (screen_map_is_exact(map))
        return SDL_BlitSurface(picture, NULL, to, &target) == 0;
    /* the smooth one neither converts nor dims, and reads two pixels at a time */
    if (!m->dim && to->format->format == picture->format->format && picture->w > 1 &&
        picture->h > 1 && SDL_SoftStretchLinear(picture, NULL, to, &target) == 0)
        return true;
    return SDL_BlitScaled(picture, NULL, to, &target) == 0;
}

bool memory_draw(struct memory *m, SDL_Surface *to, const struct screen_map *map, bool all,
                 struct memory_changes *changes)
{
    bool ok = true;

    changes->count = 0;
    if (all)
        SDL_FillRect(to, NULL, 0);
    if (m->picture && !all && screen_map_is_exact(map)) {
        ok = draw_damage(m, to, map, changes);
    } else if (m->picture && (all || m->damage.count > 0)) {
        ok = draw_all(m, to, map);
        add(changes, (SDL_Rect){map->target.x, map->target.y, map->target.w, map->target.h});
    }
    if (all) {
        changes->count = 0;
        add(changes, (SDL_Rect){0, 0, to->w, to->h});
    }
    region_clear(&m->damage);
    return ok;
}
