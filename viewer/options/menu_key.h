/* The key that opens the menu, by the names that TigerVNC gives it.
 *
 * Pure. Any thread. */
#ifndef VNCHL_MENU_KEY_H
#define VNCHL_MENU_KEY_H

#include <stdbool.h>

#include <SDL_keycode.h>
#include <SDL_scancode.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Texts are constant. No key: all NULL and 0. */
struct menu_key {
    const char *name;  /* as an option names it: "Page_Up" */
    const char *shown; /* for people: "Page Up" */
    SDL_Keycode key;   /* what it is in the user's layout */
    SDL_Scancode scancode;
};

#define MENU_KEY_NAMES                                                                             \
    "F1 to F12, Pause, Scroll_Lock, Escape, Insert, Delete, Home, Page_Up, Page_Down"

/* The key of this name, in whatever case; "none" and "" are no key. False: there is no such name.
 */
bool menu_key_parse(const char *name, struct menu_key *out);

/* F8. */
struct menu_key menu_key_default(void);

#ifdef __cplusplus
}
#endif
#endif
