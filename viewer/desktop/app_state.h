/* The inside of the window's program. app.c has its loop and its events, app_connect.c how it
 * connects, app_session.c what the connection tells, app_menu.c the menu, app_figures.c the
 * statistics, and app_about.c the page about the connection. Nobody else includes this. UI thread.
 */
#ifndef VNCHL_APP_STATE_H
#define VNCHL_APP_STATE_H

#include <SDL.h>

#include "prerequest/tick.h"
#include "viewer/desktop/app.h"
#include "viewer/desktop/chain.h"
#include "viewer/desktop/clipboard.h"
#include "viewer/desktop/connection.h"
#include "viewer/desktop/cursor.h"
#include "viewer/desktop/dialogs.h"
#include "viewer/desktop/input.h"
#include "viewer/desktop/keyboard.h"
#include "viewer/desktop/menu.h"
#include "viewer/desktop/notice.h"
#include "viewer/desktop/remote_size.h"
#include "viewer/desktop/screen.h"
#include "viewer/statistics.h"
#include "viewer/ui/ui.h"

#define APP_PROGRAM "vnchl"
#define APP_TICK    TICK_S
#define APP_REST    (10 * TICK_S) /* between ticks while nothing happens */

/* The menu: its page, while one is open, and the keys that it holds down on the server (bit n: enum
 * menu_modifier n). app_menu.c. */
struct app_menu {
    enum menu_page page;
    struct menu_entry entries[MENU_ENTRIES_MAX];
    unsigned held;
};

/* What the user has chosen while the program runs. It begins as the options have it. */
struct app_wishes {
    bool view_only;
    bool grabbed;                 /* all keys go to the server */
    struct scale scale;           /* how large the picture is drawn */
    struct full_screen monitors;  /* that full screen takes */
    struct session_tuning tuning; /* of a session, */
    bool tuned;                   /* if that is other than the options' */
};

/* The statistics, above the picture if they are shown. app_figures.c. */
struct app_figures {
    bool shown;
    enum ui_corner corner;
    struct statistics statistics;
    struct drawn drawn, drawn_before; /* by the window; before the session began */
};

/* What the window says of the connection now, and what it has said once. app_session.c. */
struct app_told {
    char name[SESSION_NAME_MAX]; /* the desktop's */
    char notice[NOTICE_MAX];     /* empty: none */
    bool recording;              /* what is shown is recorded */
    bool hidden;                 /* to the session: nobody can see the picture */
    bool view_only;              /* that keys do not reach the server */
    struct slow_news slow;       /* why this server is slow */
    bool full_screen;            /* how to leave it, since it was entered */
    bool scaled;                 /* that the picture is drawn smaller than it is, */
    tick_t scaled_since;         /* which it is since then; 0: it is not */
};

struct app {
    const struct app_options *ui;
    const struct session_options *options;       /* of every session */
    const struct app_options *first_ui;          /* before anything was chosen in */
    const struct session_options *first_options; /* the start window */
    struct ui *pages;                            /* what the viewer itself draws */
    struct dialogs *dialogs;
    struct connection *connection;
    struct session *live; /* the session that is up, and takes input; NULL: none */
    struct screen *screen;
    struct cursor *cursor;
    struct chain chain; /* every SDL event goes through it */
    struct keyboard *keyboard;
    struct input input;
    struct clipboard clipboard;
    struct remote_size remote_size;
    struct app_menu menu;
    struct app_wishes wishes;
    struct app_figures figures;
    struct app_told told;
    uint32_t wake_event;
    SDL_atomic_t wakes; /* SDL is there to be woken */
    SDL_atomic_t wake_pending;
    tick_t next_tick; /* TICK_NEVER before the connection */
    bool ask_again;   /* the server has refused a password: the next session asks for another */
    bool ended;
    int status;
};

/* Logs the reason. Returns EXIT_FAILURE. */
int app_fail(const struct reason *why);

/* The program is to end with this status. The first one counts. */
void app_end(struct app *a, int status);

/* Tells the user one line; `user` is the app. */
void app_tell_user(void *user, const char *text);

/* Shows what there is to tell about the connection, and whether it is recorded. */
void app_update_notice(struct app *a);

/* A key was pressed in a window that is for viewing only: says so, once. */
void app_view_only_event(struct app *a, const SDL_Event *e);

/* Says how full screen is left, when it was entered. */
void app_tell_full_screen(struct app *a);

/* Says once that the picture is drawn smaller than it is, where nobody has asked for that. */
void app_tell_scaled(struct app *a);

/* Takes away what has been said and is not true any more. */
void app_end_messages(struct app *a);

/* Tells the session when the window cannot be seen, and when it can again. */
void app_tell_hidden(struct app *a);

/* All keys go to the server, the window manager's too. View-only takes none. */
void app_grab(struct app *a, bool on);

/* Makes the server's locks like the user's. Elsewhere than here they are somebody else's. */
void app_sync_locks(struct app *a);

/* Tells the server of our clipboard's text, if there is one, and if it may know. `s` may be NULL.
 */
void app_send_clipboard(const struct app *a, struct session *s, const char *text);

void app_update_title(struct app *a);
/* What is shown or spoken of now, which the title begins with; empty: nothing. */
void app_set_name(struct app *a, const char *name);
void app_toggle_full_screen(struct app *a);

/* The server is connected to while the display is opened and the window is made: each takes some
 * time. What the connection tells meanwhile is taken when the loop begins. False when out of
 * memory.
 */
bool app_connect_early(struct app *a);

/* There is a window now: shows how the connection stands, or begins it, or opens the start window.
 */
void app_begin_connection(struct app *a);

/* Any thread: wakes the window (`user` is the app). At most one wake-up is in SDL's queue. */
void app_wake(void *user);

/* Connects to what the options name, instead of the session before. */
void app_start(struct app *a);

/* Ends the session, and opens the start window. */
void app_disconnect(struct app *a);

/* Opens the start window. */
void app_show_start(struct app *a);

/* The menu key, or another one for the menu: opens it, or closes it. `itself`: a menu that is open
 * sends the key to the server. False: the key is for the page that is open. */
bool app_menu_key(struct app *a, bool itself);

/* Releases the keys that the menu holds down on the server. */
void app_let_go_of_held(struct app *a);

/* The user's wishes are the options' again. */
void app_untune(struct app *a);

/* Tells a session that is up what the user has chosen in the menu. */
void app_tune(struct app *a);

/* As screen_draw(), which it counts. */
bool app_draw(struct app *a, struct reason *why);

/* Saves the picture of the server's screen. */
void app_take_screenshot(struct app *a);

/* A page with what is known of the connection. */
void app_show_about(struct app *a);

/* The statistics above the picture. */
void app_show_figures(struct app *a, bool on);
/* Shown: in the next corner. After the last one they are hidden. */
void app_move_figures(struct app *a);
/* A session begins to be counted. */
void app_begin_figures(struct app *a);
/* A second has passed in a session that is up; `last`: it ends. */
void app_count_figures(struct app *a, struct session *s, bool last);

/* The window has another size; the server can change its own; asks it when that is due. */
void app_window_sized(struct app *a);
void app_server_resizable(struct app *a);
void app_ask_size(struct app *a, tick_t now);

/* The picture has moved below the pointer: the server is told where that is now. */
void app_point_again(struct app *a);

/* The connection is in another state than the window has shown so far. */
void app_follow_connection(struct app *a);

/* A handler of the chain: a picture that is larger than the window is dragged. Then the pointer is
 * over another pixel. */
bool app_on_drag(void *user, const SDL_Event *e);
void app_let_go_of_picture(void *user);

/* All but `wake`. */
void app_connection_callbacks(struct app *a, struct connection_callbacks *c);

#endif
