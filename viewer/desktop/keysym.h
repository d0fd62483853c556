/* X11 keysyms, the names RFB gives to keys, for what SDL says about the keyboard.
 *
 * Pure functions, any thread. They know nothing about what is held down: viewer/desktop/input.h
 * does.
 */
#ifndef VNCHL_KEYSYM_H
#define VNCHL_KEYSYM_H

#include <stdbool.h>
#include <stdint.h>

#include <SDL_keycode.h>
#include <SDL_scancode.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The keysym of a character: Latin-1 is its own keysym, others have the name that X keyboard maps
 * use (Greek, Cyrillic, the euro, ...) or 0x01000000 + code point. 0 for a code point that no key
 * can type. */
uint32_t keysym_from_unicode(uint32_t code_point);

/* The keysym of a key that types no text: function, cursor and media keys, modifiers, the keypad.
 * `digits`: the keypad types digits (NumLock). 0 for a key that types text or is unknown, and for
 * one that the layout has made a Compose key or a switch of the layout. */
uint32_t keysym_from_key(SDL_Scancode scancode, SDL_Keycode key, bool digits);

/* The keysym of a text key that is part of a shortcut (Ctrl, Alt or Super is held, so that no text
 * comes): the key's own character with Shift applied. A keyboard whose letters are not Latin gives
 * the Latin letter of the same place, because shortcuts are Latin on such keyboards too. 0 when
 * the key has no character, such as a dead key. */
uint32_t keysym_from_shortcut(SDL_Scancode scancode, SDL_Keycode key, bool shift);

/* The code point that Shift makes of the one the key types: the upper case of a letter, the US
 * keyboard's other sign where the key types what it does there; else the same. */
uint32_t keysym_shifted(SDL_Scancode scancode, uint32_t code_point);

#ifdef __cplusplus
}
#endif
#endif
