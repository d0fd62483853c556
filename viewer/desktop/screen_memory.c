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
    covers_drop(&s->covers);
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

/* `all`: what lies above the picture is not on the display as it should be. */
static bool can_go_straight(struct screen *s, struct framebuffer_reader *picture, bool all)
{
    if (!s->x_window || screen_map_whole(&s->map) != 1 || s->dim ||
        (screen_shows_ui(s) && (all || s->covers.shine_through)))
        return false;
    if (!s->segment)
        s->segment = x_window_attach(s->x_window, framebuffer_reader_fd(picture));
    return s->segment;
}

#define PARTS_MAX (4 * COVERS_PIECES)

/* Adds what is to be seen of a part of the picture. */
static int add_visible(const struct screen *s, struct rect part, struct rect *parts, int count)
{
    const struct screen_map *m = &s->map;
    const struct rect window = {0, 0, m->output_w, m->output_h};
    struct rect pieces[COVERS_PIECES];
    int left;

    part.x += m->target.x;
    part.y += m->target.y;
    left = covers_leave(&s->covers, rect_intersect(part, window), pieces);
    for (int i = 0; i < left; i++) {
        pieces[i].x -= m->target.x;
        pieces[i].y -= m->target.y;
        parts[count++] = pieces[i];
    }
    return count;
}

/* The parts of the picture that lie inside the window, and that nothing hides. */
static int visible(const struct screen *s, const struct framebuffer_view *view, bool all,
                   struct rect parts[PARTS_MAX])
{
    const struct rect whole = {0, 0, view->width, view->height};
    int count = 0;

    for (int i = 0; !all && i < view->damage.count; i++) {
        count = add_visible(s, rect_intersect(view->damage.rects[i], whole), parts, count);
        all = count > PARTS_MAX - COVERS_PIECES; /* too many pieces: one large part instead */
    }
    return all ? add_visible(s, whole, parts, 0) : count;
}

static bool go_straight(struct screen *s, const struct framebuffer_view *view, bool all)
{
    const struct x_picture p = {s->segment, view->offset, view->width, view->height};
    struct rect parts[PARTS_MAX];
    int count = visible(s, view, all, parts);

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
    covers_keep(&s->covers, s->ui, window);
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
    screen_note_damage(s, &view->damage);
}

/* Draws the picture, or what is there without one. *to: where; NULL: it is on the display. */
static bool draw(struct screen *s, struct framebuffer_reader *picture,
                 const struct framebuffer_view *view, bool all, SDL_Surface **to,
                 struct memory_changes *changes)
{
    if (view && can_go_straight(s, picture, all)) {
        if (go_straight(s, view, all))
            return true;
        leave_x_window(s);
        all = true;
    }
    *to = canvas(s);
    if (!*to || !memory_draw(&s->memory, view, *to, &s->map, all, changes))
        return false;
    if (!all)
        covers_restore(&s->covers, *to);
    return true;
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
    if (!above)
        covers_drop(&s->covers);
    all = s->dirty || s->take_all ||
          (above && s->covers.shine_through && has && view.damage.count > 0);
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
