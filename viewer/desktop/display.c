#include "viewer/desktop/display.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <SDL.h>

#include "rfb/log.h"
#include "viewer/desktop/x_errors.h"

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

/* Without a display SDL falls back to drivers that draw into memory, where nobody sees anything.
 * Such a driver is accepted only when SDL_VIDEODRIVER asks for it. */
bool display_open(const char *program)
{
    set_hints(program);
    x_errors_survive();
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
