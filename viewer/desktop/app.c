#include "viewer/desktop/app.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <SDL.h>

#include "prerequest/tick.h"
#include "rfb/clock.h"
#include "rfb/log.h"
#include "viewer/desktop/chain.h"
#include "viewer/desktop/clipboard.h"
#include "viewer/desktop/connection.h"
#include "viewer/desktop/cursor.h"
#include "viewer/desktop/dialogs.h"
#include "viewer/desktop/display.h"
#include "viewer/desktop/hot_keys.h"
#include "viewer/desktop/input.h"
#include "viewer/desktop/notice.h"
#include "viewer/desktop/screen.h"
#include "viewer/trust.h"
#include "viewer/ui/ui.h"

#define PROGRAM     "vnchl"
#define TICK_PERIOD TICK_S

struct app {
    const struct app_options *ui;
    const struct session_options *options; /* of every session, but for its address */
    struct ui *pages;                      /* what the viewer itself draws */
    struct dialogs *dialogs;
    struct connection *connection;
    struct session *live; /* the session that is up, and takes input; NULL: none */
    struct screen *screen;
    struct cursor *cursor;
    struct chain chain; /* every SDL event goes through it */
    struct input input;
    struct clipboard clipboard;
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

static int fail(const struct reason *why)
{
    log_line("%s", why->text);
    return EXIT_FAILURE;
}

/* Tells the user one line. */
static void tell_user(void *user, const char *text)
{
    struct app *a = user;

    log_line("%s", text);
    ui_message(a->pages, text, tick_now());
}

static int out_of_memory(void)
{
    log_line("out of memory or threads");
    return EXIT_FAILURE;
}

static void end(struct app *a, int status)
{
    if (!a->ended)
        a->status = status;
    a->ended = true;
}

/* A session thread calls this. At most one wake-up is in SDL's queue. */
static void wake(void *user)
{
    struct app *a = user;
    if (!SDL_AtomicCAS(&a->wake_pending, 0, 1))
        return;
    SDL_Event e = {.user = {.type = a->wake_event}};
    if (SDL_PushEvent(&e) < 0)
        SDL_AtomicSet(&a->wake_pending, 0);
}

static void update_title(struct app *a)
{
    char title[TITLE_MAX];

    notice_title(a->notice, a->name, a->grabbed ? "keyboard grabbed - " PROGRAM : PROGRAM, title);
    screen_set_title(a->screen, title);
}

static void set_name(struct app *a, const char *name)
{
    snprintf(a->name, sizeof a->name, "%s", name);
    update_title(a);
}

/* Shows what there is to tell about the connection. */
static void update_notice(struct app *a)
{
    struct connection_status status;
    char text[NOTICE_MAX];

    connection_status(a->connection, tick_now(), &status);
    notice_text(&status, text);
    if (strcmp(text, a->notice) == 0)
        return;
    strcpy(a->notice, text);
    ui_notice(a->pages, *text ? text : NULL);
    update_title(a);
}

/* All keys go to the server, the window manager's too. View-only takes none. */
static void grab(struct app *a, bool on)
{
    a->grabbed = on && !a->ui->view_only;
    screen_set_grab(a->screen, a->grabbed);
    update_title(a);
}

/* Makes the server's locks like the user's. Elsewhere than here they are somebody else's. */
static void sync_locks(struct app *a)
{
    if (a->live && SDL_GetKeyboardFocus())
        input_sync_locks(&a->input, SDL_GetModState());
}

static void bell(struct app *a)
{
    screen_flash(a->screen);
    if (isatty(STDERR_FILENO))
        fputc('\a', stderr);
}

/* Tells the server of our clipboard's text, if there is one. */
static void send_clipboard(struct session *s, const char *text)
{
    if (s && text)
        session_send_cut_text(s, text);
}

/* ---- what the connection tells (connection.h) ---- */

static void connected(struct app *a, const struct session_event *e)
{
    input_new_session(&a->input);
    credentials_accepted(a->ui->credentials);
    if (a->next_tick == TICK_NEVER) {
        screen_show(a->screen, e->width, e->height, !a->ui->view_only);
        grab(a, a->ui->grab_keyboard);
    } else { /* the window has had a picture already */
        screen_follow(a->screen, e->width, e->height);
    }
    a->next_tick = tick_now() + TICK_PERIOD;
    set_name(a, session_event_text(e));
}

static void on_session_event(void *user, struct session *s, const struct session_event *e)
{
    struct app *a = user;
    const char *text = session_event_text(e);

    switch (e->type) {
    case SESSION_CONNECTED:
        credentials_accepted(a->ui->credentials);
        connected(a, e);
        send_clipboard(s, clipboard_text(&a->clipboard));
        break;
    case SESSION_RESIZED:
        screen_follow(a->screen, e->width, e->height);
        break;
    case SESSION_NAME:
        set_name(a, text);
        break;
    case SESSION_CURSOR:
        cursor_set_shape(a->cursor, session_event_pixels(e), e->width, e->height, e->hot_x,
                         e->hot_y);
        break;
    case SESSION_LEDS:
        if (input_set_server_locks(&a->input, e->leds))
            sync_locks(a);
        break;
    case SESSION_KEY_CODES:
        input_use_key_codes(&a->input);
        break;
    case SESSION_BELL:
        bell(a);
        break;
    case SESSION_CUT_TEXT:
        clipboard_from_server(&a->clipboard, text);
        break;
    case SESSION_NOTICE:
        tell_user(a, text);
        break;
    case SESSION_QUESTION:
        credentials_answer(a->ui->credentials, s, session_event_question(e));
        break;
    }
}

/* Keys that were pressed before belong to nobody now: neither the old session's releases nor what
 * was typed meanwhile reach the new one. */
static void change_live(struct app *a, struct session *live)
{
    chain_let_go(&a->chain);
    a->live = live;
}

/* Nothing more happens by itself. */
static void failed(struct app *a, const struct connection_status *status)
{
    if (status->failure == FAILURE_AUTHENTICATION &&
        credentials_ask_again(a->ui->credentials, &status->why)) {
        a->ask_again = true;
        return;
    }
    if (!a->ended)
        fail(&status->why);
    if (!a->ui->alert)
        end(a, EXIT_FAILURE);
}

static void on_connection_changed(void *user)
{
    struct app *a = user;
    struct connection_status status;

    connection_status(a->connection, tick_now(), &status);
    switch (status.state) {
    case CONNECTION_UP:
        change_live(a, connection_session(a->connection));
        screen_new_picture(a->screen);
        sync_locks(a);
        if (status.again)
            log_line("connected again");
        break;
    case CONNECTION_WAITING:
        change_live(a, NULL);
        if (status.attempt == 0)
            log_line("%s; connecting again", status.why.text);
        break;
    case CONNECTION_FAILED:
        change_live(a, NULL);
        failed(a, &status);
        break;
    case CONNECTION_IDLE:
    case CONNECTION_CONNECTING:
        break;
    }
    screen_set_dim(a->screen, status.state != CONNECTION_UP);
    update_notice(a);
    if (!a->ask_again)
        dialogs_follow(a->dialogs, &status);
}

static void on_session_leaving(void *user, struct session *s, bool last)
{
    struct app *a = user;

    if (s == a->live)
        change_live(a, NULL);
    if (last && a->next_tick != TICK_NEVER)
        a->ui->tick(a->ui->user, s, true);
    if (a->ui->recent)
        dialogs_remember(a->dialogs, a->name, session_framebuffer(s));
    credentials_cancel(a->ui->credentials);
}

/* ---- what the session is told ---- */

static void send_key(void *user, uint32_t keysym, uint8_t code, bool down)
{
    struct app *a = user;

    if (a->live)
        session_send_key_code(a->live, keysym, code, down);
}

static void send_pointer(void *user, int x, int y, unsigned buttons)
{
    struct app *a = user;

    if (a->live)
        session_send_pointer(a->live, x, y, buttons);
}

/* ---- what the person says to the pages (dialogs.h) ---- */

static enum connection_state state(const struct app *a)
{
    struct connection_status status;

    connection_status(a->connection, tick_now(), &status);
    return status.state;
}

static void start(struct app *a, const struct address *address)
{
    struct session_options options = *a->options;

    options.address = *address;
    options.address.family = a->options->address.family;
    options.had_certificate = trust_had_certificate(address);
    dialogs_set_server(a->dialogs, address, &options.route);
    connection_start(a->connection, &options); /* what fails is told by a callback */
}

static bool on_connect(void *user, const char *text, struct reason *why)
{
    struct app *a = user;
    const struct route *route = &a->options->route;
    struct address address;

    if (!route_address(route, &address, text, why) || !route_check(route, &address, why))
        return false;
    credentials_forget(a->ui->credentials);
    start(a, &address);
    return true;
}

static void on_retry(void *user)
{
    struct app *a = user;

    connection_retry(a->connection);
}

/* Back to the start window, or away. */
static void on_leave(void *user)
{
    struct app *a = user;

    if (!a->ui->start || state(a) == CONNECTION_IDLE) {
        end(a, state(a) == CONNECTION_FAILED ? EXIT_FAILURE : 0);
        return;
    }
    connection_stop(a->connection);
    dialogs_start(a->dialogs, a->ui->recent);
}

/* ---- the handlers of the chain (chain.h), in its order; true: the event is taken ---- */

static bool on_wake(void *user, const SDL_Event *e)
{
    struct app *a = user;

    if (e->type != a->wake_event)
        return false;
    SDL_AtomicSet(&a->wake_pending, 0); /* before the events are taken: later ones wake again */
    connection_take(a->connection);
    return true;
}

static bool on_quit(void *user, const SDL_Event *e)
{
    struct app *a = user;

    if (e->type != SDL_QUIT)
        return false;
    end(a, state(a) == CONNECTION_FAILED ? EXIT_FAILURE : 0);
    return true;
}

/* Sends our clipboard when it has changed. Takes no event. */
static bool on_clipboard(void *user, const SDL_Event *e)
{
    struct app *a = user;

    send_clipboard(a->live, clipboard_event(&a->clipboard, e));
    return false;
}

/* Keeps up with the window's state. The user's locks may have changed while the focus was
 * elsewhere. Takes no event. */
static bool on_window(void *user, const SDL_Event *e)
{
    struct app *a = user;

    screen_event(a->screen, e);
    if (e->type == SDL_WINDOWEVENT && e->window.event == SDL_WINDOWEVENT_FOCUS_GAINED)
        sync_locks(a);
    return false;
}

static bool on_hot_key(void *user, const SDL_Event *e)
{
    struct app *a = user;
    enum hot_key key = hot_key_of(e);

    if (key == HOT_KEY_NONE)
        return false;
    if (e->key.repeat)
        return true;
    if (key == HOT_KEY_FULL_SCREEN)
        screen_set_full_screen(a->screen, !screen_is_full_screen(a->screen), !a->ui->view_only);
    else
        grab(a, !a->grabbed);
    return true;
}

static bool on_page(void *user, const SDL_Event *e)
{
    struct app *a = user;

    return ui_event(a->pages, e);
}

static bool on_input(void *user, const SDL_Event *e)
{
    struct app *a = user;

    input_set_map(&a->input, screen_get_map(a->screen));
    return input_event(&a->input, e);
}

static void let_go_of_input(void *user)
{
    struct app *a = user;

    input_release_all(&a->input);
}

/* ---- the loop ---- */

static void tick_if_due(struct app *a)
{
    tick_t now = tick_now();

    connection_time(a->connection, now);
    ui_time(a->pages, now);
    if (a->ask_again) {
        a->ask_again = false;
        connection_retry(a->connection);
    }
    if (now < a->next_tick)
        return;
    a->next_tick += TICK_PERIOD;
    if (a->next_tick <= now)
        a->next_tick = now + TICK_PERIOD;
    update_notice(a);
    if (a->live)
        a->ui->tick(a->ui->user, a->live, false);
    connection_take(a->connection); /* in case a wake-up was lost: SDL's queue may have been full */
}

static int wait_ms(const struct app *a)
{
    tick_t now = tick_now(), at = tick_sooner(a->next_tick, connection_wait(a->connection));
    tick_t left = tick_sooner(tick_sooner(at, ui_wait(a->pages)), now + TICK_PERIOD) - now;

    return left <= 0 ? 0 : (int)(left / TICK_MS) + 1;
}

static void loop(struct app *a)
{
    while (!a->ended) {
        SDL_Event e;
        struct reason why;
        if (SDL_WaitEventTimeout(&e, wait_ms(a))) {
            do {
                chain_event(&a->chain, &e);
            } while (!a->ended && SDL_PollEvent(&e));
        }
        tick_if_due(a);
        if (a->ended)
            break;
        if (!screen_draw(a->screen, connection_picture(a->connection), &why))
            end(a, fail(&why));
        cursor_set_system(a->cursor, ui_is_open(a->pages));
        cursor_set_scale(a->cursor, screen_map_scale(screen_get_map(a->screen)));
    }
}

static int run(struct app *a)
{
    const struct connection_callbacks callbacks = {wake, on_session_event, on_connection_changed,
                                                   on_session_leaving, a};
    const struct dialogs_callbacks pages = {on_connect, on_retry, on_leave, a};
    struct reason why;

    a->wake_event = SDL_RegisterEvents(1);
    a->pages = ui_create(a->ui->theme);
    a->dialogs = a->pages ? dialogs_create(a->pages, &pages) : NULL;
    if (!a->dialogs)
        return out_of_memory();
    a->screen = screen_create(a->pages, a->ui->vsync, a->ui->full_screen, &why);
    if (!a->screen)
        return fail(&why);
    screen_place(a->screen, &a->ui->place, a->ui->maximize);
    a->cursor = cursor_create(a->ui->dot_cursor);
    if (!a->cursor)
        return out_of_memory();
    a->connection = connection_create(&callbacks, a->ui->reconnect);
    if (!a->connection)
        return out_of_memory();
    if (a->ui->ask)
        credentials_set_asker(a->ui->credentials, dialogs_asker(a->dialogs));
    if (a->ui->start)
        dialogs_start(a->dialogs, a->ui->recent);
    else
        start(a, &a->options->address);

    SDL_EnableScreenSaver();
    SDL_StartTextInput();
    loop(a);
    return a->status;
}

int app_run(const struct session_options *options, const struct app_options *ui)
{
    struct app a = {.ui = ui, .options = options, .next_tick = TICK_NEVER};
    struct clipboard_options clipboard = {options->clipboard, ui->primary, tell_user, &a};
    struct input_sink sink = {send_key, send_pointer, &a};
    const struct chain_handler handlers[] = {
        {on_wake, NULL, &a},
        {on_quit, NULL, &a},
        {on_clipboard, NULL, &a},
        {on_window, NULL, &a},
        {on_hot_key, NULL, &a},
        {on_page, NULL, &a},
        {on_input, let_go_of_input, &a},
    };

    input_init(&a.input, &sink, ui->view_only);
    chain_init(&a.chain, handlers, sizeof handlers / sizeof *handlers);
    if (!display_open(PROGRAM))
        return EXIT_FAILURE;
    clipboard_init(&a.clipboard, &clipboard);
    int status = run(&a);
    connection_destroy(a.connection);
    credentials_set_asker(ui->credentials, NULL);
    clipboard_deinit(&a.clipboard);
    cursor_destroy(a.cursor);
    screen_destroy(a.screen);
    dialogs_destroy(a.dialogs);
    ui_destroy(a.pages);
    SDL_Quit();
    return status;
}
