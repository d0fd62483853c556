/* The real program's window on displays with many pixels an inch: its own pages are larger, the
 * picture is not. And pictures that are drawn smaller than half their size. */
#include <sys/stat.h>

#include <algorithm>

#include "tests/e2e/check.hpp"
#include "tests/e2e/shown_viewer.hpp"

/* after Catch2, which has names that are macros there */
#include <X11/Xlib.h>
#include <X11/keysym.h>

using namespace e2e;

namespace
{

/* Of viewer/ui/widgets/look.cpp, dark: a page's ground, and that of the graphs. */
const uint32_t PANEL = 0x21262d, GRAPH = 0x262d36;

/* How many pixels of the colour are there, once there are the same number twice and some at all. */
long settled_count(Desk &desk, Desk::Window w, uint32_t colour)
{
    long before = -1, now = 0;
    wait_until(
        PATIENCE,
        [&] {
            before = now;
            now = desk.capture(w).count(colour);
            return now > 0 && now == before;
        },
        milliseconds(300));
    return now;
}

std::unique_ptr<Server> server_if_can_run(const XvncOptions &options)
{
    return can_run() ? start_tigervnc(options) : nullptr;
}

/* The size of the server's screen, asked anew. */
std::pair<int, int> server_size(const Server &server)
{
    Display *d = XOpenDisplay(server.display.c_str());
    if (!d)
        return {0, 0};
    const std::pair size(DisplayWidth(d, DefaultScreen(d)), DisplayHeight(d, DefaultScreen(d)));
    XCloseDisplay(d);
    return size;
}

/* The start window, without a server. */
std::unique_ptr<Process> start_page(Desk &desk, Desk::Window &w)
{
    auto p = std::make_unique<Process>(ShownViewer::command(desk.name(), "", {"--recent", "off"}));
    REQUIRE(wait_until(PATIENCE, [&] { return (w = desk.find("vnchl")) != 0; }));
    return p;
}

} // namespace

TEST_CASE("window: at 192 dpi menu and statistics are twice as large, the picture is not",
          "[window][dense]")
{
    auto server = server_if_can_run({1500, 1900, {}, true});
    if (!server)
        return;
    long menu[2], graphs[2];
    for (int dense = 0; dense < 2; dense++) {
        INFO(dense);
        Desk desk(DeskOptions{"", dense ? 192 : 96, 2000, 2100, {}});
        server->screen->draw(0);
        server->screen->settle();
        ShownViewer viewer(desk, *server, {"--theme", "dark"});
        CHECK(viewer.wait_size(1500, 1900));
        CHECK(viewer.wait_shows(server->screen->capture()));
        const struct rect at = viewer.place();
        desk.move(at.x + 777 + dense, at.y + 555);
        CHECK(server->screen->wait_pointer(777 + dense, 555, PATIENCE));
        server->screen->fill(0x208040);
        CHECK(viewer.wait_shows(Image(1500, 1900, 0x208040)));
        desk.tap(XK_F8);
        menu[dense] = settled_count(desk, viewer.window(), PANEL);
        desk.tap(XK_Escape);
        CHECK(viewer.wait_shows(Image(1500, 1900, 0x208040)));
        desk.key(XK_Control_L, true);
        desk.key(XK_Alt_L, true);
        desk.tap(XK_s);
        desk.key(XK_Alt_L, false);
        desk.key(XK_Control_L, false);
        graphs[dense] = settled_count(desk, viewer.window(), GRAPH);
    }
    CHECK(static_cast<double>(menu[1]) / static_cast<double>(menu[0]) == Approx(4).margin(0.4));
    CHECK(static_cast<double>(graphs[1]) / static_cast<double>(graphs[0]) == Approx(4).margin(0.8));
}

TEST_CASE("window: the start window is as large as the display's dots and the user's choice want",
          "[window][dense]")
{
    if (!can_run() || !installed("xrdb"))
        return;
    struct {
        int dpi;
        const char *chosen;
        int w, h;
    } cases[] = {{192, "", 1280, 960},
                 {96, "Xft.dpi:\t192\n", 1280, 960},
                 {192, "Xft.antialias: 1\nXft.dpi: 96\n", 640, 480}};
    for (const auto &t : cases) {
        INFO(t.dpi << " " << t.chosen);
        Desk desk(DeskOptions{"", t.dpi, 2000, 1600, {}});
        if (*t.chosen) {
            Command c;
            c.argv = {"xrdb", "-display", desk.name(), "-nocpp", "-load"};
            c.input = t.chosen;
            REQUIRE(run(c).status == 0);
        }
        Desk::Window w;
        auto viewer = start_page(desk, w);
        CHECK(wait_until(PATIENCE, [&] {
            const struct rect r = desk.place(w);
            return r.w == t.w && r.h == t.h;
        }));
    }
}

TEST_CASE("window: a graphics card draws a small picture as exactly as the processor",
          "[window][dense]")
{
    auto server = server_if_can_run({1000, 800, {}, true});
    if (!server)
        return;
    Desk desk;
    server->screen->draw(0);
    server->screen->settle();
    for (const char *scale : {"0.4", "0.25"}) {
        INFO(scale);
        const std::vector<std::string> options = {"--scale", scale, "--recent", "off"};
        Image expected;
        {
            ShownViewer viewer(desk, *server, options);
            wait_until(
                PATIENCE,
                [&] {
                    const Image before = expected;
                    expected = desk.capture(viewer.window());
                    return colours(expected) > 30 && expected == before;
                },
                milliseconds(300));
        }
        /* SDL's own renderer stands for a card: it has textures as one */
        Command c = ShownViewer::command(desk.name(), server->address, options);
        c.env["SDL_RENDER_DRIVER"] = "software";
        Process viewer(c);
        Desk::Window w = 0;
        REQUIRE(wait_until(PATIENCE, [&] { return (w = desk.find_desktop()) != 0; }));
        CHECK(wait_until(PATIENCE, [&] { return desk.capture(w) == expected; }));
        CHECK(difference(desk.capture(w), expected) == "equal");
        server->screen->fill(0x3060c0); /* and only what has changed */
        CHECK(wait_until(PATIENCE, [&] {
            return desk.capture(w) == Image(expected.width, expected.height, 0x3060c0);
        }));
        server->screen->draw(0);
        server->screen->settle();
    }
}

TEST_CASE("window: on a dense display the picture is as large as other programs where that is said",
          "[window][dense][system-scale]")
{
    auto server = server_if_can_run({500, 400, {}, true});
    if (!server || !installed("openbox"))
        return;
    Desk desk(DeskOptions{"openbox", 192, 2000, 1600, {}});
    server->screen->fill(0x208040);
    SECTION("each pixel is two wide and high, and the server's screen follows the window")
    {
        ShownViewer viewer(desk, *server, {"--scale", "system"});
        CHECK(viewer.wait_size(1000, 800));
        CHECK(viewer.wait_shows(Image(1000, 800, 0x208040)));
        XResizeWindow(desk.x(), viewer.window(), 1200, 901);
        XFlush(desk.x());
        CHECK(viewer.wait_size(1200, 901));
        CHECK(wait_until(PATIENCE, [&] { return server_size(*server) == std::pair(600, 450); }));
    }
    SECTION("a profile says it")
    {
        TempDir config;
        mkdir(config.file("vnchl").c_str(), 0700);
        write_file(config.file("vnchl/desk.conf"), "scale = system\n");
        Command c = ShownViewer::command(desk.name(), server->address,
                                         {"--profile", "desk", "--recent", "off"});
        c.env["XDG_CONFIG_HOME"] = config.path();
        Process viewer(c);
        CHECK(wait_until(PATIENCE, [&] {
            const Desk::Window w = desk.find_desktop();
            return w && desk.place(w).w == 1000;
        }));
    }
}

TEST_CASE("window: the menu's choice of that is remembered for the server",
          "[window][dense][system-scale]")
{
    auto server = server_if_can_run({500, 400, {}, true});
    if (!server)
        return;
    Desk desk(DeskOptions{"", 192, 2000, 1600, {}});
    TempDir state;
    auto run_with = [&](std::vector<std::string> more, int expected, const char *choice) {
        Command c = ShownViewer::command(desk.name(), server->address, more);
        c.env["XDG_STATE_HOME"] = state.path();
        Process viewer(c);
        Desk::Window w = 0;
        REQUIRE(wait_until(PATIENCE, [&] { return (w = desk.find_desktop()) != 0; }));
        CHECK(wait_until(PATIENCE, [&] { return desk.place(w).w == expected; }));
        if (choice) {
            desk.tap(XK_F8);
            desk.tap(XK_z);
            desk.type(choice);
            const int other = 1500 - expected;
            CHECK(wait_until(PATIENCE, [&] { return desk.place(w).w == other; }));
        }
        desk.close_window(w);
        CHECK(viewer.wait(PATIENCE) == 0);
    };
    run_with({}, 500, "o");                      /* as other programs */
    run_with({}, 1000, nullptr);                 /* remembered */
    run_with({"--scale", "auto"}, 500, nullptr); /* what is said counts more */
    run_with({"--recent", "off"}, 500, nullptr); /* nothing is remembered */
    run_with({}, 1000, "a");                     /* automatic */
    run_with({}, 500, nullptr);
}
