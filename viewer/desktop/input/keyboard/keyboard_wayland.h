/* The keyboard of a Wayland compositor. SDL keeps its layout, and what is held, to itself. So the
 * same is asked for again, on SDL's own connection: all comes in the order in which SDL hears of
 * keys.
 *
 * UI thread. What the compositor says while SDL reads its events waits in SDL's queue among the
 * keys, as events of a type of its own.
 */
#ifndef VNCHL_KEYBOARD_WAYLAND_H
#define VNCHL_KEYBOARD_WAYLAND_H

#include <stdbool.h>
#include <stdint.h>

#include <SDL_events.h>

#ifdef __cplusplus
extern "C" {
#endif

struct keyboard_wayland;
struct wl_display;
struct xkb_context;
struct xkb_keymap;

/* What is told, from inside keyboard_wayland_event(). */
struct keyboard_wayland_told {
    void (*layout)(void *user,
                   struct xkb_keymap *layout); /* take a reference; NULL: there is none */
    void (*state)(void *user, uint32_t mods, uint32_t group); /* the modifiers in effect */
    void *user;
};

/* NULL when that cannot be. */
struct keyboard_wayland *keyboard_wayland_open(const struct keyboard_wayland_told *told,
                                               struct xkb_context *context,
                                               struct wl_display *display);
/* Before SDL closes its connection. NULL is allowed. */
void keyboard_wayland_close(struct keyboard_wayland *w);

/* True when the event is one of these. */
bool keyboard_wayland_event(struct keyboard_wayland *w, const SDL_Event *e);

#ifdef __cplusplus
}
#endif
#endif
