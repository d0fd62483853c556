/* How many pixels an inch of the display counts, which says how large the window's own pages are
 * drawn (viewer/ui/theme.h).
 *
 * UI thread, but for window_dpi_of_resources(), which is pure.
 */
#ifndef VNCHL_WINDOW_DPI_H
#define VNCHL_WINDOW_DPI_H

#include <SDL_video.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What the user has chosen for all programs (on X11 the resource Xft.dpi, which desktops set), else
 * what the monitor says of itself, else what the X server was told. 0: unknown. */
float window_dpi(SDL_Window *window);

/* The value of Xft.dpi in the text of X resources; 0: it is not there, or no such number. */
float window_dpi_of_resources(const char *resources);

#ifdef __cplusplus
}
#endif
#endif
