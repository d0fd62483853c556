/* The window's place and size on the display: which size we gave it, and which is the user's.
 *
 * The window is as large as the picture where the display has room. From the moment that the user,
 * or the window manager, gives it another size, it keeps that.
 *
 * UI thread. Value type; does not own the window. Sizes and places are in window units, those of
 * pictures in pixels.
 */
#ifndef VNCHL_WINDOW_SIZE_H
#define VNCHL_WINDOW_SIZE_H

#include <stdbool.h>

#include <SDL_rect.h>
#include <SDL_video.h>

#include "prerequest/tick.h"
#include "viewer/desktop/display/screen_map.h"
#include "viewer/options/window_options.h"

#ifdef __cplusplus
extern "C" {
#endif

struct window_size {
    SDL_Window *window;
    struct window_place place; /* that was asked for */
    int w, h;                  /* the size that we gave the window last, */
    tick_t given_at;           /* when, */
    int before_w, before_h;    /* and the one before */
    bool was_fixed;            /* full screen or maximised, when its size changed last */
    bool left_fixed; /* the size is what full screen has left behind, or newer, and not ours */
    bool maximizes;  /* it was asked to be maximised. SDL may learn late, or never, that it is */
    bool unfitted;   /* it was fixed, or may have been, when the first picture came: below that it
                      * is as for none */
    bool grown;      /* it had another size than ours when it was fixed last */
};

/* How a picture is to be drawn in the window: where it lies now, and how large it is wished. */
struct window_picture {
    int w, h;
    const struct screen_map *map;
    struct scale scale;
};

void window_size_init(struct window_size *s, SDL_Window *window);

/* The part of the display that windows may take; without this window's own frame if it is `framed`,
 * which is known once it is shown. */
SDL_Rect window_size_area(const struct window_size *s, bool framed);

/* Gives the window a size. Only what it gets from others counts as the user's. */
void window_size_give(struct window_size *s, int width, int height);

/* Puts the window where it was asked to be. */
void window_size_place(struct window_size *s, const struct window_place *place, bool maximize);

/* The window's size has changed. */
void window_size_changed(struct window_size *s, bool full_screen);

/* Whether the size is the user's or the window manager's, and a picture has to fit it. */
bool window_size_is_users(const struct window_size *s, bool full_screen);

/* The first picture of a server comes: the window becomes as large, and its middle stays where it
 * is. */
void window_size_show(struct window_size *s, const struct window_picture *p, bool full_screen);

/* For a window that has left the full screen, or the maximised state, in which its first picture
 * came: it becomes as large now, or as was asked for, unless the user had given it a size before.
 * `asks`: that counts as the user's size, for the server's screen is to have it, too. False: there
 * is nothing to do. */
bool window_size_show_late(struct window_size *s, const struct window_picture *p, bool full_screen,
                           bool asks);

/* The picture has another size: the same, but the window's upper left corner stays. False: the
 * window keeps its own size. */
bool window_size_follow(struct window_size *s, const struct window_picture *p, bool full_screen);

#ifdef __cplusplus
}
#endif
#endif
