/* The keyboard and the pointer: SDL events in, RFB key and pointer events out.
 *
 * UI thread. A value type that owns nothing; what it sends goes to a sink, so a test needs neither
 * a window nor a session. The rules:
 *
 *   - A key that types text sends what the user's layout types: the press waits for SDL's text
 *     event, which follows its key event at once. With Ctrl, Alt or Super held there is no such
 *     text; the key's own character is sent.
 *   - The key remembers the keysym of its press and releases exactly that one. Text that belongs
 *     to no key (an input method's) is pressed and released, character by character.
 *   - SDL gives the same name to AltGr and to a right Alt. So the press waits for the next key:
 *     if that types something else than it would alone, it was AltGr (ISO_Level3_Shift).
 *
 * Other handlers of the chain (viewer/desktop/chain.h) may come before it: what it gets is the
 * session's.
 */
#ifndef VNCHL_INPUT_H
#define VNCHL_INPUT_H

#include <stdbool.h>
#include <stdint.h>

#include <SDL_events.h>

#include "viewer/desktop/screen_map.h"

#ifdef __cplusplus
extern "C" {
#endif

struct input_sink {
    /* An X11 keysym goes down (again: it repeats) or up. */
    void (*key)(void *user, uint32_t keysym, bool down);
    /* Picture coordinates; bit n is button n + 1. */
    void (*pointer)(void *user, int x, int y, unsigned buttons);
    void *user;
};

/* What is known of the key to the right of the space bar. */
enum right_alt { RIGHT_ALT_UP, RIGHT_ALT_UNDECIDED, RIGHT_ALT_DOWN };

struct input {
    struct input_sink sink;
    struct screen_map map;
    bool view_only;
    uint32_t held[SDL_NUM_SCANCODES]; /* keysym that is down on the server; 0: none */
    SDL_Keysym awaiting;              /* the key whose text is next; scancode 0: none */
    bool ignore_text;                 /* the last key has been sent: its text is no news */
    enum right_alt right_alt;
    uint32_t right_alt_keysym; /* what it last turned out to be */
    unsigned buttons;
    int x, y;
    float wheel_x, wheel_y; /* steps not sent yet, between -1 and 1 */
};

/* View-only sends nothing. */
void input_init(struct input *in, const struct input_sink *sink, bool view_only);

/* Where the picture is now. */
void input_set_map(struct input *in, const struct screen_map *map);

/* Handles key, text and pointer events; ignores all others. True when it was one of them. */
bool input_event(struct input *in, const SDL_Event *event);

/* Releases every key and button that is down on the server; the next press begins anew. */
void input_release_all(struct input *in);

#ifdef __cplusplus
}
#endif
#endif
