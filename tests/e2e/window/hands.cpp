#include "hands.hpp"

#include <sys/mman.h>
#include <unistd.h>
#include <wayland-client.h>
#include <xkbcommon/xkbcommon.h>

#include <cstring>
#include <stdexcept>

namespace e2e
{

namespace
{

/* The forms of what is said, as virtual-keyboard-unstable-v1 and wlr-virtual-pointer-unstable-v1
 * define them; no package has them for wayland-scanner. */
const wl_interface *no_types[5] = {};

const wl_message keyboard_requests[] = {
    {"keymap", "uhu", no_types},     /* format, file, bytes */
    {"key", "uuu", no_types},        /* time, code, state */
    {"modifiers", "uuuu", no_types}, /* depressed, latched, locked, group */
    {"destroy", "", no_types},
};
const wl_interface keyboard_interface = {"zwp_virtual_keyboard_v1", 1, 4,
                                         keyboard_requests,         0, nullptr};
const wl_interface *keyboard_types[] = {&wl_seat_interface, &keyboard_interface};
const wl_message keyboards_requests[] = {{"create_virtual_keyboard", "on", keyboard_types}};
const wl_interface keyboards_interface = {
    "zwp_virtual_keyboard_manager_v1", 1, 1, keyboards_requests, 0, nullptr};

const wl_message pointer_requests[] = {
    {"motion", "uff", no_types},
    {"motion_absolute", "uuuuu", no_types}, /* time, x, y, of so many, of so many */
    {"button", "uuu", no_types},            /* time, code, state */
    {"axis", "uuf", no_types},
    {"frame", "", no_types},
};
const wl_interface pointer_interface = {"zwlr_virtual_pointer_v1", 1, 5,
                                        pointer_requests,          0, nullptr};
const wl_interface *pointer_types[] = {&wl_seat_interface, &pointer_interface};
const wl_message pointers_requests[] = {{"create_virtual_pointer", "?on", pointer_types}};
const wl_interface pointers_interface = {
    "zwlr_virtual_pointer_manager_v1", 1, 1, pointers_requests, 0, nullptr};

enum { KEYBOARD_KEYMAP, KEYBOARD_KEY, KEYBOARD_MODIFIERS };
enum { POINTER_MOTION_ABSOLUTE = 1, POINTER_BUTTON, POINTER_FRAME = 4 };

constexpr uint32_t EVDEV = 8;              /* xkb's codes are the kernel's and this */
constexpr uint32_t FIRST_BUTTON = 0x110;   /* BTN_LEFT; right and middle follow */
constexpr uint32_t KEYMAP_IS_XKB_TEXT = 1; /* wl_keyboard.keymap_format */

} // namespace

struct Hands::Wayland {
    Wayland() = default;
    Wayland(const Wayland &) = delete;
    Wayland &operator=(const Wayland &) = delete;

    wl_display *display = nullptr;
    wl_registry *registry = nullptr;
    wl_seat *seat = nullptr;
    wl_proxy *keyboards = nullptr, *pointers = nullptr, *keyboard = nullptr, *pointer = nullptr;
    xkb_context *context = xkb_context_new(XKB_CONTEXT_NO_FLAGS);
    xkb_keymap *keymap = nullptr;
    xkb_state *state = nullptr;
    uint32_t width, height, time = 0;

    template <typename... Args> void say(wl_proxy *to, uint32_t request, Args... args)
    {
        wl_proxy_marshal_flags(to, request, nullptr, 1, 0, args...);
    }

    /* All that was said has been taken. */
    void sync()
    {
        if (wl_display_roundtrip(display) < 0)
            throw std::runtime_error("the compositor does not take keys or pointers from us");
    }

    static void found(void *data, wl_registry *registry, uint32_t name, const char *interface,
                      uint32_t)
    {
        auto bind = [&](const wl_interface &i) {
            return static_cast<wl_proxy *>(wl_registry_bind(registry, name, &i, 1));
        };
        Wayland *w = static_cast<Wayland *>(data);
        if (strcmp(interface, wl_seat_interface.name) == 0)
            w->seat = reinterpret_cast<wl_seat *>(bind(wl_seat_interface));
        else if (strcmp(interface, keyboards_interface.name) == 0)
            w->keyboards = bind(keyboards_interface);
        else if (strcmp(interface, pointers_interface.name) == 0)
            w->pointers = bind(pointers_interface);
    }
    static void gone(void *, wl_registry *, uint32_t) {}

    void make_devices()
    {
        static const wl_registry_listener listener = {found, gone};
        registry = wl_display_get_registry(display);
        wl_registry_add_listener(registry, &listener, this);
        sync();
        if (!seat || !keyboards || !pointers)
            throw std::runtime_error("the compositor has no virtual keyboards and pointers");
        keyboard = wl_proxy_marshal_flags(keyboards, 0, &keyboard_interface, 1, 0, seat, nullptr);
        pointer = wl_proxy_marshal_flags(pointers, 0, &pointer_interface, 1, 0, seat, nullptr);
    }

    void send_keymap(const std::string &layout)
    {
        const size_t open = layout.find('(');
        const std::string name = layout.substr(0, open),
                          variant = open == std::string::npos
                                        ? ""
                                        : layout.substr(open + 1, layout.size() - open - 2);
        const xkb_rule_names names = {"evdev", "pc105", name.c_str(), variant.c_str(), ""};
        xkb_state_unref(state);
        xkb_keymap_unref(keymap);
        state = nullptr;
        keymap = xkb_keymap_new_from_names(context, &names, XKB_KEYMAP_COMPILE_NO_FLAGS);
        if (!keymap)
            throw std::runtime_error("no keyboard layout " + layout);
        state = xkb_state_new(keymap);
        char *text = xkb_keymap_get_as_string(keymap, XKB_KEYMAP_FORMAT_TEXT_V1);
        const size_t size = strlen(text) + 1;
        const int fd = memfd_create("keymap", MFD_CLOEXEC);
        const bool written = write(fd, text, size) == static_cast<ssize_t>(size);
        free(text);
        if (!written)
            throw std::runtime_error("cannot write the keymap");
        say(keyboard, KEYBOARD_KEYMAP, KEYMAP_IS_XKB_TEXT, fd, static_cast<uint32_t>(size));
        close(fd); /* a copy waits to be sent */
    }

    ~Wayland()
    {
        for (void *p : {static_cast<void *>(pointer), static_cast<void *>(keyboard),
                        static_cast<void *>(pointers), static_cast<void *>(keyboards),
                        static_cast<void *>(seat), static_cast<void *>(registry)})
            if (p)
                wl_proxy_destroy(static_cast<wl_proxy *>(p));
        xkb_state_unref(state);
        xkb_keymap_unref(keymap);
        xkb_context_unref(context);
        if (display)
            wl_display_disconnect(display);
    }

    uint32_t code_of(uint32_t keysym) const
    {
        for (xkb_keycode_t c = xkb_keymap_min_keycode(keymap); c <= xkb_keymap_max_keycode(keymap);
             c++) {
            const xkb_keysym_t *syms;
            if (xkb_keymap_key_get_syms_by_level(keymap, c, 0, 0, &syms) == 1 && *syms == keysym)
                return c;
        }
        throw std::runtime_error("no such key");
    }
};

Hands::Hands(const std::string &socket, int width, int height) : wayland_(new Wayland)
{
    wayland_->width = static_cast<uint32_t>(width);
    wayland_->height = static_cast<uint32_t>(height);
    wayland_->display = wl_display_connect(socket.c_str());
    if (!wayland_->display)
        throw std::runtime_error("cannot connect to " + socket);
    wayland_->make_devices();
    layout("us");
}

Hands::~Hands() = default;

void Hands::layout(const std::string &name)
{
    wayland_->send_keymap(name);
    wayland_->sync();
}

void Hands::key_at(unsigned code, bool down)
{
    Wayland &w = *wayland_;
    auto mods = [&](xkb_state_component c) { return xkb_state_serialize_mods(w.state, c); };

    w.say(w.keyboard, KEYBOARD_KEY, w.time++, code - EVDEV, static_cast<uint32_t>(down));
    xkb_state_update_key(w.state, code, down ? XKB_KEY_DOWN : XKB_KEY_UP);
    w.say(w.keyboard, KEYBOARD_MODIFIERS, mods(XKB_STATE_MODS_DEPRESSED),
          mods(XKB_STATE_MODS_LATCHED), mods(XKB_STATE_MODS_LOCKED), 0u);
    w.sync();
}

void Hands::key(uint32_t keysym, bool down)
{
    key_at(wayland_->code_of(keysym), down);
}

uint32_t Hands::keysym(unsigned code, const std::vector<unsigned> &held) const
{
    xkb_state *state = xkb_state_new(wayland_->keymap);
    for (unsigned key : held)
        xkb_state_update_key(state, key, XKB_KEY_DOWN);
    const uint32_t keysym = xkb_state_key_get_one_sym(state, code);
    xkb_state_unref(state);
    return keysym;
}

void Hands::tap(uint32_t keysym)
{
    key(keysym, true);
    key(keysym, false);
}

void Hands::move(int x, int y)
{
    Wayland &w = *wayland_;
    w.say(w.pointer, POINTER_MOTION_ABSOLUTE, w.time++, static_cast<uint32_t>(2 * x + 1),
          static_cast<uint32_t>(2 * y + 1), 2 * w.width, 2 * w.height);
    w.say(w.pointer, POINTER_FRAME);
    w.sync();
}

void Hands::button(unsigned number, bool down)
{
    static const uint32_t codes[] = {0, FIRST_BUTTON, FIRST_BUTTON + 2, FIRST_BUTTON + 1};
    Wayland &w = *wayland_;
    w.say(w.pointer, POINTER_BUTTON, w.time++, codes[number], static_cast<uint32_t>(down));
    w.say(w.pointer, POINTER_FRAME);
    w.sync();
}

} // namespace e2e
