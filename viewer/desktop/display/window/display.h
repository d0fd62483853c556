/* The display that the window is on: starts SDL with the hints that a viewer wants, and says what
 * SDL does not tell of it.
 *
 * UI thread.
 */
#ifndef VNCHL_DISPLAY_H
#define VNCHL_DISPLAY_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Call before the program has other threads: changes the environment, which SDL looks at. */
void display_prepare(void);

/* Whether the environment names a display. It may not be there. */
bool display_named(void);

/* Starts SDL for this program. False, after one line on stderr, when there is no display. After
 * true SDL_Quit() is the caller's. */
bool display_open(const char *program);

/* Whether it is one of Wayland. */
bool display_is_wayland(void);

/* Whether a window may take the keys that a Wayland compositor keeps for itself, such as Alt+Tab.
 * Asks it over a connection of its own, and waits for the answer. */
bool display_gives_keys(void);

#ifdef __cplusplus
}
#endif
#endif
