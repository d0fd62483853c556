/* A keyboard with a layout of xkeyboard-config, and what XKB says of its keys. */
#pragma once

#include <memory>
#include <stdexcept>
#include <string>

#include <SDL_events.h>
#include <xkbcommon/xkbcommon.h>

#include "viewer/desktop/input/keyboard/keyboard.h"
#include "viewer/desktop/input/keyboard/keymap.h"

namespace typing
{

template <typename T, void (*drop)(T *)> struct Dropper {
    void operator()(T *t) const
    {
        drop(t);
    }
};
template <typename T, void (*drop)(T *)> using Owned = std::unique_ptr<T, Dropper<T, drop>>;

inline xkb_context *xkb()
{
    static Owned<xkb_context, xkb_context_unref> context(xkb_context_new(XKB_CONTEXT_NO_FLAGS));
    return context.get();
}

/* The keys of one layout, pressed and released as on a keyboard. */
class Layout
{
  public:
    explicit Layout(const std::string &layout, const std::string &variant = "",
                    const std::string &options = "")
    {
        const xkb_rule_names names = {"evdev", "pc105", layout.c_str(), variant.c_str(),
                                      options.c_str()};
        keymap_.reset(xkb_keymap_new_from_names(xkb(), &names, XKB_KEYMAP_COMPILE_NO_FLAGS));
        if (!keymap_)
            throw std::runtime_error("no layout " + layout + " " + variant);
        state_.reset(xkb_state_new(keymap_.get()));
        places_.reset(keymap_create(keymap_.get()));
    }
    xkb_keymap *keymap() const
    {
        return keymap_.get();
    }
    xkb_state *state() const
    {
        return state_.get();
    }
    /* 0: the layout has no key there. */
    uint32_t code(SDL_Scancode place) const
    {
        return keymap_code(places_.get(), place);
    }
    void press(uint32_t code, bool down)
    {
        if (code)
            xkb_state_update_key(state(), code, down ? XKB_KEY_DOWN : XKB_KEY_UP);
    }
    void tap(uint32_t code)
    {
        press(code, true);
        press(code, false);
    }
    uint32_t mods() const
    {
        return xkb_state_serialize_mods(state(), XKB_STATE_MODS_EFFECTIVE);
    }
    uint32_t group() const
    {
        return xkb_state_serialize_layout(state(), XKB_STATE_LAYOUT_EFFECTIVE);
    }

  private:
    Owned<xkb_keymap, xkb_keymap_unref> keymap_;
    Owned<xkb_state, xkb_state_unref> state_;
    Owned<struct keymap, keymap_destroy> places_;
};

} // namespace typing
