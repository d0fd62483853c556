/* Every layout of xkeyboard-config: each key, with each modifier that chooses a level and with Ctrl
 * and Alt, against XKB's own answer. */
#include <fstream>
#include <vector>

#include "keyboard_user.hpp"

using namespace typing;

namespace
{

constexpr uint32_t LATIN_END = 0x250;

struct Named {
    std::string layout, variant;
};

/* All that the rules list. A line is "  name  description", of a variant "  name  layout: ...". */
std::vector<Named> all_layouts()
{
    std::vector<Named> list;
    std::ifstream in(
        std::string(xkb_context_include_path_get(xkb(), xkb_context_num_include_paths(xkb()) - 1)) +
        "/rules/evdev.lst");
    std::string line, part;
    while (std::getline(in, line)) {
        const size_t name = line.find_first_not_of(' ');
        if (name == std::string::npos)
            continue;
        const size_t name_end = line.find(' ', name), next = line.find_first_not_of(' ', name_end);
        if (line[0] == '!')
            part = line.substr(line.find_first_not_of("! "));
        else if (part == "layout" && line.substr(name, name_end - name) != "custom")
            list.push_back({line.substr(name, name_end - name), ""});
        else if (part == "variant")
            list.push_back(
                {line.substr(next, line.find(':') - next), line.substr(name, name_end - name)});
    }
    return list;
}

/* The code of a key that has this keysym alone; 0: none. */
uint32_t key_of(const Layout &l, xkb_keysym_t keysym)
{
    for (uint32_t code = xkb_keymap_min_keycode(l.keymap());
         code <= xkb_keymap_max_keycode(l.keymap()); code++) {
        const xkb_keysym_t *syms;
        if (xkb_keymap_key_get_syms_by_level(l.keymap(), code, 0, 0, &syms) == 1 &&
            *syms == keysym && code != 92) /* the one that stands for AltGr on no keyboard */
            return code;
    }
    return 0;
}

/* What goes to the server in place of XKB's answer (keymap.h). -1: any Latin character. */
int64_t expected(uint32_t xkb, uint32_t alone, bool shortcut, uint32_t level, SDL_Scancode place)
{
    const bool dead = xkb >= 0xfe50 && xkb <= 0xfe93;
    const bool switches = xkb >= 0xfe01 && xkb <= 0xfe13 && xkb != 0xfe03 && xkb != 0xfe11;

    if (dead || switches || xkb == XKB_KEY_Multi_key || xkb == XKB_KEY_VoidSymbol)
        return 0;
    if (xkb == XKB_KEY_ISO_Left_Tab && alone == XKB_KEY_Tab)
        return XKB_KEY_Tab;
    if ((xkb == XKB_KEY_Meta_L && alone == XKB_KEY_Alt_L) ||
        (xkb == XKB_KEY_Meta_R && alone == XKB_KEY_Alt_R))
        return alone;
    const uint32_t letter = xkb_keysym_to_utf32(alone);
    const bool sign = letter >= 0x2000 && letter < 0x2c00; // punctuation, currencies, arrows
    if (shortcut && level < 2 && keysym_of_place(place, false) &&
        xkb_keysym_to_utf32(xkb) >= LATIN_END && letter >= LATIN_END && !sign)
        return -1;
    return xkb;
}

/* A keyboard on which keys that choose a level, Ctrl and Alt are held. */
class Keyboard
{
  public:
    Keyboard(Layout &layout, struct keyboard *k) : layout_(layout), k_(k) {}
    std::string wrong;
    int checked = 0;

    /* XKB is asked while the former are held, and the viewer while all are. */
    void check(const std::vector<uint32_t> &level, const std::vector<uint32_t> &with)
    {
        for (uint32_t code : level)
            layout_.press(code, true);
        for (int place = 1; place < SDL_NUM_SCANCODES; place++)
            ask(static_cast<SDL_Scancode>(place));
        for (uint32_t code : with)
            layout_.press(code, true);
        keyboard_set_state(k_, layout_.mods(), layout_.group());
        for (const Key &key : keys_)
            compare(key, !with.empty());
        for (auto *held : {&with, &level})
            for (auto code = held->rbegin(); code != held->rend(); ++code)
                layout_.press(*code, false);
        keys_.clear();
    }

  private:
    struct Key {
        SDL_Scancode place;
        uint32_t code, xkb, alone, level;
    };
    void ask(SDL_Scancode place)
    {
        const uint32_t code = layout_.code(place);
        const xkb_keysym_t *alone = nullptr;
        if (!code)
            return;
        const uint32_t group = xkb_state_key_get_layout(layout_.state(), code);
        const int count =
            xkb_keymap_key_get_syms_by_level(layout_.keymap(), code, group, 0, &alone);
        keys_.push_back({place, code, xkb_state_key_get_one_sym(layout_.state(), code),
                         count == 1 ? *alone : 0,
                         xkb_state_key_get_level(layout_.state(), code, group)});
    }
    void compare(const Key &key, bool shortcut)
    {
        const int64_t want = expected(key.xkb, key.alone, shortcut, key.level, key.place);
        for (bool code_known : {true, false}) { /* X11, Wayland */
            SDL_Event e = {};
            e.type = SDL_KEYDOWN;
            e.key.keysym.scancode = key.place;
            keyboard_set_code(k_, code_known ? key.code : 0);
            keyboard_event(k_, &e);
            const key_meaning m = keyboard_meaning(k_, &e.key);
            const uint32_t c = xkb_keysym_to_utf32(m.keysym);
            const bool right = want < 0 ? c > 0 && c < LATIN_END : m.keysym == want;
            const bool now = m.at_once || m.keysym == 0 || (c >= ' ' && !shortcut);
            checked++;
            if (!right || !now)
                note(key, m.keysym);
        }
    }
    void note(const Key &key, uint32_t got)
    {
        char name[64], is[64];
        xkb_keysym_get_name(key.xkb, name, sizeof name);
        xkb_keysym_get_name(got, is, sizeof is);
        wrong += " " + std::to_string(key.place) + ": " + is + " for " + name;
    }

    Layout &layout_;
    struct keyboard *k_;
    std::vector<Key> keys_;
};

/* All of one layout. Returns how many answers were compared. */
int check_layout(Layout &l)
{
    Owned<struct keyboard, keyboard_destroy> k(keyboard_create());
    keyboard_set_layout(k.get(), l.keymap());
    Keyboard keyboard(l, k.get());
    const uint32_t shift = key_of(l, XKB_KEY_Shift_L), ctrl = key_of(l, XKB_KEY_Control_L),
                   alt = key_of(l, XKB_KEY_Alt_L), level3 = key_of(l, XKB_KEY_ISO_Level3_Shift),
                   level5 = key_of(l, XKB_KEY_ISO_Level5_Shift);

    for (uint32_t lock : {0u, l.code(SDL_SCANCODE_CAPSLOCK), l.code(SDL_SCANCODE_NUMLOCKCLEAR)}) {
        l.tap(lock);
        for (const auto &level : std::vector<std::vector<uint32_t>>{{},
                                                                    {shift},
                                                                    {level3},
                                                                    {shift, level3},
                                                                    {level5},
                                                                    {level5, shift},
                                                                    {level5, level3}})
            for (const auto &with :
                 std::vector<std::vector<uint32_t>>{{}, {ctrl}, {alt}, {ctrl, alt}})
                if (with.empty() || with.back()) /* some layouts have no Alt */
                    keyboard.check(level, with);
        l.tap(lock);
    }
    INFO(keyboard.wrong.substr(0, 400));
    CHECK(keyboard.wrong.empty());
    return keyboard.checked;
}

} // namespace

TEST_CASE("every key of every layout means what XKB says, with Ctrl and Alt too")
{
    const auto list = all_layouts();
    int checked = 0;
    CHECK(list.size() > 300);
    for (const Named &n : list) {
        INFO(n.layout << " " << n.variant);
        Layout l(n.layout, n.variant);
        checked += check_layout(l);
    }
    INFO(checked << " answers");
    CHECK(checked > 1000000);
}

TEST_CASE("options of the layout are XKB's, too")
{
    for (const char *option :
         {"lv3:caps_switch", "lv3:ralt_switch_multikey", "lv3:ralt_alt", "lv3:lalt_switch",
          "caps:escape", "ctrl:swapcaps", "altwin:swap_alt_win", "keypad:oss", "eurosign:4",
          "lv5:ralt_switch", "nbsp:level3", "compose:caps", "caps:shiftlock"}) {
        INFO(option);
        Layout l("de", "", option);
        check_layout(l);
    }
}

TEST_CASE("the second group of a layout is asked when it is chosen")
{
    for (const char *groups : {"us,ru", "de,gr", "fr,us", "us,il"}) {
        INFO(groups);
        Layout l(groups, "", "grp:menu_toggle");
        l.tap(l.code(SDL_SCANCODE_APPLICATION));
        REQUIRE(l.group() == 1);
        check_layout(l);
    }
}

TEST_CASE("a keyboard without Latin letters has the shortcuts of its other group, or of the place")
{
    auto ctrl = [](const char *groups, SDL_Scancode place, bool shift) {
        User u(groups, "", "grp:menu_toggle");
        if (std::string(groups).find(',') != std::string::npos)
            u.tap(SDL_SCANCODE_APPLICATION, SDLK_UNKNOWN);
        if (shift)
            u.down(SDL_SCANCODE_LSHIFT, SDLK_LSHIFT);
        u.down(SDL_SCANCODE_LCTRL, SDLK_LCTRL).sent();
        u.down(place, SDLK_UNKNOWN);
        return u.sent();
    };
    CHECK(ctrl("ru", SDL_SCANCODE_C, false) == hex({{'+', 'c'}}));
    CHECK(ctrl("ru", SDL_SCANCODE_C, true) == hex({{'+', 'C'}}));
    CHECK(ctrl("ru", SDL_SCANCODE_SEMICOLON, false) == hex({{'+', ';'}}));
    CHECK(ctrl("ru", SDL_SCANCODE_7, true) == hex({{'+', '?'}}));
    CHECK(ctrl("gr", SDL_SCANCODE_A, false) == hex({{'+', 'a'}}));
    CHECK(ctrl("fr,ru", SDL_SCANCODE_Q, false) == hex({{'+', 'a'}}));
    CHECK(ctrl("us,ru", SDL_SCANCODE_Q, false) == hex({{'+', 'q'}}));
    /* a sign beside Latin letters is no letter */
    User u("de");
    u.down(SDL_SCANCODE_LCTRL, SDLK_LCTRL).down(SDL_SCANCODE_RALT, SDLK_RALT).sent();
    u.down(SDL_SCANCODE_E, SDLK_UNKNOWN);
    CHECK(u.sent() == hex({{'+', 0x20ac}}));
}

TEST_CASE("a key sends the name that the layout gives its character")
{
    User u("az"); /* U0259, which has no older name */
    u.tap(SDL_SCANCODE_APOSTROPHE, SDLK_UNKNOWN, "\u0259");
    CHECK(u.sent() == "+1000259 -1000259");
    u.tap(SDL_SCANCODE_APOSTROPHE, SDLK_UNKNOWN, "\u00e9"); /* composed */
    CHECK(u.sent() == hex({{'+', EACUTE}, {'-', EACUTE}}));
}
