#include "viewer/desktop/display/window/display.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <SDL.h>
#include <SDL_syswm.h>
#include <X11/Xlib.h>
#include <wayland-client.h>

#include "rfb/system/log.h"

static void set_hints(const char *program)
{
    SDL_SetHint(SDL_HINT_APP_NAME, program);
    SDL_SetHint(SDL_HINT_VIDEO_MINIMIZE_ON_FOCUS_LOSS, "0");
    SDL_SetHint(SDL_HINT_VIDEO_X11_NET_WM_BYPASS_COMPOSITOR, "0");
    SDL_SetHint(SDL_HINT_MOUSE_FOCUS_CLICKTHROUGH, "1");
    SDL_SetHint(SDL_HINT_ALLOW_ALT_TAB_WHILE_GRABBED, "0");
}

/* Without the session's bus libdbus would start a program that looks for one, or starts one that
 * nobody ends, and SDL would wait for it. SDL wants the bus only to keep the screen saver away. */
void display_prepare(void)
{
    const char *runtime = getenv("XDG_RUNTIME_DIR");
    char bus[4096];

    snprintf(bus, sizeof bus, "%s/bus", runtime ? runtime : "");
    if (!runtime || access(bus, F_OK) != 0)
        setenv("DBUS_SESSION_BUS_ADDRESS", "disabled:", false);
}

static bool display_is_set(const char *variable)
{
    const char *value = getenv(variable);

    return value && *value;
}

bool display_named(void)
{
    return display_is_set("DISPLAY") || display_is_set("WAYLAND_DISPLAY") ||
           display_is_set("SDL_VIDEODRIVER");
}

/* An error that the X server reports late, about something that was asked long before. Xlib's own
 * way is to print it, and to end the program with status 1. A viewer must not end so: such an error
 * means that one request was not done. For example, SDL sends its window a message whenever an
 * event comes. If the window is closed by that event, the message may come after it. */
static int display_on_x_error(Display *x, XErrorEvent *e)
{
    char text[128];

    XGetErrorText(x, e->error_code, text, sizeof text);
    log_debug("X11: request %d.%d failed: %s", e->request_code, e->minor_code, text);
    return 0;
}

/* Without a display SDL falls back to drivers that draw into memory, where nobody sees anything.
 * Such a driver is accepted only when SDL_VIDEODRIVER asks for it. */
bool display_open(const char *program)
{
    set_hints(program);
    XSetErrorHandler(display_on_x_error); /* of the whole process, before the display is open */
    if (SDL_Init(SDL_INIT_VIDEO) != 0) {
        log_line("cannot open a display: %s (--headless needs none)", SDL_GetError());
        return false;
    }
    const char *driver = SDL_GetCurrentVideoDriver();
    if (SDL_GetHint(SDL_HINT_VIDEODRIVER) ||
        (strcmp(driver, "offscreen") != 0 && strcmp(driver, "dummy") != 0))
        return true;
    log_line("cannot open a display: neither DISPLAY nor WAYLAND_DISPLAY leads to one (--headless "
             "needs none)");
    SDL_Quit();
    return false;
}

bool display_is_wayland(void)
{
    const char *driver = SDL_GetCurrentVideoDriver();

    return driver && strcmp(driver, "wayland") == 0;
}

static void display_found(void *data, struct wl_registry *registry, uint32_t name,
                          const char *interface, uint32_t version)
{
    bool *gives_keys = data;

    (void)registry;
    (void)name;
    (void)version;
    if (strcmp(interface, "zwp_keyboard_shortcuts_inhibit_manager_v1") == 0)
        *gives_keys = true;
}

static void display_gone(void *data, struct wl_registry *registry, uint32_t name)
{
    (void)data;
    (void)registry;
    (void)name;
}

bool display_gives_keys(void)
{
    static const struct wl_registry_listener listener = {display_found, display_gone};
    struct wl_display *display = wl_display_connect(NULL);
    struct wl_registry *registry;
    bool gives_keys = false;

    if (!display)
        return false;
    registry = wl_display_get_registry(display);
    if (registry && wl_registry_add_listener(registry, &listener, &gives_keys) == 0)
        wl_display_roundtrip(display);
    if (registry)
        wl_registry_destroy(registry);
    wl_display_disconnect(display);
    return gives_keys;
}

/* ---- its resolution ---- */

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
