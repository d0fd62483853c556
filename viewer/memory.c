#include "viewer/memory.h"

static void add(struct memory_changes *changes, SDL_Rect r)
{
    if (r.w > 0 && r.h > 0)
        changes->rects[changes->count++] = r;
}

static bool copy_damage(SDL_Surface *to, SDL_Surface *picture, const struct framebuffer_view *from,
                        const struct screen_map *map, struct memory_changes *changes)
{
    const struct rect whole = {0, 0, from->width, from->height};

    for (int i = 0; i < from->damage.count; i++) {
        struct rect r = rect_intersect(from->damage.rects[i], whole);
        SDL_Rect source = {r.x, r.y, r.w, r.h};
        SDL_Rect target = {map->target.x + r.x, map->target.y + r.y, r.w, r.h};

        if (r.w > 0 && r.h > 0 && SDL_BlitSurface(picture, &source, to, &target) != 0)
            return false;
        add(changes, target);
    }
    return true;
}

static bool copy_all(SDL_Surface *to, SDL_Surface *picture, const struct screen_map *map)
{
    SDL_Rect target = {map->target.x, map->target.y, map->target.w, map->target.h};

    if (screen_map_is_exact(map))
        return SDL_BlitSurface(picture, NULL, to, &target) == 0;
    /* the smooth one knows 32-bit pixels only */
    if (to->format->BytesPerPixel == 4)
        return SDL_SoftStretchLinear(picture, NULL, to, &target) == 0;
    return SDL_BlitScaled(picture, NULL, to, &target) == 0;
}

bool memory_draw(SDL_Surface *to, const struct framebuffer_view *from, const struct screen_map *map,
                 bool all, struct memory_changes *changes)
{
    SDL_Surface *picture;
    bool ok;

    changes->count = 0;
    if (all) {
        SDL_FillRect(to, NULL, 0);
        add(changes, (SDL_Rect){0, 0, to->w, to->h});
    }
    if (!from->pixels || (!all && from->damage.count == 0))
        return true;
    /* SDL reads it only */
    picture = SDL_CreateRGBSurfaceWithFormatFrom((void *)(uintptr_t)from->pixels, from->width,
                                                 from->height, 32, from->width * 4,
                                                 SDL_PIXELFORMAT_RGB888);
    if (!picture)
        return false;
    if (all || !screen_map_is_exact(map)) {
        ok = copy_all(to, picture, map);
        if (!all)
            add(changes, (SDL_Rect){map->target.x, map->target.y, map->target.w, map->target.h});
    } else {
        ok = copy_damage(to, picture, from, map, changes);
    }
    SDL_FreeSurface(picture);
    return ok;
}
