/* The front of a session: all that the user sees and touches of it. Holds the window with the
 * picture (screen.h), keyboard, pointer and clipboard (seat.h), the sizes (sizes.h), the statistics
 * (figures.h) and what is said of the connection (told.h), and connects them. Which session is up,
 * and how it comes to be, is the owner's (app.h).
 *
 * UI thread. `ui` and the options outlive it.
 */
#ifndef VNCHL_FRONT_H
#define VNCHL_FRONT_H

#include <stdbool.h>

#include <SDL_events.h>

#include "prerequest/tick.h"
#include "rfb/session/session.h"
#include "rfb/texts/reason.h"
#include "viewer/desktop/app_options.h"
#include "viewer/desktop/connection/connection.h"
#include "viewer/desktop/pages/menu/menu.h"
#include "viewer/desktop/pages/told/told.h"
#include "viewer/ui/ui.h"

#ifdef __cplusplus
extern "C" {
#endif

struct front;
struct screen;
struct seat;

struct front_callbacks {
    void (*active)(void *user); /* the user acts */
    /* Everything that is held down on the server is to be released: chain_let_go(). */
    void (*let_go)(void *user);
    /* The picture to show; NULL: there is none. */
    struct framebuffer_reader *(*picture)(void *user);
    void *user;
};

/* Opens the window. NULL, with a reason. */
struct front *front_create(struct ui *ui, const struct app_options *options,
                           const struct front_callbacks *callbacks,
                           const struct told_answers *answers, struct reason *why);
void front_destroy(struct front *f); /* safe on NULL */

/* Makes all anew that is made from the options. There is no session then. False when out of memory.
 */
bool front_set_options(struct front *f, const struct session_options *session,
                       const struct app_options *options);

/* ---- the session ---- */

/* Another server, or the same from the beginning; as people name it. The title begins with it until
 * its desktop has a name. */
void front_new_server(struct front *f, const char *server);

/* What is shown or spoken of, which the title begins with: the desktop's name; empty: nothing. */
void front_set_name(struct front *f, const char *name);

/* How the connection stands. */
void front_connection(struct front *f, const struct connection_status *status, tick_t now);

/* What a session tells: all but questions. */
void front_session_event(struct front *f, struct session *s, const struct session_event *e);

/* The session is up, and its picture is the one to show. */
void front_begin(struct front *f, struct session *s);

/* That one; NULL: none. */
struct session *front_session(const struct front *f);

/* No session is up any more. The one that was is not destroyed yet. */
void front_end(struct front *f);

/* The user has left the server, whose session has ended: the start window comes, which is an
 * ordinary window. */
void front_leave_server(struct front *f);

/* About a second has passed in the session that is up. */
void front_second(struct front *f);

/* Tells the user one line; `front` is a struct front. */
void front_tell(void *front, const char *text);

/* ---- what the user chooses ---- */

/* What the menu shows of all this. */
void front_menu_state(struct front *f, struct menu_state *out);

void front_toggle_full_screen(struct front *f);
void front_minimise(struct front *f);
void front_toggle_monitors(struct front *f); /* full screen takes all of them, or one */
void front_set_scale(struct front *f, struct scale scale);

/* The server gets no input, or does again. What is down there is released. */
void front_toggle_view_only(struct front *f);

/* All keys go to the server, the window manager's too, or not. View-only takes none. */
void front_toggle_grab(struct front *f);

/* The clipboard's texts go this way (enum clipboard_way), or do not. */
void front_toggle_clipboard(struct front *f, unsigned way);

/* They go these ways, of those that the session has. False: it lacks one. */
bool front_set_clipboard(struct front *f, unsigned ways);

/* A key for the server. */
void front_press(struct front *f, SDL_Scancode scancode, SDL_Keycode key);

/* The window (screen.h), and the user's seat at the server (seat.h). */
const struct screen *front_screen(const struct front *f);
struct seat *front_seat(struct front *f);

/* Whether Alt is held, and not only AltGr, which is Alt to SDL (`mod`). */
bool front_holds_alt(const struct front *f, Uint16 mod);

/* MENU_SET_QUALITY or MENU_SET_PRP, also of sessions that follow. */
void front_tune(struct front *f, enum menu_action action, int value);

void front_ask_all(struct front *f);         /* asks for the whole picture */
void front_take_screenshot(struct front *f); /* saves it */
void front_show_about(struct front *f);      /* a page with what is known of the connection */

void front_show_figures(struct front *f, bool on);
void front_move_figures(
    struct front *f); /* to the next corner; after the last one they are hidden */
bool front_shows_figures(const struct front *f);

/* ---- handlers of the chain (chain.h), in its order; `front` is a struct front ---- */

bool front_on_keyboard(void *front, const SDL_Event *e);
bool front_on_clipboard(void *front, const SDL_Event *e);
bool front_on_window(void *front, const SDL_Event *e);
/* A picture that is larger than the window is dragged. */
bool front_on_drag(void *front, const SDL_Event *e);
void front_let_go_of_picture(void *front);
bool front_on_input(void *front, const SDL_Event *e);
void front_let_go_of_input(void *front);

/* ---- time, and drawing ---- */

/* Does what is due; front_wait() says when something is next, or TICK_NEVER. */
void front_time(struct front *f, tick_t now);
tick_t front_wait(const struct front *f);

/* Brings what changed to the display. False, with a reason, when that fails for good. */
bool front_draw(struct front *f, struct reason *why);

#ifdef __cplusplus
}
#endif
#endif
