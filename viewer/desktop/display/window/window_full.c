#include "viewer/desktop/display/window/window_full.h"

#include <stdbool.h>

#include <SDL.h>
#include <SDL_syswm.h>
#include <SDL_video.h>
#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <X11/extensions/Xrandr.h>

#include "viewer/desktop/display/window/monitors.h"

/* ---- several monitors ---- */

/* What SDL cannot do: full screen over several monitors. X11 only. A Wayland compositor gives a
 * window one monitor, and there is no way to ask it for more.
 *
 * UI thread. Speaks to the X server over SDL's own connection.
 */

#define FULL_SCREEN_MONITORS "_NET_WM_FULLSCREEN_MONITORS"
#define MAX_SUPPORTED        1024 /* of _NET_SUPPORTED: ten times what any has */
#define FROM_A_PROGRAM       1    /* who asks: a program that its user sees */

/* NULL: it is no window of an X server. */
static Display *spread_x_of(SDL_Window *window, Window *id)
{
    SDL_SysWMinfo info;

    SDL_VERSION(&info.version);
    if (!SDL_GetWindowWMInfo(window, &info) || info.subsystem != SDL_SYSWM_X11)
        return NULL;
    *id = info.info.x11.window;
    return info.info.x11.display;
}

/* The monitors of the X server, in the order in which window managers number them. None on
 * Wayland. */
static struct monitors spread_monitors(SDL_Window *window)
{
    struct monitors m = {0};
    Window id;
    Display *x = spread_x_of(window, &id);
    int event, error, count = 0;
    XRRMonitorInfo *list = NULL;

    if (x && XRRQueryExtension(x, &event, &error))
        list = XRRGetMonitors(x, DefaultRootWindow(x), True, &count);
    for (int i = 0; i < count && i < FULL_SCREEN_MONITORS_MAX; i++)
        m.at[m.count++] = (struct rect){list[i].x, list[i].y, list[i].width, list[i].height};
    if (list)
        XRRFreeMonitors(list);
    return m;
}

/* Whether the window manager can do it. */
static bool spread_by_manager(SDL_Window *window)
{
    unsigned long count = 0, rest;
    unsigned char *atoms = NULL;
    bool found = false;
    Window id;
    Display *x = spread_x_of(window, &id);
    Atom type, wanted;
    int format = 0;

    if (!x)
        return false;
    wanted = XInternAtom(x, FULL_SCREEN_MONITORS, False);
    if (XGetWindowProperty(x, DefaultRootWindow(x), XInternAtom(x, "_NET_SUPPORTED", False), 0,
                           MAX_SUPPORTED, False, XA_ATOM, &type, &format, &count, &rest,
                           &atoms) == Success &&
        atoms && format == 32)
        for (unsigned long i = 0; i < count; i++)
            found = found || ((const Atom *)(const void *)atoms)[i] == wanted;
    if (atoms)
        XFree(atoms);
    return found;
}

/* Tells the window manager which monitors the window covers while it is in full screen. */
static void spread_tell_manager(SDL_Window *window, const struct monitors_span *span)
{
    Window id;
    Display *x = spread_x_of(window, &id);
    XEvent e = {0};

    if (!x)
        return;
    e.xclient.type = ClientMessage;
    e.xclient.window = id;
    e.xclient.message_type = XInternAtom(x, FULL_SCREEN_MONITORS, False);
    e.xclient.format = 32;
    e.xclient.data.l[0] = span->top;
    e.xclient.data.l[1] = span->bottom;
    e.xclient.data.l[2] = span->left;
    e.xclient.data.l[3] = span->right;
    e.xclient.data.l[4] = FROM_A_PROGRAM;
    XSendEvent(x, DefaultRootWindow(x), False, SubstructureRedirectMask | SubstructureNotifyMask,
               &e);
    XFlush(x);
}

/* ---- full screen ---- */

void window_full_init(struct window_full *f, SDL_Window *window)
{
    *f = (struct window_full){.window = window};
}

bool window_full_is_on(const struct window_full *f)
{
    return f->spread_here || (SDL_GetWindowFlags(f->window) & SDL_WINDOW_FULLSCREEN_DESKTOP);
}

int window_full_monitors(const struct window_full *f)
{
    return spread_monitors(f->window).count;
}

static void window_full_frame_sides(const struct window_full *f, int *left, int *top)
{
    *left = *top = 0;
    SDL_GetWindowBordersSize(f->window, top, left, NULL, NULL);
}

/* SDL counts from inside the frame that it has seen last. The window manager counts from outside of
 * the one that there is. */
static void window_full_put_frame(struct window_full *f, int x, int y)
{
    int left, top;

    window_full_frame_sides(f, &left, &top);
    SDL_SetWindowPosition(f->window, x + left, y + top);
}

static void window_full_note_place(struct window_full *f)
{
    int left, top;

    window_full_frame_sides(f, &left, &top);
    SDL_GetWindowPosition(f->window, &f->before.x, &f->before.y);
    SDL_GetWindowSize(f->window, &f->before.w, &f->before.h);
    f->before.x -= left;
    f->before.y -= top;
}

/* The window manager knows nothing of several monitors: it gets a window without a frame that is as
 * large as all of them. */
static void window_full_spread(struct window_full *f, const struct rect *area)
{
    f->spread_here = true;
    SDL_SetWindowBordered(f->window, SDL_FALSE);
    SDL_SetWindowAlwaysOnTop(f->window, SDL_TRUE);
    SDL_SetWindowSize(f->window, area->w, area->h);
    window_full_put_frame(f, area->x, area->y);
}

static void window_full_gather(struct window_full *f)
{
    f->spread_here = false;
    SDL_SetWindowAlwaysOnTop(f->window, SDL_FALSE);
    SDL_SetWindowBordered(f->window, SDL_TRUE);
    SDL_SetWindowSize(f->window, f->before.w, f->before.h);
    window_full_put_frame(f, f->before.x, f->before.y);
}

/* What of the wish cannot be done. */
static const char *window_full_shortage(const struct window_full *f, const struct monitors *all,
                                        const struct monitors_span *span)
{
    if (f->wish.mode == FULL_SCREEN_CURRENT)
        return NULL;
    if (all->count == 0)
        return "Full screen takes one monitor here: Wayland gives a program no more.";
    return span->missing ? "Not all monitors of --full-screen-selected-monitors are there." : NULL;
}

static void window_full_take(struct window_full *f, bool shown)
{
    const struct monitors all = spread_monitors(f->window);
    struct monitors_span span = monitors_choose(&all, &f->wish);
    const bool by_manager = span.count > 0 && spread_by_manager(f->window);

    f->shortage = window_full_shortage(f, &all, &span);
    if (span.count > 0 && !by_manager && shown) {
        if (!f->spread_here)
            window_full_spread(f, &span.area);
        return;
    }
    SDL_SetWindowFullscreen(f->window, SDL_WINDOW_FULLSCREEN_DESKTOP);
    if (!by_manager && f->told_manager)
        span = monitors_one(&all, f->before.x + f->before.w / 2, f->before.y + f->before.h / 2);
    if (by_manager || f->told_manager)
        spread_tell_manager(f->window, &span);
    f->told_manager = by_manager;
}

void window_full_enter(struct window_full *f, bool shown)
{
    if (!window_full_is_on(f))
        window_full_note_place(f);
    window_full_take(f, shown);
}

void window_full_leave(struct window_full *f)
{
    if (f->spread_here)
        window_full_gather(f);
    else
        SDL_SetWindowFullscreen(f->window, 0);
}

bool window_full_set_monitors(struct window_full *f, const struct full_screen *wish, bool shown)
{
    const bool same = wish->mode == f->wish.mode && wish->selected == f->wish.selected;

    f->wish = *wish;
    if (same || !window_full_is_on(f))
        return false;
    window_full_leave(f);
    window_full_take(f, shown); /* where the window was before, it is not now */
    return true;
}
