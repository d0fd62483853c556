/* Each key of the user's layout in the real program's window, with what chooses a level (Shift,
 * AltGr), alone and with Ctrl, Alt and both: what the server gets is what the X server's XKB says,
 * and what TigerVNC's viewer sends. */
#include <algorithm>
#include <fstream>
#include <map>
#include <set>

#include "check.hpp"
#include "fake_server.hpp"
#include "shown_viewer.hpp"

/* after Catch2, which has names that are macros there */
#include <X11/XKBlib.h>
#include <X11/Xutil.h>
#include <X11/keysym.h>

using namespace e2e;

namespace
{

constexpr unsigned CTRL = 37, ALT = 64, SHIFT = 50, RIGHT_ALT = 108, F5 = 71, HOME = 110;
constexpr int W = 200, H = 150;

/* The codes in X (evdev) of the keys that type, and of some that do not. */
std::vector<unsigned> keys()
{
    std::vector<unsigned> list = {9, 22, 49, 51, 65, 94, 67, HOME, 113, 119, 82, 86, 79, 84, 91};
    for (auto [first, last] : {std::pair(10u, 21u), {24u, 35u}, {38u, 48u}, {52u, 61u}})
        for (unsigned code = first; code <= last; code++)
            list.push_back(code);
    return list;
}

/* The same key's code for a server that takes them: the kernel's is X's less 8, and that is the XT
 * code of the older keys. */
uint32_t xt_code(unsigned code)
{
    static const std::map<unsigned, uint32_t> newer = {{HOME, 0xc7}, {113, 0xcb}, {119, 0xd3}};
    const auto found = newer.find(code);
    return found == newer.end() ? code - 8 : found->second;
}

/* With Ctrl+Alt: the viewer's own (G, M, P and S, or what is at their places and not Latin), and
 * what the X server keeps (F1, minus and plus of the keypad). */
bool is_kept(unsigned code, KeySym alone)
{
    static const std::set<unsigned> places = {42, 58, 33, 39}, server = {67, 82, 86};
    return server.count(code) || (places.count(code) && alone >= 0x80) || alone == XK_g ||
           alone == XK_m || alone == XK_p || alone == XK_s;
}

/* A modifier, or what acts on the layout at this side (viewer/desktop/keymap.h). */
bool is_local(KeySym k)
{
    return k == NoSymbol || k == XK_VoidSymbol || k == XK_Multi_key || IsModifierKey(k) ||
           (k >= XK_ISO_Lock && k <= XK_ISO_Level5_Lock) ||
           (k >= XK_dead_grave && k <= XK_dead_greek);
}

/* The user's keyboard, as the X server describes it. */
class Xkb
{
  public:
    explicit Xkb(Display *x) : x_(x), map_(XkbGetMap(x, XkbAllClientInfoMask, XkbUseCoreKbd)) {}
    ~Xkb()
    {
        XkbFreeKeyboard(map_, 0, True);
    }
    KeySym alone(unsigned code) const
    {
        return XkbKeycodeToKeysym(x_, static_cast<KeyCode>(code), 0, 0);
    }
    /* With the modifiers of these keys. */
    KeySym of(unsigned code, const std::vector<unsigned> &held) const
    {
        unsigned mods = 0, rest;
        KeySym keysym = NoSymbol;
        for (unsigned key : held)
            mods |= XkbKeysymToModifiers(x_, alone(key));
        XkbTranslateKeyCode(map_, static_cast<KeyCode>(code), mods, &rest, &keysym);
        return keysym;
    }

  private:
    Display *x_;
    XkbDescPtr map_;
};

/* A server that writes down keys, for one viewer. */
Script listening(bool codes)
{
    Script s = handshake(W, H) + Script{await_request(), send_step(raw_screen(W, H, 0x336699))};
    if (codes)
        s.push_back(send_step(update(1) + rectangle(0, 0, 0, 0, PSEUDO_KEY_CODES)));
    s.push_back(stall());
    return s;
}

using Keys = std::vector<FakeServer::Key>;

/* A program that shows the server, and has the focus. */
class Shown
{
  public:
    Shown(Desk &desk, const Command &command, const std::string &title)
        : desk_(desk), process_(command)
    {
        wait_until(PATIENCE, [&] { return (window_ = desk.find(title)) || !process_.running(); });
        INFO(process_.err());
        REQUIRE(window_);
        desk.give_focus(window_);
    }

  private:
    Desk &desk_;
    Process process_;
    Desk::Window window_ = 0;
};

Command ours(Desk &desk, const FakeServer &server)
{
    return ShownViewer::command(desk.name(), server.address(),
                                {"--alert-on-fatal-error=off", "--recent", "off"});
}

/* Taps these keys one after the other while those are held, and F5 behind them. What has arrived
 * then but modifiers; nothing stays down. */
Keys strike(Desk &desk, FakeServer &server, const std::vector<unsigned> &codes,
            const std::vector<unsigned> &held)
{
    for (unsigned code : held)
        desk.key_at(code, true);
    for (unsigned code : codes) {
        desk.key_at(code, true);
        desk.key_at(code, false);
    }
    for (auto code = held.rbegin(); code != held.rend(); ++code)
        desk.key_at(*code, false);
    desk.key_at(F5, true);
    desk.key_at(F5, false);

    Keys all, presses;
    std::set<std::pair<uint32_t, uint32_t>> down;
    const bool came = wait_until(PATIENCE, [&] {
        for (const auto &k : server.take_keys())
            all.push_back(k);
        return !all.empty() && all.back().keysym == XK_F5 && !all.back().down;
    });
    CHECK(came);
    for (const auto &k : all) {
        if (k.down)
            down.insert({k.keysym, k.code});
        else if (!down.erase({k.keysym, k.code}))
            FAIL_CHECK("a release without its press: " << k.keysym);
        if (k.down && !is_local(k.keysym) && k.keysym != XK_F5)
            presses.push_back(k);
    }
    CHECK(down.empty());
    return presses;
}

std::string text(const Keys &keys)
{
    std::string s;
    for (const auto &k : keys)
        s += " " + keysym_name(k.keysym) + (k.code ? "/" + std::to_string(k.code) : "");
    return s;
}

/* What is held to choose a level, and besides it. */
struct Held {
    std::vector<unsigned> level, with;

    bool shortcut() const
    {
        return !with.empty();
    }
    std::vector<unsigned> all() const
    {
        std::vector<unsigned> keys = with;
        keys.insert(keys.end(), level.begin(), level.end());
        return keys;
    }
};

/* All of them that the layout has. */
std::vector<Held> all_held(const Xkb &xkb)
{
    std::vector<std::vector<unsigned>> levels = {{}, {SHIFT}};
    std::vector<Held> list;
    if (xkb.alone(RIGHT_ALT) == XK_ISO_Level3_Shift) {
        levels.push_back({RIGHT_ALT});
        levels.push_back({RIGHT_ALT, SHIFT});
    }
    std::vector<std::vector<unsigned>> with = {{}, {CTRL}};
    if (xkb.alone(ALT) == XK_Alt_L) {
        with.push_back({ALT});
        with.push_back({CTRL, ALT});
    }
    for (const auto &level : levels)
        for (const auto &w : with)
            list.push_back({level, w});
    return list;
}

/* What the keys are that a layout can tell with this held, and what the server is to get. */
struct Expected {
    std::vector<unsigned> codes;
    Keys keys;
};

Expected expect(const Xkb &xkb, const Held &held, bool codes)
{
    Expected e;
    for (unsigned code : keys()) {
        const KeySym k = xkb.of(code, held.level);
        if (is_local(k) || (held.with.size() == 2 && is_kept(code, xkb.alone(code))))
            continue;
        e.codes.push_back(code);
        e.keys.push_back({static_cast<uint32_t>(k), codes ? xt_code(code) : 0u, true});
    }
    return e;
}

/* A character beyond Latin, of which a shortcut makes the Latin key (tests/unit/test_keymap.cpp).
 */
bool is_foreign(uint32_t keysym)
{
    return (keysym > 0x3ff && keysym < 0x1400) || keysym >= 0x01000250;
}

void check_all(Desk &desk, FakeServer &server, bool codes)
{
    const Xkb xkb(desk.x());
    for (const Held &held : all_held(xkb)) {
        const Expected e = expect(xkb, held, codes);
        const Keys got = strike(desk, server, e.codes, held.all());
        std::string wrong;
        INFO("arrives:" << text(got) << "; expected:" << text(e.keys));
        CHECK(got.size() == e.keys.size());
        if (got.size() != e.keys.size())
            continue;
        for (size_t i = 0; i < got.size(); i++) {
            const uint32_t want = e.keys[i].keysym;
            const bool same = got[i].keysym == want || (held.shortcut() && is_foreign(want));
            if (!same || got[i].code != e.keys[i].code)
                wrong += text({got[i]}) + " for" + text({e.keys[i]});
        }
        INFO("held " << held.level.size() << "+" << held.with.size() << ":" << wrong);
        CHECK(wrong.empty());
    }
}

/* All layouts that the rules list, without their variants. Not those with characters that Xlib
 * gives no text for, or more than one; nor lt, of which Xlib says something else than it types. */
std::vector<std::string> layouts()
{
    std::vector<std::string> list = {"us(altgr-intl)", "us(intl)"};
    std::ifstream in("/usr/share/X11/xkb/rules/evdev.lst");
    std::string line;
    bool part = false;
    while (std::getline(in, line)) {
        const size_t name = line.find_first_not_of(' ');
        if (line[0] == '!')
            part = line == "! layout";
        else if (part && name != std::string::npos)
            list.push_back(line.substr(name, line.find(' ', name) - name));
    }
    const std::set<std::string> out = {"custom", "af", "ara", "brai", "ge", "ie", "iq",
                                       "kh",     "lt", "ma",  "my",   "sy", "tj"};
    list.erase(std::remove_if(list.begin(), list.end(),
                              [&](const std::string &name) { return out.count(name) != 0; }),
               list.end());
    return list;
}

} // namespace

TEST_CASE("window: each key and level of a layout is what XKB says, also with Ctrl and Alt",
          "[window]")
{
    if (!can_run())
        return;
    for (bool codes : {false, true}) {
        FakeServer server(listening(codes));
        Desk desk;
        Shown viewer(desk, ours(desk, server), "- vnchl");
        const auto list = layouts();
        CHECK(list.size() > 80);
        for (const std::string &layout : list) {
            INFO(layout << (codes ? " with codes" : ""));
            REQUIRE(desk.layout(layout));
            check_all(desk, server, codes);
        }
    }
}

TEST_CASE("window: what TigerVNC's viewer sends for a key is what ours does", "[window]")
{
    if (!can_run() || !installed("xtigervncviewer"))
        return;
    const TempDir home;
    for (const char *layout :
         {"es", "se", "ch", "be", "fr", "de", "gb", "us(altgr-intl)", "dk", "latam"}) {
        INFO(layout);
        std::vector<Keys> sent[2];
        for (int viewer = 0; viewer < 2; viewer++) {
            FakeServer server(listening(false));
            Desk desk;
            Command theirs;
            theirs.argv = {"xtigervncviewer", "-AutoSelect=0", "-PreferredEncoding=Raw",
                           server.address()};
            theirs.env = {{"DISPLAY", desk.name()}, {"HOME", home.path()}, {"LC_ALL", "C.UTF-8"}};
            Shown shown(desk, viewer ? theirs : ours(desk, server),
                        viewer ? "TigerVNC" : "- vnchl");
            REQUIRE(desk.layout(layout));
            const Xkb xkb(desk.x());
            for (const Held &held : all_held(xkb))
                sent[viewer].push_back(
                    strike(desk, server, expect(xkb, held, false).codes, held.all()));
        }
        REQUIRE(sent[0].size() == sent[1].size());
        for (size_t i = 0; i < sent[0].size(); i++)
            CHECK(text(sent[0][i]) == text(sent[1][i]));
    }
}
