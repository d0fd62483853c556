/* The keyboard in front of the user, as its display describes it: what each key means that SDL
 * tells of. SDL says where a key is and what it types; that a key is AltGr, or what it would be
 * without Ctrl, it does not say.
 *
 * UI thread. Where the description comes from:
 *
 *   - X11: the layout is read from the X server when it has become another one. Each key event of
 *     the X server says what is held; SDL passes it on in front of its own.
 *   - Wayland: keyboard_wayland.h.
 *   - Elsewhere, or when there is none: the names that SDL gives to keys.
 */
#ifndef VNCHL_KEYBOARD_H
#define VNCHL_KEYBOARD_H

#include <stdbool.h>
#include <stdint.h>

#include <SDL_events.h>
#include <SDL_video.h>

#include "viewer/desktop/input/keyboard/keysym.h"

#ifdef __cplusplus
extern "C" {
#endif

struct keyboard;
struct xkb_keymap;

/* One of which nothing is known yet. NULL when out of memory. */
struct keyboard *keyboard_create(void);
/* Before SDL ends. */
void keyboard_destroy(struct keyboard *k);

/* Begins to ask the display of this window, which SDL has opened. */
void keyboard_open(struct keyboard *k, SDL_Window *window);

/* For every event, before keyboard_meaning(): notes what it tells of the keyboard. True when it is
 * for nobody else. */
bool keyboard_event(struct keyboard *k, const SDL_Event *e);

/* What the key of this event, the newest one, means. Without a keyboard (NULL): by SDL's names. */
struct key_meaning keyboard_meaning(struct keyboard *k, const SDL_KeyboardEvent *e);

/* Whether Alt is held, and not only AltGr, which is Alt to SDL (`mod`). */
bool keyboard_holds_alt(const struct keyboard *k, Uint16 mod);

/* What those tell who know the display. The layout: a reference is taken; NULL: there is none. */
void keyboard_set_layout(struct keyboard *k, struct xkb_keymap *layout);
/* The modifiers in effect (keymap.h), and the group. */
void keyboard_set_state(struct keyboard *k, uint32_t mods, uint32_t group);
/* The key that SDL tells of next has this code, in the layout's count. 0: it is not known. */
void keyboard_set_code(struct keyboard *k, uint32_t code);

#ifdef __cplusplus
}
#endif
#endif
