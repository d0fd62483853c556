/* The window and the picture in it: SDL window, renderer, one streaming texture; or, where no
 * graphics card draws, the window's memory (memory.h).
 *
 * UI thread. Owns the SDL objects; reads the picture from the session's framebuffer, under
 * its lock, damaged rectangles only. Nothing is drawn unless the picture is damaged or the window
 * asks for it, and nothing at all while the window cannot be seen.
 */
#ifndef VNCHL_SCREEN_H
#define VNCHL_SCREEN_H

#include <stdbool.h>

#include <SDL_events.h>
#include <SDL_video.h>

#include "rfb/decode/framebuffer_reader.h"
#include "rfb/reason.h"
#include "viewer/desktop/screen_map.h"
#include "viewer/window_place.h"

#ifdef __cplusplus
extern "C" {
#endif

struct screen;

/* A window that is not shown yet, so that SDL can wait for events without polling. NULL, with a
 * reason, when there is no display. */
struct screen *screen_create(bool vsync, struct reason *why);
void screen_destroy(struct screen *s);

/* Where the window is to be when it is shown; before screen_show(). */
void screen_place(struct screen *s, const struct window_place *place, bool maximize);

/* Shows the window for a picture of this size: as large as the picture if the display has room,
 * else smaller with the same aspect. Call once. False when nothing can draw in it. */
bool screen_show(struct screen *s, int width, int height, bool full_screen, bool grab,
                 struct reason *why);

/* The server's screen has this size now: the window follows, unless it is full screen, maximised,
 * of a size that was asked for, or not shown yet. */
void screen_follow(struct screen *s, int width, int height);

/* The picture comes from another framebuffer from now on: all of it is taken. */
void screen_new_picture(struct screen *s);

/* Whether the picture is drawn dark: it is not what the server shows now. */
void screen_set_dim(struct screen *s, bool dim);

void screen_set_title(struct screen *s, const char *title);

/* Asks for attention: the server's bell. */
void screen_flash(struct screen *s);

bool screen_is_full_screen(const struct screen *s);

/* While it has the focus the window takes the keys that the window manager would keep: when this
 * says so, or in full screen with `grab`. */
void screen_set_grab(struct screen *s, bool on);

/* `grab`: full screen also takes the window manager's keys. */
void screen_set_full_screen(struct screen *s, bool on, bool grab);

/* Takes note of window and renderer events; ignores all others. */
void screen_event(struct screen *s, const SDL_Event *event);

/* Brings what changed to the display; returns at once when there is nothing to do. Waits for the
 * display's next refresh when vsync is on. `picture` NULL: there is none. False when the renderer
 * fails for good. */
bool screen_draw(struct screen *s, struct framebuffer_reader *picture, struct reason *why);

/* Where the picture is in the window. */
const struct screen_map *screen_get_map(const struct screen *s);

#ifdef __cplusplus
}
#endif
#endif
