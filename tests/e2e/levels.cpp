#include "levels.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <set>

#include "check.hpp"
#include "desk.hpp"

/* after Catch2, which has names that are macros there */
#include <X11/Xutil.h>
#include <X11/keysym.h>

namespace e2e
{

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
bool is_kept(unsigned code, unsigned long alone)
{
    static const std::set<unsigned> places = {42, 58, 33, 39}, server = {67, 82, 86};
    return server.count(code) || (places.count(code) && alone >= 0x80) || alone == XK_g ||
           alone == XK_m || alone == XK_p || alone == XK_s;
}

/* A modifier, or what acts on the layout at this side (viewer/desktop/input/keyboard/keymap.h). */
bool is_local(KeySym k)
{
    return k == NoSymbol || k == XK_VoidSymbol || k == XK_Multi_key || IsModifierKey(k) ||
           (k >= XK_ISO_Lock && k <= XK_ISO_Level5_Lock) ||
           (k >= XK_dead_grave && k <= XK_dead_greek);
}

/* A character beyond Latin, of which a shortcut makes the Latin key
 * (tests/unit/viewer/desktop/input/test_keymap.cpp).
 */
bool is_foreign(uint32_t keysym)
{
    return (keysym > 0x3ff && keysym < 0x1400) || keysym >= 0x01000250;
}

} // namespace

Script listening(bool codes)
{
    Script s = handshake(W, H) + Script{await_request(), send_step(raw_screen(W, H, 0x336699))};
    if (codes)
        s.push_back(send_step(update(1) + rectangle(0, 0, 0, 0, PSEUDO_KEY_CODES)));
    s.push_back(stall());
    return s;
}

Keys strike(Board &board, FakeServer &server, const std::vector<unsigned> &codes,
            const std::vector<unsigned> &held)
{
    for (unsigned code : held)
        board.key_at(code, true);
    for (unsigned code : codes) {
        board.key_at(code, true);
        board.key_at(code, false);
    }
    for (auto code = held.rbegin(); code != held.rend(); ++code)
        board.key_at(*code, false);
    board.key_at(F5, true);
    board.key_at(F5, false);

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

static std::string text(const Keys &keys)
{
    std::string s;
    for (const auto &k : keys)
        s += " " + keysym_name(k.keysym) + (k.code ? "/" + std::to_string(k.code) : "");
    return s;
}

std::vector<unsigned> Held::all() const
{
    std::vector<unsigned> keys = with;
    keys.insert(keys.end(), level.begin(), level.end());
    return keys;
}

std::vector<Held> all_held(const Board &board)
{
    std::vector<std::vector<unsigned>> levels = {{}, {SHIFT}};
    std::vector<Held> list;
    if (board.keysym(RIGHT_ALT) == XK_ISO_Level3_Shift) {
        levels.push_back({RIGHT_ALT});
        levels.push_back({RIGHT_ALT, SHIFT});
    }
    std::vector<std::vector<unsigned>> with = {{}, {CTRL}};
    if (board.keysym(ALT) == XK_Alt_L) {
        with.push_back({ALT});
        with.push_back({CTRL, ALT});
    }
    for (const auto &level : levels)
        for (const auto &w : with)
            list.push_back({level, w});
    return list;
}

Expected expect_keys(const Board &board, const Held &held, bool codes)
{
    Expected e;
    for (unsigned code : keys()) {
        const unsigned long k = board.keysym(code, held.level);
        if (is_local(k) || (held.with.size() == 2 && is_kept(code, board.keysym(code))))
            continue;
        e.codes.push_back(code);
        const auto composed = board.composed(k, held.shortcut());
        for (uint32_t part : composed)
            e.keys.push_back({part, 0, true});
        if (composed.empty())
            e.keys.push_back({static_cast<uint32_t>(k), codes ? xt_code(code) : 0u, true});
    }
    return e;
}

std::vector<Struck> strike_all(Board &board, FakeServer &server)
{
    std::vector<Struck> all;
    for (const Held &held : all_held(board)) {
        std::vector<unsigned> codes;
        for (unsigned code : expect_keys(board, held, false).codes)
            if (board.composed(board.keysym(code, held.level), held.shortcut()).empty())
                codes.push_back(code);
        all.push_back({held, strike(board, server, codes, held.all())});
    }
    return all;
}

/* TigerVNC's viewer goes by the key's place: layouts of dz, no and jp have other keysyms there. */
static bool is_by_place(uint32_t keysym)
{
    return keysym == XK_KP_Subtract || keysym == XK_KP_Add || keysym == XK_Kanji;
}

std::string difference(const Struck &ours, const Struck &theirs)
{
    std::string wrong;
    if (ours.keys.size() != theirs.keys.size())
        return text(ours.keys) + " beside" + text(theirs.keys);
    for (size_t i = 0; i < ours.keys.size(); i++) {
        const uint32_t a = ours.keys[i].keysym, b = theirs.keys[i].keysym;
        if (a != b && !is_by_place(b) && !(ours.held.shortcut() && is_foreign(b)))
            wrong += text({ours.keys[i]}) + " for" + text({theirs.keys[i]});
    }
    return wrong;
}

void check_levels(Board &board, FakeServer &server, bool codes)
{
    for (const Held &held : all_held(board)) {
        const Expected e = expect_keys(board, held, codes);
        const Keys got = strike(board, server, e.codes, held.all());
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

std::vector<std::string> all_layouts()
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
    /* the user's own, which is nowhere */
    list.erase(std::remove(list.begin(), list.end(), "custom"), list.end());
    return list;
}

} // namespace e2e
