/* What SDL cannot do: full screen over several monitors. X11 only. A Wayland compositor gives a
 * window one monitor, and there is no way to ask it for more.
 *
 * UI thread. Speaks to the X server over SDL's own connection.
 */
#ifndef VNCHL_SPREAD_H
#define VNCHL_SPREAD_H

#include <stdbool.h>

#include <SDL_video.h>

#include "viewer/desktop/display/window/monitors.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The monitors of the X server, in the order in which window managers number them. None on
 * Wayland. */
struct monitors spread_monitors(SDL_Window *window);

/* Whether the window manager can do it. */
bool spread_by_manager(SDL_Window *window);

/* Tells the window manager which monitors the window covers while it is in full screen. */
void spread_tell_manager(SDL_Window *window, const struct monitors_span *span);

#ifdef __cplusplus
}
#endif
#endif
