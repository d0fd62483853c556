#include "viewer/desktop/display.h"

#include <string.h>

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
