#include "viewer/desktop/front.h"

#include <stdio.h>
#include <stdlib.h>

#include <SDL.h>

#include "rfb/system/clock.h"
#include "viewer/desktop/display/screen.h"
#include "viewer/desktop/display/screenshot.h"
#include "viewer/desktop/display/sizes.h"
#include "viewer/desktop/input/keyboard/hot_keys.h"
#include "viewer/desktop/input/keyboard/keyboard.h"
#include "viewer/desktop/input/keyboard/keysym.h"
#include "viewer/desktop/input/seat.h"
#include "viewer/desktop/pages/menu/tuned.h"
#include "viewer/desktop/pages/told/about.h"
#include "viewer/desktop/pages/told/figures.h"
#include "viewer/servers/server_marks.h"
#include "viewer/state_file.h"

/* What the user has chosen while the program runs. It begins as the options have it. */
struct front_wishes {
    bool grabbed;                /* all keys go to the server */
    struct full_screen monitors; /* that full screen takes */
    struct tuned tuned;
};

struct front {
    struct front_callbacks callbacks;
    const struct session_options *session_options;
    const struct app_options *options;
    struct ui *ui;
    struct session *live; /* the session that is up; NULL: none */
    struct screen *screen;
    struct seat seat;
    struct told told;
    struct figures figures;
    struct sizes sizes;
    struct front_wishes wishes;
    enum slow_cause slow; /* why the session is slow */
    bool hidden;          /* to the session: nobody can see the picture */
    bool starts;          /* the next options are the start window's, which is an ordinary window */
};

/* ---- what is said ---- */

void front_tell(void *front, const char *text)
{
    struct front *f = front;

    told_say(f->ui, text);
}

static const char *front_menu_key(const struct front *f)
{
    const char *own = f->options->menu_key.shown;

    return own ? own : hot_key_name(HOT_KEY_MENU);
}

static struct told_facts front_facts(const struct front *f)
{
    return (struct told_facts){
        .live = f->live,
        .view_only = f->seat.view_only,
        .grabbed = f->wishes.grabbed,
        .held = f->seat.held,
        .caught = f->seat.input.caught,
        .full_screen = screen_is_full_screen(f->screen),
        .shortage = screen_full_screen_shortage(f->screen),
        .scaled = f->live && sizes_are_unwished(&f->sizes),
        .scale = screen_map_scale(screen_get_map(f->screen)),
        .menu_key = front_menu_key(f),
    };
}

static void front_update_title(void *front)
{
    struct front *f = front;
    const struct told_facts facts = front_facts(f);
    char title[TITLE_MAX];

    told_title(&f->told, &facts, title);
    screen_set_title(f->screen, title);
}

void front_set_name(struct front *f, const char *name)
{
    told_set_name(&f->told, name);
    front_update_title(f);
}

void front_new_server(struct front *f, const char *server)
{
    told_new_server(&f->told, server);
    front_update_title(f);
}

void front_connection(struct front *f, const struct connection_status *status, tick_t now)
{
    f->slow = status->slow;
    screen_set_dim(f->screen,
                   (status->state != CONNECTION_UP && !status->play.seeking) || status->silent);
    if (told_connection(&f->told, status, now))
        front_update_title(f);
}

static void front_point_again(struct front *f)
{
    seat_point_again(&f->seat, screen_get_map(f->screen), ui_is_open(f->ui));
}

/* ---- what the user wishes ---- */

/* All keys go to the server, the window manager's too. View-only takes none. */
static void front_grab(struct front *f, bool on)
{
    f->wishes.grabbed = on && !f->seat.view_only;
    if (!screen_set_grab(f->screen, f->wishes.grabbed)) {
        f->wishes.grabbed = false;
        front_tell(f, "This desktop does not let a window take keys such as Alt+Tab. To send one, "
                      "let the menu hold Alt or Super down.");
    }
    front_update_title(f);
}

void front_toggle_grab(struct front *f)
{
    front_grab(f, !f->wishes.grabbed);
}

void front_toggle_full_screen(struct front *f)
{
    screen_set_full_screen(f->screen, !screen_is_full_screen(f->screen), !f->seat.view_only);
}

void front_minimise(struct front *f)
{
    SDL_MinimizeWindow(screen_get_window(f->screen));
}

void front_toggle_monitors(struct front *f)
{
    f->wishes.monitors.mode =
        f->wishes.monitors.mode == FULL_SCREEN_ALL ? FULL_SCREEN_CURRENT : FULL_SCREEN_ALL;
    screen_set_monitors(f->screen, &f->wishes.monitors);
}

void front_toggle_view_only(struct front *f)
{
    f->callbacks.let_go(f->callbacks.user);
    seat_set_view_only(&f->seat, !f->seat.view_only);
    front_grab(f, f->wishes.grabbed);
}

void front_toggle_clipboard(struct front *f, unsigned way)
{
    seat_set_clipboard(&f->seat, f->seat.clipboard.options.ways ^ way);
}

bool front_set_clipboard(struct front *f, unsigned ways)
{
    unsigned allowed = f->session_options->clipboard;

    seat_set_clipboard(&f->seat, ways & allowed);
    return !(ways & ~allowed);
}

void front_set_scale(struct front *f, struct scale scale)
{
    sizes_set_scale(&f->sizes, scale);
    if (f->options->recent && f->session_options->candidates.count == 0)
        system_scale_note(&f->session_options->address, &f->session_options->route,
                          scale.kind == SCALE_SYSTEM);
    front_point_again(f);
}

void front_press(struct front *f, SDL_Scancode scancode, SDL_Keycode key)
{
    seat_press(&f->seat, keysym_from_key(scancode, key, false), scancode);
}

const struct screen *front_screen(const struct front *f)
{
    return f->screen;
}

struct seat *front_seat(struct front *f)
{
    return &f->seat;
}

bool front_holds_alt(const struct front *f, Uint16 mod)
{
    return keyboard_holds_alt(f->seat.keyboard, mod);
}

void front_ask_all(struct front *f)
{
    if (f->live)
        session_ask_all(f->live);
}

void front_tune(struct front *f, enum menu_action action, int value)
{
    tuned_choose(&f->wishes.tuned, action, value);
    tuned_tell(&f->wishes.tuned, f->live);
}

/* ---- pages and pictures that are asked for ---- */

void front_take_screenshot(struct front *f)
{
    char path[PATH_MAX], text[PATH_MAX + 32];
    struct reason why;

    if (screenshot_take(f->callbacks.picture(f->callbacks.user), f->told.name, path, &why))
        snprintf(text, sizeof text, "picture saved as %s", path);
    else
        snprintf(text, sizeof text, "%s", why.text);
    sanitise(text); /* a folder may have any name */
    front_tell(f, text);
}

void front_show_about(struct front *f)
{
    const struct about about = {f->live, f->session_options, f->told.name, f->options->verbose};

    if (f->live)
        about_show(f->ui, &about);
}

void front_show_figures(struct front *f, bool on)
{
    figures_show(&f->figures, on);
}

void front_move_figures(struct front *f)
{
    figures_move(&f->figures);
}

bool front_shows_figures(const struct front *f)
{
    return f->figures.shown;
}

void front_menu_state(struct front *f, struct menu_state *out)
{
    struct session_stats stats = {0};

    if (f->live)
        session_stats(f->live, false, &stats);
    *out = (struct menu_state){
        .live = f->live,
        .full_screen = screen_is_full_screen(f->screen),
        .several_monitors = screen_monitors(f->screen) > 1,
        .all_monitors = f->wishes.monitors.mode == FULL_SCREEN_ALL,
        .view_only = f->seat.view_only,
        .grabbed = f->wishes.grabbed,
        .statistics = f->figures.shown,
        .held = f->seat.held,
        .scale = f->sizes.options.scale,
        .system_scale = screen_system_scale(f->screen),
        .follows = f->options->remote_resize && !f->seat.view_only,
        .clipboard = f->seat.clipboard.options.ways,
        .allowed = f->session_options->clipboard,
        .menu_key = f->options->menu_key.shown,
        .tuning = f->wishes.tuned.tuning,
        .limited =
            f->session_options->scheduler.max_fps > 0 || f->session_options->scheduler.max_rate > 0,
        .quality_now = stats.quality,
        .jpeg_now = stats.blocks ? stats.jpeg : 0,
        .film_now = stats.blocks && stats.film,
        .sound = f->live ? (enum sound_state)stats.sound : SOUND_NONE,
        .prp_now = stats.prp_ms,
    };
}

/* ---- the handlers of the chain ---- */

bool front_on_keyboard(void *front, const SDL_Event *e)
{
    struct front *f = front;

    return seat_keyboard_event(&f->seat, e);
}

bool front_on_clipboard(void *front, const SDL_Event *e)
{
    struct front *f = front;

    seat_clipboard_event(&f->seat, e);
    return false;
}

/* Tells the session when the window cannot be seen, and when it can again. */
static void front_tell_hidden(struct front *f)
{
    bool hidden = !screen_is_seen(f->screen);

    if (f->live && hidden != f->hidden)
        session_hide(f->live, hidden);
    f->hidden = f->live && hidden;
}

/* Keeps up with the state of the window, and of what plays. The user's locks may have changed while
 * the focus was elsewhere. */
bool front_on_window(void *front, const SDL_Event *e)
{
    struct front *f = front;

    screen_event(f->screen, e);
    seat_sound_event(&f->seat);
    front_tell_hidden(f);
    if (e->type == SDL_WINDOWEVENT && (e->window.event == SDL_WINDOWEVENT_SIZE_CHANGED ||
                                       e->window.event == SDL_WINDOWEVENT_RESTORED ||
                                       e->window.event == SDL_WINDOWEVENT_DISPLAY_CHANGED))
        sizes_window_changed(&f->sizes);
    if (e->type == SDL_WINDOWEVENT && e->window.event == SDL_WINDOWEVENT_FOCUS_GAINED)
        seat_sync_locks(&f->seat);
    if (e->type == SDL_WINDOWEVENT && e->window.event == SDL_WINDOWEVENT_FOCUS_LOST)
        seat_let_go_of_held(&f->seat);
    return false;
}

bool front_on_drag(void *front, const SDL_Event *e)
{
    struct front *f = front;

    if (!screen_drag(f->screen, e, seat_holds_ctrl_alt(&f->seat)))
        return false;
    if (e->type == SDL_MOUSEBUTTONUP) /* the pointer is over another pixel */
        front_point_again(f);
    return true;
}

void front_let_go_of_picture(void *front)
{
    struct front *f = front;

    screen_drag_ends(f->screen);
}

bool front_on_input(void *front, const SDL_Event *e)
{
    struct front *f = front;
    const struct told_facts facts = front_facts(f);

    told_key(&f->told, &facts, e, tick_now());
    return seat_input_event(&f->seat, screen_get_map(f->screen), e);
}

void front_let_go_of_input(void *front)
{
    struct front *f = front;

    seat_let_go(&f->seat);
}

/* ---- the session ---- */

static void front_meet(struct front *f, struct session *s, const struct session_event *e)
{
    seat_meet(&f->seat, s);
    if (sizes_meet(&f->sizes, e->width, e->height, !f->seat.view_only))
        front_grab(f, f->options->grab_keyboard);
    front_set_name(f, session_event_text(e));
}

void front_session_event(struct front *f, struct session *s, const struct session_event *e)
{
    if (seat_session_event(&f->seat, e))
        return;
    switch (e->type) {
    case SESSION_CONNECTED:
        front_meet(f, s, e);
        break;
    case SESSION_RESIZED:
        sizes_server_changed(&f->sizes, e->width, e->height);
        break;
    case SESSION_NAME:
        front_set_name(f, session_event_text(e));
        break;
    case SESSION_RESIZABLE:
        if (!f->seat.view_only)
            sizes_server_can(&f->sizes);
        break;
    case SESSION_BELL:
        screen_bell(f->screen);
        break;
    case SESSION_NOTICE:
        front_tell(f, session_event_text(e));
        break;
    default:
        break;
    }
}

static void front_count(struct front *f, bool last)
{
    struct session_stats stats;

    session_stats(f->live, false, &stats);
    f->figures.sound_fails = f->seat.sound_fails;
    figures_second(&f->figures, &stats, notice_cause(f->slow), last);
}

/* Keys that were pressed for the server belong to nobody now: neither the old session's releases
 * nor what is typed with them reach the new one. What a page took stays the page's. */
static void front_set_session(struct front *f, struct session *s)
{
    f->callbacks.let_go(f->callbacks.user);
    seat_set_session(&f->seat, s);
    if (f->live)
        front_count(f, true);
    f->live = s;
    front_update_title(f);
}

struct session *front_session(const struct front *f)
{
    return f->live;
}

void front_end(struct front *f)
{
    front_set_session(f, NULL);
}

void front_leave_server(struct front *f)
{
    if (screen_is_full_screen(f->screen))
        screen_set_full_screen(f->screen, false, false);
    figures_leave(&f->figures);
}

/* Once for each user, and only where this may be kept in mind. */
static void front_tell_of_menu(struct front *f)
{
    const char *key = f->options->menu_key.shown;

    if (key && f->options->recent && state_file_first_use("menu-hint"))
        told_hint(&f->told, key, tick_now());
}

void front_begin(struct front *f, struct session *s)
{
    front_set_session(f, s);
    screen_new_picture(f->screen);
    tuned_tell(&f->wishes.tuned, f->live);
    f->hidden = false;
    front_tell_hidden(f);
    seat_tell(&f->seat);
    figures_begin(&f->figures);
    front_tell_of_menu(f);
}

void front_second(struct front *f)
{
    if (f->live)
        front_count(f, false);
}

/* ---- time, and drawing ---- */

/* What is due waits for a session. */
static bool front_may_resize(const struct front *f)
{
    return f->live && !f->seat.view_only;
}

void front_time(struct front *f, tick_t now)
{
    int w, h;

    if (front_may_resize(f) && sizes_ask(&f->sizes, now, &w, &h))
        session_resize(f->live, w, h);
    if (front_may_resize(f) && sizes_are_in_vain(&f->sizes, now))
        front_tell(f, "the server cannot change the size of its screen");
    if (screen_time(f->screen, now))
        front_point_again(f);
}

tick_t front_wait(const struct front *f)
{
    return tick_sooner(front_may_resize(f) ? sizes_wait(&f->sizes) : TICK_NEVER,
                       screen_wait(f->screen));
}

bool front_draw(struct front *f, struct reason *why)
{
    const struct told_facts facts = front_facts(f);
    uint64_t before = screen_pictures(f->screen);
    tick_t begun = tick_now();
    bool ok;

    told_look(&f->told, &facts, begun);
    begun = tick_now();
    ok = screen_draw(f->screen, f->callbacks.picture(f->callbacks.user), why);
    if (screen_pictures(f->screen) > before)
        figures_drew(&f->figures, begun, tick_now());
    seat_show_cursor(&f->seat, screen_get_map(f->screen), ui_has_pointer(f->ui));
    return ok;
}

/* ---- from the beginning to the end ---- */

bool front_set_options(struct front *f, const struct session_options *session,
                       const struct app_options *o)
{
    const struct seat_options seat = {o->view_only, o->dot_cursor, session->sound,
                                      session->clipboard, o->primary};
    const struct sizes_options sizes = {o->scale, o->remote_resize, o->desktop_width,
                                        o->desktop_height};

    f->session_options = session;
    f->options = o;
    f->figures.expert = o->verbose;
    tuned_reset(&f->wishes.tuned, session);
    if (!seat_set_options(&f->seat, &seat))
        return false;
    sizes_set_options(&f->sizes, f->screen, &sizes);
    screen_place(f->screen, &o->place, o->maximize);
    f->wishes.monitors = o->monitors;
    screen_set_monitors(f->screen, &o->monitors);
    if (o->full_screen && !f->starts && !screen_is_full_screen(f->screen))
        screen_set_full_screen(f->screen, true, false);
    f->starts = false;
    if (o->notice)
        front_tell(f, o->notice);
    return true;
}

static void front_active(void *front)
{
    struct front *f = front;

    f->callbacks.active(f->callbacks.user);
}

static bool front_open(struct front *f, struct reason *why)
{
    const struct seat_callbacks seat = {front_active, front_tell, front_update_title, f};
    const bool full = f->options->full_screen && !f->starts;

    f->screen = screen_create(f->ui, f->options->vsync, full, why);
    return f->screen && (seat_open(&f->seat, screen_get_window(f->screen), &seat) ||
                         reason_set(why, "out of memory"));
}

struct front *front_create(struct ui *ui, const struct app_options *options,
                           const struct front_callbacks *callbacks,
                           const struct told_answers *answers, struct reason *why)
{
    struct front *f = calloc(1, sizeof *f);

    if (!f) {
        reason_set(why, "out of memory");
        return NULL;
    }
    f->callbacks = *callbacks;
    f->options = options;
    f->starts = options->start;
    f->ui = ui;
    told_init(&f->told, ui, answers);
    figures_init(&f->figures, ui);
    if (front_open(f, why))
        return f;
    front_destroy(f);
    return NULL;
}

void front_destroy(struct front *f)
{
    if (!f)
        return;
    seat_close(&f->seat);
    screen_destroy(f->screen);
    free(f);
}
