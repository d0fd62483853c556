/* What the connection and its sessions tell the window. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rfb/clock.h"
#include "rfb/log.h"
#include "viewer/desktop/app_state.h"
#include "viewer/desktop/hot_keys.h"
#include "viewer/first_use.h"

/* ns that the picture is scaled before this is said. Chosen: longer than a window changes its size,
 * or a far server takes to follow it. */
#define SCALED_PATIENCE (2 * TICK_S)

int app_fail(const struct reason *why)
{
    log_line("%s", why->text);
    return EXIT_FAILURE;
}

void app_tell_user(void *user, const char *text)
{
    struct app *a = user;

    log_line("%s", text);
    ui_message(a->pages, text, tick_now());
}

void app_end(struct app *a, int status)
{
    if (!a->ended)
        a->status = status;
    a->ended = true;
}

/* The desktop's name. Before that is known: the server, and how far it is. */
static void name_in_title(const struct app *a, char out[TITLE_MAX])
{
    static const char *const states[] = {
        [CONNECTION_CONNECTING] = ": connecting",
        [CONNECTION_UP] = "",
        [CONNECTION_WAITING] = ": connecting",
        [CONNECTION_FAILED] = ": not connected",
    };
    struct connection_status status;

    connection_status(a->connection, tick_now(), &status);
    if (*a->told.name || status.state == CONNECTION_IDLE)
        snprintf(out, TITLE_MAX, "%.*s", TITLE_MAX - 1, a->told.name);
    else
        snprintf(out, TITLE_MAX, "%.200s%s", dialogs_server(a->dialogs), states[status.state]);
}

void app_update_title(struct app *a)
{
    char title[TITLE_MAX], name[TITLE_MAX], program[128];

    snprintf(program, sizeof program, "%s%s%s%s" APP_PROGRAM,
             a->told.recording ? "recording - " : "", a->wishes.view_only ? "view only - " : "",
             a->wishes.grabbed ? "keyboard grabbed - " : "",
             a->menu.held ? "keys held down - " : "");
    name_in_title(a, name);
    notice_title(a->told.notice, name, program, title);
    screen_set_title(a->screen, title);
}

void app_set_name(struct app *a, const char *name)
{
    snprintf(a->told.name, sizeof a->told.name, "%s", name);
    app_update_title(a);
}

static void update_recording(struct app *a, bool recording)
{
    if (recording == a->told.recording)
        return;
    a->told.recording = recording;
    app_update_title(a);
}

static void on_bar_answered(void *user, enum ui_answer answer)
{
    struct app *a = user;

    if (answer == UI_ACCEPTED)
        connection_retry(a->connection);
    else
        connection_give_up(a->connection);
}

static void on_silence_answered(void *user, enum ui_answer answer)
{
    struct app *a = user;

    if (answer == UI_ACCEPTED)
        app_start(a);
    else
        app_disconnect(a);
}

/* The buttons of the bar. What is typed to a server that is silent may still arrive. */
static void choose_buttons(const struct connection_status *status, struct ui_bar *bar)
{
    if (status->silent) {
        bar->accept = "Connect again";
        bar->cancel = "Disconnect";
        bar->lets_input_pass = true;
        bar->answered = on_silence_answered;
    } else if (status->state != CONNECTION_UP) {
        bar->accept = status->state == CONNECTION_WAITING ? "Try now" : NULL;
        bar->cancel = status->again ? "Stop" : NULL;
        bar->answered = on_bar_answered;
    }
}

static void show_notice(struct app *a, const struct connection_status *status, tick_t now)
{
    struct ui_bar bar = {.text = a->told.notice, .owner = a};
    bool is_news = notice_is_news(status);

    choose_buttons(status, &bar);
    ui_notice(a->pages, *bar.text && !is_news ? &bar : NULL, now);
    ui_message_while(a->pages, UI_SLOW, is_news ? bar.text : NULL, now);
}

void app_update_notice(struct app *a)
{
    struct connection_status status;
    char text[NOTICE_MAX];
    tick_t now = tick_now();

    connection_status(a->connection, now, &status);
    update_recording(a, status.recording);
    screen_set_dim(a->screen, status.state != CONNECTION_UP || status.silent);
    status.slow = slow_tell(&a->told.slow, status.slow);
    notice_text(&status, text);
    if (strcmp(text, a->told.notice) == 0)
        return;
    strcpy(a->told.notice, text);
    app_update_title(a);
    show_notice(a, &status, now);
}

void app_view_only_event(struct app *a, const SDL_Event *e)
{
    SDL_Keycode key = e->key.keysym.sym;
    bool modifier = key >= SDLK_LCTRL && key <= SDLK_RGUI;

    if (!a->wishes.view_only || !a->live || a->told.view_only || e->type != SDL_KEYDOWN || modifier)
        return;
    a->told.view_only = true;
    ui_message_while(a->pages, UI_VIEW_ONLY, "View only: the server gets no keys and no clicks.",
                     tick_now());
}

void app_tell_full_screen(struct app *a)
{
    bool full = a->live && screen_is_full_screen(a->screen);
    const char *shortage = screen_full_screen_shortage(a->screen);
    char text[256];

    if (full == a->told.full_screen)
        return;
    a->told.full_screen = full;
    if (!full)
        return;
    snprintf(text, sizeof text, "%s%sFull screen: %s leaves it, %s opens the menu.",
             shortage ? shortage : "", shortage ? " " : "", hot_key_name(HOT_KEY_FULL_SCREEN),
             a->ui->menu_key.shown ? a->ui->menu_key.shown : hot_key_name(HOT_KEY_MENU));
    if (shortage)
        log_line("%s", shortage);
    ui_message_while(a->pages, UI_FULL_SCREEN, text, tick_now());
}

/* Drawn smaller than it is, and the server's screen does not follow the window. */
static bool is_scaled(const struct app *a)
{
    const struct remote_size *r = &a->remote_size;
    bool follows = r->follow && r->able && r->window_w > 0;

    return a->live && a->wishes.scale.kind == SCALE_AUTO && !follows &&
           screen_map_shrinks(screen_get_map(a->screen));
}

void app_tell_scaled(struct app *a)
{
    tick_t now = tick_now();
    char text[160];

    if (!is_scaled(a))
        a->told.scaled_since = 0;
    else if (a->told.scaled_since == 0)
        a->told.scaled_since = now;
    if (a->told.scaled || !a->told.scaled_since || now - a->told.scaled_since < SCALED_PATIENCE)
        return;
    a->told.scaled = true;
    snprintf(text, sizeof text,
             "The picture is shown at %.0f %% of its size. 1:1 is in the menu: %s.",
             100 * screen_map_scale(screen_get_map(a->screen)),
             a->ui->menu_key.shown ? a->ui->menu_key.shown : hot_key_name(HOT_KEY_MENU));
    ui_message_while(a->pages, UI_SCALED, text, now);
}

/* Whether what is said of this is true now. What is said of UI_SLOW ends with its cause. */
static bool is_true(const struct app *a, enum ui_topic topic)
{
    switch (topic) {
    case UI_FULL_SCREEN:
        return a->told.full_screen;
    case UI_VIEW_ONLY:
        return a->live && a->wishes.view_only;
    case UI_SCALED:
        return is_scaled(a);
    case UI_HINT:
        return a->live && !ui_is_menu(a->pages);
    default:
        return true;
    }
}

void app_end_messages(struct app *a)
{
    for (enum ui_topic t = UI_EVENT + 1; t < UI_TOPICS; t++)
        if (!is_true(a, t))
            ui_message_while(a->pages, t, NULL, tick_now());
    a->told.view_only = a->told.view_only && is_true(a, UI_VIEW_ONLY);
}

void app_tell_hidden(struct app *a)
{
    bool hidden = !screen_is_seen(a->screen);

    if (a->live && hidden != a->told.hidden)
        session_hide(a->live, hidden);
    a->told.hidden = a->live && hidden;
}

void app_grab(struct app *a, bool on)
{
    a->wishes.grabbed = on && !a->wishes.view_only;
    if (!screen_set_grab(a->screen, a->wishes.grabbed)) {
        a->wishes.grabbed = false;
        app_tell_user(a, "This desktop does not let a window take keys such as Alt+Tab. To send "
                         "one, let the menu hold Alt or Super down.");
    }
    app_update_title(a);
}

void app_sync_locks(struct app *a)
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

void app_send_clipboard(const struct app *a, struct session *s, const char *text)
{
    if (s && text && !a->wishes.view_only)
        session_send_cut_text(s, text);
}

static void connected(struct app *a, struct session *s, const struct session_event *e)
{
    input_new_session(&a->input);
    session_watch(s, a->wishes.view_only);
    remote_size_new_session(&a->remote_size);
    credentials_accepted(a->ui->credentials);
    if (a->next_tick == TICK_NEVER) {
        screen_show(a->screen, e->width, e->height, !a->wishes.view_only);
        app_grab(a, a->ui->grab_keyboard);
    } else { /* the window has had a picture already */
        screen_follow(a->screen, e->width, e->height);
    }
    a->next_tick = tick_now() + APP_TICK;
    app_set_name(a, session_event_text(e));
}

static void on_session_event(void *user, struct session *s, const struct session_event *e)
{
    struct app *a = user;
    const char *text = session_event_text(e);

    switch (e->type) {
    case SESSION_CONNECTED:
        connected(a, s, e);
        a->status = 0;
        break;
    case SESSION_RESIZED:
        if (!remote_size_is_due(&a->remote_size))
            screen_follow(a->screen, e->width, e->height);
        break;
    case SESSION_NAME:
        app_set_name(a, text);
        break;
    case SESSION_CURSOR:
        cursor_set_shape(a->cursor, session_event_pixels(e), e->width, e->height, e->hot_x,
                         e->hot_y);
        break;
    case SESSION_LEDS:
        if (input_set_server_locks(&a->input, e->leds))
            app_sync_locks(a);
        break;
    case SESSION_KEY_CODES:
        input_use_key_codes(&a->input);
        break;
    case SESSION_RESIZABLE:
        app_server_resizable(a);
        break;
    case SESSION_BELL:
        bell(a);
        break;
    case SESSION_CUT_TEXT:
        clipboard_from_server(&a->clipboard, text);
        break;
    case SESSION_NOTICE:
        app_tell_user(a, text);
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
    app_let_go_of_held(a);
    if (a->live)
        app_count_figures(a, a->live, true);
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
        a->status = app_fail(&status->why);
    if (!a->ui->alert)
        app_end(a, EXIT_FAILURE);
}

/* Once for each user, and only where this may be kept in mind. */
static void tell_of_menu(struct app *a)
{
    char text[64];

    if (!a->ui->menu_key.shown || !a->ui->recent || !first_use("menu-hint"))
        return;
    snprintf(text, sizeof text, "Press %s for the menu", a->ui->menu_key.shown);
    ui_message_while(a->pages, UI_HINT, text, tick_now());
}

static void on_connection_changed(void *user)
{
    struct app *a = user;

    if (a->screen) /* otherwise it is told when there is a window */
        app_follow_connection(a);
}

void app_follow_connection(struct app *a)
{
    struct connection_status status;

    connection_status(a->connection, tick_now(), &status);
    switch (status.state) {
    case CONNECTION_UP:
        change_live(a, connection_session(a->connection));
        screen_new_picture(a->screen);
        app_tune(a);
        a->told.hidden = false;
        app_tell_hidden(a);
        app_send_clipboard(a, a->live, clipboard_text(&a->clipboard));
        app_begin_figures(a);
        tell_of_menu(a);
        app_sync_locks(a);
        if (status.again)
            log_line("connected again");
        break;
    case CONNECTION_WAITING:
        change_live(a, NULL);
        if (status.attempt == 0)
            log_line("%s; %s", status.why.text,
                     status.listens ? "waiting for the server to connect again"
                                    : "connecting again");
        break;
    case CONNECTION_FAILED:
        change_live(a, NULL);
        failed(a, &status);
        break;
    case CONNECTION_IDLE:
    case CONNECTION_CONNECTING:
        break;
    }
    app_update_notice(a);
    app_update_title(a);
    if (!a->ask_again)
        dialogs_follow(a->dialogs, &status, &a->ui->credentials->change, tick_now());
}

static void on_session_leaving(void *user, struct session *s, bool last)
{
    struct app *a = user;

    if (s == a->live)
        change_live(a, NULL);
    if (last && a->ui->tick && a->next_tick != TICK_NEVER)
        a->ui->tick(a->ui->user, s, true);
    if (a->ui->recent && a->dialogs)
        dialogs_remember(a->dialogs, a->told.name, session_framebuffer(s));
    if (a->ui->recent)
        connection_remember(a->connection, s);
    credentials_cancel(a->ui->credentials);
}

void app_connection_callbacks(struct app *a, struct connection_callbacks *c)
{
    c->event = on_session_event;
    c->changed = on_connection_changed;
    c->leaving = on_session_leaving;
    c->user = a;
}
