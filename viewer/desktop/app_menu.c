/* The menu in the window: shows its pages (menu.h), and does what is chosen. */
#include <stdlib.h>

#define XK_MISCELLANY
#include <rfb/keysym.h>

#include "rfb/clock.h"
#include "viewer/desktop/app_state.h"
#include "viewer/desktop/key_code.h"
#include "viewer/desktop/keysym.h"

static const struct modifier {
    uint32_t keysym;
    SDL_Scancode scancode;
} modifiers[MENU_MODIFIERS] = {
    [MENU_CTRL] = {XK_Control_L, SDL_SCANCODE_LCTRL},
    [MENU_ALT] = {XK_Alt_L, SDL_SCANCODE_LALT},
    [MENU_SHIFT] = {XK_Shift_L, SDL_SCANCODE_LSHIFT},
    [MENU_SUPER] = {XK_Super_L, SDL_SCANCODE_LGUI},
};

/* ---- keys that the menu sends ---- */

static void send(struct app *a, uint32_t keysym, SDL_Scancode scancode, bool down)
{
    if (a->live && !a->wishes.view_only)
        session_send_key_code(a->live, keysym, key_code(scancode), down);
}

static void hold(struct app *a, enum menu_modifier m, bool down)
{
    send(a, modifiers[m].keysym, modifiers[m].scancode, down);
    a->menu.held = down ? a->menu.held | 1u << m : a->menu.held & ~(1u << m);
    app_update_title(a);
}

void app_let_go_of_held(struct app *a)
{
    for (int m = 0; m < MENU_MODIFIERS; m++)
        if (a->menu.held >> m & 1)
            hold(a, (enum menu_modifier)m, false);
}

/* Those that are held down anyway stay down. */
static void send_ctrl_alt_del(struct app *a)
{
    const enum menu_modifier with[] = {MENU_CTRL, MENU_ALT};

    for (int i = 0; i < 2; i++)
        send(a, modifiers[with[i]].keysym, modifiers[with[i]].scancode, true);
    send(a, XK_Delete, SDL_SCANCODE_DELETE, true);
    send(a, XK_Delete, SDL_SCANCODE_DELETE, false);
    for (int i = 1; i >= 0; i--)
        if (!(a->menu.held >> with[i] & 1))
            send(a, modifiers[with[i]].keysym, modifiers[with[i]].scancode, false);
}

static void send_menu_key(struct app *a)
{
    const struct menu_key *k = &a->ui->menu_key;
    uint32_t keysym = keysym_from_key(k->scancode, k->key, false);

    send(a, keysym, k->scancode, true);
    send(a, keysym, k->scancode, false);
}

/* ---- what can be done by a key, too ---- */

void app_toggle_full_screen(struct app *a)
{
    screen_set_full_screen(a->screen, !screen_is_full_screen(a->screen), !a->wishes.view_only);
}

/* What is down on the server is released first. */
static void set_view_only(struct app *a, bool on)
{
    chain_let_go(&a->chain);
    app_let_go_of_held(a);
    a->wishes.view_only = on;
    if (a->live)
        session_watch(a->live, on);
    input_set_view_only(&a->input, on);
    app_grab(a, a->wishes.grabbed);
    if (!on) {
        app_sync_locks(a);
        app_send_clipboard(a, a->live, clipboard_text(&a->clipboard));
    }
}

/* How large the picture is drawn from now on. */
static void set_scale(struct app *a, struct scale scale)
{
    a->wishes.scale = scale;
    screen_set_scale(a->screen, &scale);
    remote_size_follow(&a->remote_size, a->ui->remote_resize && scale.kind == SCALE_AUTO);
    app_window_sized(a);
    app_point_again(a);
}

void app_untune(struct app *a)
{
    const struct scheduler_options *s = &a->options->scheduler;
    int quality = a->options->encodings.quality;

    a->wishes.tuned = false;
    a->wishes.tuning = (struct session_tuning){
        .quality = quality == LEVEL_AUTO ? TUNING_AUTO : (uint32_t)quality,
        .policy = s->policy,
        .prp_us = s->policy == PRP_FIXED ? (uint32_t)(s->fixed_prp / (TICK_MS / 1000)) : 0,
    };
}

void app_tune(struct app *a)
{
    if (a->live && a->wishes.tuned)
        session_tune(a->live, &a->wishes.tuning);
}

/* ---- the pages ---- */

static void state(const struct app *a, struct menu_state *out)
{
    struct session_stats stats = {0};

    if (a->live)
        session_stats(a->live, false, &stats);
    *out = (struct menu_state){
        .live = a->live,
        .full_screen = screen_is_full_screen(a->screen),
        .several_monitors = screen_monitors(a->screen) > 1,
        .all_monitors = a->wishes.monitors.mode == FULL_SCREEN_ALL,
        .view_only = a->wishes.view_only,
        .grabbed = a->wishes.grabbed,
        .statistics = a->figures.shown,
        .held = a->menu.held,
        .scale = a->wishes.scale,
        .follows = a->ui->remote_resize && !a->wishes.view_only,
        .menu_key = a->ui->menu_key.shown,
        .tuning = a->wishes.tuning,
        .limited = a->options->scheduler.max_fps > 0 || a->options->scheduler.max_rate > 0,
        .quality_now = stats.quality,
        .prp_now = stats.prp_ms,
    };
}

static void chosen(void *owner, int entry);

static void show(struct app *a, enum menu_page page, int focus)
{
    struct ui_menu_entry entries[MENU_ENTRIES_MAX];
    struct ui_menu menu = {.title = menu_title(page),
                           .entries = entries,
                           .focus = focus,
                           .chosen = chosen,
                           .owner = a};
    struct menu_state s;

    state(a, &s);
    a->menu.page = page;
    menu.count = menu_entries(page, &s, a->menu.entries);
    for (int i = 0; i < menu.count; i++) {
        const struct menu_entry *e = &a->menu.entries[i];

        entries[i] = (struct ui_menu_entry){e->label,  e->heading, *e->now ? e->now : NULL,
                                            e->key,    e->letter,  e->on,
                                            e->usable, e->begins};
    }
    ui_show_menu(a->pages, &menu);
}

static void choose(struct app *a, enum menu_action action, int value, int entry)
{
    switch (action) {
    case MENU_OPEN:
        show(a, (enum menu_page)value, 0);
        break;
    case MENU_FULL_SCREEN:
        app_toggle_full_screen(a);
        break;
    case MENU_ALL_MONITORS:
        a->wishes.monitors.mode =
            a->wishes.monitors.mode == FULL_SCREEN_ALL ? FULL_SCREEN_CURRENT : FULL_SCREEN_ALL;
        screen_set_monitors(a->screen, &a->wishes.monitors);
        break;
    case MENU_SET_SCALE:
        set_scale(a, menu_scale(value));
        break;
    case MENU_VIEW_ONLY:
        set_view_only(a, !a->wishes.view_only);
        break;
    case MENU_GRAB:
        app_grab(a, !a->wishes.grabbed);
        break;
    case MENU_CTRL_ALT_DEL:
        send_ctrl_alt_del(a);
        break;
    case MENU_SEND_KEY:
        send_menu_key(a);
        break;
    case MENU_HOLD:
        hold(a, (enum menu_modifier)value, !(a->menu.held >> value & 1));
        show(a, MENU_KEYS, entry); /* more than one may be wanted */
        break;
    case MENU_SET_QUALITY:
    case MENU_SET_PRP:
        a->wishes.tuning = menu_tuned(a->wishes.tuning, action, value);
        a->wishes.tuned = true;
        app_tune(a);
        break;
    case MENU_REFRESH:
        if (a->live)
            session_refresh(a->live);
        break;
    case MENU_SCREENSHOT:
        app_take_screenshot(a);
        break;
    case MENU_STATISTICS:
        app_show_figures(a, !a->figures.shown);
        break;
    case MENU_ABOUT:
        app_show_about(a);
        break;
    case MENU_RECONNECT:
        app_start(a);
        break;
    case MENU_DISCONNECT:
        app_disconnect(a);
        break;
    case MENU_QUIT:
        app_end(a, EXIT_SUCCESS);
        break;
    }
}

/* A page that was opened from another one leads back to it. */
static void chosen(void *owner, int entry)
{
    struct app *a = owner;

    if (entry >= 0)
        choose(a, a->menu.entries[entry].action, a->menu.entries[entry].value, entry);
    else if (a->menu.page != MENU_MAIN)
        show(a, MENU_MAIN, 0);
}

bool app_menu_key(struct app *a, bool itself)
{
    if (ui_is_menu(a->pages)) {
        ui_close(a->pages);
        if (itself)
            send_menu_key(a);
        return true;
    }
    if (ui_is_open(a->pages)) /* a question comes first */
        return false;
    show(a, MENU_MAIN, 0);
    return true;
}
