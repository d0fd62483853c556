/* The user's seat at the server: keyboard, pointer, clipboard and sound, for the session that is
 * up, and those of the server for the window. Without a session all goes nowhere.
 *
 * UI thread. Value type. SDL is there from seat_open() until seat_close().
 */
#ifndef VNCHL_SEAT_H
#define VNCHL_SEAT_H

#include <stdbool.h>

#include <SDL_events.h>
#include <SDL_video.h>

#include "rfb/session/session.h"
#include "viewer/desktop/display/screen_map.h"
#include "viewer/desktop/input/clipboard/clipboard.h"
#include "viewer/desktop/input/cursor.h"
#include "viewer/desktop/input/input.h"
#include "viewer/desktop/input/keyboard/keyboard.h"
#include "viewer/desktop/input/keyboard/modifier.h"
#include "viewer/desktop/input/sound_output.h"

#ifdef __cplusplus
extern "C" {
#endif

struct seat_callbacks {
    void (*active)(void *user); /* the user acts */
    void (*notice)(void *user, const char *text);
    void (*changed)(void *user); /* the keys that are held, or whether the pointer is caught */
    void *user;
};

struct seat_options {
    bool view_only;
    bool dot_cursor;
    enum sound_wish sound;
    unsigned clipboard, primary; /* enum clipboard_way */
};

struct seat {
    struct seat_callbacks callbacks;
    struct session *session; /* that is up; NULL: none */
    bool view_only;          /* the server gets no keys, no pointer and no text */
    SDL_Window *window;
    struct keyboard *keyboard;
    struct input input;
    struct clipboard clipboard;
    struct cursor *cursor;
    struct sound_output sound;
    bool sound_comes; /* from the server */
    bool sound_waits; /* until the sound system has answered; the user knows */
    bool sound_fails; /* it cannot be played here, as was found */
    enum sound_wish sound_wish;
    unsigned held; /* bit n: the menu holds enum modifier n down on the server */
};

/* At this window. False when out of memory. */
bool seat_open(struct seat *s, SDL_Window *window, const struct seat_callbacks *callbacks);
void seat_close(struct seat *s); /* safe on a zeroed one, too */

/* Makes all anew that is made from the options. There is no session then. False when out of memory.
 */
bool seat_set_options(struct seat *s, const struct seat_options *options);

/* A session begins to be established: nothing is known of its server. */
void seat_meet(struct seat *s, struct session *session);

/* It is up and takes input; NULL: none does. Keys that the menu holds down are released before. */
void seat_set_session(struct seat *s, struct session *session);

/* Tells it our locks and our clipboard. */
void seat_tell(struct seat *s);

/* The same as an option. Call chain_let_go() before. */
void seat_set_view_only(struct seat *s, bool on);

/* Which ways the clipboard's texts go: enum clipboard_way, of those that the session has. */
void seat_set_clipboard(struct seat *s, unsigned ways);

/* The server's sound is played from now on, or not any more; also of sessions that follow. */
void seat_set_sound(struct seat *s, bool on);

/* Makes the server's locks like the user's. Elsewhere than here they are somebody else's. */
void seat_sync_locks(struct seat *s);

/* Events of the window: true, it is taken. */
bool seat_keyboard_event(struct seat *s, const SDL_Event *e);
bool seat_input_event(struct seat *s, const struct screen_map *map, const SDL_Event *e);
/* Sends our clipboard when it has changed. */
void seat_clipboard_event(struct seat *s, const SDL_Event *e);
/* Plays the server's sound where that had to wait, and says it where it cannot be played here. */
void seat_sound_event(struct seat *s);

/* The picture has moved below the pointer: the server is told where that is now, unless somebody
 * else has the pointer (`elsewhere`). */
void seat_point_again(struct seat *s, const struct screen_map *map, bool elsewhere);

/* Releases every key and button that is down on the server. */
void seat_let_go(struct seat *s);

/* Keys that the menu sends. One that it holds down is held until it is chosen again, or let go of.
 * Those of Ctrl+Alt+Del that are held down anyway stay down. */
void seat_toggle_held(struct seat *s, enum modifier m);
void seat_let_go_of_held(struct seat *s);
void seat_press_ctrl_alt_del(struct seat *s);
void seat_press(struct seat *s, uint32_t keysym, SDL_Scancode scancode);

/* A key of a text that is typed, which has no place on a keyboard. */
void seat_type(struct seat *s, uint32_t keysym, bool down);

/* Whether the server gets keys. */
bool seat_takes_keys(const struct seat *s);

/* Whether it gets steps of the pointer, and no places. */
bool seat_takes_steps(const struct seat *s);

/* The pointer is caught for such a server, or not any more. */
void seat_catch_pointer(struct seat *s, bool on);

/* Whether it may go by the codes of keys. */
bool seat_server_takes_codes(const struct seat *s);

/* Whether Ctrl and Alt have come to the server's keyboard, and were not released. */
bool seat_holds_ctrl_alt(const struct seat *s);

/* What the session tells of the server's pointer, keyboard and clipboard. True when it was that. */
bool seat_session_event(struct seat *s, const struct session_event *e);

/* The pointer's shape is as large as the picture; `system`: the system's own is shown. */
void seat_show_cursor(struct seat *s, const struct screen_map *map, bool system);

#ifdef __cplusplus
}
#endif
#endif
