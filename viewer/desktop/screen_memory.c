/* Drawing without a renderer. A picture that is shown as it lies, pixel for pixel, and with nothing
 * above it, goes to the display from the session's memory. All else is drawn in memory of the
 * window's size first, which is kept only as long as it is needed (x_window.h). Where that is not
 * possible SDL has such memory, and keeps it.
 */
#include <SDL.h>

#include "viewer/desktop/screen_state.h"

void screen_open_memory(struct screen *s)
{
    s->x_window = x_window_open(s->window);
}

void screen_close_memory(struct screen *s)
{
    memory_drop(&s->memory);
    x_window_close(s->x_window);
    s->x_window = NULL;
    s->segment = 0;
}

/* SDL shows the window's memory from now on. */
static void leave_x_window(struct screen *s)
{
    x_window_close(s->x_window);
    s->x_window = NULL;
    s->segment = 0;
}

/* ---- from the session's memory ---- */

static bool can_go_straight(struct screen *s, struct framebuffer_reader *picture)
{
    if (!s->x_window || screen_map_whole(&s->map) != 1 || s->dim || screen_shows_ui(s))
        return false;
    if (!s->segment)
        s->segment = x_window_attach(s->x_window, framebuffer_reader_fd(picture));
    return s->segment;
}

/* The parts of the picture that lie inside the window. */
static int visible(const struct screen_map *map, const struct framebuffer_view *view, bool all,
                   struct rect parts[REGION_MAX])
{
    const struct rect window = {-map->target.x, -map->target.y, map->output_w, map->output_h};
    const struct rect whole = {0, 0, view->width, view->height};
    int count = all ? 1 : view->damage.count;

    for (int i = 0; i < count; i++)
        parts[i] = rect_intersect(all ? whole : view->damage.rects[i], window);
    return count;
}

static bool go_straight(struct screen *s, const struct framebuffer_view *view, bool all)
{
    const struct x_picture p = {s->segment, view->offset, view->width, view->height};
    struct rect parts[REGION_MAX];
    int count = visible(&s->map, view, all, parts);

    x_window_drop_canvas(s->x_window);
    if (all)
        x_window_blacken(s->x_window, s->map.output_w, s->map.output_h, s->map.target);
    return x_window_show(s->x_window, &p, parts, count, s->map.target.x, s->map.target.y);
}

/* ---- through memory of the window's size ---- */

static SDL_Surface *canvas(struct screen *s)
{
    SDL_Surface *c = NULL;

    if (s->x_window)
        c = x_window_canvas(s->x_window, s->map.output_w, s->map.output_h);
    if (c)
        return c;
    if (s->x_window)
        leave_x_window(s);
    return SDL_GetWindowSurface(s->window);
}

/* The memory may be another one each time: a renderer for it lives only this long. */
static void draw_ui(struct screen *s, SDL_Surface *window)
{
    SDL_Renderer *renderer = SDL_CreateSoftwareRenderer(window);

    if (!renderer)
        return;
    screen_draw_ui(s, renderer);
    SDL_RenderFlush(renderer);
    ui_forget_renderer(s->ui);
    SDL_DestroyRenderer(renderer);
    SDL_SetClipRect(window, NULL); /* the renderer leaves its own */
}

/* False: the X server has refused. */
static bool show(struct screen *s, const struct memory_changes *changes)
{
    if (s->x_window)
        return x_window_show_canvas(s->x_window, changes->rects, changes->count);
    SDL_UpdateWindowSurfaceRects(s->window, changes->rects, changes->count);
    return true;
}

/* ---- one or the other ---- */

/* Takes note of a picture of another size. */
static void follow(struct screen *s, const struct framebuffer_view *view)
{
    if (view->width != s->width || view->height != s->height)
        screen_note_picture(s, view->width, view->height);
    s->pictures += view->damage.count > 0;
}

/* Draws the picture, or what is there without one. *to: where; NULL: it is on the display. */
static bool draw(struct screen *s, struct framebuffer_reader *picture,
                 const struct framebuffer_view *view, bool all, SDL_Surface **to,
                 struct memory_changes *changes)
{
    if (view && can_go_straight(s, picture)) {
        if (go_straight(s, view, all))
            return true;
        leave_x_window(s);
        all = true;
    }
    *to = canvas(s);
    return *to && memory_draw(&s->memory, view, *to, &s->map, all, changes);
}

bool screen_draw_memory(struct screen *s, struct framebuffer_reader *picture)
{
    struct framebuffer_view view;
    bool has = picture && framebuffer_lock(picture, &view, true), above, all, ok = true;
    struct memory_changes changes = {.count = 0};
    SDL_Surface *to = NULL;

    if (has)
        follow(s, &view);
    above = screen_shows_ui(s);
    all = s->dirty || s->take_all || (above && has && view.damage.count > 0);
    s->take_all = false;
    if (all || (has && view.damage.count > 0))
        ok = draw(s, picture, has ? &view : NULL, all, &to, &changes);
    if (has)
        framebuffer_unlock(picture);
    if (ok && to && all && above)
        draw_ui(s, to);
    if (!ok || changes.count == 0 || show(s, &changes))
        return ok;
    leave_x_window(s);
    s->take_all = true;
    return screen_draw_memory(s, picture);
}
