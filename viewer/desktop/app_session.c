/* What the connection and its sessions tell the window. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rfb/clock.h"
#include "rfb/log.h"
#include "viewer/desktop/app_state.h"

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

static void update_title(struct app *a)
{
    char title[TITLE_MAX];

    notice_title(a->notice, a->name, a->grabbed ? "keyboard grabbed - " APP_PROGRAM : APP_PROGRAM,
                 title);
    screen_set_title(a->screen, title);
}

static void set_name(struct app *a, const char *name)
{
    snprintf(a->name, sizeof a->name, "%s", name);
    update_title(a);
}

void app_update_notice(struct app *a)
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

void app_grab(struct app *a, bool on)
{
    a->grabbed = on && !a->ui->view_only;
    screen_set_grab(a->screen, a->grabbed);
    update_title(a);
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

void app_send_clipboard(struct session *s, const char *text)
{
    if (s && text)
        session_send_cut_text(s, text);
}

static void connected(struct app *a, struct session *s, const struct session_event *e)
{
    input_new_session(&a->input);
    session_watch(s, a->ui->view_only);
    remote_size_new_session(&a->remote_size);
    credentials_accepted(a->ui->credentials);
    if (a->next_tick == TICK_NEVER) {
        screen_show(a->screen, e->width, e->height, !a->ui->view_only);
        app_grab(a, a->ui->grab_keyboard);
    } else { /* the window has had a picture already */
        screen_follow(a->screen, e->width, e->height);
    }
    a->next_tick = tick_now() + APP_TICK;
    set_name(a, session_event_text(e));
}

static void on_session_event(void *user, struct session *s, const struct session_event *e)
{
    struct app *a = user;
    const char *text = session_event_text(e);

    switch (e->type) {
    case SESSION_CONNECTED:
        connected(a, s, e);
        app_send_clipboard(s, clipboard_text(&a->clipboard));
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
        app_fail(&status->why);
    if (!a->ui->alert)
        app_end(a, EXIT_FAILURE);
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
    screen_set_dim(a->screen, status.state != CONNECTION_UP);
    app_update_notice(a);
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

void app_connection_callbacks(struct app *a, struct connection_callbacks *c)
{
    c->event = on_session_event;
    c->changed = on_connection_changed;
    c->leaving = on_session_leaving;
    c->user = a;
}
