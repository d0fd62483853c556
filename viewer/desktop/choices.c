#include "viewer/desktop/choices.h"

#include <stddef.h>

#include "viewer/desktop/another_window.h"
#include "viewer/desktop/input/keyboard/hot_keys.h"
#include "viewer/desktop/input/seat.h"

/* ---- what is done ---- */

static void choices_open(struct choices *c, enum menu_page page, int focus);

static void choices_send_menu_key(struct choices *c)
{
    front_press(c->front, c->menu_key->scancode, c->menu_key->key);
}

/* More than one may be wanted: the page stays. */
static void choices_hold(struct choices *c, enum modifier m, int entry)
{
    seat_toggle_held(front_seat(c->front), m);
    choices_open(c, c->page, entry);
}

/* The page stays, too. */
static void choices_copy(struct choices *c, unsigned way, int entry)
{
    front_toggle_clipboard(c->front, way);
    choices_open(c, c->page, entry);
}

static void choices_open_window(struct choices *c)
{
    struct reason why;

    if (!another_window_open(&why))
        front_tell(c->front, why.text);
}

static void choices_do(struct choices *c, enum menu_action action, int value, int entry)
{
    switch (action) {
    case MENU_OPEN:
        choices_open(c, (enum menu_page)value, 0);
        break;
    case MENU_FULL_SCREEN:
        front_toggle_full_screen(c->front);
        break;
    case MENU_ALL_MONITORS:
        front_toggle_monitors(c->front);
        break;
    case MENU_SET_SCALE:
        front_set_scale(c->front, menu_scale(value));
        break;
    case MENU_VIEW_ONLY:
        front_toggle_view_only(c->front);
        break;
    case MENU_GRAB:
        front_toggle_grab(c->front);
        break;
    case MENU_CTRL_ALT_DEL:
        seat_press_ctrl_alt_del(front_seat(c->front));
        break;
    case MENU_SEND_KEY:
        choices_send_menu_key(c);
        break;
    case MENU_HOLD:
        choices_hold(c, (enum modifier)value, entry);
        break;
    case MENU_COPY:
        choices_copy(c, (unsigned)value, entry);
        break;
    case MENU_TYPE:
        typing_begin(&c->typing);
        break;
    case MENU_SOUND:
        seat_set_sound(front_seat(c->front), value);
        break;
    case MENU_SET_QUALITY:
    case MENU_SET_PRP:
        front_tune(c->front, action, value);
        break;
    case MENU_REFRESH:
        front_ask_all(c->front);
        break;
    case MENU_SCREENSHOT:
        front_take_screenshot(c->front);
        break;
    case MENU_STATISTICS:
        front_show_figures(c->front, !front_shows_figures(c->front));
        break;
    case MENU_ABOUT:
        front_show_about(c->front);
        break;
    case MENU_PAUSE:
        player_toggle(&c->player);
        break;
    case MENU_MOVE:
        player_move(&c->player, value);
        break;
    case MENU_AGAIN:
        player_again(&c->player);
        break;
    case MENU_MINIMISE:
        front_minimise(c->front);
        break;
    case MENU_NEW:
        choices_open_window(c);
        break;
    case MENU_OPTIONS:
    case MENU_RECONNECT:
    case MENU_DISCONNECT:
    case MENU_QUIT:
        c->choose(c->user, action);
        break;
    }
}

/* A button of the bar. */
static void choices_on_bar(void *user, enum menu_action action, int value)
{
    choices_do(user, action, value, 0);
}

void choices_init(struct choices *c, struct ui *ui, struct front *front,
                  struct connection *connection,
                  void (*choose)(void *user, enum menu_action action), void *user)
{
    struct seat *seat = front_seat(front);

    c->ui = ui;
    c->front = front;
    c->choose = choose;
    c->user = user;
    c->typing = (struct typing){.ui = ui, .seat = seat, .connection = connection};
    c->player = (struct player){.ui = ui, .connection = connection};
    c->grab = (struct pointer_grab){.ui = ui, .seat = seat, .connection = connection};
    c->bar = (struct top_bar){
        .ui = ui, .screen = front_screen(front), .choose = choices_on_bar, .user = c};
}

/* ---- time ---- */

void choices_time(struct choices *c, tick_t now)
{
    typing_time(&c->typing, now);
    top_bar_time(&c->bar, now);
    pointer_grab_look(&c->grab);
    player_look(&c->player);
}

tick_t choices_wait(const struct choices *c)
{
    return tick_sooner(typing_wait(&c->typing), top_bar_wait(&c->bar));
}

/* ---- the menu ---- */

/* A page that was opened from another one leads back to it. */
static void choices_chosen(void *owner, int entry)
{
    struct choices *c = owner;

    if (entry >= 0)
        choices_do(c, c->entries[entry].action, c->entries[entry].value, entry);
    else if (c->page != MENU_MAIN)
        choices_open(c, MENU_MAIN, 0);
}

/* With the focus on this entry. */
static void choices_open(struct choices *c, enum menu_page page, int focus)
{
    struct ui_menu_entry entries[MENU_ENTRIES_MAX];
    struct ui_menu menu = {.title = menu_title(page),
                           .entries = entries,
                           .focus = focus,
                           .chosen = choices_chosen,
                           .owner = c};
    struct menu_state s;

    front_menu_state(c->front, &s);
    s.plays = player_plays(&c->player);
    s.paused = s.plays && player_is_paused(&c->player);
    s.ended = s.plays && player_has_ended(&c->player);
    c->page = page;
    menu.count = menu_entries(page, &s, c->entries);
    for (int i = 0; i < menu.count; i++) {
        const struct menu_entry *e = &c->entries[i];

        entries[i] = (struct ui_menu_entry){e->label,  e->heading, *e->now ? e->now : NULL,
                                            e->key,    e->letter,  e->on,
                                            e->usable, e->begins};
    }
    ui_show_menu(c->ui, &menu);
}

/* The menu key, or another one for the menu: opens it, or closes it. `itself`: a menu that is open
 * sends the key to the server. False: the key is for the page that is open. */
static bool choices_menu_key(struct choices *c, bool itself)
{
    if (ui_is_menu(c->ui)) {
        ui_close(c->ui);
        if (itself)
            choices_send_menu_key(c);
        return true;
    }
    if (ui_is_open(c->ui)) /* a question comes first */
        return false;
    choices_open(c, MENU_MAIN, 0);
    return true;
}

/* ---- keys ---- */

/* The key gives the pointer back, if that is caught. Else it is for the keyboard. */
static void choices_grab(struct choices *c)
{
    if (pointer_grab_is_caught(&c->grab))
        pointer_grab_give_back(&c->grab);
    else
        front_toggle_grab(c->front);
}

bool choices_on_hot_key(void *choices, const SDL_Event *e)
{
    struct choices *c = choices;
    enum hot_key key = hot_key_of(e, c->menu_key->key);

    if (key == HOT_KEY_NONE)
        return false;
    if (key != HOT_KEY_MENU_KEY && !front_holds_alt(c->front, e->key.keysym.mod))
        return false; /* Ctrl+AltGr, which is the server's */
    if (e->key.repeat)
        return true;
    switch (key) {
    case HOT_KEY_FULL_SCREEN:
        front_toggle_full_screen(c->front);
        return true;
    case HOT_KEY_GRAB:
        choices_grab(c);
        return true;
    case HOT_KEY_STATISTICS:
        front_move_figures(c->front);
        return true;
    case HOT_KEY_SCREENSHOT:
        front_take_screenshot(c->front);
        return true;
    default:
        return choices_menu_key(c, key == HOT_KEY_MENU_KEY);
    }
}
