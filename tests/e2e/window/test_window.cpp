/* The real program in a real window: vnchl (path in the environment variable VNCHL) on an Xvfb of
 * the test's own, connected to TigerVNC's Xvnc. A user sits at the Xvfb (XTest), the harness's X
 * client at the Xvnc. */
#include <signal.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

#include "tests/e2e/check.hpp"
#include "tests/e2e/shown_viewer.hpp"

/* after Catch2, which has names that are macros there */
#include <X11/Xlib.h>
#include <X11/keysym.h>

using namespace e2e;

namespace
{

/* CPU time of a process in seconds. */
double cpu_seconds(pid_t pid)
{
    std::ifstream f("/proc/" + std::to_string(pid) + "/stat");
    std::string all((std::istreambuf_iterator<char>(f)), std::istreambuf_iterator<char>());
    std::istringstream rest(all.substr(all.rfind(')') + 2));
    std::string skip;
    double user = 0, system = 0;
    for (int i = 0; i < 11; i++)
        rest >> skip;
    rest >> user >> system;
    return (user + system) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

void arrives(Server &server, KeySym keysym)
{
    char text[24];
    snprintf(text, sizeof text, "keysym 0x%lx", keysym);
    INFO(text);
    CHECK(server.screen->wait_key(keysym, true, PATIENCE));
    CHECK(server.screen->wait_key(keysym, false, PATIENCE));
}

/* For keysyms that are not on the server's US keyboard: Xvnc adds them to its map when they come
 * first, and X clients learn of that too late for that very press. */
bool arrives_in_the_end(Server &server, const std::function<void()> &type, KeySym keysym)
{
    return wait_until(PATIENCE, [&] {
        type();
        return server.screen->wait_key(keysym, true, milliseconds(200));
    });
}

} // namespace

TEST_CASE("window: it shows the server's screen, pixel for pixel", "[window]")
{
    auto server = can_run() ? start_tigervnc() : nullptr;
    if (!server)
        return;
    Desk desk;
    server->screen->draw(0);
    server->screen->settle();
    ShownViewer viewer(desk, *server);
    CHECK(viewer.wait_size(516, 388));
    CHECK(colours(server->screen->capture()) > 20);
    CHECK(viewer.wait_shows(server->screen->capture()));
    server->screen->animate(40, milliseconds(15));
    CHECK(viewer.wait_shows(server->screen->capture()));

    /* something covers a part of it and goes away */
    Window cover = XCreateSimpleWindow(desk.x(), viewer.window(), 20, 30, 200, 100, 0, 0, 0xff00ff);
    XMapRaised(desk.x(), cover);
    XSync(desk.x(), False);
    XDestroyWindow(desk.x(), cover);
    CHECK(viewer.wait_shows(server->screen->capture()));
}

TEST_CASE("window: another size scales the picture and keeps its shape", "[window]")
{
    auto server = can_run() ? start_tigervnc({400, 300, {}, true}) : nullptr;
    if (!server)
        return;
    Desk desk;
    server->screen->fill(0x3060c0);
    ShownViewer viewer(desk, *server, {"--remote-resize", "off"});
    Image plain(400, 300, 0x3060c0);
    CHECK(viewer.wait_shows(plain));

    Image wide(1000, 600, 0); /* twice as large, bars of 100 left and right */
    for (int y = 0; y < 600; y++)
        for (int x = 100; x < 900; x++)
            wide.pixels[static_cast<size_t>(y) * 1000 + x] = 0x3060c0;
    XMoveResizeWindow(desk.x(), viewer.window(), 0, 0, 1000, 600);
    XFlush(desk.x());
    CHECK(viewer.wait_size(1000, 600));
    CHECK(viewer.wait_shows(wide));
    desk.move(100 + 2 * 77, 2 * 55);
    CHECK(server->screen->wait_pointer(77, 55, PATIENCE));
    desk.move(30, 598); /* on the bar */
    CHECK(server->screen->wait_pointer(0, 299, PATIENCE));
}

TEST_CASE("window: clicks and the wheel arrive where they were made", "[window]")
{
    auto server = can_run() ? start_tigervnc() : nullptr;
    if (!server)
        return;
    Desk desk;
    ShownViewer viewer(desk, *server);
    auto at = viewer.place();
    for (unsigned button = 1; button <= 7; button++) {
        INFO("button " << button);
        int x = 20 + static_cast<int>(button) * 50, y = 300 - static_cast<int>(button) * 30;
        desk.move(at.x + x, at.y + y);
        desk.button(button, true);
        desk.button(button, false);
        CHECK(server->screen->wait_button(button, true, x, y, PATIENCE));
        CHECK(server->screen->wait_button(button, false, x, y, PATIENCE));
    }
    desk.move(at.x + 10, at.y + 10);
    desk.button(1, true);
    desk.move(at.x + 200, at.y + 100);
    desk.button(1, false);
    CHECK(server->screen->wait_button(1, true, 10, 10, PATIENCE));
    CHECK(server->screen->wait_button(1, false, 200, 100, PATIENCE));
}

TEST_CASE("window: keys arrive as they were typed", "[window]")
{
    auto server = can_run() ? start_tigervnc() : nullptr;
    if (!server)
        return;
    Desk desk;
    SECTION("US layout")
    {
        ShownViewer viewer(desk, *server);
        const KeySym plain[] = {XK_a,      XK_7,      XK_space, XK_slash,  XK_Return,
                                XK_Escape, XK_Tab,    XK_F1,    XK_F12,    XK_Left,
                                XK_Prior,  XK_Delete, XK_Home,  XK_Insert, XK_BackSpace};
        for (KeySym k : plain) {
            desk.tap(k);
            arrives(*server, k);
        }
        const std::pair<KeySym, KeySym> shifted[] = {{XK_a, XK_A}, {XK_1, XK_exclam}};
        for (auto [key, typed] : shifted) {
            desk.key(XK_Shift_L, true);
            desk.tap(key);
            CHECK(server->screen->wait_key(XK_Shift_L, true, PATIENCE));
            arrives(*server, typed);
            desk.key(XK_Shift_L, false);
            CHECK(server->screen->wait_key(XK_Shift_L, false, PATIENCE));
        }
        const std::pair<KeySym, KeySym> shortcuts[] = {
            {XK_Control_L, XK_c}, {XK_Alt_L, XK_x}, {XK_Super_L, XK_d}, {XK_Alt_R, XK_x}};
        for (auto [modifier, key] : shortcuts) {
            INFO("modifier " << modifier);
            desk.key(modifier, true);
            desk.tap(key);
            CHECK(server->screen->wait_key(modifier, true, PATIENCE));
            arrives(*server, key);
            desk.key(modifier, false);
            CHECK(server->screen->wait_key(modifier, false, PATIENCE));
        }
    }
    SECTION("German layout: umlauts, AltGr, dead keys")
    {
        REQUIRE(desk.layout("de"));
        ShownViewer viewer(desk, *server);
        desk.tap(XK_z);
        arrives(*server, XK_z);
        CHECK(arrives_in_the_end(
            *server, [&] { desk.tap(XK_adiaeresis); }, XK_adiaeresis));
        desk.key(XK_ISO_Level3_Shift, true);
        desk.tap(XK_q);
        CHECK(server->screen->wait_key(XK_ISO_Level3_Shift, true, PATIENCE));
        CHECK(server->screen->wait_key(XK_at, true, PATIENCE));
        CHECK(arrives_in_the_end(
            *server, [&] { desk.tap(XK_e); }, XK_EuroSign));
        desk.key(XK_ISO_Level3_Shift, false);
        CHECK(server->screen->wait_key(XK_ISO_Level3_Shift, false, PATIENCE));
        auto compose = [&] {
            desk.tap(XK_dead_acute);
            desk.tap(XK_e);
        };
        CHECK(arrives_in_the_end(*server, compose, XK_eacute));
    }
    SECTION("Russian layout: its letters, Latin shortcuts")
    {
        REQUIRE(desk.layout("ru"));
        ShownViewer viewer(desk, *server);
        CHECK(arrives_in_the_end(
            *server, [&] { desk.tap(XK_Cyrillic_ef); }, XK_Cyrillic_ef));
        desk.key(XK_Control_L, true);
        desk.tap(XK_Cyrillic_es); /* where C is */
        CHECK(server->screen->wait_key(XK_Control_L, true, PATIENCE));
        arrives(*server, XK_c);
        desk.key(XK_Control_L, false);
        CHECK(server->screen->wait_key(XK_Control_L, false, PATIENCE));
    }
    SECTION("the layout changes while the viewer runs")
    {
        ShownViewer viewer(desk, *server);
        desk.tap(XK_y);
        arrives(*server, XK_y);
        REQUIRE(desk.layout("fr"));
        CHECK(arrives_in_the_end(
            *server, [&] { desk.tap(XK_eacute); }, XK_eacute));
    }
}

TEST_CASE("window: all keys go up when the focus is lost", "[window]")
{
    auto server = can_run() ? start_tigervnc() : nullptr;
    if (!server)
        return;
    Desk desk;
    ShownViewer viewer(desk, *server);
    desk.key(XK_Control_L, true);
    desk.key(XK_a, true);
    CHECK(server->screen->wait_key(XK_Control_L, true, PATIENCE));
    CHECK(server->screen->wait_key(XK_a, true, PATIENCE));
    Window other =
        XCreateSimpleWindow(desk.x(), DefaultRootWindow(desk.x()), 0, 0, 50, 50, 0, 0, 0);
    XSelectInput(desk.x(), other, StructureNotifyMask);
    XMapWindow(desk.x(), other);
    XEvent e;
    do
        XWindowEvent(desk.x(), other, StructureNotifyMask, &e);
    while (e.type != MapNotify);
    XSetInputFocus(desk.x(), other, RevertToParent, CurrentTime);
    XFlush(desk.x());
    CHECK(server->screen->wait_key(XK_a, false, PATIENCE));
    CHECK(server->screen->wait_key(XK_Control_L, false, PATIENCE));
    desk.key(XK_a, false);
    desk.key(XK_Control_L, false);
}

TEST_CASE("window: it follows the size of the server's screen", "[window]")
{
    auto server = can_run() && installed("xrandr") ? start_tigervnc() : nullptr;
    if (!server)
        return;
    Desk desk;
    ShownViewer viewer(desk, *server);
    CHECK(viewer.wait_size(516, 388));
    for (auto [w, h] : {std::pair(800, 600), std::pair(640, 480), std::pair(1024, 768)}) {
        INFO(w << " x " << h);
        Command smaller; /* the part of the screen that is shown, before the screen itself */
        smaller.argv = {"xrandr",
                        "-display",
                        server->display,
                        "--output",
                        "VNC-0",
                        "--mode",
                        std::to_string(w) + "x" + std::to_string(h)};
        run(smaller);
        REQUIRE(server->screen->resize(w, h));
        server->screen->draw(0);
        server->screen->settle();
        CHECK(viewer.wait_size(w, h));
        CHECK(viewer.wait_shows(server->screen->capture()));
    }
}

TEST_CASE("window: a screen larger than the display is shown smaller", "[window]")
{
    auto server = can_run() ? start_tigervnc({2400, 900, {}, true}) : nullptr;
    if (!server)
        return;
    Desk desk;
    server->screen->fill(0x208040);
    ShownViewer viewer(desk, *server);
    CHECK(viewer.wait_size(1200, 450));
    CHECK(viewer.wait_shows(Image(1200, 450, 0x208040)));
}

TEST_CASE("window: Ctrl+Alt+Enter goes to full screen and back", "[window]")
{
    if (!installed("openbox"))
        return;
    auto server = can_run() ? start_tigervnc({400, 300, {}, true}) : nullptr;
    if (!server)
        return;
    Desk desk(true);
    server->screen->fill(0x804020);
    ShownViewer viewer(desk, *server, {"--scale", "fit"});
    CHECK(viewer.wait_size(400, 300));
    /* the window manager gives the focus when it is done */
    REQUIRE(wait_until(PATIENCE, [&] { return desk.focus() == viewer.window(); }));
    auto toggle = [&] {
        desk.key(XK_Control_L, true);
        desk.key(XK_Alt_L, true);
        desk.tap(XK_Return);
        CHECK(server->screen->wait_key(XK_Alt_L, true, PATIENCE));
        /* released there while they are still held here */
        CHECK(server->screen->wait_key(XK_Control_L, false, PATIENCE));
        desk.key(XK_Alt_L, false);
        desk.key(XK_Control_L, false);
    };
    toggle();
    CHECK(viewer.wait_size(1200, 900));
    CHECK(viewer.wait_shows(Image(1200, 900, 0x804020)));
    desk.tap(XK_b); /* the grab works, nothing is stuck */
    arrives(*server, XK_b);
    toggle();
    CHECK(viewer.wait_size(400, 300));
    CHECK(viewer.wait_shows(Image(400, 300, 0x804020)));
}

TEST_CASE("window: --full-screen starts that way", "[window]")
{
    if (!installed("openbox"))
        return;
    auto server = can_run() ? start_tigervnc({400, 300, {}, true}) : nullptr;
    if (!server)
        return;
    Desk desk(true);
    server->screen->fill(0x402080);
    ShownViewer viewer(desk, *server, {"--full-screen", "--scale", "fit"});
    CHECK(viewer.wait_size(1200, 900));
    CHECK(viewer.wait_shows(Image(1200, 900, 0x402080)));
}

TEST_CASE("window: how it ends and what it says then", "[window]")
{
    auto server = can_run() ? start_tigervnc() : nullptr;
    if (!server)
        return;
    Desk desk;
    SECTION("the user closes the window")
    {
        ShownViewer viewer(desk, *server);
        desk.close_window(viewer.window());
        CHECK(viewer.process().wait(PATIENCE) == 0);
        CHECK(viewer.process().err() == "");
    }
    SECTION("signals")
    {
        for (int number : {SIGINT, SIGTERM}) {
            ShownViewer viewer(desk, *server);
            viewer.process().signal(number);
            CHECK(viewer.process().wait(PATIENCE) == 0);
            CHECK(viewer.process().err() == "");
        }
    }
    SECTION("the server goes away")
    {
        ShownViewer viewer(desk, *server, {"--reconnect", "off"});
        server->stop();
        CHECK(viewer.process().wait(PATIENCE) == 1);
        std::string said = viewer.process().err();
        CHECK(said.rfind("vnchl: ", 0) == 0);
        CHECK(said.find('\n') == said.size() - 1);
    }
    SECTION("nobody listens")
    {
        auto p = ShownViewer::start(desk.name(), "127.0.0.1::" + std::to_string(free_port()));
        CHECK(p->wait(PATIENCE) == 1);
        CHECK(p->err().rfind("vnchl: ", 0) == 0);
        CHECK_FALSE(desk.find("vnchl"));
    }
    SECTION("no display")
    {
        auto p = ShownViewer::start(":97531", server->address);
        CHECK(p->wait(PATIENCE) == 1);
        CHECK(p->err().find("vnchl: cannot open a display") != std::string::npos);
    }
}

/* Against a loop that never sleeps: such a viewer would take about as much as our own loop here. */
TEST_CASE("window: an idle viewer sleeps", "[window]")
{
    auto server = can_run() ? start_tigervnc() : nullptr;
    if (!server)
        return;
    Desk desk;
    server->screen->draw(0);
    server->screen->settle();
    ShownViewer viewer(desk, *server);
    CHECK(viewer.wait_shows(server->screen->capture()));
    pid_t pid = viewer.process().pid();
    double before = cpu_seconds(pid), own = cpu_seconds(getpid());
    while (cpu_seconds(getpid()) - own < 1) {
    }
    CHECK(viewer.process().running());
    CHECK(cpu_seconds(pid) - before < 0.4);
}
