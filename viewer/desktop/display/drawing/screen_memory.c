#include "viewer/desktop/display/drawing/screen_memory.h"

#include <SDL.h>

/* ---- covers ---- */

_Static_assert(UI_COVERS == 4, "each cover makes four pieces of one: COVERS_PIECES");

static void covers_drop(struct covers *c)
{
    for (int i = 0; i < UI_COVERS; i++)
        SDL_FreeSurface(c->kept[i]);
    *c = (struct covers){.count = 0};
}

/* The ui has been drawn in this memory: takes from there how it looks. */
static void covers_keep(struct covers *c, const struct ui *ui, SDL_Surface *from)
{
    covers_drop(c);
    c->shine_through = !ui_covers(ui, c->at, &c->count);
    for (int i = 0; i < c->count; i++) {
        SDL_Rect at = {c->at[i].x, c->at[i].y, c->at[i].w, c->at[i].h};

        c->kept[i] = SDL_CreateRGBSurfaceWithFormat(0, at.w, at.h, 32, from->format->format);
        if (c->kept[i])
            SDL_BlitSurface(from, &at, c->kept[i], NULL);
        else
            c->shine_through = true; /* drawn each time */
    }
}

/* Puts them back, after a picture was drawn over them. */
static void covers_restore(const struct covers *c, SDL_Surface *to)
{
    for (int i = 0; i < c->count; i++) {
        SDL_Rect at = {c->at[i].x, c->at[i].y, c->at[i].w, c->at[i].h};

        SDL_BlitSurface(c->kept[i], NULL, to, &at);
    }
}

static int covers_add(struct rect r, struct rect *out, int count)
{
    if (r.w <= 0 || r.h <= 0)
        return count;
    out[count] = r;
    return count + 1;
}

/* What is left of `a` without `b`: above, below, left and right of it. Returns how many. */
static int covers_without(struct rect a, struct rect b, struct rect out[4])
{
    const struct rect both = rect_intersect(a, b);
    const int right = both.x + both.w, bottom = both.y + both.h;
    int n = 0;

    if (both.w <= 0 || both.h <= 0)
        return covers_add(a, out, 0);
    n = covers_add((struct rect){a.x, a.y, a.w, both.y - a.y}, out, n);
    n = covers_add((struct rect){a.x, bottom, a.w, a.y + a.h - bottom}, out, n);
    n = covers_add((struct rect){a.x, both.y, both.x - a.x, both.h}, out, n);
    return covers_add((struct rect){right, both.y, a.x + a.w - right, both.h}, out, n);
}

int covers_leave(const struct covers *c, struct rect part, struct rect out[COVERS_PIECES])
{
    int count = covers_add(part, out, 0);

    for (int i = 0; i < c->count; i++) {
        struct rect next[COVERS_PIECES];
        int left = 0;

        for (int k = 0; k < count; k++)
            left += covers_without(out[k], c->at[i], next + left);
        for (int k = 0; k < left; k++)
            out[k] = next[k];
        count = left;
    }
    return count;
}

/* ---- drawing ---- */

void screen_memory_open(struct screen_memory *m, SDL_Window *window)
{
    *m = (struct screen_memory){.window = window, .x_window = x_window_open(window)};
}

/* SDL shows the window's memory from now on. */
static void screen_memory_leave_x_window(struct screen_memory *m)
{
    x_window_close(m->x_window);
    m->x_window = NULL;
    m->segment = 0;
}

void screen_memory_close(struct screen_memory *m)
{
    memory_drop(&m->memory);
    covers_drop(&m->covers);
    screen_memory_leave_x_window(m);
}

bool screen_memory_size(struct screen_memory *m, int *w, int *h)
{
    SDL_Surface *sdl = m->window && !m->x_window ? SDL_GetWindowSurface(m->window) : NULL;

    if (sdl) {
        *w = sdl->w;
        *h = sdl->h;
    }
    return sdl;
}

bool screen_memory_works(struct screen_memory *m)
{
    return m->x_window || SDL_GetWindowSurface(m->window);
}

void screen_memory_new_picture(struct screen_memory *m)
{
    x_window_detach(m->x_window, m->segment);
    m->segment = 0;
}

/* ---- from the session's memory ---- */

static bool screen_memory_can_go_straight(struct screen_memory *m, const struct screen_frame *f,
                                          int fd, bool all)
{
    if (!m->x_window || screen_map_whole(f->map) != 1 || f->dim ||
        (f->above && (all || m->covers.shine_through)))
        return false;
    if (!m->segment)
        m->segment = x_window_attach(m->x_window, fd);
    return m->segment;
}

#define SCREEN_MEMORY_PARTS (4 * COVERS_PIECES)

/* Adds what is to be seen of a part of the picture. */
static int screen_memory_add_visible(const struct covers *covers, const struct screen_map *map,
                                     struct rect part, struct rect *parts, int count)
{
    const struct rect window = {0, 0, map->output_w, map->output_h};
    struct rect pieces[COVERS_PIECES];
    int left;

    part.x += map->target.x;
    part.y += map->target.y;
    left = covers_leave(covers, rect_intersect(part, window), pieces);
    for (int i = 0; i < left; i++) {
        pieces[i].x -= map->target.x;
        pieces[i].y -= map->target.y;
        parts[count++] = pieces[i];
    }
    return count;
}

/* The parts of the picture that lie inside the window, and that nothing hides. */
static int screen_memory_visible(const struct covers *covers, const struct screen_map *map,
                                 const struct framebuffer_view *view, bool all,
                                 struct rect parts[SCREEN_MEMORY_PARTS])
{
    const struct rect whole = {0, 0, view->width, view->height};
    int count = 0;

    for (int i = 0; !all && i < view->damage.count; i++) {
        count = screen_memory_add_visible(covers, map, rect_intersect(view->damage.rects[i], whole),
                                          parts, count);
        /* too many pieces: one large part instead */
        all = count > SCREEN_MEMORY_PARTS - COVERS_PIECES;
    }
    return all ? screen_memory_add_visible(covers, map, whole, parts, 0) : count;
}

static bool screen_memory_go_straight(struct screen_memory *m, const struct screen_map *map,
                                      const struct framebuffer_view *view, bool all)
{
    const struct x_picture p = {m->segment, view->offset, view->width, view->height};
    struct rect parts[SCREEN_MEMORY_PARTS];
    int count = screen_memory_visible(&m->covers, map, view, all, parts);

    x_window_drop_canvas(m->x_window);
    if (all)
        x_window_blacken(m->x_window, map->output_w, map->output_h, map->target);
    return x_window_show(m->x_window, &p, parts, count, map->target.x, map->target.y);
}

/* ---- through memory of the window's size ---- */

static SDL_Surface *screen_memory_canvas(struct screen_memory *m, const struct screen_map *map)
{
    SDL_Surface *c = NULL;

    if (m->x_window)
        c = x_window_canvas(m->x_window, map->output_w, map->output_h);
    if (c)
        return c;
    if (m->x_window)
        screen_memory_leave_x_window(m);
    return SDL_GetWindowSurface(m->window);
}

/* The memory may be another one each time: a renderer for it lives only this long. */
static void screen_memory_draw_above(struct screen_memory *m, const struct screen_frame *f)
{
    SDL_Renderer *renderer = SDL_CreateSoftwareRenderer(m->drawn);

    if (!renderer)
        return;
    ui_draw(f->above, renderer, &f->view);
    SDL_RenderFlush(renderer);
    covers_keep(&m->covers, f->above, m->drawn);
    ui_forget_renderer(f->above);
    SDL_DestroyRenderer(renderer);
    SDL_SetClipRect(m->drawn, NULL); /* the renderer leaves its own */
}

static bool screen_memory_draw_on_canvas(struct screen_memory *m, const struct screen_frame *f,
                                         const struct framebuffer_view *picture, bool all)
{
    SDL_Surface *canvas = screen_memory_canvas(m, f->map);

    m->memory.dim = f->dim;
    if (!canvas || !memory_draw(&m->memory, picture, canvas, f->map, all, &m->changes))
        return false;
    m->drawn = canvas;
    m->whole = all;
    if (!all)
        covers_restore(&m->covers, canvas);
    return true;
}

/* ---- one or the other ---- */

bool screen_memory_draw(struct screen_memory *m, const struct screen_frame *f,
                        const struct framebuffer_view *picture, int fd)
{
    const bool news = picture && picture->damage.count > 0;
    bool all;

    m->drawn = NULL;
    m->changes.count = 0;
    if (!f->above)
        covers_drop(&m->covers);
    all = f->all || (f->above && m->covers.shine_through && news);
    if (!all && !news)
        return true;
    if (picture && screen_memory_can_go_straight(m, f, fd, all)) {
        if (screen_memory_go_straight(m, f->map, picture, all))
            return true;
        screen_memory_leave_x_window(m);
        all = true;
    }
    return screen_memory_draw_on_canvas(m, f, picture, all);
}

bool screen_memory_show(struct screen_memory *m, const struct screen_frame *f)
{
    const struct memory_changes *c = &m->changes;

    if (m->drawn && m->whole && f->above)
        screen_memory_draw_above(m, f);
    if (!m->drawn || c->count == 0)
        return true;
    if (!m->x_window)
        SDL_UpdateWindowSurfaceRects(m->window, c->rects, c->count);
    else if (!x_window_show_canvas(m->x_window, c->rects, c->count)) {
        screen_memory_leave_x_window(m);
        return false;
    }
    return true;
}
