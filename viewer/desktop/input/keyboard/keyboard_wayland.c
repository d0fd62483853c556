#include "viewer/desktop/input/keyboard/keyboard_wayland.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <SDL.h>
#include <wayland-client.h>
#include <xkbcommon/xkbcommon.h>

#include "rfb/system/log.h"

/* The newest version whose events are handled below. */
#define SEAT_VERSION 5

/* What an event in SDL's queue says. */
enum { TOLD_LAYOUT, TOLD_STATE };

struct keyboard_wayland {
    struct keyboard_wayland_told told;
    struct xkb_context *context;
    struct wl_display *display;
    struct wl_registry *registry;
    struct wl_seat *seat;
    struct wl_keyboard *keyboard;
    Uint32 event; /* its type */
};

/* Of an event without room left in SDL's queue nothing remains. */
static bool wayland_tell(const struct keyboard_wayland *w, int what, void *first, void *second)
{
    SDL_Event e = {.type = w->event};

    e.user.code = what;
    e.user.data1 = first;
    e.user.data2 = second;
    return SDL_PushEvent(&e) == 1;
}

/* ---- the keyboard ---- */

static struct xkb_keymap *wayland_read(struct xkb_context *context, int fd, uint32_t size)
{
    char *text = size > 0 ? mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
    struct xkb_keymap *layout;

    if (text == MAP_FAILED)
        return NULL;
    layout = xkb_keymap_new_from_buffer(context, text, strnlen(text, size),
                                        XKB_KEYMAP_FORMAT_TEXT_V1, XKB_KEYMAP_COMPILE_NO_FLAGS);
    munmap(text, size);
    return layout;
}

static void wayland_layout(void *user, struct wl_keyboard *keyboard, uint32_t format, int32_t fd,
                           uint32_t size)
{
    struct keyboard_wayland *w = user;
    struct xkb_keymap *layout = NULL;

    (void)keyboard;
    if (format == WL_KEYBOARD_KEYMAP_FORMAT_XKB_V1)
        layout = wayland_read(w->context, fd, size);
    close(fd);
    if (!layout)
        log_debug("Wayland: the keyboard's layout cannot be read; keys go by SDL's names");
    if (!wayland_tell(w, TOLD_LAYOUT, layout, NULL))
        xkb_keymap_unref(layout);
}

static void wayland_state(void *user, struct wl_keyboard *keyboard, uint32_t serial, uint32_t held,
                          uint32_t latched, uint32_t locked, uint32_t group)
{
    (void)keyboard;
    (void)serial;
    wayland_tell(user, TOLD_STATE, (void *)(uintptr_t)(held | latched | locked),
                 (void *)(uintptr_t)group);
}

/* SDL tells of the keys and of the focus. */
static void wayland_enter(void *user, struct wl_keyboard *keyboard, uint32_t serial,
                          struct wl_surface *surface, struct wl_array *keys)
{
    (void)user;
    (void)keyboard;
    (void)serial;
    (void)surface;
    (void)keys;
}

static void wayland_leave(void *user, struct wl_keyboard *keyboard, uint32_t serial,
                          struct wl_surface *surface)
{
    (void)user;
    (void)keyboard;
    (void)serial;
    (void)surface;
}

static void wayland_key(void *user, struct wl_keyboard *keyboard, uint32_t serial, uint32_t time,
                        uint32_t key, uint32_t state)
{
    (void)user;
    (void)keyboard;
    (void)serial;
    (void)time;
    (void)key;
    (void)state;
}

static void wayland_repeat(void *user, struct wl_keyboard *keyboard, int32_t rate, int32_t delay)
{
    (void)user;
    (void)keyboard;
    (void)rate;
    (void)delay;
}

/* ---- the seat, which may get and lose a keyboard ---- */

static void wayland_drop_keyboard(struct keyboard_wayland *w)
{
    if (!w->keyboard)
        return;
    if (wl_keyboard_get_version(w->keyboard) >= WL_KEYBOARD_RELEASE_SINCE_VERSION)
        wl_keyboard_release(w->keyboard);
    else
        wl_keyboard_destroy(w->keyboard);
    w->keyboard = NULL;
}

static void wayland_able(void *user, struct wl_seat *seat, uint32_t capabilities)
{
    static const struct wl_keyboard_listener listener = {
        wayland_layout, wayland_enter, wayland_leave, wayland_key, wayland_state, wayland_repeat,
    };
    struct keyboard_wayland *w = user;

    if (!(capabilities & WL_SEAT_CAPABILITY_KEYBOARD)) {
        wayland_drop_keyboard(w);
    } else if (!w->keyboard) {
        w->keyboard = wl_seat_get_keyboard(seat);
        if (w->keyboard)
            wl_keyboard_add_listener(w->keyboard, &listener, w);
    }
}

static void wayland_name(void *user, struct wl_seat *seat, const char *name)
{
    (void)user;
    (void)seat;
    (void)name;
}

/* The first seat is the user's. */
static void wayland_found(void *user, struct wl_registry *registry, uint32_t name,
                          const char *interface, uint32_t version)
{
    static const struct wl_seat_listener listener = {wayland_able, wayland_name};
    struct keyboard_wayland *w = user;

    if (w->seat || strcmp(interface, wl_seat_interface.name) != 0)
        return;
    w->seat = wl_registry_bind(registry, name, &wl_seat_interface,
                               version < SEAT_VERSION ? version : SEAT_VERSION);
    if (w->seat)
        wl_seat_add_listener(w->seat, &listener, w);
}

static void wayland_gone(void *user, struct wl_registry *registry, uint32_t name)
{
    (void)user;
    (void)registry;
    (void)name;
}

/* ---- its life ---- */

struct keyboard_wayland *keyboard_wayland_open(const struct keyboard_wayland_told *told,
                                               struct xkb_context *context,
                                               struct wl_display *display)
{
    static const struct wl_registry_listener listener = {wayland_found, wayland_gone};
    struct keyboard_wayland *w = calloc(1, sizeof *w);

    if (!w)
        return NULL;
    *w = (struct keyboard_wayland){.told = *told, .context = context, .display = display};
    w->event = SDL_RegisterEvents(1);
    w->registry = wl_display_get_registry(display);
    if (w->event == (Uint32)-1 || !w->registry) {
        keyboard_wayland_close(w);
        return NULL;
    }
    wl_registry_add_listener(w->registry, &listener, w);
    wl_display_roundtrip(display); /* the seat */
    wl_display_roundtrip(display); /* its keyboard */
    wl_display_roundtrip(display); /* and the layout of that, before the first key */
    return w;
}

void keyboard_wayland_close(struct keyboard_wayland *w)
{
    SDL_Event e;

    if (!w)
        return;
    wayland_drop_keyboard(w);
    if (w->seat)
        wl_seat_destroy(w->seat);
    if (w->registry)
        wl_registry_destroy(w->registry);
    while (SDL_PeepEvents(&e, 1, SDL_GETEVENT, w->event, w->event) == 1)
        if (e.user.code == TOLD_LAYOUT)
            xkb_keymap_unref(e.user.data1);
    free(w);
}

bool keyboard_wayland_event(struct keyboard_wayland *w, const SDL_Event *e)
{
    if (!w || e->type != w->event)
        return false;
    if (e->user.code == TOLD_STATE) {
        w->told.state(w->told.user, (uint32_t)(uintptr_t)e->user.data1,
                      (uint32_t)(uintptr_t)e->user.data2);
        return true;
    }
    w->told.layout(w->told.user, e->user.data1);
    xkb_keymap_unref(e->user.data1);
    return true;
}
