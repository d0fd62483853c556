/* A user for tests of the keyboard and pointer state machine. */
#pragma once

#include <cstring>
#include <set>
#include <string>
#include <utility>

#include "layout.hpp"
#include "tests/catch.hpp"
#include "viewer/desktop/input/input.h"

namespace typing
{

constexpr uint32_t SHIFT_L = 0xffe1, CONTROL_L = 0xffe3, ALT_L = 0xffe9, ALT_R = 0xffea,
                   LEVEL3 = 0xfe03, SUPER_L = 0xffeb, EACUTE = 0xe9;

/* A user at a keyboard of some layout, and what reaches the server as text: "+61 -61" is the key
 * `a` down and up, "+61/1e" the same with its code, "@3,4:1" the pointer at 3, 4 with button 1,
 * "~3,-4:1" moved by that. */
class User
{
  public:
    explicit User(bool view_only = false, int picture_w = 100, int picture_h = 100)
    {
        begin(view_only, picture_w, picture_h);
    }
    /* At a keyboard whose layout is known. */
    explicit User(const char *layout, const char *variant = "", const char *options = "")
        : layout_(std::make_unique<Layout>(layout, variant, options)), keyboard_(keyboard_create())
    {
        keyboard_set_layout(keyboard_.get(), layout_->keymap());
        begin(false, 100, 100);
    }
    /* A key that types `text` ("" for none). */
    User &down(SDL_Scancode scancode, SDL_Keycode key, const char *text = "", bool repeat = false)
    {
        update_modifiers(key, true);
        key_event(SDL_KEYDOWN, scancode, key, repeat);
        if (*text)
            type(text);
        return *this;
    }
    User &up(SDL_Scancode scancode, SDL_Keycode key)
    {
        update_modifiers(key, false);
        key_event(SDL_KEYUP, scancode, key, false);
        return *this;
    }
    User &tap(SDL_Scancode scancode, SDL_Keycode key, const char *text = "")
    {
        return down(scancode, key, text).up(scancode, key);
    }
    User &type(const char *text)
    {
        SDL_Event e = {};
        e.type = SDL_TEXTINPUT;
        strncpy(e.text.text, text, sizeof e.text.text - 1);
        input_event(&in_, &e);
        return *this;
    }
    User &move(int x, int y, int dx = 0, int dy = 0)
    {
        SDL_Event e = {};
        e.type = SDL_MOUSEMOTION;
        e.motion.x = x;
        e.motion.y = y;
        e.motion.xrel = dx;
        e.motion.yrel = dy;
        input_event(&in_, &e);
        return *this;
    }
    User &button(int number, bool pressed, int x, int y)
    {
        SDL_Event e = {};
        e.type = pressed ? SDL_MOUSEBUTTONDOWN : SDL_MOUSEBUTTONUP;
        e.button.button = static_cast<Uint8>(number);
        e.button.state = pressed ? SDL_PRESSED : SDL_RELEASED;
        e.button.x = x;
        e.button.y = y;
        input_event(&in_, &e);
        return *this;
    }
    User &wheel(float x, float y)
    {
        SDL_Event e = {};
        e.type = SDL_MOUSEWHEEL;
        e.wheel.preciseX = x;
        e.wheel.preciseY = y;
        input_event(&in_, &e);
        return *this;
    }
    User &release_all()
    {
        input_release_all(&in_);
        return *this;
    }
    User &key_codes()
    {
        input_use_key_codes(&in_);
        return *this;
    }
    User &steps(bool on)
    {
        input_take_steps(&in_, on);
        return *this;
    }
    User &catch_pointer(bool on)
    {
        input_catch_pointer(&in_, on);
        return *this;
    }
    User &new_session()
    {
        input_new_session(&in_);
        return *this;
    }
    /* What the server says of its locks; whether it is the first time. */
    bool server_locks(unsigned leds)
    {
        return input_set_server_locks(&in_, leds);
    }
    User &sync_locks()
    {
        input_sync_locks(&in_, static_cast<SDL_Keymod>(mod_));
        return *this;
    }
    User &lock(int modifier)
    {
        mod_ ^= modifier;
        return *this;
    }
    /* What was sent since the last call. */
    std::string sent()
    {
        std::string s = sent_.empty() ? "" : sent_.substr(1);
        sent_.clear();
        return s;
    }
    bool all_up() const
    {
        return down_.empty() && buttons_ == 0;
    }

  private:
    void begin(bool view_only, int picture_w, int picture_h)
    {
        input_sink sink = {on_key, on_pointer, on_step, this};
        input_init(&in_, &sink, keyboard_.get(), view_only);
        auto map = screen_map_make(picture_w, picture_h, 100, 100, 100, 100);
        input_set_map(&in_, &map);
    }
    static void on_key(void *user, uint32_t keysym, uint8_t code, bool down)
    {
        auto *u = static_cast<User *>(user);
        char text[16];
        snprintf(text, sizeof text, " %c%x", down ? '+' : '-', keysym);
        u->sent_ += text;
        if (code) {
            snprintf(text, sizeof text, "/%x", code);
            u->sent_ += text;
        }
        std::pair<uint32_t, uint8_t> key(keysym, code);
        if (down)
            u->down_.insert(key);
        else
            CHECK(u->down_.erase(key) == 1); /* never a release without a press */
    }
    static void on_pointer(void *user, int x, int y, unsigned buttons)
    {
        auto *u = static_cast<User *>(user);
        u->sent_ +=
            " @" + std::to_string(x) + "," + std::to_string(y) + ":" + std::to_string(buttons);
        u->buttons_ = buttons;
    }
    static void on_step(void *user, int dx, int dy, unsigned buttons)
    {
        auto *u = static_cast<User *>(user);
        u->sent_ +=
            " ~" + std::to_string(dx) + "," + std::to_string(dy) + ":" + std::to_string(buttons);
        u->buttons_ = buttons;
    }
    void update_modifiers(SDL_Keycode key, bool pressed)
    {
        int m = key == SDLK_LSHIFT   ? KMOD_LSHIFT
                : key == SDLK_RSHIFT ? KMOD_RSHIFT
                : key == SDLK_LCTRL  ? KMOD_LCTRL
                : key == SDLK_RCTRL  ? KMOD_RCTRL
                : key == SDLK_LALT   ? KMOD_LALT
                : key == SDLK_RALT   ? KMOD_RALT
                : key == SDLK_LGUI   ? KMOD_LGUI
                                     : 0;
        mod_ = pressed ? mod_ | m : mod_ & ~m;
    }
    void key_event(Uint32 type, SDL_Scancode scancode, SDL_Keycode key, bool repeat)
    {
        SDL_Event e = {};
        e.type = type;
        e.key.keysym.scancode = scancode;
        e.key.keysym.sym = key;
        e.key.keysym.mod = static_cast<Uint16>(mod_);
        e.key.repeat = repeat;
        if (layout_) {
            keyboard_set_state(keyboard_.get(), layout_->mods(), layout_->group());
            keyboard_event(keyboard_.get(), &e);
            if (!repeat)
                layout_->press(layout_->code(scancode), type == SDL_KEYDOWN);
        }
        input_event(&in_, &e);
    }

    std::unique_ptr<Layout> layout_;
    Owned<struct keyboard, keyboard_destroy> keyboard_;
    struct input in_;
    int mod_ = 0;
    std::string sent_;
    std::set<std::pair<uint32_t, uint8_t>> down_;
    unsigned buttons_ = 0;
};

inline std::string hex(std::initializer_list<std::pair<char, uint32_t>> events)
{
    std::string s;
    char text[16];
    for (auto [sign, keysym] : events) {
        snprintf(text, sizeof text, "%s%c%x", s.empty() ? "" : " ", sign, keysym);
        s += text;
    }
    return s;
}

} // namespace typing
