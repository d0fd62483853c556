/* The keyboard and the pointer: SDL events in, RFB key and pointer events out.
 *
 * UI thread. A value type that owns nothing; what it sends goes to a sink, so a test needs neither
 * a window nor a session. The rules:
 *
 *   - What a key means its keyboard says (keyboard/keyboard.h). A key that types nothing, and every
 *     key of a shortcut, is sent at once: with Ctrl, Alt or Super held there is no text to wait
 *     for.
 *   - A key that types waits for SDL's text event, which follows its key event at once. So it is
 *     sent when a dead key or an input method has made another character of it, and it is not
 *     sent when they have kept it.
 *   - The key remembers the keysym of its press and releases exactly that one. Text that belongs
 *     to no key (an input method's) is pressed and released, character by character.
 *   - A server may take the code of a key besides its keysym (key_code.h). Such a server is also
 *     told of keys that type nothing here: dead keys, Compose, a switch of the layout. They have a
 *     code and no keysym. So a server that goes by codes has the whole keyboard, and one that goes
 *     by keysyms does not see a Caps Lock where the layout has made Compose of it.
 *   - A server may take steps of the pointer instead of places. It gets none of its events then,
 * but while the pointer is caught.
 *   - The server's locks (Caps Lock, Num Lock) follow the user's when input_sync_locks() is called.
 *     The user's own do not follow the server's: SDL cannot set them.
 *
 * Other handlers of the chain (viewer/desktop/input/chain.h) may come before it: what it gets is
 * the session's.
 */
#ifndef VNCHL_INPUT_H
#define VNCHL_INPUT_H

#include <stdbool.h>
#include <stdint.h>

#include <SDL_events.h>

#include "viewer/desktop/display/screen_map.h"
#include "viewer/desktop/input/keyboard/keyboard.h"

#ifdef __cplusplus
extern "C" {
#endif

struct input_sink {
    /* A key goes down (again: it repeats) or up: its X11 keysym and its code (key_code.h). Either
     * may be 0, but not both. */
    void (*key)(void *user, uint32_t keysym, uint8_t code, bool down);
    /* Picture coordinates; bit n is button n + 1. */
    void (*pointer)(void *user, int x, int y, unsigned buttons);
    /* How far the pointer has moved since the last time. */
    void (*step)(void *user, int dx, int dy, unsigned buttons);
    void *user;
};

/* Caps Lock and Num Lock. */
#define INPUT_LOCKS 2

/* A key that is down on the server. Both 0: it is not. */
struct held_key {
    uint32_t keysym;
    uint8_t code;
};

struct input {
    struct input_sink sink;
    struct keyboard *keyboard;
    struct screen_map map;
    bool view_only;
    bool key_codes;        /* the server takes them */
    bool locks_known;      /* server_locks is */
    unsigned server_locks; /* enum leds; what we have pressed since is in it */
    /* How often we have pressed each, and the server has not told what became of it. */
    unsigned unanswered[INPUT_LOCKS];
    struct held_key held[SDL_NUM_SCANCODES];
    SDL_Scancode awaiting;      /* the key whose text is next; 0: none */
    struct key_meaning meaning; /* its */
    bool ignore_text;           /* the last key has been sent: its text, if one comes, is no news */
    bool steps;                 /* the server takes them, and no places */
    bool caught;                /* the pointer, for the server that takes steps */
    unsigned buttons;
    int x, y;
    float wheel_x, wheel_y; /* steps not sent yet, between -1 and 1 */
};

/* `keyboard` outlives it; NULL: keys mean what SDL says. View-only sends nothing. */
void input_init(struct input *in, const struct input_sink *sink, struct keyboard *keyboard,
                bool view_only);

/* All that is down on the server is released before. */
void input_set_view_only(struct input *in, bool view_only);

/* Where the picture is now. */
void input_set_map(struct input *in, const struct screen_map *map);

/* Another server: nothing is known of it. All keys have been released before. */
void input_new_session(struct input *in);

/* The server takes codes of keys from now on. */
void input_use_key_codes(struct input *in);

/* The server takes steps of the pointer from now on, or places. Buttons are released before. */
void input_take_steps(struct input *in, bool on);

/* The pointer is caught for the server, or not any more. Buttons are released before. */
void input_catch_pointer(struct input *in, bool on);

/* The server's locks are so (enum leds). True when it is the first time that it says so. */
bool input_set_server_locks(struct input *in, unsigned leds);

/* Presses the lock keys that make the server's locks what `mod` (SDL_GetModState()) says of the
 * user's. Nothing when the server does not tell its own. */
void input_sync_locks(struct input *in, SDL_Keymod mod);

/* Handles key, text and pointer events; ignores all others. True when it was one of them. */
bool input_event(struct input *in, const SDL_Event *event);

/* Releases every key and button that is down on the server; the next press begins anew. */
void input_release_all(struct input *in);

#ifdef __cplusplus
}
#endif
#endif
