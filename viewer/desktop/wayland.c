#include "viewer/desktop/wayland.h"

#include <string.h>

#include <wayland-client.h>

static void wayland_found(void *data, struct wl_registry *registry, uint32_t name,
                          const char *interface, uint32_t version)
{
    bool *gives_keys = data;

    (void)registry;
    (void)name;
    (void)version;
    if (strcmp(interface, "zwp_keyboard_shortcuts_inhibit_manager_v1") == 0)
        *gives_keys = true;
}

static void wayland_gone(void *data, struct wl_registry *registry, uint32_t name)
{
    (void)data;
    (void)registry;
    (void)name;
}

bool wayland_gives_keys(void)
{
    static const struct wl_registry_listener listener = {wayland_found, wayland_gone};
    struct wl_display *display = wl_display_connect(NULL);
    struct wl_registry *registry;
    bool gives_keys = false;

    if (!display)
        return false;
    registry = wl_display_get_registry(display);
    if (registry && wl_registry_add_listener(registry, &listener, &gives_keys) == 0)
        wl_display_roundtrip(display);
    if (registry)
        wl_registry_destroy(registry);
    wl_display_disconnect(display);
    return gives_keys;
}
