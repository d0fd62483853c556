/* The size of the window, of the picture in it and of the server's screen, in the real program's
 * window. */
#include "tests/e2e/check.hpp"
#include "tests/e2e/shown_viewer.hpp"

/* after Catch2, which has names that are macros there */
#include <X11/Xlib.h>
#include <X11/keysym.h>

using namespace e2e;

namespace
{

/* The size of the server's screen, asked anew. */
std::pair<int, int> size_of(const Server &server)
{
    Display *d = XOpenDisplay(server.display.c_str());
    std::pair<int, int> size(0, 0);
    if (d) {
        size = {DisplayWidth(d, DefaultScreen(d)), DisplayHeight(d, DefaultScreen(d))};
        XCloseDisplay(d);
    }
    return size;
}

bool wait_server(const Server &server, int w, int h)
{
    return wait_until(PATIENCE, [&] { return size_of(server) == std::pair(w, h); });
}

void give_size(Desk &desk, ShownViewer &viewer, int w, int h)
{
    XMoveResizeWindow(desk.x(), viewer.window(), 0, 0, static_cast<unsigned>(w),
                      static_cast<unsigned>(h));
    XFlush(desk.x());
}

/* To full screen, or back. */
void toggle(Desk &desk, ShownViewer &viewer)
{
    REQUIRE(wait_until(PATIENCE, [&] { return desk.focus() == viewer.window(); }));
    /* SDL waits for full screen. It takes keys that were released meanwhile for not held. */
    desk.wait_for_program(viewer.window());
    desk.key(XK_Control_L, true);
    desk.key(XK_Alt_L, true);
    desk.tap(XK_Return);
    desk.key(XK_Alt_L, false);
    desk.key(XK_Control_L, false);
}

/* Asks the window manager, as a click on the window's button does. */
void restore_maximized(Desk &desk, ShownViewer &viewer)
{
    auto atom = [&](const char *name) { return XInternAtom(desk.x(), name, False); };
    XEvent e = {};
    e.xclient.type = ClientMessage;
    e.xclient.window = viewer.window();
    e.xclient.message_type = atom("_NET_WM_STATE");
    e.xclient.format = 32;
    e.xclient.data.l[0] = 0; /* no more */
    e.xclient.data.l[1] = static_cast<long>(atom("_NET_WM_STATE_MAXIMIZED_VERT"));
    e.xclient.data.l[2] = static_cast<long>(atom("_NET_WM_STATE_MAXIMIZED_HORZ"));
    XSendEvent(desk.x(), DefaultRootWindow(desk.x()), False,
               SubstructureRedirectMask | SubstructureNotifyMask, &e);
    XFlush(desk.x());
}

std::unique_ptr<Server> server_if_can_run(const XvncOptions &options = {})
{
    return find_program("Xvfb").empty() ? nullptr : start_tigervnc(options);
}

} // namespace

TEST_CASE("window: the server's screen follows the window's size", "[window]")
{
    auto server = find_program("xrandr").empty() ? nullptr : server_if_can_run();
    if (!server)
        return;
    Desk desk;
    ShownViewer viewer(desk, *server);
    CHECK(viewer.wait_size(516, 388));
    give_size(desk, viewer, 700, 500);
    CHECK(wait_server(*server, 700, 500));
    CHECK(viewer.wait_size(700, 500));
    give_size(desk, viewer, 420, 610);
    CHECK(wait_server(*server, 420, 610));
    /* the server changes it by itself: the window keeps what the user gave it */
    Command mode; /* the part of the screen that is shown, before the screen itself */
    mode.argv = {"xrandr", "-display", server->display, "--output", "VNC-0", "--mode", "800x600"};
    run(mode);
    REQUIRE(server->screen->resize(800, 600));
    server->screen->fill(0x336699);
    Image kept(420, 610, 0);
    for (int y = 147; y < 147 + 315; y++) /* 800 x 600 in a width of 420 */
        for (int x = 0; x < 420; x++)
            kept.pixels[static_cast<size_t>(y) * 420 + static_cast<size_t>(x)] = 0x336699;
    CHECK(viewer.wait_shows(kept));
    CHECK(size_of(*server) == std::pair(800, 600));
}

TEST_CASE("window: the server keeps its size where it is not to follow", "[window]")
{
    std::vector<std::string> options;
    SECTION("--remote-resize off")
    {
        options = {"-RemoteResize=0"};
    }
    SECTION("--scale fit")
    {
        options = {"--scale", "fit"};
    }
    SECTION("--view-only")
    {
        options = {"--view-only"};
    }
    auto server = server_if_can_run({400, 300, {}, true});
    if (!server)
        return;
    Desk desk;
    server->screen->fill(0x3060c0);
    ShownViewer viewer(desk, *server, options);
    CHECK(viewer.wait_shows(Image(400, 300, 0x3060c0)));
    give_size(desk, viewer, 800, 600);
    CHECK(viewer.wait_shows(Image(800, 600, 0x3060c0)));
    /* one that follows is asked within a second of that */
    CHECK_FALSE(wait_until(seconds(2), [&] { return size_of(*server) != std::pair(400, 300); }));
}

TEST_CASE("window: full screen and --geometry and --desktop-size give the server its size",
          "[window]")
{
    if (find_program("openbox").empty())
        return;
    auto server = server_if_can_run();
    if (!server)
        return;
    Desk desk(true);
    SECTION("full screen")
    {
        ShownViewer viewer(desk, *server, {"--full-screen"});
        CHECK(wait_server(*server, 1200, 900));
    }
    SECTION("geometry")
    {
        ShownViewer viewer(desk, *server, {"--geometry", "640x512"});
        CHECK(wait_server(*server, 640, 512));
        CHECK(viewer.wait_size(640, 512));
    }
    SECTION("desktop size")
    {
        ShownViewer viewer(desk, *server, {"DesktopSize=720x540"});
        CHECK(wait_server(*server, 720, 540));
        CHECK(viewer.wait_size(720, 540));
    }
    SECTION("to full screen and back")
    {
        ShownViewer viewer(desk, *server);
        toggle(desk, viewer);
        CHECK(wait_server(*server, 1200, 900));
        toggle(desk, viewer);
        CHECK(wait_server(*server, 516, 388));
        CHECK(viewer.wait_size(516, 388));
    }
}

TEST_CASE(
    "window: what began in full screen or maximised gets the server's size when it leaves that",
    "[window]")
{
    if (find_program("openbox").empty())
        return;
    auto server = server_if_can_run();
    if (!server)
        return;
    Desk desk(true);
    const std::pair<int, int> own(516, 388);
    SECTION("full screen, which the server has followed: it gets its own size back")
    {
        ShownViewer viewer(desk, *server, {"--full-screen"});
        REQUIRE(wait_server(*server, 1200, 900));
        toggle(desk, viewer);
        CHECK(viewer.wait_size(own.first, own.second));
        CHECK(wait_server(*server, own.first, own.second));
        CHECK(viewer.wait_size(own.first, own.second));
    }
    SECTION("full screen, which the server does not follow")
    {
        ShownViewer viewer(desk, *server, {"--full-screen", "--remote-resize", "off"});
        REQUIRE(viewer.wait_size(1200, 900));
        toggle(desk, viewer);
        CHECK(viewer.wait_size(own.first, own.second));
        CHECK(size_of(*server) == own);
    }
    SECTION("maximised")
    {
        ShownViewer viewer(desk, *server, {"--maximize"});
        REQUIRE(wait_until(PATIENCE, [&] {
            const struct rect r = viewer.place();
            return r.w > 1000 && size_of(*server) == std::pair(r.w, r.h);
        }));
        restore_maximized(desk, viewer);
        CHECK(viewer.wait_size(own.first, own.second));
        CHECK(wait_server(*server, own.first, own.second));
        CHECK(viewer.wait_size(own.first, own.second));
    }
    SECTION("full screen, and a size that was asked for")
    {
        ShownViewer viewer(desk, *server, {"--full-screen", "--geometry", "640x512"});
        REQUIRE(wait_server(*server, 1200, 900));
        toggle(desk, viewer);
        CHECK(viewer.wait_size(640, 512));
        CHECK(wait_server(*server, 640, 512));
    }
}

TEST_CASE("window: a server as large as the display is not asked when full screen is left",
          "[window]")
{
    if (find_program("openbox").empty())
        return;
    auto server = server_if_can_run({1200, 900, {}, true});
    if (!server)
        return;
    Desk desk(true);
    ShownViewer viewer(desk, *server, {"--full-screen"});
    REQUIRE(viewer.wait_size(1200, 900));
    toggle(desk, viewer);
    /* as much of the display as fits, in the picture's shape */
    CHECK(wait_until(PATIENCE, [&] {
        const struct rect r = viewer.place();
        return r.h < 900 && r.h > 800 && std::abs(r.w * 3 - r.h * 4) <= 4;
    }));
    /* one that follows is asked within a second of that */
    CHECK_FALSE(wait_until(seconds(2), [&] { return size_of(*server) != std::pair(1200, 900); }));
}

TEST_CASE("window: a desktop as large as the display is not made soft", "[window]")
{
    if (find_program("openbox").empty())
        return;
    const int w = 1200, h = 900; /* of the display, from which the window's frame takes a part */
    SECTION("a server that can gets the size of the free area")
    {
        auto server = server_if_can_run({w, h, {}, true});
        if (!server)
            return;
        Desk desk(true);
        ShownViewer viewer(desk, *server);
        CHECK(wait_until(PATIENCE, [&] {
            Image all = desk.capture(viewer.window());
            return all.height < h && size_of(*server) == std::pair(all.width, all.height);
        }));
    }
    SECTION("of another one a part is shown as it is, and the rest by moving there")
    {
        auto server = server_if_can_run({w, h, {"-AcceptSetDesktopSize=0"}, true});
        if (!server)
            return;
        Desk desk(true);
        server->screen->draw(0);
        server->screen->settle();
        ShownViewer viewer(desk, *server);
        const Image all = server->screen->capture();
        auto shows = [&](bool end) {
            Image seen = desk.capture(viewer.window());
            int top = end ? h - seen.height : 0, left = end ? w - seen.width : 0;
            bool same = seen.height < h;
            for (int y = 0; same && y < seen.height; y++)
                for (int x = 0; same && x < seen.width; x++)
                    same = seen.at(x, y) == all.at(x + left, y + top);
            return same;
        };
        CHECK(wait_until(PATIENCE, [&] { return shows(false); }));
        desk.move(w - 2, h - 2);
        CHECK(wait_until(PATIENCE, [&] { return shows(true); }));
    }
}

TEST_CASE("window: that the picture is scaled is said once", "[window]")
{
    auto server = server_if_can_run({2400, 1800, {"-AcceptSetDesktopSize=0"}, true});
    if (!server)
        return;
    const uint32_t message = 0x4a3b0a; /* of viewer/ui/widgets/look.cpp, dark */
    auto speaks = [&](Desk &desk, ShownViewer &viewer) {
        Image seen = desk.capture(viewer.window());
        return seen.count(message) > 1000;
    };
    Desk desk;
    server->screen->fill(0x3060c0);
    SECTION("where nobody asked for it")
    {
        ShownViewer viewer(desk, *server);
        CHECK(wait_until(PATIENCE, [&] { return speaks(desk, viewer); }));
        CHECK(viewer.wait_shows(Image(1200, 900, 0x3060c0)));
    }
    SECTION("not where somebody did")
    {
        ShownViewer viewer(desk, *server, {"--scale", "fit"});
        CHECK(viewer.wait_shows(Image(1200, 900, 0x3060c0)));
        CHECK_FALSE(wait_until(seconds(4), [&] { return speaks(desk, viewer); }));
    }
}

TEST_CASE("window: a server that refuses another size is not asked again and again", "[window]")
{
    auto server = server_if_can_run({516, 388, {"-AcceptSetDesktopSize=0"}, true});
    if (!server)
        return;
    Desk desk;
    server->screen->fill(0x804020);
    ShownViewer viewer(desk, *server);
    CHECK(viewer.wait_size(516, 388));
    for (int w : {1032, 516, 1032}) {
        give_size(desk, viewer, w, 776);
        CHECK(viewer.wait_size(w, 776));
        CHECK(wait_until(PATIENCE, [&] {
            return viewer.process().err().find("the server keeps the size of its screen") !=
                   std::string::npos;
        }));
    }
    CHECK(size_of(*server) == std::pair(516, 388));
    std::string said = viewer.process().err();
    CHECK(said.find("keeps the size") == said.rfind("keeps the size"));
}

TEST_CASE("window: the picture is drawn as --scale says, and clicks hit what is seen", "[window]")
{
    auto server = server_if_can_run({400, 300, {}, true});
    if (!server)
        return;
    Desk desk;
    struct {
        const char *scale;
        int w, h;          /* of the window that opens */
        int to_w, to_h;    /* that it is given then */
        int x, y, picture; /* where the picture is then; its width */
    } cases[] = {
        {"1", 400, 300, 600, 400, 100, 50, 400},   {"0.5", 200, 150, 300, 150, 50, 0, 200},
        {"150%", 600, 450, 700, 450, 50, 0, 600},  {"integer", 400, 300, 1000, 700, 100, 50, 800},
        {"fit", 400, 300, 1000, 600, 100, 0, 800},
    };
    server->screen->fill(0x40a0c0);
    for (const auto &t : cases) {
        INFO(t.scale);
        ShownViewer viewer(desk, *server, {"--scale", t.scale});
        CHECK(viewer.wait_size(t.w, t.h));
        give_size(desk, viewer, t.to_w, t.to_h);
        Image expected(t.to_w, t.to_h, 0);
        for (int y = t.y; y < t.y + t.picture * 3 / 4; y++)
            for (int x = t.x; x < t.x + t.picture; x++)
                expected.pixels[static_cast<size_t>(y) * t.to_w + static_cast<size_t>(x)] =
                    0x40a0c0;
        CHECK(viewer.wait_shows(expected));
        auto at = viewer.place();
        int x = t.picture / 4, y = t.picture / 8;
        desk.move(at.x + t.x + x, at.y + t.y + y);
        desk.button(1, true);
        desk.button(1, false);
        CHECK(server->screen->wait_button(1, true, 400 * (2 * x + 1) / (2 * t.picture),
                                          400 * (2 * y + 1) / (2 * t.picture), PATIENCE));
    }
}

TEST_CASE("window: AltGr is no Alt key: with it the pointer's buttons are the server's", "[window]")
{
    auto server = server_if_can_run({1000, 800, {}, true});
    if (!server)
        return;
    Desk desk;
    REQUIRE(desk.layout("de"));
    ShownViewer viewer(desk, *server, {"--scale", "1", "--geometry", "400x300+0+0"});
    CHECK(viewer.wait_size(400, 300));
    desk.move(100, 250);
    desk.key(XK_Control_L, true);
    desk.key(XK_ISO_Level3_Shift, true);
    CHECK(server->screen->wait_key(XK_ISO_Level3_Shift, true, PATIENCE));
    desk.button(1, true);
    CHECK(server->screen->wait_button(1, true, 100, 250, PATIENCE));
    desk.button(1, false);
    desk.key(XK_ISO_Level3_Shift, false);
    desk.key(XK_Control_L, false);
    CHECK(wait_until(PATIENCE, [&] { return server->screen->nothing_held(); }));
}

TEST_CASE("window: what has no room at 1:1 is reached with the pointer at the edge", "[window]")
{
    auto server = server_if_can_run({1000, 800, {}, true});
    if (!server)
        return;
    Desk desk;
    server->screen->draw(0);
    server->screen->settle();
    ShownViewer viewer(desk, *server, {"--scale", "1", "--geometry", "400x300+0+0"});
    CHECK(viewer.wait_size(400, 300));
    auto part = [&](int left, int top) {
        Image all = server->screen->capture(), some(400, 300, 0);
        for (int y = 0; y < 300; y++)
            for (int x = 0; x < 400; x++)
                some.pixels[static_cast<size_t>(y) * 400 + static_cast<size_t>(x)] =
                    all.pixels[static_cast<size_t>(y + top) * 1000 + static_cast<size_t>(x + left)];
        return some;
    };
    CHECK(viewer.wait_shows(part(0, 0)));
    desk.move(398, 298); /* it goes on while the pointer stays there */
    CHECK(viewer.wait_shows(part(600, 500)));
    CHECK(server->screen->wait_pointer(998, 798, PATIENCE));
    desk.move(200, 1);
    CHECK(viewer.wait_shows(part(600, 0)));
    CHECK(server->screen->wait_pointer(800, 1, PATIENCE));

    /* and by dragging it, of which the server gets nothing */
    auto drag = [&](int x, int y, int to_x, int to_y) {
        desk.move(x, y);
        desk.key(XK_Control_L, true);
        desk.key(XK_Alt_L, true);
        desk.button(1, true);
        desk.move(to_x, to_y);
        desk.button(1, false);
        desk.key(XK_Alt_L, false);
        desk.key(XK_Control_L, false);
    };
    drag(100, 250, 300, 50);
    CHECK(viewer.wait_shows(part(400, 200)));
    CHECK(server->screen->wait_pointer(700, 250, PATIENCE));
    desk.move(150, 100);
    desk.button(3, true);
    desk.button(3, false);
    bool left = false; /* not even before the right one */
    CHECK(server->screen->wait_input(PATIENCE, [&](const XScreen::Input &i) {
        left = left || (i.type == ButtonPress && i.button == 1);
        return i.type == ButtonPress && i.button == 3 && i.x == 550 && i.y == 300;
    }));
    CHECK_FALSE(left);
    CHECK(wait_until(PATIENCE, [&] { return server->screen->nothing_held(); }));
}
