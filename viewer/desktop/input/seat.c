#include "viewer/desktop/input/seat.h"

#include <SDL.h>
#define XK_MISCELLANY
#define XK_XKB_KEYS
#include <rfb/keysym.h>

#include "rfb/system/log.h"
#include "viewer/desktop/input/keyboard/key_code.h"

/* Of the pointer, in the window's units: about the height of a line of text. */
#define SEAT_CANDIDATES_BELOW 20

/* ---- what the session is told ---- */

static void seat_send_key(void *user, uint32_t keysym, uint8_t code, bool down)
{
    struct seat *s = user;

    s->callbacks.active(s->callbacks.user);
    if (s->session)
        session_send_key_code(s->session, keysym, code, down);
}

static void seat_send_pointer(void *user, int x, int y, unsigned buttons)
{
    struct seat *s = user;

    s->callbacks.active(s->callbacks.user);
    if (s->session)
        session_send_pointer(s->session, x, y, buttons);
}

static void seat_send_step(void *user, int dx, int dy, unsigned buttons)
{
    struct seat *s = user;

    s->callbacks.active(s->callbacks.user);
    if (s->session)
        session_send_step(s->session, dx, dy, buttons);
}

/* `text` may be NULL. */
static void seat_send_text(struct seat *s, const char *text)
{
    if (s->session && text && !s->view_only && s->clipboard.options.ways & CLIPBOARD_SEND)
        session_send_cut_text(s->session, text);
}

/* ---- from the beginning to the end ---- */

bool seat_open(struct seat *s, SDL_Window *window, const struct seat_callbacks *callbacks)
{
    *s = (struct seat){.callbacks = *callbacks, .window = window, .keyboard = keyboard_create()};
    if (s->keyboard)
        keyboard_open(s->keyboard, window);
    return s->keyboard;
}

static void seat_drop_options(struct seat *s)
{
    clipboard_deinit(&s->clipboard);
    cursor_destroy(s->cursor);
    s->cursor = NULL;
}

void seat_close(struct seat *s)
{
    sound_output_close(&s->sound);
    seat_drop_options(s);
    keyboard_destroy(s->keyboard);
    s->keyboard = NULL;
}

bool seat_set_options(struct seat *s, const struct seat_options *o)
{
    const struct clipboard_options clipboard = {.ways = o->clipboard,
                                                .primary = o->primary,
                                                .focus = SDL_GetKeyboardFocus() != NULL,
                                                .notice = s->callbacks.notice,
                                                .user = s->callbacks.user,
                                                .window = s->window};
    const struct input_sink sink = {seat_send_key, seat_send_pointer, seat_send_step, s};

    seat_drop_options(s);
    s->sound_wish = o->sound;
    s->sound_fails = false;
    s->view_only = o->view_only;
    input_init(&s->input, &sink, s->keyboard, o->view_only);
    clipboard_init(&s->clipboard, &clipboard);
    s->cursor = cursor_create(o->dot_cursor);
    return s->cursor;
}

/* ---- its sound ---- */

static void seat_want_sound(struct seat *s)
{
    if (s->session && s->sound_wish != SOUND_WISH_AUTO)
        session_want_sound(s->session, s->sound_wish == SOUND_WISH_ON);
}

/* Without sound here nobody has to read of it who has not asked for any. */
static void seat_say_silence(struct seat *s, const struct reason *why)
{
    if (s->sound_wish == SOUND_WISH_ON)
        s->callbacks.notice(s->callbacks.user, why->text); /* which is logged */
    else
        log_debug("%s", why->text);
}

/* The server is not to send what nobody can hear. */
static void seat_cannot_play(struct seat *s, const struct reason *why)
{
    seat_say_silence(s, why);
    s->sound_fails = true;
    s->sound_wish = SOUND_WISH_OFF;
    seat_want_sound(s);
}

/* What comes meanwhile is dropped. That is said once. */
static void seat_play_later(struct seat *s, const struct reason *why)
{
    if (!s->sound_waits)
        seat_say_silence(s, why);
    s->sound_waits = true;
}

static void seat_fill_sound(void *session, unsigned char *out, int size)
{
    session_take_sound(session, out, (size_t)size);
}

static void seat_play(struct seat *s)
{
    struct reason why;

    if (!s->session || !s->sound_comes) {
        sound_output_close(&s->sound);
        return;
    }
    switch (sound_output_open(&s->sound, seat_fill_sound, s->session, &why)) {
    case SOUND_OUTPUT_BEGUN:
        s->sound_waits = false;
        break;
    case SOUND_OUTPUT_WAITS:
        seat_play_later(s, &why);
        break;
    case SOUND_OUTPUT_FAILED:
        seat_cannot_play(s, &why);
        break;
    }
}

void seat_sound_event(struct seat *s)
{
    struct reason why;

    if (sound_output_failed(&s->sound, &why))
        seat_cannot_play(s, &why);
    else if (s->sound_waits)
        seat_play(s);
}

void seat_set_sound(struct seat *s, bool on)
{
    s->sound_wish = on ? SOUND_WISH_ON : SOUND_WISH_OFF;
    s->sound_fails = false;
    seat_want_sound(s);
}

/* ---- its session ---- */

void seat_meet(struct seat *s, struct session *session)
{
    input_new_session(&s->input);
    s->sound_comes = false;
    session_watch(session, s->view_only);
}

void seat_set_session(struct seat *s, struct session *session)
{
    seat_let_go_of_held(s);
    sound_output_close(&s->sound);
    s->session = session;
    seat_want_sound(s);
    seat_play(s);
}

void seat_sync_locks(struct seat *s)
{
    if (s->session && SDL_GetKeyboardFocus())
        input_sync_locks(&s->input, SDL_GetModState());
}

void seat_tell(struct seat *s)
{
    seat_send_text(s, clipboard_text(&s->clipboard));
    seat_sync_locks(s);
}

void seat_set_view_only(struct seat *s, bool on)
{
    seat_let_go_of_held(s);
    s->view_only = on;
    if (s->session)
        session_watch(s->session, on);
    input_set_view_only(&s->input, on);
    if (!on)
        seat_tell(s);
}

/* A server that was only told of a text asks for it later: it is to get none then. */
void seat_set_clipboard(struct seat *s, unsigned ways)
{
    if (!(ways & CLIPBOARD_SEND) && clipboard_text(&s->clipboard))
        seat_send_text(s, "");
    seat_send_text(s, clipboard_set_ways(&s->clipboard, ways));
}

bool seat_session_event(struct seat *s, const struct session_event *e)
{
    switch (e->type) {
    case SESSION_CURSOR:
        cursor_set_shape(s->cursor, session_event_pixels(e), e->width, e->height, e->hot_x,
                         e->hot_y);
        return true;
    case SESSION_LEDS:
        if (input_set_server_locks(&s->input, e->leds))
            seat_sync_locks(s);
        return true;
    case SESSION_KEY_CODES:
        input_use_key_codes(&s->input);
        return true;
    case SESSION_STEPS:
        input_take_steps(&s->input, e->width);
        return true;
    case SESSION_SOUND:
        s->sound_comes = e->width;
        seat_play(s);
        return true;
    case SESSION_CUT_TEXT:
        clipboard_from_server(&s->clipboard, session_event_text(e));
        return true;
    default:
        return false;
    }
}

/* ---- keys that the menu sends ---- */

static const struct seat_modifier {
    uint32_t keysym;
    SDL_Scancode scancode;
} seat_modifiers[MODIFIERS] = {
    [MODIFIER_CTRL] = {XK_Control_L, SDL_SCANCODE_LCTRL},
    [MODIFIER_ALT] = {XK_Alt_L, SDL_SCANCODE_LALT},
    [MODIFIER_SHIFT] = {XK_Shift_L, SDL_SCANCODE_LSHIFT},
    [MODIFIER_SUPER] = {XK_Super_L, SDL_SCANCODE_LGUI},
};

static void seat_send_menu_key(struct seat *s, uint32_t keysym, SDL_Scancode scancode, bool down)
{
    if (s->session && !s->view_only)
        session_send_key_code(s->session, keysym, key_code(scancode), down);
}

static void seat_send_modifier(struct seat *s, enum modifier m, bool down)
{
    seat_send_menu_key(s, seat_modifiers[m].keysym, seat_modifiers[m].scancode, down);
}

static void seat_hold(struct seat *s, enum modifier m, bool down)
{
    seat_send_modifier(s, m, down);
    s->held = down ? s->held | 1u << m : s->held & ~(1u << m);
    s->callbacks.changed(s->callbacks.user);
}

void seat_toggle_held(struct seat *s, enum modifier m)
{
    seat_hold(s, m, !(s->held >> m & 1));
}

void seat_let_go_of_held(struct seat *s)
{
    for (int m = 0; m < MODIFIERS; m++)
        if (s->held >> m & 1)
            seat_hold(s, (enum modifier)m, false);
}

void seat_press(struct seat *s, uint32_t keysym, SDL_Scancode scancode)
{
    seat_send_menu_key(s, keysym, scancode, true);
    seat_send_menu_key(s, keysym, scancode, false);
}

void seat_type(struct seat *s, uint32_t keysym, bool down)
{
    if (seat_takes_keys(s))
        session_send_key(s->session, keysym, down);
}

bool seat_takes_keys(const struct seat *s)
{
    return s->session && !s->view_only;
}

bool seat_takes_steps(const struct seat *s)
{
    return seat_takes_keys(s) && s->input.steps;
}

void seat_catch_pointer(struct seat *s, bool on)
{
    input_catch_pointer(&s->input, on);
    s->callbacks.changed(s->callbacks.user);
}

bool seat_server_takes_codes(const struct seat *s)
{
    return s->input.key_codes;
}

void seat_press_ctrl_alt_del(struct seat *s)
{
    const enum modifier with[] = {MODIFIER_CTRL, MODIFIER_ALT};

    for (int i = 0; i < 2; i++)
        seat_send_modifier(s, with[i], true);
    seat_press(s, XK_Delete, SDL_SCANCODE_DELETE);
    for (int i = 1; i >= 0; i--)
        if (!(s->held >> with[i] & 1))
            seat_send_modifier(s, with[i], false);
}

/* ---- the window's events ---- */

bool seat_keyboard_event(struct seat *s, const SDL_Event *e)
{
    return keyboard_event(s->keyboard, e);
}

void seat_clipboard_event(struct seat *s, const SDL_Event *e)
{
    seat_send_text(s, clipboard_event(&s->clipboard, e));
}

/* An input method shows its candidates where the user clicked last: a text is written there. */
static void seat_place_candidates(const SDL_MouseButtonEvent *e)
{
    SDL_Rect line = {e->x, e->y, 1, SEAT_CANDIDATES_BELOW};

    SDL_SetTextInputRect(&line);
}

bool seat_input_event(struct seat *s, const struct screen_map *map, const SDL_Event *e)
{
    if (e->type == SDL_MOUSEBUTTONDOWN)
        seat_place_candidates(&e->button);
    input_set_map(&s->input, map);
    return input_event(&s->input, e);
}

void seat_point_again(struct seat *s, const struct screen_map *map, bool elsewhere)
{
    SDL_Event e = {.type = SDL_MOUSEMOTION};

    SDL_GetMouseState(&e.motion.x, &e.motion.y);
    input_set_map(&s->input, map);
    if (!elsewhere)
        input_event(&s->input, &e);
}

void seat_let_go(struct seat *s)
{
    input_release_all(&s->input);
}

/* What SDL knows of the keys is newer than the event. The right Alt key may be AltGr, which is
 * another key. */
static bool seat_holds(const struct seat *s, SDL_Scancode left, SDL_Scancode right)
{
    uint32_t keysym = s->input.held[right].keysym;

    return s->input.held[left].keysym || (keysym && keysym != XK_ISO_Level3_Shift);
}

bool seat_holds_ctrl_alt(const struct seat *s)
{
    return seat_holds(s, SDL_SCANCODE_LCTRL, SDL_SCANCODE_RCTRL) &&
           seat_holds(s, SDL_SCANCODE_LALT, SDL_SCANCODE_RALT);
}

void seat_show_cursor(struct seat *s, const struct screen_map *map, bool system)
{
    cursor_set_system(s->cursor, system);
    cursor_set_scale(s->cursor, screen_map_scale(map));
}
