/* A keyboard's layout, as XKB describes it: which keysym a key has, with what is held and with the
 * group (us, ru, ...) that is chosen.
 *
 * Any thread, one at a time. It knows nothing of events or of the display that the layout is from:
 * viewer/desktop/input/keyboard/keyboard.h does. What the server is to get is what XKB says, with
 * these exceptions:
 *
 *   - Ctrl and Alt choose nothing. Ctrl+Alt+F1 is F1, and not the switch to another console that
 *     the layout makes of it here.
 *   - In a shortcut (Ctrl, Alt or Super is held) a key of an alphabet that is not Latin is the
 * Latin key of the same place, because shortcuts are Latin on such keyboards too. It is that of
 *     another group of the layout, or else the US keyboard's.
 *   - Alt stays Alt when Shift is held, though XKB makes Meta of it, and Tab stays Tab.
 *   - What acts on the layout here (a switch of the group, Compose, a dead key, a modifier that
 *     latches) has no keysym for the server. The character that it leads to has.
 */
#ifndef VNCHL_KEYMAP_H
#define VNCHL_KEYMAP_H

#include <stdint.h>

#include <SDL_scancode.h>

#include "viewer/desktop/input/keyboard/keysym.h"

#ifdef __cplusplus
extern "C" {
#endif

struct keymap;
struct xkb_keymap;

/* Takes a reference of its own. NULL when out of memory. */
struct keymap *keymap_create(struct xkb_keymap *xkb);
void keymap_destroy(struct keymap *m);

/* XKB's code of the key at this place; 0: the layout has no such key, or the place has no name. */
uint32_t keymap_code(const struct keymap *m, SDL_Scancode scancode);

/* What a key of this code means. `mods`: the modifiers in effect, as the bits that X11 gives to
 * Shift, Lock, Control and Mod1 to Mod5. `scancode`: its place. */
struct key_meaning keymap_meaning(struct keymap *m, uint32_t code, SDL_Scancode scancode,
                                  uint32_t mods, uint32_t group);

/* Whether Alt is among these modifiers. */
bool keymap_has_alt(uint32_t mods);

#ifdef __cplusplus
}
#endif
#endif
