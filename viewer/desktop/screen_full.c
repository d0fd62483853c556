/* The window in full screen: on one monitor, which SDL can, or on several (spread.h). */
#include <SDL.h>

#include "viewer/desktop/screen_state.h"
#include "viewer/desktop/spread.h"

bool screen_is_full_screen(const struct screen *s)
{
    return s->spread_here || (SDL_GetWindowFlags(s->window) & SDL_WINDOW_FULLSCREEN_DESKTOP);
}

int screen_monitors(const struct screen *s)
{
    return spread_monitors(s->window).count;
}

static void frame_sides(const struct screen *s, int *left, int *top)
{
    *left = *top = 0;
    SDL_GetWindowBordersSize(s->window, top, left, NULL, NULL);
}

/* SDL counts from inside the frame that it has seen last. The window manager counts from outside of
 * the one that there is. */
static void put_frame(struct screen *s, int x, int y)
{
    int left, top;

    frame_sides(s, &left, &top);
    SDL_SetWindowPosition(s->window, x + left, y + top);
}

static void note_place(struct screen *s)
{
    int left, top;

    frame_sides(s, &left, &top);
    SDL_GetWindowPosition(s->window, &s->before.x, &s->before.y);
    SDL_GetWindowSize(s->window, &s->before.w, &s->before.h);
    s->before.x -= left;
    s->before.y -= top;
}

/* The window manager knows nothing of several monitors: it gets a window without a frame that is as
 * large as all of them. */
static void spread_here(struct screen *s, const struct rect *area)
{
    s->spread_here = true;
    SDL_SetWindowBordered(s->window, SDL_FALSE);
    SDL_SetWindowAlwaysOnTop(s->window, SDL_TRUE);
    SDL_SetWindowSize(s->window, area->w, area->h);
    put_frame(s, area->x, area->y);
}

static void gather(struct screen *s)
{
    s->spread_here = false;
    SDL_SetWindowAlwaysOnTop(s->window, SDL_FALSE);
    SDL_SetWindowBordered(s->window, SDL_TRUE);
    SDL_SetWindowSize(s->window, s->before.w, s->before.h);
    put_frame(s, s->before.x, s->before.y);
}

/* What of the wish cannot be done. */
static const char *shortage(const struct screen *s, const struct monitors *all,
                            const struct monitors_span *span)
{
    if (s->monitors.mode == FULL_SCREEN_CURRENT)
        return NULL;
    if (all->count == 0)
        return "Full screen takes one monitor here: Wayland gives a program no more.";
    return span->missing ? "Not all monitors of --full-screen-selected-monitors are there." : NULL;
}

static void enter(struct screen *s)
{
    const struct monitors all = spread_monitors(s->window);
    struct monitors_span span = monitors_choose(&all, &s->monitors);
    const bool by_manager = span.count > 0 && spread_by_manager(s->window);

    if (!screen_is_full_screen(s) && !s->changes_monitors)
        note_place(s);
    s->shortage = shortage(s, &all, &span);
    if (span.count > 0 && !by_manager && s->shown) {
        if (!s->spread_here)
            spread_here(s, &span.area);
        return;
    }
    SDL_SetWindowFullscreen(s->window, SDL_WINDOW_FULLSCREEN_DESKTOP);
    if (!by_manager && s->told_manager)
        span = monitors_one(&all, s->before.x + s->before.w / 2, s->before.y + s->before.h / 2);
    if (by_manager || s->told_manager)
        spread_tell_manager(s->window, &span);
    s->told_manager = by_manager;
}

static void leave(struct screen *s)
{
    if (s->spread_here)
        gather(s);
    else
        SDL_SetWindowFullscreen(s->window, 0);
}

void screen_set_full_screen(struct screen *s, bool on, bool grab)
{
    if (on)
        enter(s);
    else
        leave(s);
    s->screen_grab = on && grab;
    SDL_SetWindowKeyboardGrab(s->window, s->grab || s->screen_grab);
    screen_update_map(s);
}

void screen_set_monitors(struct screen *s, const struct full_screen *wish)
{
    const bool grab = s->screen_grab, full = screen_is_full_screen(s);
    const bool same = wish->mode == s->monitors.mode && wish->selected == s->monitors.selected;

    s->monitors = *wish;
    if (!full || same)
        return;
    s->changes_monitors = true; /* where the window was before, it is not now */
    leave(s);
    screen_set_full_screen(s, true, grab);
    s->changes_monitors = false;
}

const char *screen_full_screen_shortage(const struct screen *s)
{
    return s->shortage;
}
