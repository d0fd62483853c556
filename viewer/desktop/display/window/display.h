/* The display that the window is on: starts SDL with the hints that a viewer wants, and says what
 * SDL does not tell of it.
 *
 * UI thread.
 */
#ifndef VNCHL_DISPLAY_H
#define VNCHL_DISPLAY_H

#include <stdbool.h>

#include <SDL_video.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Call before the program has other threads: changes the environment, which SDL looks at. */
void display_prepare(void);

/* Whether the environment names a display. It may not be there. */
bool display_named(void);

/* Starts SDL for this program. False, after one line on stderr, when there is no display. After
 * true it is the caller who quits SDL. */
bool display_open(const char *program);

/* Whether it is one of Wayland. */
bool display_is_wayland(void);

/* Whether a window may take the keys that a Wayland compositor keeps for itself, such as Alt+Tab.
 * Asks it over a connection of its own, and waits for the answer. */
bool display_gives_keys(void);

/* How many pixels an inch of the display counts, which says how large the window's own pages are
 * drawn (viewer/ui/theme.h).
 *
 * UI thread, but for window_dpi_of_resources(), which is pure.
 */

/* What the user has chosen for all programs (on X11 the resource Xft.dpi, which desktops set), else
 * what the monitor says of itself, else what the X server was told. 0: unknown. */
float window_dpi(SDL_Window *window);

/* The value of Xft.dpi in the text of X resources; 0: it is not there, or no such number. */
float window_dpi_of_resources(const char *resources);

#ifdef __cplusplus
}
#endif
#endif
