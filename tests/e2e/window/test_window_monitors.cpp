/* Full screen over several monitors, in the real program's window on X11. */
#include "tests/e2e/check.hpp"
#include "tests/e2e/shown_viewer.hpp"

/* after Catch2, which has names that are macros there */
#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <X11/keysym.h>

using namespace e2e;

namespace
{

bool wait_place(ShownViewer &viewer, int x, int y, int w, int h)
{
    struct rect r = {0, 0, 0, 0};
    const bool there = wait_until(PATIENCE, [&] {
        r = viewer.place();
        return r.x == x && r.y == y && r.w == w && r.h == h;
    });
    if (!there)
        UNSCOPED_INFO("it is at " << r.x << "," << r.y << " with " << r.w << "x" << r.h);
    return there;
}

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

/* How wide a window is that begins in full screen; 0: it never is. */
int width_of_full_screen(Desk &desk)
{
    Display *x = XOpenDisplay(desk.name().c_str());
    REQUIRE(x);
    const Window w = XCreateSimpleWindow(x, DefaultRootWindow(x), 0, 0, 100, 100, 0, 0, 0);
    const Atom full = XInternAtom(x, "_NET_WM_STATE_FULLSCREEN", False);
    XWindowAttributes now = {};

    XChangeProperty(x, w, XInternAtom(x, "_NET_WM_STATE", False), XA_ATOM, 32, PropModeReplace,
                    reinterpret_cast<const unsigned char *>(&full), 1);
    XMapWindow(x, w);
    const bool is_full =
        wait_until(PATIENCE, [&] { return XGetWindowAttributes(x, w, &now) && now.width > 100; });
    XCloseDisplay(x);
    return is_full ? now.width : 0;
}

/* The icewm of Debian 13 knows only of monitors that have an output each, which Xvfb has not. */
bool knows_monitors(Desk &desk, int all)
{
    const int width = width_of_full_screen(desk);

    CHECK(width > 0);
    if (width == all)
        WARN("not tested: this window manager knows of one monitor only");
    return width < all;
}

/* A server, and window managers: icewm knows of several monitors (_NET_WM_FULLSCREEN_MONITORS),
 * openbox does not. */
std::unique_ptr<Server> server_if_can_run()
{
    const bool can = can_run() && installed("xrandr") && installed("openbox") && installed("icewm");
    return can ? start_tigervnc({400, 300, {}, true}) : nullptr;
}

} // namespace

TEST_CASE("window: full screen takes the monitors that are asked for", "[window][monitors]")
{
    auto server = server_if_can_run();
    if (!server)
        return;
    server->screen->fill(0x804020);
    struct {
        std::vector<std::string> options;
        int x, w;
    } cases[] = {
        {{"--full-screen-mode", "all"}, 0, 2700},
        {{"-FullScreenAllMonitors"}, 0, 2700},
        {{"-FullScreenMode=Selected", "-FullScreenSelectedMonitors=2,3"}, 900, 1800},
        {{"-FullScreenMode=Selected", "-FullScreenSelectedMonitors=2"}, 900, 900},
        {{"-FullScreenMode=Selected"}, 0, 900},
    };
    for (const char *manager : {"icewm", "openbox"}) {
        Desk desk(DeskOptions{manager, 0, 2700, 900, {900, 900, 900}});
        if (!knows_monitors(desk, 2700))
            continue;
        for (const auto &t : cases) {
            INFO(manager << " " << t.options.back());
            std::vector<std::string> options = t.options;
            options.insert(options.end(), {"--scale", "fit"});
            ShownViewer viewer(desk, *server, options);
            REQUIRE(viewer.wait_size(400, 300));
            toggle(desk, viewer);
            CHECK(wait_place(viewer, t.x, 0, t.w, 900));
            toggle(desk, viewer);
            CHECK(viewer.wait_size(400, 300));
        }
    }
}

TEST_CASE("window: the server's screen is as large as all monitors, and the pointer exact there",
          "[window][monitors]")
{
    auto server = server_if_can_run();
    if (!server)
        return;
    Desk desk(DeskOptions{"openbox", 0, 1800, 900, {600, 1200}});
    ShownViewer viewer(desk, *server, {"--full-screen-mode", "all"});
    REQUIRE(viewer.wait_size(400, 300));
    toggle(desk, viewer);
    CHECK(wait_place(viewer, 0, 0, 1800, 900));
    REQUIRE(wait_until(PATIENCE, [&] {
        const XScreen now(server->display);
        return now.width() == 1800 && now.height() == 900;
    }));
    REQUIRE(server->screen->resize(1800, 900)); /* our own window there, too */
    server->screen->draw(0);
    server->screen->settle();
    CHECK(viewer.wait_shows(server->screen->capture()));
    desk.move(1700, 850);
    CHECK(server->screen->wait_pointer(1700, 850, PATIENCE));
    toggle(desk, viewer);
    CHECK(viewer.wait_size(400, 300));
}

TEST_CASE("window: a monitor that is not there is said, and the others are taken",
          "[window][monitors]")
{
    auto server = server_if_can_run();
    if (!server)
        return;
    Desk desk(DeskOptions{"icewm", 0, 1800, 900, {600, 1200}});
    if (!knows_monitors(desk, 1800))
        return;
    ShownViewer viewer(
        desk, *server,
        {"--full-screen", "-FullScreenMode=Selected", "-FullScreenSelectedMonitors=2,7"});
    CHECK(wait_place(viewer, 600, 0, 1200, 900));
    CHECK(wait_until(PATIENCE, [&] {
        return viewer.process().err().find("Not all monitors") != std::string::npos;
    }));
}

TEST_CASE("window: the menu takes all monitors, and one again", "[window][monitors]")
{
    auto server = server_if_can_run();
    if (!server)
        return;
    Desk desk(DeskOptions{"icewm", 0, 1800, 900, {600, 1200}});
    if (!knows_monitors(desk, 1800))
        return;
    ShownViewer viewer(desk, *server, {"--scale", "fit", "--geometry", "300x200+650+50"});
    toggle(desk, viewer);
    CHECK(wait_place(viewer, 600, 0, 1200, 900));
    auto choose = [&] {
        desk.wait_for_program(viewer.window()); /* as in toggle() */
        desk.tap(XK_F8);
        desk.tap(XK_u);
    };
    choose();
    CHECK(wait_place(viewer, 0, 0, 1800, 900));
    choose();
    CHECK(wait_place(viewer, 600, 0, 1200, 900));
}
