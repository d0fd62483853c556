/* The inside of the window's program. app.c has its loop and its events, app_session.c what the
 * connection tells. Nobody else includes this. UI thread.
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
#include "viewer/desktop/notice.h"
#include "viewer/desktop/remote_size.h"
#include "viewer/desktop/screen.h"
#include "viewer/ui/ui.h"

#define APP_PROGRAM "vnchl"
#define APP_TICK    TICK_S

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
    struct input input;
    struct clipboard clipboard;
    struct remote_size remote_size;
    uint32_t wake_event;
    SDL_atomic_t wake_pending;
    char name[SESSION_NAME_MAX]; /* the desktop's */
    char notice[NOTICE_MAX];     /* shown now; empty: none */
    tick_t next_tick;            /* TICK_NEVER before the connection */
    bool grabbed;                /* the keyboard, by the user's wish */
    bool ask_again; /* the server has refused a password: the next session asks for another */
    bool ended;
    int status;
};

/* Logs the reason. Returns EXIT_FAILURE. */
int app_fail(const struct reason *why);

/* The program is to end with this status. The first one counts. */
void app_end(struct app *a, int status);

/* Tells the user one line; `user` is the app. */
void app_tell_user(void *user, const char *text);

/* Shows what there is to tell about the connection. */
void app_update_notice(struct app *a);

/* All keys go to the server, the window manager's too. View-only takes none. */
void app_grab(struct app *a, bool on);

/* Makes the server's locks like the user's. Elsewhere than here they are somebody else's. */
void app_sync_locks(struct app *a);

/* Tells the server of our clipboard's text, if there is one. `s` may be NULL. */
void app_send_clipboard(struct session *s, const char *text);

/* The window has another size; the server can change its own; asks it when that is due. */
void app_window_sized(struct app *a);
void app_server_resizable(struct app *a);
void app_ask_size(struct app *a, tick_t now);

/* The picture has moved below the pointer: the server is told where that is now. */
void app_point_again(struct app *a);

/* All but `wake`. */
void app_connection_callbacks(struct app *a, struct connection_callbacks *c);

#endif
