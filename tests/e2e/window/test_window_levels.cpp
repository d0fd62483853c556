/* Each key of the user's layout in the real program's window on X11: what the server gets is what
 * the X server's XKB says, and what TigerVNC's viewer sends. */
#include <xkbcommon/xkbcommon-compose.h>

#include <algorithm>
#include <codecvt>
#include <locale>
#include <map>
#include <memory>

#include "tests/e2e/check.hpp"
#include "tests/e2e/fake_server.hpp"
#include "tests/e2e/levels.hpp"
#include "tests/e2e/shown_viewer.hpp"

/* after Catch2, which has names that are macros there */
#include <X11/XKBlib.h>
#include <X11/keysym.h>

using namespace e2e;

namespace
{

/* The user's keyboard, as the X server describes it. */
class XBoard : public Board
{
  public:
    explicit XBoard(Desk &desk)
        : desk_(desk), x_(desk.x()), map_(XkbGetMap(x_, XkbAllClientInfoMask, XkbUseCoreKbd))
    {
    }
    ~XBoard() override
    {
        XkbFreeKeyboard(map_, 0, True);
    }
    void key_at(unsigned code, bool down) override
    {
        desk_.key_at(code, down);
    }
    unsigned long keysym(unsigned code) const override
    {
        return XkbKeycodeToKeysym(x_, static_cast<KeyCode>(code), 0, 0);
    }
    unsigned long keysym(unsigned code, const std::vector<unsigned> &held) const override
    {
        unsigned mods = 0, rest;
        KeySym of = NoSymbol;
        for (unsigned key : held)
            mods |= XkbKeysymToModifiers(x_, keysym(key));
        XkbTranslateKeyCode(map_, static_cast<KeyCode>(code), mods, &rest, &of);
        return of;
    }

    /* Xlib writes some characters as several. */
    std::vector<uint32_t> composed(unsigned long keysym, bool shortcut) const override
    {
        std::vector<uint32_t> keys;
        xkb_compose_state_reset(compose_.get());
        xkb_compose_state_feed(compose_.get(), static_cast<xkb_keysym_t>(keysym));
        if (shortcut || xkb_compose_state_get_status(compose_.get()) != XKB_COMPOSE_COMPOSED)
            return keys;
        char text[64];
        xkb_compose_state_get_utf8(compose_.get(), text, sizeof text);
        for (char32_t c :
             std::wstring_convert<std::codecvt_utf8<char32_t>, char32_t>().from_bytes(text))
            keys.push_back(xkb_utf32_to_keysym(c));
        return keys;
    }

  private:
    using Compose = std::unique_ptr<xkb_compose_state, decltype(&xkb_compose_state_unref)>;

    static Compose locale_compose()
    {
        xkb_context *context = xkb_context_new(XKB_CONTEXT_NO_FLAGS);
        xkb_compose_table *table =
            xkb_compose_table_new_from_locale(context, "C.UTF-8", XKB_COMPOSE_COMPILE_NO_FLAGS);
        REQUIRE(table);
        xkb_compose_state *state = xkb_compose_state_new(table, XKB_COMPOSE_STATE_NO_FLAGS);
        xkb_compose_table_unref(table);
        xkb_context_unref(context);
        return {state, xkb_compose_state_unref};
    }

    Desk &desk_;
    Display *x_;
    XkbDescPtr map_;
    Compose compose_ = locale_compose();
};

/* A program that shows the server, and has the focus. */
class Shown
{
  public:
    Shown(Desk &desk, const Command &command) : desk_(desk), process_(command)
    {
        wait_until(PATIENCE, [&] {
            window_ = desk.find_desktop();
            window_ = window_ ? window_ : desk.find("TigerVNC");
            return window_ || !process_.running();
        });
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

/* Not that of braille: Xlib collects its keys until all are up. */
std::vector<std::string> x_layouts()
{
    auto list = all_layouts();
    list.erase(std::remove(list.begin(), list.end(), "brai"), list.end());
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
        Shown viewer(desk, ours(desk, server));
        const auto list = x_layouts();
        CHECK(list.size() > 90);
        for (const std::string &layout : list) {
            INFO(layout << (codes ? " with codes" : ""));
            REQUIRE(desk.layout(layout));
            XBoard board(desk);
            check_levels(board, server, codes);
        }
    }
}

TEST_CASE("window: what TigerVNC's viewer sends for a key is what ours does, on all layouts",
          "[window]")
{
    if (!can_run() || !installed("xtigervncviewer"))
        return;
    const TempDir home;
    std::map<std::string, std::vector<Struck>> sent[2];
    for (int viewer = 0; viewer < 2; viewer++) {
        FakeServer server(listening(false));
        Desk desk;
        Command theirs;
        theirs.argv = {"xtigervncviewer", "-AutoSelect=0", "-PreferredEncoding=Raw",
                       server.address()};
        theirs.env = {{"DISPLAY", desk.name()}, {"HOME", home.path()}, {"LC_ALL", "C.UTF-8"}};
        Shown shown(desk, viewer ? theirs : ours(desk, server));
        for (const std::string &layout : x_layouts()) {
            INFO(layout);
            REQUIRE(desk.layout(layout));
            XBoard board(desk);
            sent[viewer][layout] = strike_all(board, server);
        }
    }
    for (const auto &[layout, mine] : sent[0]) {
        INFO(layout);
        const auto &other = sent[1][layout];
        REQUIRE(mine.size() == other.size());
        for (size_t i = 0; i < mine.size(); i++)
            CHECK(difference(mine[i], other[i]) == "");
    }
}
