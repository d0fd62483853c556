/* The window in full screen: on one monitor, which SDL can, or on several.
 *
 * UI thread. Value type; does not own the window.
 */
#ifndef VNCHL_WINDOW_FULL_H
#define VNCHL_WINDOW_FULL_H

#include <stdbool.h>

#include <SDL_rect.h>
#include <SDL_video.h>

#include "viewer/options/window_options.h"

#ifdef __cplusplus
extern "C" {
#endif

struct window_full {
    SDL_Window *window;
    struct full_screen wish; /* which monitors it is to take */
    const char *shortage;    /* what of that it has not got; NULL: nothing */
    bool spread_here;        /* the window is over all of them without the window manager; */
    SDL_Rect before;         /* where it was before full screen, with its frame */
    bool told_manager;       /* of monitors for full screen, which it keeps in mind */
};

void window_full_init(struct window_full *f, SDL_Window *window);

bool window_full_is_on(const struct window_full *f);

/* `shown`: the window is on the display by now. */
void window_full_enter(struct window_full *f, bool shown);
void window_full_leave(struct window_full *f);

/* Which monitors it takes from now on. True when a window in full screen has moved to others. */
bool window_full_set_monitors(struct window_full *f, const struct full_screen *wish, bool shown);

/* How many monitors it may take; 0: only the one with the window (Wayland). */
int window_full_monitors(const struct window_full *f);

#ifdef __cplusplus
}
#endif
#endif
