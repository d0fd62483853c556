#include "viewer/desktop/display/window/window_dpi.h"

#include <stdlib.h>
#include <string.h>

#include <SDL_syswm.h>
#include <X11/Xlib.h>

/* What no display has is a mistake in the user's files. */
#define DPI_MIN 48
#define DPI_MAX 960

float window_dpi_of_resources(const char *resources)
{
    static const char name[] = "Xft.dpi:";
    const char *line = resources;
    float dpi;

    while (line && strncmp(line, name, sizeof name - 1) != 0) {
        line = strchr(line, '\n');
        line = line ? line + 1 : NULL;
    }
    if (!line)
        return 0;
    dpi = strtof(line + sizeof name - 1, NULL);
    return dpi >= DPI_MIN && dpi <= DPI_MAX ? dpi : 0;
}

/* NULL: it is no window of an X server. */
static Display *window_dpi_x_of(SDL_Window *window)
{
    SDL_SysWMinfo info;

    SDL_VERSION(&info.version);
    return SDL_GetWindowWMInfo(window, &info) && info.subsystem == SDL_SYSWM_X11
               ? info.info.x11.display
               : NULL;
}

static float of_monitor(SDL_Window *window)
{
    int display = SDL_GetWindowDisplayIndex(window);
    float dpi = 0;

    return display >= 0 && SDL_GetDisplayDPI(display, &dpi, NULL, NULL) == 0 ? dpi : 0;
}

/* As it was started with -dpi. */
static float of_server(Display *x)
{
    int screen = DefaultScreen(x), mm = DisplayHeightMM(x, screen);

    return mm > 0 ? 25.4f * (float)DisplayHeight(x, screen) / (float)mm : 0;
}

float window_dpi(SDL_Window *window)
{
    Display *x = window_dpi_x_of(window);
    /* the resources of the time when the display was opened */
    float dpi = x ? window_dpi_of_resources(XResourceManagerString(x)) : 0;

    if (dpi <= 0)
        dpi = of_monitor(window);
    return dpi <= 0 && x ? of_server(x) : dpi;
}
