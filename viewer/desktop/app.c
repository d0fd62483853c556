#include "viewer/desktop/app.h"

#include <stdlib.h>

#include "rfb/clock.h"
#include "rfb/log.h"
#include "viewer/desktop/app_state.h"
#include "viewer/desktop/display.h"
#include "viewer/desktop/hot_keys.h"
#include "viewer/trust.h"

/* Of the pointer, in the window's units: about the height of a line of text. */
#define CANDIDATES_BELOW 20
/* ns that one turn of the loop takes events, also when more come all the time. Chosen: shorter than
 * a frame. */
#define TURN (10 * TICK_MS)

static int out_of_memory(void)
{
    log_line("out of memory or threads");
    return EXIT_FAILURE;
}

/* ---- what the session is told ---- */

static void send_key(void *user, uint32_t keysym, uint8_t code, bool down)
{
    struct app *a = user;

    connection_active(a->connection);
    if (a->live)
        session_send_key_code(a->live, keysym, code, down);
}

static void send_pointer(void *user, int x, int y, unsigned buttons)
{
    struct app *a = user;

    connection_active(a->connection);
    if (a->live)
        session_send_pointer(a->live, x, y, buttons);
}

/* ---- what the person says to the pages (dialogs.h) ---- */

static bool use_options(struct app *a);

static enum connection_state state(const struct app *a)
{
    struct connection_status status;

    connection_status(a->connection, tick_now(), &status);
    return status.state;
}

static bool on_connect(void *user, const struct ui_choice *choice, struct reason *why)
{
    struct app *a = user;

    if (!a->ui->choose(a->ui->user, choice, &a->options, &a->ui, why))
        return false;
    if (!use_options(a))
        app_end(a, out_of_memory());
    else
        app_start(a);
    return true;
}

void app_show_start(struct app *a)
{
    const struct ui_choice first = {.view_only = a->first_ui->view_only,
                                    .full_screen = a->first_ui->full_screen,
                                    .shared = a->first_options->shared};

    app_set_name(a, "");
    dialogs_start(a->dialogs, &first, a->ui->recent);
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
    enum connection_state now = state(a);
    bool back = now == CONNECTION_FAILED ? dialogs_lead_back(a->dialogs) : a->ui->start;

    if (back && now != CONNECTION_IDLE)
        app_disconnect(a);
    else
        app_end(a, a->status);
}

/* ---- the handlers of the chain (chain.h), in its order; true: the event is taken ---- */

static bool on_keyboard(void *user, const SDL_Event *e)
{
    struct app *a = user;

    return keyboard_event(a->keyboard, e);
}

static bool on_wake(void *user, const SDL_Event *e)
{
    struct app *a = user;

    if (e->type != a->wake_event)
        return false;
    SDL_AtomicSet(&a->wake_pending, 0); /* before the events are taken: later ones wake again */
    connection_active(a->connection);
    connection_take(a->connection);
    return true;
}

static bool on_quit(void *user, const SDL_Event *e)
{
    struct app *a = user;

    if (e->type != SDL_QUIT)
        return false;
    app_end(a, a->status);
    return true;
}

/* Sends our clipboard when it has changed. Takes no event. */
static bool on_clipboard(void *user, const SDL_Event *e)
{
    struct app *a = user;

    app_send_clipboard(a, a->live, clipboard_event(&a->clipboard, e));
    return false;
}

/* Keeps up with the window's state. The user's locks may have changed while the focus was
 * elsewhere. Takes no event. */
static bool on_window(void *user, const SDL_Event *e)
{
    struct app *a = user;

    screen_event(a->screen, e);
    app_tell_hidden(a);
    if (e->type == SDL_WINDOWEVENT && e->window.event == SDL_WINDOWEVENT_SIZE_CHANGED)
        app_window_sized(a);
    if (e->type == SDL_WINDOWEVENT && e->window.event == SDL_WINDOWEVENT_FOCUS_GAINED)
        app_sync_locks(a);
    if (e->type == SDL_WINDOWEVENT && e->window.event == SDL_WINDOWEVENT_FOCUS_LOST)
        app_let_go_of_held(a);
    return false;
}

static bool on_hot_key(void *user, const SDL_Event *e)
{
    struct app *a = user;
    enum hot_key key = hot_key_of(e, a->ui->menu_key.key);

    if (key == HOT_KEY_NONE)
        return false;
    if (key != HOT_KEY_MENU_KEY && !keyboard_holds_alt(a->keyboard, e->key.keysym.mod))
        return false; /* Ctrl+AltGr, which is the server's */
    if (e->key.repeat)
        return true;
    switch (key) {
    case HOT_KEY_FULL_SCREEN:
        app_toggle_full_screen(a);
        return true;
    case HOT_KEY_GRAB:
        app_grab(a, !a->wishes.grabbed);
        return true;
    case HOT_KEY_STATISTICS:
        app_move_figures(a);
        return true;
    case HOT_KEY_SCREENSHOT:
        app_take_screenshot(a);
        return true;
    default:
        return app_menu_key(a, key == HOT_KEY_MENU_KEY);
    }
}

static bool on_page(void *user, const SDL_Event *e)
{
    struct app *a = user;

    return ui_event(a->pages, e);
}

/* An input method shows its candidates where the user clicked last: a text is written there. */
static void place_candidates(const SDL_MouseButtonEvent *e)
{
    SDL_Rect line = {e->x, e->y, 1, CANDIDATES_BELOW};

    SDL_SetTextInputRect(&line);
}

static bool on_input(void *user, const SDL_Event *e)
{
    struct app *a = user;

    if (e->type == SDL_MOUSEBUTTONDOWN)
        place_candidates(&e->button);
    app_view_only_event(a, e);
    input_set_map(&a->input, screen_get_map(a->screen));
    return input_event(&a->input, e);
}

static void let_go_of_input(void *user)
{
    struct app *a = user;

    input_release_all(&a->input);
}

/* ---- the loop ---- */

/* Between two ticks. */
static tick_t tick_period(const struct app *a)
{
    bool rests = connection_rests(a->connection) && !a->ui->tick && !a->figures.shown;

    return rests ? APP_REST : APP_TICK;
}

static void tick_if_due(struct app *a)
{
    tick_t now = tick_now();

    connection_time(a->connection, now);
    credentials_continue(a->ui->credentials);
    ui_time(a->pages, now);
    dialogs_time(a->dialogs, now);
    app_ask_size(a, now);
    if (screen_time(a->screen, now))
        app_point_again(a);
    if (a->ask_again) {
        a->ask_again = false;
        connection_retry(a->connection);
    }
    if (a->next_tick == TICK_NEVER)
        app_update_notice(a);       /* no second is counted yet */
    if (a->next_tick != TICK_NEVER) /* it may have been at rest */
        a->next_tick = tick_sooner(a->next_tick, now + tick_period(a));
    if (now < a->next_tick)
        return;
    a->next_tick += tick_period(a);
    if (a->next_tick <= now)
        a->next_tick = now + tick_period(a);
    if (tick_period(a) == APP_REST) /* one wake-up serves for both */
        a->next_tick = tick_sooner(a->next_tick, connection_wait(a->connection));
    app_update_notice(a);
    if (a->live) {
        if (a->ui->tick)
            a->ui->tick(a->ui->user, a->live, false);
        app_count_figures(a, a->live, false);
    }
    connection_take(a->connection); /* in case a wake-up was lost: SDL's queue may have been full */
}

static int wait_ms(const struct app *a)
{
    tick_t now = tick_now(), at = tick_sooner(a->next_tick, connection_wait(a->connection));
    tick_t left;

    at = tick_sooner(tick_sooner(at, a->remote_size.due), screen_wait(a->screen));
    at = tick_sooner(at, dialogs_wait(a->dialogs));
    left = tick_sooner(tick_sooner(at, ui_wait(a->pages)), now + tick_period(a)) - now;

    return left <= 0 ? 0 : (int)(left / TICK_MS) + 1;
}

static void loop(struct app *a)
{
    while (!a->ended) {
        SDL_Event e;
        struct reason why;
        if (SDL_WaitEventTimeout(&e, wait_ms(a))) {
            tick_t until = tick_now() + TURN;
            do {
                chain_event(&a->chain, &e);
                if (e.type == SDL_DROPFILE || e.type == SDL_DROPTEXT)
                    SDL_free(e.drop.file);
            } while (!a->ended && tick_now() < until && SDL_PollEvent(&e));
        }
        tick_if_due(a);
        if (a->ended)
            break;
        app_tell_full_screen(a);
        app_tell_scaled(a);
        app_end_messages(a);
        if (!app_draw(a, &why))
            app_end(a, app_fail(&why));
        cursor_set_system(a->cursor, ui_is_open(a->pages));
        cursor_set_scale(a->cursor, screen_map_scale(screen_get_map(a->screen)));
    }
}

/* ---- what the options decide ---- */

static void drop_options(struct app *a)
{
    credentials_set_asker(a->ui->credentials, NULL);
    credentials_set_wake(a->ui->credentials, NULL, NULL);
    clipboard_deinit(&a->clipboard);
    cursor_destroy(a->cursor);
    a->cursor = NULL;
}

/* Makes all anew that is made from the options, after they have become others. There is no session
 * then. False when out of memory. */
static bool use_options(struct app *a)
{
    const struct app_options *ui = a->ui;
    const struct clipboard_options clipboard = {.ways = a->options->clipboard,
                                                .primary = ui->primary,
                                                .focus = SDL_GetKeyboardFocus() != NULL,
                                                .notice = app_tell_user,
                                                .user = a,
                                                .window = screen_get_window(a->screen)};
    const struct input_sink sink = {send_key, send_pointer, a};

    drop_options(a);
    connection_set_reconnect(a->connection, ui->reconnect);
    a->wishes.view_only = ui->view_only;
    app_untune(a);
    input_init(&a->input, &sink, a->keyboard, ui->view_only);
    clipboard_init(&a->clipboard, &clipboard);
    a->cursor = cursor_create(ui->dot_cursor);
    credentials_set_wake(ui->credentials, app_wake, a);
    if (ui->ask)
        credentials_set_asker(ui->credentials, dialogs_asker(a->dialogs));
    remote_size_init(&a->remote_size, ui->remote_resize && ui->scale.kind == SCALE_AUTO,
                     ui->desktop_width, ui->desktop_height);
    a->wishes.scale = ui->scale;
    screen_set_scale(a->screen, &a->wishes.scale);
    screen_place(a->screen, &ui->place, ui->maximize);
    a->wishes.monitors = ui->monitors;
    screen_set_monitors(a->screen, &a->wishes.monitors);
    if (ui->full_screen && !screen_is_full_screen(a->screen))
        screen_set_full_screen(a->screen, true, false);
    if (ui->notice)
        app_tell_user(a, ui->notice);
    a->next_tick = TICK_NEVER;
    return a->cursor;
}

static int run(struct app *a)
{
    const struct dialogs_callbacks pages = {on_connect, on_retry, on_leave, a};
    struct reason why;

    a->pages = ui_create(a->ui->theme);
    a->dialogs = a->pages ? dialogs_create(a->pages, &pages) : NULL;
    if (!a->dialogs)
        return out_of_memory();
    a->screen = screen_create(a->pages, a->ui->vsync, a->ui->full_screen, &why);
    if (!a->screen)
        return app_fail(&why);
    a->keyboard = keyboard_create();
    if (!a->keyboard || !use_options(a))
        return out_of_memory();
    keyboard_open(a->keyboard, screen_get_window(a->screen));
    app_begin_connection(a);
    app_show_figures(a, a->ui->statistics);
    SDL_EnableScreenSaver();
    SDL_StartTextInput();
    loop(a);
    return a->status;
}

int app_run(const struct session_options *options, const struct app_options *ui)
{
    struct app a = {.ui = ui,
                    .options = options,
                    .first_ui = ui,
                    .first_options = options,
                    .next_tick = TICK_NEVER};
    const struct chain_handler handlers[] = {
        {on_keyboard, NULL, &a},
        {on_wake, NULL, &a},
        {on_quit, NULL, &a},
        {on_clipboard, NULL, &a},
        {on_window, NULL, &a},
        {on_hot_key, NULL, &a},
        {on_page, NULL, &a},
        {app_on_drag, app_let_go_of_picture, &a},
        {on_input, let_go_of_input, &a},
    };

    chain_init(&a.chain, handlers, sizeof handlers / sizeof *handlers);
    display_prepare();
    if (!app_connect_early(&a))
        return out_of_memory();
    int status = display_open(APP_PROGRAM) ? run(&a) : EXIT_FAILURE;
    connection_destroy(a.connection);
    drop_options(&a);
    keyboard_destroy(a.keyboard);
    screen_destroy(a.screen);
    dialogs_destroy(a.dialogs);
    ui_destroy(a.pages);
    SDL_Quit();
    return status;
}
