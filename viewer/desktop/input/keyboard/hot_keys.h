/* The keys that the viewer keeps for itself.
 *
 * Pure function, any thread. */
#ifndef VNCHL_HOT_KEYS_H
#define VNCHL_HOT_KEYS_H

#include <SDL_events.h>
#include <SDL_keycode.h>

#ifdef __cplusplus
extern "C" {
#endif

enum hot_key {
    HOT_KEY_NONE,
    HOT_KEY_FULL_SCREEN, /* Ctrl+Alt+Enter */
    /* With a letter: where the layout has it or, without Latin letters, a US one. */
    HOT_KEY_GRAB,       /* Ctrl+Alt+G */
    HOT_KEY_MENU,       /* Ctrl+Alt+M */
    HOT_KEY_STATISTICS, /* Ctrl+Alt+S */
    HOT_KEY_SCREENSHOT, /* Ctrl+Alt+P */
    HOT_KEY_MENU_KEY,   /* the menu key, alone */
};

/* What the event asks for. The press of a hot key is one, and so are its repeats. `menu` is the
 * user's menu key; SDLK_UNKNOWN: there is none. */
enum hot_key hot_key_of(const SDL_Event *e, SDL_Keycode menu);

/* What a person presses, as "Ctrl+Alt+Enter". Empty for the menu key, which the user chooses. */
const char *hot_key_name(enum hot_key key);

#ifdef __cplusplus
}
#endif
#endif
