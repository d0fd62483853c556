#include "viewer/desktop/input/keyboard/keyboard.h"

#include <stdlib.h>

#include <SDL.h>
#include <SDL_syswm.h>
#include <xcb/xcb.h>
#include <xkbcommon/xkbcommon-keysyms.h>
#include <xkbcommon/xkbcommon-x11.h>

#include "rfb/system/log.h"
#include "viewer/desktop/input/keyboard/keyboard_wayland.h"
#include "viewer/desktop/input/keyboard/keymap.h"

/* Where an X11 key event has the group, beside the modifiers. */
#define X11_MODS         0xffu
#define X11_GROUP(state) ((state) >> 13 & 3)

struct keyboard {
    struct xkb_context *context;
    struct keymap *keymap; /* NULL: none is known */
    uint32_t mods, group;
    uint32_t announced; /* the code of the key that SDL tells of next */
    uint32_t code;      /* of the newest one; 0: not known */
    bool x11;
    bool stale; /* X11: the layout has to be read */
    struct keyboard_wayland *wayland;
};

struct keyboard *keyboard_create(void)
{
    struct keyboard *k = calloc(1, sizeof *k);

    if (k)
        k->context = xkb_context_new(XKB_CONTEXT_NO_DEFAULT_INCLUDES);
    if (!k || !k->context) {
        free(k);
        return NULL;
    }
    xkb_context_set_log_level(k->context, XKB_LOG_LEVEL_CRITICAL);
    return k;
}

void keyboard_destroy(struct keyboard *k)
{
    if (!k)
        return;
    if (k->x11) {
        SDL_EventState(SDL_SYSWMEVENT, SDL_DISABLE);
        SDL_SetEventFilter(NULL, NULL);
    }
    keyboard_wayland_close(k->wayland);
    keymap_destroy(k->keymap);
    xkb_context_unref(k->context);
    free(k);
}

void keyboard_set_layout(struct keyboard *k, struct xkb_keymap *layout)
{
    keymap_destroy(k->keymap);
    k->keymap = layout ? keymap_create(layout) : NULL;
}

void keyboard_set_state(struct keyboard *k, uint32_t mods, uint32_t group)
{
    k->mods = mods;
    k->group = group;
}

void keyboard_set_code(struct keyboard *k, uint32_t code)
{
    k->announced = code;
}

/* ---- X11 ---- */

static struct xkb_keymap *keyboard_ask_x11(struct xkb_context *context, xcb_connection_t *x)
{
    int32_t device;

    if (xcb_connection_has_error(x) ||
        !xkb_x11_setup_xkb_extension(x, XKB_X11_MIN_MAJOR_XKB_VERSION,
                                     XKB_X11_MIN_MINOR_XKB_VERSION,
                                     XKB_X11_SETUP_XKB_EXTENSION_NO_FLAGS, NULL, NULL, NULL, NULL))
        return NULL;
    device = xkb_x11_get_core_keyboard_device_id(x);
    return device < 0
               ? NULL
               : xkb_x11_keymap_new_from_device(context, x, device, XKB_KEYMAP_COMPILE_NO_FLAGS);
}

/* Over a connection of its own. */
static void keyboard_read_x11(struct keyboard *k)
{
    xcb_connection_t *x = xcb_connect(NULL, NULL);
    struct xkb_keymap *layout = keyboard_ask_x11(k->context, x);

    if (!layout)
        log_debug("X11: the keyboard's layout cannot be read; keys go by SDL's names");
    keyboard_set_layout(k, layout);
    xkb_keymap_unref(layout);
    xcb_disconnect(x);
    k->stale = false;
}

static void keyboard_x11_event(struct keyboard *k, const XEvent *e)
{
    switch (e->type) {
    case MappingNotify:
        k->stale = true;
        break;
    case KeyPress:
        keyboard_set_state(k, e->xkey.state & X11_MODS, X11_GROUP(e->xkey.state));
        keyboard_set_code(k, e->xkey.keycode);
        break;
    default:
        keyboard_set_code(k, 0);
        break;
    }
}

/* SDL passes every event of the X server on, or none. */
static int keyboard_wants(void *user, SDL_Event *e)
{
    const SDL_SysWMmsg *m = e->syswm.msg;

    (void)user;
    if (e->type != SDL_SYSWMEVENT || m->subsystem != SDL_SYSWM_X11)
        return 1;
    return m->msg.x11.event.type == KeyPress || m->msg.x11.event.type == KeyRelease ||
           m->msg.x11.event.type == MappingNotify;
}

/* ---- both ---- */

static void keyboard_note_layout(void *user, struct xkb_keymap *layout)
{
    keyboard_set_layout(user, layout);
}

static void keyboard_note_state(void *user, uint32_t mods, uint32_t group)
{
    keyboard_set_state(user, mods, group);
}

void keyboard_open(struct keyboard *k, SDL_Window *window)
{
    SDL_SysWMinfo info;

    SDL_VERSION(&info.version);
    if (!SDL_GetWindowWMInfo(window, &info))
        return;
    if (info.subsystem == SDL_SYSWM_X11) {
        k->x11 = k->stale = true;
        SDL_SetEventFilter(keyboard_wants, NULL);
        SDL_EventState(SDL_SYSWMEVENT, SDL_ENABLE);
    } else if (info.subsystem == SDL_SYSWM_WAYLAND) {
        const struct keyboard_wayland_told told = {keyboard_note_layout, keyboard_note_state, k};

        k->wayland = keyboard_wayland_open(&told, k->context, info.info.wl.display);
    }
}

bool keyboard_event(struct keyboard *k, const SDL_Event *e)
{
    switch (e->type) {
    case SDL_SYSWMEVENT:
        if (k->x11)
            keyboard_x11_event(k, &e->syswm.msg->msg.x11.event);
        return true;
    case SDL_KEYDOWN:
        k->code = k->announced;
        k->announced = 0;
        if (k->stale)
            keyboard_read_x11(k);
        return false;
    default:
        return keyboard_wayland_event(k->wayland, e);
    }
}

/* SDL's, as X11 and XKB number them. To SDL the right Alt is Alt, also where it is AltGr. */
static uint32_t keyboard_mods_of(Uint16 mod)
{
    return ((mod & KMOD_SHIFT) ? 1u << 0 : 0) | ((mod & KMOD_CTRL) ? 1u << 2 : 0) |
           ((mod & KMOD_LALT) ? 1u << 3 : 0) | ((mod & KMOD_GUI) ? 1u << 6 : 0);
}

/* Xlib collects these keys, and makes one character of those that are down together. */
static bool keyboard_is_braille(uint32_t keysym)
{
    return keysym >= XKB_KEY_braille_dot_1 && keysym <= XKB_KEY_braille_dot_10;
}

/* SDL tells of some keys without an event of the X server: of those that Xlib held back for
 * Compose or because a dead key went before, and of modifiers that were down when the focus came.
 * The text tells what the former have typed. */
static struct key_meaning keyboard_meaning_of_place(struct keyboard *k, const SDL_Keysym *key)
{
    uint32_t code = keymap_code(k->keymap, key->scancode);
    uint32_t mods = k->x11 ? k->mods | keyboard_mods_of(key->mod) : k->mods;
    struct key_meaning meaning;

    if (!code)
        return key_meaning_by_name(key);
    meaning = keymap_meaning(k->keymap, code, key->scancode, mods, k->group);
    if (k->x11 && ((meaning.types && !meaning.at_once) || keyboard_is_braille(meaning.keysym)))
        return (struct key_meaning){0};
    return meaning;
}

/* X11: neither an input method nor a dead key has taken it, so it types what it is by itself. Xlib
 * has no text for some characters, and for others another one. */
static struct key_meaning keyboard_meaning_of_code(struct keyboard *k, SDL_Scancode place)
{
    struct key_meaning meaning = keymap_meaning(k->keymap, k->code, place, k->mods, k->group);

    meaning.at_once = meaning.keysym;
    return meaning;
}

struct key_meaning keyboard_meaning(struct keyboard *k, const SDL_KeyboardEvent *e)
{
    if (!k || !k->keymap)
        return key_meaning_by_name(&e->keysym);
    return k->code ? keyboard_meaning_of_code(k, e->keysym.scancode)
                   : keyboard_meaning_of_place(k, &e->keysym);
}

bool keyboard_holds_alt(const struct keyboard *k, Uint16 mod)
{
    return k && k->keymap ? keymap_has_alt(k->mods) : mod & KMOD_ALT;
}
