/* The keys that the viewer keeps for itself.
 *
 * Pure function, any thread. */
#ifndef VNCHL_HOT_KEYS_H
#define VNCHL_HOT_KEYS_H

#include <SDL_events.h>

#ifdef __cplusplus
extern "C" {
#endif

enum hot_key {
    HOT_KEY_NONE,
    HOT_KEY_FULL_SCREEN, /* Ctrl+Alt+Enter */
    HOT_KEY_GRAB, /* Ctrl+Alt+G, where the layout has it or, without Latin letters, a US one */
};

/* What the event asks for. The press of a hot key is one, and so are its repeats. */
enum hot_key hot_key_of(const SDL_Event *e);

/* What a person presses, as "Ctrl+Alt+Enter". */
const char *hot_key_name(enum hot_key key);

#ifdef __cplusplus
}
#endif
#endif
