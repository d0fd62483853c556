/* What the menu does with the window and with the clipboard: it is minimised, another one is
 * opened, and a text is typed as keys, which has no other way into a login screen. */
#include <csignal>

#include "menu_scene.hpp"

/* after Catch2, which has names that are macros there */
#include <X11/Xatom.h>

using namespace e2e;

namespace
{

/* A program on the desk's display that has copied the text. */
std::unique_ptr<Process> copied(Desk &desk, const std::string &text)
{
    Command c;
    c.argv = {"xclip", "-quiet", "-i", "-display", desk.name(), "-selection", "clipboard"};
    c.input = text;
    Atom atom = XInternAtom(desk.x(), "CLIPBOARD", False);
    auto p = std::make_unique<Process>(c);
    REQUIRE(wait_until(PATIENCE, [&] { return XGetSelectionOwner(desk.x(), atom) != None; }));
    return p;
}

} // namespace

TEST_CASE("typing: the clipboard's text comes as keys, with Shift and Enter", "[menu]")
{
    MenuScene s({"--clipboard", "off"});
    if (!s || !installed("xclip"))
        return;
    REQUIRE(s.wait_plain());
    auto program = copied(*s.desk, "aB?\n\xc3\xa9z\x07");
    s.choose(XK_l);
    CHECK(s.keys_until(XK_z) ==
          Keys{XK_a, XK_Shift_L, XK_B, XK_Shift_L, XK_question, XK_Return, XK_eacute, XK_z});
    CHECK(s.released(XK_z));
    /* what has no key is told */
    CHECK(wait_until(PATIENCE, [&] {
        return s.viewer->err().find("1 character of the text has no key, and was not typed: "
                                    "U+0007.") != std::string::npos;
    }));
    s.desk->tap(XK_q);
    CHECK(s.keys_until(XK_q) == Keys{XK_q});
}

TEST_CASE("typing: a key stops it, and goes nowhere else", "[menu]")
{
    MenuScene s;
    if (!s || !installed("xclip"))
        return;
    REQUIRE(s.wait_plain());
    auto program = copied(*s.desk, std::string(1000, 'a'));
    s.choose(XK_l);
    CHECK(s.keys_until(XK_a) == Keys{XK_a});
    s.desk->tap(XK_x);
    CHECK(wait_until(PATIENCE, [&] {
        return s.viewer->err().find("Typing was stopped after ") != std::string::npos;
    }));
    s.desk->tap(XK_q);
    Keys keys = s.keys_until(XK_q);
    REQUIRE_FALSE(keys.empty());
    CHECK(keys.size() < 900);
    CHECK(std::count(keys.begin(), keys.end(), XK_a) == static_cast<long>(keys.size()) - 1);
}

TEST_CASE("typing: a server that does not answer stops it", "[menu]")
{
    MenuScene s;
    if (!s || !installed("xclip"))
        return;
    REQUIRE(s.wait_plain());
    auto program = copied(*s.desk, std::string(1200, 'a'));
    s.choose(XK_l);
    CHECK(s.keys_until(XK_a) == Keys{XK_a});
    kill(s.server->processes.back()->pid(), SIGSTOP);
    CHECK(wait_until(PATIENCE, [&] {
        return s.viewer->err().find("Typing was stopped after ") != std::string::npos;
    }));
    kill(s.server->processes.back()->pid(), SIGCONT);
}

TEST_CASE("typing: not while the window only looks on, and no text that is too long", "[menu]")
{
    MenuScene s;
    if (!s || !installed("xclip"))
        return;
    REQUIRE(s.wait_plain());
    auto program = copied(*s.desk, std::string(1201, 'a'));
    s.choose(XK_l);
    CHECK(wait_until(PATIENCE, [&] {
        return s.viewer->err().find("has 1201 characters, and at most 1200 are typed") !=
               std::string::npos;
    }));
    program.reset();
    program = copied(*s.desk, "a");
    s.choose(XK_v);
    s.choose(XK_l); /* cannot be chosen */
    s.desk->tap(XK_v);
    CHECK(s.wait_no_menu());
    s.desk->tap(XK_q);
    CHECK(s.keys_until(XK_q) == Keys{XK_q});
}

TEST_CASE("typing: QEMU's machine gets every character", "[menu]")
{
    auto server = can_run() && installed("xclip") ? start_qemu() : nullptr;
    if (!server)
        return;
    Desk desk;
    ShownViewer viewer(desk, *server);
    REQUIRE(wait_until(PATIENCE, [&] { return server->painted(); }));
    const std::string text = "Root_1, {\"Pass|word\"}: ~!@#$%^&*()+<>? `-=[]\\;',./";
    auto program = copied(desk, text);
    desk.give_focus(viewer.window());
    desk.tap(XK_F8);
    desk.tap(XK_l);
    CHECK(wait_until(PATIENCE, [&] { return server->keys().size() >= text.size(); }));
    CHECK(server->keys() == text);
}

TEST_CASE("menu: the window is minimised", "[menu]")
{
    auto server = can_run() && installed("openbox") ? start_tigervnc() : nullptr;
    if (!server)
        return;
    Desk desk(true);
    ShownViewer viewer(desk, *server);
    desk.wait_for_window_manager(viewer.window());
    auto is_shown = [&] {
        XWindowAttributes a;
        return XGetWindowAttributes(desk.x(), viewer.window(), &a) && a.map_state == IsViewable;
    };
    auto minimise_by_menu = [&] {
        desk.give_focus(viewer.window());
        desk.tap(XK_F8);
        desk.tap(XK_m);
    };
    minimise_by_menu();
    CHECK(wait_until(PATIENCE, [&] { return !is_shown(); }));
    REQUIRE(desk.minimise(viewer.window(), false));
    SECTION("in full screen, too")
    {
        desk.give_focus(viewer.window());
        desk.tap(XK_F8);
        desk.tap(XK_f);
        REQUIRE(viewer.wait_size(1200, 900));
        desk.wait_for_program(viewer.window()); /* SDL waits for full screen */
        minimise_by_menu();
        CHECK(wait_until(PATIENCE, [&] { return !is_shown(); }));
        REQUIRE(desk.minimise(viewer.window(), false));
        CHECK(viewer.wait_size(1200, 900));
    }
}

TEST_CASE("menu: another window opens, and outlives this one", "[menu]")
{
    MenuScene s;
    if (!s)
        return;
    REQUIRE(s.wait_plain());
    const std::string desktop = s.title();
    s.choose(XK_w);
    Desk::Window other = 0;
    REQUIRE(wait_until(PATIENCE, [&] { return s.title() == desktop && s.wait_no_menu(); }));
    s.desk->close_window(s.window);
    CHECK(s.viewer->wait(PATIENCE) == 0);
    CHECK(wait_until(PATIENCE, [&] {
        other = s.desk->find("vnchl");
        return other && s.desk->title(other) == "vnchl";
    }));
    s.desk->give_focus(other); /* the start window: Escape leads out of it */
    s.desk->tap(XK_Escape);
    CHECK(wait_until(PATIENCE, [&] { return s.desk->find("vnchl") == 0; }));
}
