/* The keyboard in the real program's window: what a layout makes of keys, locks, the grab. */
#include <algorithm>

#include "tests/e2e/check.hpp"
#include "tests/e2e/shown_viewer.hpp"

/* after Catch2, which has names that are macros there */
#include <X11/Xlib.h>
#include <X11/keysym.h>

using namespace e2e;

namespace
{

bool has(const std::vector<unsigned long> &keys, unsigned long keysym)
{
    return std::find(keys.begin(), keys.end(), keysym) != keys.end();
}

/* The keys that arrive until this one does, of which the server learns the first time that it
 * comes. So it is typed again and again. */
std::vector<unsigned long> arriving(Server &server, const std::function<void()> &type,
                                    unsigned long last)
{
    std::vector<unsigned long> keys, all;
    wait_until(PATIENCE, [&] {
        type();
        keys = server.screen->keys_until(last, milliseconds(200));
        return !keys.empty();
    });
    return keys;
}

bool wait_lock(Server &server, bool on)
{
    return wait_until(PATIENCE, [&] { return ((server.screen->locks() & LockMask) != 0) == on; });
}

} // namespace

TEST_CASE("window: Compose and a switch of the layout on other keys are not sent", "[window]")
{
    auto server = can_run() ? start_tigervnc() : nullptr;
    if (!server)
        return;
    Desk desk;
    for (const char *option : {"compose:caps", "compose:menu", "compose:rctrl"}) {
        INFO(option);
        REQUIRE(desk.layout("us", option));
        ShownViewer viewer(desk, *server);
        auto compose = [&] {
            desk.tap(XK_Multi_key);
            desk.tap(XK_apostrophe);
            desk.tap(XK_e);
        };
        auto keys = arriving(*server, compose, XK_eacute);
        CHECK_FALSE(keys.empty());
        for (unsigned long wrong : {XK_Caps_Lock, XK_Menu, XK_Control_R, XK_apostrophe, XK_e})
            CHECK_FALSE(has(keys, wrong));
        CHECK((server->screen->locks() & LockMask) == 0);
        desk.layout("us", "");
    }
    REQUIRE(desk.layout("us,ru", "grp:caps_toggle"));
    ShownViewer viewer(desk, *server);
    desk.tap(XK_ISO_Next_Group);
    auto keys = arriving(
        *server, [&] { desk.tap(XK_a); }, XK_Cyrillic_ef);
    CHECK_FALSE(keys.empty());
    CHECK_FALSE(has(keys, XK_Caps_Lock));
    desk.tap(XK_ISO_Next_Group);
    desk.tap(XK_a);
    keys = server->screen->keys_until(XK_a, PATIENCE);
    CHECK_FALSE(keys.empty());
    CHECK_FALSE(has(keys, XK_Caps_Lock));
    CHECK((server->screen->locks() & LockMask) == 0);
}

TEST_CASE("window: a server with its own layout has every key", "[window]")
{
    auto server = can_run() ? start_tigervnc({516, 388, {"-RawKeyboard"}, true}) : nullptr;
    if (!server)
        return;
    Command c;
    c.argv = {"setxkbmap", "-display", server->display, "-layout", "de"};
    REQUIRE(run(c).status == 0);
    Desk desk;
    REQUIRE(desk.layout("de"));
    ShownViewer viewer(desk, *server);
    /* the dead key and the letter are composed there */
    auto both = [&] {
        desk.tap(XK_dead_acute); /* until the server has said that it takes keys by their codes, */
        desk.tap(XK_e);          /* the viewer composes them itself */
    };
    CHECK_FALSE(arriving(*server, both, XK_dead_acute).empty());
    CHECK(server->screen->wait_key(XK_e, false, PATIENCE));
    desk.key(XK_ISO_Level3_Shift, true);
    desk.tap(XK_q);
    desk.key(XK_ISO_Level3_Shift, false);
    CHECK(server->screen->wait_key(XK_at, true, PATIENCE));
    desk.tap(XK_z);
    CHECK(server->screen->wait_key(XK_z, true, PATIENCE));
    /* another layout here changes nothing there */
    REQUIRE(desk.layout("ru"));
    desk.tap(XK_Cyrillic_ef);
    CHECK(server->screen->wait_key(XK_a, true, PATIENCE));
}

TEST_CASE("window: keys of a Japanese keyboard arrive", "[window]")
{
    auto server = can_run() ? start_tigervnc() : nullptr;
    if (!server)
        return;
    Desk desk;
    REQUIRE(desk.layout("jp"));
    ShownViewer viewer(desk, *server);
    for (unsigned long keysym : {XK_Henkan_Mode, XK_Muhenkan}) {
        INFO("keysym " << keysym);
        CHECK_FALSE(arriving(
                        *server, [&] { desk.tap(keysym); }, keysym)
                        .empty());
    }
    desk.tap(XK_at); /* a key of its own */
    CHECK(server->screen->wait_key(XK_at, true, PATIENCE));
}

TEST_CASE("window: the server's Caps Lock follows ours when the focus comes", "[window]")
{
    auto server = can_run() ? start_tigervnc() : nullptr;
    if (!server)
        return;
    Desk desk;
    desk.tap(XK_Caps_Lock); /* on, before there is a viewer */
    ShownViewer viewer(desk, *server);
    desk.give_focus(viewer.window());
    CHECK(wait_lock(*server, true));
    Desk::Window other = desk.other_window();
    for (bool on : {false, true, false}) {
        INFO("on " << on);
        desk.give_focus(other);
        desk.tap(XK_Caps_Lock);
        desk.give_focus(viewer.window());
        CHECK(wait_lock(*server, on));
    }
    /* and it follows the key itself */
    for (bool on : {true, false}) {
        desk.tap(XK_Caps_Lock);
        CHECK(wait_lock(*server, on));
    }
}

TEST_CASE("window: view-only leaves the server's Caps Lock alone", "[window]")
{
    auto server = can_run() ? start_tigervnc() : nullptr;
    if (!server)
        return;
    Desk desk;
    desk.tap(XK_Caps_Lock);
    server->screen->draw(0);
    server->screen->settle();
    ShownViewer viewer(desk, *server, {"--view-only"});
    desk.give_focus(viewer.window());
    CHECK(viewer.wait_shows(server->screen->capture()));
    CHECK((server->screen->locks() & LockMask) == 0);
}

TEST_CASE("window: Ctrl+Alt+G takes the window manager's keys, and gives them back", "[window]")
{
    auto server = can_run() && installed("openbox") ? start_tigervnc() : nullptr;
    if (!server)
        return;
    Desk desk(true);
    ShownViewer viewer(desk, *server);
    REQUIRE(wait_until(PATIENCE, [&] { return desk.focus() == viewer.window(); }));
    auto toggle = [&] {
        desk.key(XK_Control_L, true);
        desk.key(XK_Alt_L, true);
        desk.tap(XK_g);
        desk.key(XK_Alt_L, false);
        desk.key(XK_Control_L, false);
    };
    /* What arrives of Alt+Tab, and of a key after it. The window manager may take the keyboard a
     * while after it was told of Alt+Tab, and keep it for another while: then that key has to be
     * typed again. At the end the keyboard is free. */
    auto alt_tab = [&](unsigned long last) {
        desk.key(XK_Alt_L, true);
        desk.tap(XK_Tab);
        desk.key(XK_Alt_L, false);
        auto keys = arriving(
            *server, [&] { desk.tap(last); }, last);
        CHECK_FALSE(keys.empty());
        desk.wait_for_window_manager(viewer.window());
        CHECK_FALSE(arriving(
                        *server, [&] { desk.tap(XK_F4); }, XK_F4)
                        .empty());
        return keys;
    };
    /* It takes its keys anew at times (when another keyboard is used, as XTEST's is here), and has
     * none of them in between. So it is asked until it is ready. */
    auto is_taken = [&](unsigned long last) { return !has(alt_tab(last), XK_Tab); };
    CHECK(wait_until(PATIENCE, [&] { return is_taken(XK_F5); }));
    toggle();
    CHECK(wait_until(PATIENCE, [&] { return desk.find("keyboard grabbed - vnchl") != 0; }));
    auto keys = alt_tab(XK_F6);
    CHECK(has(keys, XK_Tab));
    CHECK_FALSE(has(keys, XK_g));
    toggle();
    CHECK(wait_until(PATIENCE, [&] { return desk.find("keyboard grabbed - vnchl") == 0; }));
    CHECK(wait_until(PATIENCE, [&] { return is_taken(XK_F7); }));
}

TEST_CASE("window: --grab-keyboard begins so", "[window]")
{
    auto server = can_run() && installed("openbox") ? start_tigervnc() : nullptr;
    if (!server)
        return;
    Desk desk(true);
    ShownViewer viewer(desk, *server, {"--grab-keyboard"});
    CHECK(wait_until(PATIENCE, [&] { return desk.find("keyboard grabbed - vnchl") != 0; }));
    REQUIRE(wait_until(PATIENCE, [&] { return desk.focus() == viewer.window(); }));
    REQUIRE(desk.wait_for_grab()); /* a while after the focus */
    desk.key(XK_Alt_L, true);
    desk.tap(XK_Tab);
    desk.key(XK_Alt_L, false);
    CHECK(server->screen->wait_key(XK_Alt_L, true, PATIENCE));
    CHECK(server->screen->wait_key(XK_Tab, true, PATIENCE));
    CHECK(server->screen->wait_key(XK_Alt_L, false, PATIENCE));
}

TEST_CASE("window: one that starts in full screen takes the window manager's keys", "[window]")
{
    auto server = can_run() && !find_program("openbox").empty() ? start_tigervnc() : nullptr;
    if (!server)
        return;
    Desk desk(true);
    ShownViewer viewer(desk, *server, {"--full-screen"});
    REQUIRE(wait_until(PATIENCE, [&] { return desk.focus() == viewer.window(); }));
    REQUIRE(desk.wait_for_grab()); /* a while after the focus */
    desk.key(XK_Alt_L, true);
    desk.tap(XK_F4); /* closes a window that has not taken it */
    desk.key(XK_Alt_L, false);
    CHECK(server->screen->wait_key(XK_Alt_L, true, PATIENCE));
    CHECK(server->screen->wait_key(XK_F4, true, PATIENCE));
    CHECK(server->screen->wait_key(XK_Alt_L, false, PATIENCE));
    CHECK(viewer.process().running());
}

TEST_CASE("window: Alt+Tab to another window leaves no Alt behind", "[window]")
{
    auto server =
        can_run() && installed("openbox") && installed("xev") ? start_tigervnc() : nullptr;
    if (!server)
        return;
    Desk desk(true);
    Command c;
    c.argv = {"xev", "-display", desk.name()};
    Process other(c);
    REQUIRE(wait_until(PATIENCE, [&] { return desk.find("Event Tester") != 0; }));
    ShownViewer viewer(desk, *server);
    REQUIRE(wait_until(PATIENCE, [&] { return desk.focus() == viewer.window(); }));
    /* The window manager takes its keys anew when XTEST's keyboard is used for the first time. */
    desk.tap(XK_b);
    CHECK(server->screen->wait_key(XK_b, false, PATIENCE));
    desk.wait_for_window_manager(viewer.window());
    desk.key(XK_Alt_L, true);
    CHECK(server->screen->wait_key(XK_Alt_L, true, PATIENCE));
    desk.key(XK_Tab, true); /* while it is down the window manager has the keyboard for sure */
    desk.key(XK_Alt_L, false);
    desk.key(XK_Tab, false);
    CHECK(server->screen->wait_key(XK_Alt_L, false, PATIENCE));
    CHECK(wait_until(PATIENCE, [&] { return desk.focus() == desk.find("Event Tester"); }));
}
