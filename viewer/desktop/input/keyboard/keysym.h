/* X11 keysyms, the names RFB gives to keys: of characters, and of what SDL says about the keyboard.
 *
 * Pure functions, any thread. SDL's names serve where there is no XKB to ask
 * (viewer/desktop/input/keyboard/keymap.h).
 */
#ifndef VNCHL_KEYSYM_H
#define VNCHL_KEYSYM_H

#include <stdbool.h>
#include <stdint.h>

#include <SDL_keyboard.h>

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

/* What a US keyboard types at this place; 0 for keys that type nothing. */
uint32_t keysym_of_place(SDL_Scancode scancode, bool shift);

/* What a key that was pressed means. */
struct key_meaning {
    uint32_t keysym; /* 0: none is known */
    uint32_t types;  /* the character that it types by itself; 0: none */
    /* It is sent now, whatever it types. Otherwise a text may follow, which tells what it typed. */
    bool at_once;
};

/* Of a key with this keysym, which types this character, or 0. In a shortcut nothing is typed. */
struct key_meaning key_meaning_of(uint32_t keysym, uint32_t character, bool shortcut);

/* Of a key as SDL names it. What Shift makes of a key in a shortcut is known for letters, and for
 * keys that are the US keyboard's. A keyboard whose letters are not Latin gives the Latin letter
 * of the same place. */
struct key_meaning key_meaning_by_name(const SDL_Keysym *key);

#ifdef __cplusplus
}
#endif
#endif
