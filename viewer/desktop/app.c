#include "viewer/desktop/app.h"

#include <stdlib.h>

#include <SDL.h>

#include "prerequest/tick.h"
#include "rfb/system/clock.h"
#include "rfb/system/log.h"
#include "viewer/desktop/choices.h"
#include "viewer/desktop/connection/connection.h"
#include "viewer/desktop/display/window/display.h"
#include "viewer/desktop/front.h"
#include "viewer/desktop/input/chain.h"
#include "viewer/desktop/input/sound_output.h"
#include "viewer/desktop/input/wake.h"
#include "viewer/desktop/options_page.h"
#include "viewer/desktop/pages/dialogs.h"
#include "viewer/desktop/pages/settings_portal.h"

#define APP_TICK TICK_S
#define APP_REST (10 * TICK_S) /* between ticks while nothing happens */
/* ns that one turn takes events, also when more come all the time. Chosen: less than a frame. */
#define APP_TURN     (10 * TICK_MS)
#define APP_HANDLERS 13

struct app {
    const struct app_options *ui;
    const struct session_options *options;       /* of every session */
    const struct session_hooks *hooks;           /* the same */
    const struct app_options *first_ui;          /* before anything was chosen in */
    const struct session_options *first_options; /* the start window */
    struct connection *connection;
    struct wake wake;
    struct settings_portal *portal; /* NULL: the theme is asked for, or there is no bus */
    struct ui *pages;               /* what the viewer itself draws */
    struct dialogs *dialogs;
    struct front *front; /* NULL: there is no window yet */
    struct choices choices;
    struct options_page options_page;
    struct chain_handler handlers[APP_HANDLERS];
    struct chain chain; /* every SDL event goes through it */
    tick_t next_tick;   /* TICK_NEVER before the connection */
    bool ask_again;     /* the server has refused a password: the next session asks for another */
    bool ended;
    int status;
};

/* ---- the end ---- */

static int app_out_of_memory(void)
{
    log_line("out of memory or threads");
    return EXIT_FAILURE;
}

static int app_fail(const struct reason *why)
{
    log_line("%s", why->text);
    return EXIT_FAILURE;
}

/* The program is to end with this status. The first one counts. */
static void app_end(struct app *a, int status)
{
    a->status = a->ended ? a->status : status;
    a->ended = true;
}

/* ---- a connection begins, and ends ---- */

static struct connection_status app_status(const struct app *a)
{
    struct connection_status status;

    connection_status(a->connection, tick_now(), &status);
    return status;
}

static void app_name_server(struct app *a, struct session *s)
{
    if (dialogs_set_server(a->dialogs, a->options, s))
        front_new_server(a->front, dialogs_server(a->dialogs));
}

/* Connects to what the options name, instead of the session before. */
static void app_start(struct app *a)
{
    app_name_server(a, NULL);
    connection_start(a->connection, a->options); /* what fails is told by a callback */
}

static void app_show_start(struct app *a)
{
    const struct ui_choice first = {.view_only = a->first_ui->view_only,
                                    .full_screen = a->first_ui->full_screen,
                                    .shared = a->first_options->shared};

    front_set_name(a->front, "");
    options_page_tell(&a->options_page);
    dialogs_start(a->dialogs, &first, a->ui->recent);
}

/* Ends the session, and opens the start window. */
static void app_disconnect(struct app *a)
{
    connection_stop(a->connection);
    front_leave_server(a->front);
    app_show_start(a);
}

/* The same, where the person has done with this server: what was said for it counts no more. */
static void app_on_disconnect(void *user)
{
    struct app *a = user;

    options_page_forget(&a->options_page);
    app_disconnect(a);
}

/* ---- what the connection tells ---- */

/* Shows what there is to tell about the connection. */
static void app_update_notice(struct app *a)
{
    const struct connection_status status = app_status(a);

    front_connection(a->front, &status, tick_now());
}

static void app_on_session_event(void *user, struct session *s, const struct session_event *e)
{
    struct app *a = user;

    if (e->type == SESSION_QUESTION || e->type == SESSION_CONNECTED)
        app_name_server(a, s); /* of several servers it is known only now */
    if (e->type == SESSION_QUESTION)
        credentials_answer(a->ui->credentials, s, session_event_question(e));
    else
        front_session_event(a->front, s, e);
    if (e->type != SESSION_CONNECTED)
        return;
    credentials_accepted(a->ui->credentials);
    a->next_tick = tick_now() + APP_TICK;
    a->status = 0;
}

/* Nothing more happens by itself. */
static void app_failed(struct app *a, const struct connection_status *status)
{
    if (status->failure == FAILURE_AUTHENTICATION &&
        credentials_ask_again(a->ui->credentials, &status->why)) {
        a->ask_again = true;
        return;
    }
    if (!a->ended)
        a->status = app_fail(&status->why);
    if (!a->ui->alert)
        app_end(a, EXIT_FAILURE);
}

/* The connection is in another state than the window has shown so far. */
static void app_follow_connection(struct app *a)
{
    const struct connection_status status = app_status(a);

    switch (status.state) {
    case CONNECTION_UP:
        front_begin(a->front, connection_session(a->connection));
        if (status.again && !status.plays)
            dialogs_connected_again(a->dialogs, status.another);
        break;
    case CONNECTION_WAITING:
        front_end(a->front);
        if (status.attempt == 0)
            log_line("%s; %s", status.why.text,
                     status.listens ? "waiting for the server to connect again"
                                    : "connecting again");
        break;
    case CONNECTION_FAILED:
        front_end(a->front);
        app_failed(a, &status);
        break;
    case CONNECTION_IDLE:
    case CONNECTION_CONNECTING:
        break;
    }
    app_update_notice(a);
    if (!a->ask_again)
        dialogs_follow(a->dialogs, &status, &a->ui->credentials->change, tick_now());
    options_page_follow(&a->options_page, status.state);
}

static void app_on_connection_changed(void *user)
{
    struct app *a = user;

    if (a->front) /* otherwise it is told when there is a window */
        app_follow_connection(a);
}

static void app_on_session_leaving(void *user, struct session *s, bool last)
{
    struct app *a = user;

    if (a->front && s == front_session(a->front))
        front_end(a->front);
    if (a->front && s == connection_session(a->connection)) /* what is said of its end names it */
        app_name_server(a, s);
    if (last && a->ui->tick && a->next_tick != TICK_NEVER)
        a->ui->tick(a->ui->user, s, true);
    if (a->ui->recent && a->front)
        dialogs_remember(a->dialogs, s);
    if (a->ui->recent)
        connection_remember(a->connection, s);
    credentials_cancel(a->ui->credentials);
}

static void app_wake(void *user)
{
    struct app *a = user;

    wake_up(&a->wake);
}

static bool app_keeps_picture(const struct app *a)
{
    return a->ui->recent && a->ui->keep_picture;
}

/* The server is connected to while the display is opened and the window is made: each takes time.
 * What the connection tells meanwhile is taken when the loop begins. False when out of memory. */
static bool app_connect_early(struct app *a)
{
    const struct connection_callbacks callbacks = {.wake = app_wake,
                                                   .event = app_on_session_event,
                                                   .changed = app_on_connection_changed,
                                                   .leaving = app_on_session_leaving,
                                                   .user = a};

    a->connection = connection_create(&callbacks, a->hooks, a->ui->reconnect);
    if (!a->connection)
        return false;
    connection_set_keeps_picture(a->connection, app_keeps_picture(a));
    if (!a->ui->start && display_named())
        connection_start(a->connection, a->options);
    return true;
}

/* There is a window now: shows the connection's state, begins it, or opens the start window. */
static void app_begin_connection(struct app *a)
{
    wake_begin(&a->wake);
    if (a->ui->start) {
        app_show_start(a);
    } else if (app_status(a).state == CONNECTION_IDLE) {
        app_start(a);
    } else {
        app_name_server(a, NULL);
        app_follow_connection(a);
    }
}

/* ---- what the person says to the pages (dialogs.h) and to the front ---- */

static bool app_use_options(struct app *a);

static bool app_on_connect(void *user, const struct ui_choice *choice, struct reason *why)
{
    struct app *a = user;

    if (!a->ui->choose(a->ui->user, choice, &a->options, &a->ui, why))
        return false;
    if (!app_use_options(a))
        app_end(a, app_out_of_memory());
    else
        app_start(a);
    return true;
}

static void app_on_retry(void *user)
{
    struct app *a = user;

    connection_retry(a->connection);
}

static void app_on_give_up(void *user)
{
    struct app *a = user;

    connection_give_up(a->connection);
}

/* With what was said in the options since. */
static void app_on_connect_again(void *user)
{
    struct app *a = user;

    if (options_page_renew(&a->options_page, &a->options, &a->ui) && !app_use_options(a))
        app_end(a, app_out_of_memory());
    app_start(a);
}

static void app_on_options(void *user, const struct ui_choice *choice)
{
    struct app *a = user;

    options_page_start(&a->options_page, choice);
}

/* Back to the start window, or away. */
static void app_on_leave(void *user)
{
    struct app *a = user;
    enum connection_state now = app_status(a).state;
    bool back = now == CONNECTION_FAILED ? dialogs_lead_back(a->dialogs) : a->ui->start;

    if (back && now != CONNECTION_IDLE)
        app_disconnect(a);
    else
        app_end(a, a->status);
}

static void app_on_choose(void *user, enum menu_action action)
{
    struct app *a = user;

    if (action == MENU_OPTIONS)
        options_page_session(&a->options_page);
    else if (action == MENU_RECONNECT)
        app_on_connect_again(a);
    else if (action == MENU_DISCONNECT)
        app_on_disconnect(a);
    else
        app_end(a, EXIT_SUCCESS);
}

static void app_on_active(void *user)
{
    struct app *a = user;

    connection_active(a->connection);
}

static void app_on_let_go(void *user)
{
    struct app *a = user;

    chain_let_go(&a->chain);
}

static struct framebuffer_reader *app_picture(void *user)
{
    struct app *a = user;

    return connection_picture(a->connection);
}

/* ---- handlers of the chain (chain.h); true: the event is taken ---- */

static bool app_on_wake(void *user, const SDL_Event *e)
{
    struct app *a = user;

    if (!wake_is(&a->wake, e))
        return false;
    connection_active(a->connection);
    connection_take(a->connection);
    return true;
}

static bool app_on_quit(void *user, const SDL_Event *e)
{
    struct app *a = user;

    if (e->type != SDL_QUIT)
        return false;
    app_end(a, a->status);
    return true;
}

static bool app_on_page(void *user, const SDL_Event *e)
{
    struct app *a = user;

    return ui_event(a->pages, e);
}

/* In which order the user's input goes to whom. */
static void app_make_chain(struct app *a)
{
    struct front *f = a->front;
    const struct chain_handler handlers[APP_HANDLERS] = {
        {front_on_keyboard, NULL, f},
        {app_on_wake, NULL, a},
        {app_on_quit, NULL, a},
        {front_on_clipboard, NULL, f},
        {front_on_window, NULL, f},
        {typing_on_input, NULL, &a->choices.typing},
        {choices_on_hot_key, NULL, &a->choices},
        {top_bar_on_input, top_bar_let_go, &a->choices.bar},
        {app_on_page, NULL, a},
        {player_on_input, NULL, &a->choices.player},
        {pointer_grab_on_input, NULL, &a->choices.grab},
        {front_on_drag, front_let_go_of_picture, f},
        {front_on_input, front_let_go_of_input, f},
    };

    for (int i = 0; i < APP_HANDLERS; i++)
        a->handlers[i] = handlers[i];
    chain_init(&a->chain, a->handlers, APP_HANDLERS);
}

/* ---- the loop ---- */

/* Between two ticks. */
static tick_t app_tick_period(const struct app *a)
{
    bool rests = connection_rests(a->connection) && !a->ui->tick && !front_shows_figures(a->front);

    return rests ? APP_REST : APP_TICK;
}

static void app_tick(struct app *a, tick_t now)
{
    struct session *live = front_session(a->front);

    a->next_tick += app_tick_period(a);
    if (a->next_tick <= now)
        a->next_tick = now + app_tick_period(a);
    if (app_tick_period(a) == APP_REST) /* one wake-up serves for both */
        a->next_tick = tick_sooner(a->next_tick, connection_wait(a->connection));
    app_update_notice(a);
    if (live && a->ui->tick)
        a->ui->tick(a->ui->user, live, false);
    front_second(a->front);
    connection_take(a->connection); /* in case a wake-up was lost: SDL's queue may have been full */
}

/* Does what is due. */
static void app_time(struct app *a)
{
    tick_t now = tick_now();

    connection_time(a->connection, now);
    credentials_continue(a->ui->credentials);
    settings_portal_show(a->portal, a->pages);
    ui_time(a->pages, now);
    dialogs_time(a->dialogs, now);
    front_time(a->front, now);
    choices_time(&a->choices, now);
    if (a->ask_again) {
        a->ask_again = false;
        connection_retry(a->connection);
    }
    if (a->next_tick == TICK_NEVER)
        app_update_notice(a); /* no second is counted yet */
    else                      /* it may have been at rest */
        a->next_tick = tick_sooner(a->next_tick, now + app_tick_period(a));
    if (now >= a->next_tick)
        app_tick(a, now);
}

static int app_wait_ms(const struct app *a)
{
    tick_t now = tick_now(), at = tick_sooner(a->next_tick, connection_wait(a->connection));
    tick_t left;

    at = tick_sooner(at, front_wait(a->front));
    at = tick_sooner(at, dialogs_wait(a->dialogs));
    at = tick_sooner(at, choices_wait(&a->choices));
    left = tick_sooner(tick_sooner(at, ui_wait(a->pages)), now + app_tick_period(a)) - now;
    return left <= 0 ? 0 : (int)(left / TICK_MS) + 1;
}

static void app_take_events(struct app *a, SDL_Event *e)
{
    tick_t until = tick_now() + APP_TURN;

    do {
        chain_event(&a->chain, e);
        if (e->type == SDL_DROPFILE || e->type == SDL_DROPTEXT)
            SDL_free(e->drop.file);
    } while (!a->ended && tick_now() < until && SDL_PollEvent(e));
}

static void app_loop(struct app *a)
{
    while (!a->ended) {
        SDL_Event e;
        struct reason why;

        if (SDL_WaitEventTimeout(&e, app_wait_ms(a)))
            app_take_events(a, &e);
        app_time(a);
        if (!a->ended && !front_draw(a->front, &why))
            app_end(a, app_fail(&why));
    }
}

/* ---- from the beginning to the end ---- */

static void app_drop_options(struct app *a)
{
    credentials_set_asker(a->ui->credentials, NULL);
    credentials_set_wake(a->ui->credentials, NULL, NULL);
}

/* Makes all anew that is made from the options, after they have become others. There is no session
 * then. False when out of memory. */
static bool app_use_options(struct app *a)
{
    app_drop_options(a);
    connection_set_reconnect(a->connection, a->ui->reconnect);
    connection_set_keeps_picture(a->connection, app_keeps_picture(a));
    credentials_set_wake(a->ui->credentials, wake_up, &a->wake);
    if (a->ui->ask)
        credentials_set_asker(a->ui->credentials, dialogs_asker(a->dialogs));
    a->choices.menu_key = &a->ui->menu_key;
    a->next_tick = TICK_NEVER;
    return front_set_options(a->front, a->options, a->ui);
}

static bool app_make_pages(struct app *a)
{
    const struct dialogs_callbacks callbacks = {app_on_connect,      app_on_options,   app_on_retry,
                                                app_on_leave,        app_wake,         a,
                                                a->ui->form->remove, a->ui->form->user};

    a->pages = ui_create(a->ui->theme);
    a->dialogs = a->pages ? dialogs_create(a->pages, &callbacks) : NULL;
    return a->dialogs;
}

static bool app_make_front(struct app *a, struct reason *why)
{
    const struct front_callbacks callbacks = {app_on_active, app_on_let_go, app_picture, a};
    const struct told_answers answers = {app_on_retry, app_on_give_up, app_on_connect_again,
                                         app_on_disconnect, a};

    a->front = front_create(a->pages, a->ui, &callbacks, &answers, why);
    if (a->front)
        choices_init(&a->choices, a->pages, a->front, a->connection, app_on_choose, a);
    a->options_page = (struct options_page){.ui = a->pages,
                                            .front = a->front,
                                            .connection = a->connection,
                                            .source = a->ui->form,
                                            .dialogs = a->dialogs,
                                            .connect_again = app_on_connect_again,
                                            .user = a};
    return a->front;
}

static int app_run_window(struct app *a)
{
    struct reason why;

    if (!app_make_pages(a))
        return app_out_of_memory();
    if (!app_make_front(a, &why))
        return app_fail(&why);
    app_make_chain(a);
    if (!app_use_options(a))
        return app_out_of_memory();
    app_begin_connection(a);
    front_show_figures(a->front, a->ui->statistics);
    SDL_EnableScreenSaver();
    SDL_StartTextInput();
    app_loop(a);
    return a->status;
}

int app_run(const struct session_options *options, const struct session_hooks *hooks,
            const struct app_options *ui)
{
    struct app a = {.ui = ui,
                    .options = options,
                    .hooks = hooks,
                    .first_ui = ui,
                    .first_options = options,
                    .next_tick = TICK_NEVER};
    int status;

    display_prepare();
    if (!app_connect_early(&a))
        return app_out_of_memory();
    if (ui->theme == UI_THEME_AUTO)
        a.portal = settings_portal_open(app_wake, &a);
    status = display_open("vnchl") ? app_run_window(&a) : EXIT_FAILURE;
    settings_portal_close(a.portal);
    connection_destroy(a.connection);
    app_drop_options(&a);
    typing_end(&a.choices.typing);
    front_destroy(a.front);
    dialogs_destroy(a.dialogs);
    ui_destroy(a.pages);
    sound_output_quit();
    return status;
}
