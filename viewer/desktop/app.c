#include "viewer/desktop/app.h"

#include <signal.h>
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
#include "viewer/desktop/cursor.h"
#include "viewer/desktop/hot_keys.h"
#include "viewer/desktop/input.h"
#include "viewer/desktop/screen.h"

#define PROGRAM     "vnchl"
#define TICK_PERIOD TICK_S

struct app {
    const struct app_options *ui;
    struct session *session;
    struct screen *screen;
    struct cursor *cursor;
    struct chain chain; /* every SDL event goes through it */
    struct input input;
    struct clipboard clipboard;
    uint32_t wake_event;
    SDL_atomic_t wake_pending;
    tick_t next_tick; /* TICK_NEVER before the connection */
    bool connected;
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
    log_line("%s", text);
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

static void set_title(struct app *a, const char *desktop)
{
    char title[256];
    int room = (int)(sizeof title - sizeof " - " PROGRAM); /* a long name is cut, ours is not */
    if (desktop && *desktop)
        snprintf(title, sizeof title, "%.*s - %s", room, desktop, PROGRAM);
    else
        snprintf(title, sizeof title, "%s", PROGRAM);
    sanitise(title); /* it may have been cut inside a character */
    screen_set_title(a->screen, title);
}

static void bell(struct app *a)
{
    screen_flash(a->screen);
    if (isatty(STDERR_FILENO))
        fputc('\a', stderr);
}

/* Tells the server of our clipboard's text, if there is one. */
static void send_clipboard(struct app *a, const char *text)
{
    if (text)
        session_send_cut_text(a->session, text);
}

static void handle_session_event(struct app *a, const struct session_event *e)
{
    const char *text = session_event_text(e);
    struct reason why;

    switch (e->type) {
    case SESSION_CONNECTED:
        a->connected = true;
        a->next_tick = tick_now() + TICK_PERIOD;
        set_title(a, text);
        if (!screen_show(a->screen, e->width, e->height, a->ui->full_screen, !a->ui->view_only,
                         &why))
            end(a, fail(&why));
        send_clipboard(a, clipboard_text(&a->clipboard));
        break;
    case SESSION_RESIZED:
        screen_follow(a->screen, e->width, e->height);
        break;
    case SESSION_NAME:
        set_title(a, text);
        break;
    case SESSION_CURSOR:
        cursor_set_shape(a->cursor, session_event_pixels(e), e->width, e->height, e->hot_x,
                         e->hot_y);
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
        credentials_answer(a->ui->credentials, a->session, session_event_question(e));
        break;
    case SESSION_CLOSED:
        if (!a->ended)
            log_line("%s", text ? text : "the connection has ended");
        end(a, EXIT_FAILURE);
        break;
    }
}

static void take_session_events(struct app *a)
{
    struct session_event *e;
    while ((e = session_next_event(a->session))) {
        handle_session_event(a, e);
        free(e);
    }
}

static void send_key(void *user, uint32_t keysym, bool down)
{
    struct app *a = user;
    session_send_key(a->session, keysym, down);
}

static void send_pointer(void *user, int x, int y, unsigned buttons)
{
    struct app *a = user;
    session_send_pointer(a->session, x, y, buttons);
}

/* ---- the handlers of the chain (chain.h), in its order; true: the event is taken ---- */

static bool on_wake(void *user, const SDL_Event *e)
{
    struct app *a = user;

    if (e->type != a->wake_event)
        return false;
    SDL_AtomicSet(&a->wake_pending, 0); /* before the events are taken: later ones wake again */
    take_session_events(a);
    return true;
}

static bool on_quit(void *user, const SDL_Event *e)
{
    struct app *a = user;

    if (e->type != SDL_QUIT)
        return false;
    end(a, 0);
    return true;
}

/* Sends our clipboard when it has changed. Takes no event. */
static bool on_clipboard(void *user, const SDL_Event *e)
{
    struct app *a = user;

    send_clipboard(a, clipboard_event(&a->clipboard, e));
    return false;
}

/* Keeps up with the window's state. Takes no event. */
static bool on_window(void *user, const SDL_Event *e)
{
    struct app *a = user;

    screen_event(a->screen, e);
    return false;
}

static bool on_hot_key(void *user, const SDL_Event *e)
{
    struct app *a = user;

    if (hot_key_of(e) != HOT_KEY_FULL_SCREEN)
        return false;
    if (!e->key.repeat)
        screen_set_full_screen(a->screen, !screen_is_full_screen(a->screen), !a->ui->view_only);
    return true;
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
    if (now < a->next_tick)
        return;
    a->next_tick += TICK_PERIOD;
    if (a->next_tick <= now)
        a->next_tick = now + TICK_PERIOD;
    a->ui->tick(a->ui->user, a->session, false);
    take_session_events(a); /* in case a wake-up was lost: SDL's queue may have been full */
}

static int wait_ms(const struct app *a)
{
    if (a->next_tick == TICK_NEVER)
        return (int)(TICK_PERIOD / TICK_MS);
    tick_t left = a->next_tick - tick_now();
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
        if (!screen_draw(a->screen, session_framebuffer(a->session), &why))
            end(a, fail(&why));
        cursor_set_scale(a->cursor, screen_map_scale(screen_get_map(a->screen)));
    }
}

/* The session's threads inherit a mask that blocks SIGINT and SIGTERM. So these signals go to this
 * thread, and interrupt its wait. */
static struct session *start_session(const struct session_options *options)
{
    sigset_t blocked, before;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGINT);
    sigaddset(&blocked, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &blocked, &before);
    struct session *s = session_create(options);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return s;
}

static void set_hints(void)
{
    SDL_SetHint(SDL_HINT_APP_NAME, PROGRAM);
    SDL_SetHint(SDL_HINT_VIDEO_MINIMIZE_ON_FOCUS_LOSS, "0");
    SDL_SetHint(SDL_HINT_VIDEO_X11_NET_WM_BYPASS_COMPOSITOR, "0");
    SDL_SetHint(SDL_HINT_MOUSE_FOCUS_CLICKTHROUGH, "1");
    SDL_SetHint(SDL_HINT_ALLOW_ALT_TAB_WHILE_GRABBED, "0");
}

static int run(struct app *a, const struct session_options *options)
{
    struct reason why;
    a->wake_event = SDL_RegisterEvents(1);
    a->screen = screen_create(a->ui->vsync, &why);
    if (!a->screen)
        return fail(&why);
    a->cursor = cursor_create();
    if (!a->cursor)
        return out_of_memory();
    a->session = start_session(options);
    if (!a->session)
        return out_of_memory();

    SDL_EnableScreenSaver();
    SDL_StartTextInput();
    loop(a);
    if (a->connected)
        chain_let_go(&a->chain);
    if (a->connected)
        a->ui->tick(a->ui->user, a->session, true);
    return a->status;
}

/* Without a display SDL falls back to drivers that draw into memory, where nobody sees anything.
 * Such a driver is accepted only when SDL_VIDEODRIVER asks for it. */
static bool open_display(void)
{
    if (SDL_Init(SDL_INIT_VIDEO) != 0) {
        log_line("cannot open a display: %s (--headless needs none)", SDL_GetError());
        return false;
    }
    const char *driver = SDL_GetCurrentVideoDriver();
    if (SDL_GetHint(SDL_HINT_VIDEODRIVER) ||
        (strcmp(driver, "offscreen") != 0 && strcmp(driver, "dummy") != 0))
        return true;
    log_line("cannot open a display: neither DISPLAY nor WAYLAND_DISPLAY leads to one (--headless "
             "needs none)");
    SDL_Quit();
    return false;
}

int app_run(const struct session_options *options, const struct app_options *ui)
{
    struct app a = {.ui = ui, .next_tick = TICK_NEVER};
    struct clipboard_options clipboard = {options->clipboard, ui->primary, tell_user, &a};
    struct session_options mine = *options;
    struct input_sink sink = {send_key, send_pointer, &a};
    const struct chain_handler handlers[] = {
        {on_wake, NULL, &a},   {on_quit, NULL, &a},    {on_clipboard, NULL, &a},
        {on_window, NULL, &a}, {on_hot_key, NULL, &a}, {on_input, let_go_of_input, &a},
    };

    mine.callbacks = (struct session_callbacks){wake, &a};
    input_init(&a.input, &sink, ui->view_only);
    chain_init(&a.chain, handlers, sizeof handlers / sizeof *handlers);
    set_hints();
    if (!open_display())
        return EXIT_FAILURE;
    clipboard_init(&a.clipboard, &clipboard);
    int status = run(&a, &mine);
    credentials_cancel(ui->credentials);
    session_destroy(a.session);
    clipboard_deinit(&a.clipboard);
    cursor_destroy(a.cursor);
    screen_destroy(a.screen);
    SDL_Quit();
    return status;
}
