#include "viewer/desktop/display/window/spread.h"

#include <SDL_syswm.h>
#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <X11/extensions/Xrandr.h>

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

struct monitors spread_monitors(SDL_Window *window)
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

bool spread_by_manager(SDL_Window *window)
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

void spread_tell_manager(SDL_Window *window, const struct monitors_span *span)
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
