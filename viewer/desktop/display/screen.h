/* The window, the picture in it, and what the viewer itself draws above (ui.h): SDL window,
 * renderer, one streaming texture; or, where no graphics card draws, the window's memory
 * (memory.h).
 *
 * UI thread. Owns the SDL objects; reads the picture from the session's framebuffer, under
 * its lock, damaged rectangles only. Nothing is drawn unless the picture is damaged, the ui has
 * changed or the window asks for it, and nothing at all while the window cannot be seen. A picture
 * that moves below a page is drawn less often (throttle.h).
 */
#ifndef VNCHL_SCREEN_H
#define VNCHL_SCREEN_H

#include <stdbool.h>

#include <SDL_events.h>
#include <SDL_video.h>

#include "prerequest/tick.h"
#include "rfb/decode/framebuffer_reader.h"
#include "rfb/texts/reason.h"
#include "viewer/desktop/display/screen_map.h"
#include "viewer/options/window_options.h"
#include "viewer/ui/ui.h"

#ifdef __cplusplus
extern "C" {
#endif

struct screen;

/* Opens a window without a picture. `ui` outlives it. NULL, with a reason, when there is no
 * display, or nothing can draw in it. */
struct screen *screen_create(struct ui *ui, bool vsync, bool full_screen, struct reason *why);
void screen_destroy(struct screen *s);

/* The window itself, as long as the screen lives. */
SDL_Window *screen_get_window(struct screen *s);

/* Puts the window where it was asked to be. */
void screen_place(struct screen *s, const struct window_place *place, bool maximize);

/* A picture of this size comes next. The window becomes as large as the picture if the display has
 * room, else smaller with the same aspect, unless it is full screen or maximised,
 * or the user gave it a size. Its middle stays
 * where it is. */
void screen_show(struct screen *s, int width, int height, bool grab);

/* The same for a window that was full screen or maximised then, and is it no more; else nothing is
 * done. `asks`: this is not the size that the server's screen has now. */
void screen_show_late(struct screen *s, int width, int height, bool asks);

/* The server's screen has this size now: the window follows in the same way, but its upper left
 * corner stays. */
void screen_follow(struct screen *s, int width, int height);

/* How much larger than on an ordinary display this one wants all to be drawn, 1 to 4. */
double screen_system_scale(const struct screen *s);

/* How large the picture is drawn. */
void screen_set_scale(struct screen *s, const struct scale *scale);

/* Whether the window has a size of its own, which the picture has to fit: from the user, full
 * screen, or the window manager. Then it is in *w x *h, in pixels. */
bool screen_users_size(struct screen *s, int *w, int *h);

/* The picture comes from another framebuffer from now on: all of it is taken. */
void screen_new_picture(struct screen *s);

/* Whether the picture is drawn dark: it is not what the server shows now. */
void screen_set_dim(struct screen *s, bool dim);

void screen_set_title(struct screen *s, const char *title);

/* The server's bell: asks for attention, in the window and on the terminal. */
void screen_bell(struct screen *s);

/* Whether the window can be seen: it is neither minimised nor hidden. */
bool screen_is_seen(const struct screen *s);

bool screen_is_full_screen(const struct screen *s);

/* While it has the focus the window takes the keys that the window manager would keep: when this
 * says so, or in full screen with `grab`. False when the desktop lets no window have them. */
bool screen_set_grab(struct screen *s, bool on);

/* `grab`: full screen also takes the window manager's keys. */
void screen_set_full_screen(struct screen *s, bool on, bool grab);

/* Which monitors full screen takes, from now on. */
void screen_set_monitors(struct screen *s, const struct full_screen *wish);

/* How many monitors full screen may take; 0: only the one with the window (Wayland). */
int screen_monitors(const struct screen *s);

/* What full screen has not got of its monitors, as a sentence, since it was entered last; or NULL.
 */
const char *screen_full_screen_shortage(const struct screen *s);

/* Takes note of window and renderer events and of where the pointer is; ignores all others. */
void screen_event(struct screen *s, const SDL_Event *event);

/* Brings what changed to the display; returns at once when there is nothing to do. Waits for the
 * display's next refresh when vsync is on. `picture` NULL: there is none. False when the renderer
 * fails for good. */
bool screen_draw(struct screen *s, struct framebuffer_reader *picture, struct reason *why);

/* How many pictures have come to the display. */
uint64_t screen_pictures(const struct screen *s);

/* When there is something to do next by screen_time() or screen_draw(); TICK_NEVER: nothing. */
tick_t screen_wait(const struct screen *s);

/* A picture that is larger than the window moves while the pointer is at its edge. True when it has
 * moved: then the pointer is over another pixel. */
bool screen_time(struct screen *s, tick_t now);

/* The user drags a picture that is larger than the window, with `keys` (Ctrl+Alt) and the left
 * button. True when the event is a part of that. */
bool screen_drag(struct screen *s, const SDL_Event *event, bool keys);
void screen_drag_ends(struct screen *s);

/* Where the picture is in the window. */
const struct screen_map *screen_get_map(const struct screen *s);

#ifdef __cplusplus
}
#endif
#endif
