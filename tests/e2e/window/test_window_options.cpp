/* What options, links and files do to the window. */
#include "tests/e2e/check.hpp"
#include "tests/e2e/shown_viewer.hpp"

/* after Catch2, which has names that are macros there */
#include <X11/Xlib.h>
#include <X11/keysym.h>

using namespace e2e;

TEST_CASE("window: --geometry says size and place", "[window]")
{
    auto server = can_run() ? start_tigervnc({400, 300, {}, true}) : nullptr;
    if (!server)
        return;
    Desk desk;
    ShownViewer viewer(desk, *server, {"-geometry", "360x240-100+50"});
    CHECK(viewer.wait_size(360, 240));
    CHECK(wait_until(PATIENCE, [&] {
        struct rect r = viewer.place();
        return r.x == 1200 - 360 - 100 && r.y == 50;
    }));
}

TEST_CASE("window: -Maximize fills the screen", "[window]")
{
    if (!installed("openbox"))
        return;
    auto server = can_run() ? start_tigervnc({400, 300, {}, true}) : nullptr;
    if (!server)
        return;
    Desk desk(true);
    ShownViewer viewer(desk, *server, {"-Maximize"});
    CHECK(wait_until(PATIENCE, [&] { return viewer.place().w >= 1200 - 20; }));
}

TEST_CASE("window: a link that says ViewOnly sends no key", "[window]")
{
    auto server = can_run() ? start_tigervnc({400, 300, {}, true}) : nullptr;
    if (!server)
        return;
    Desk desk;
    {
        auto watching = ShownViewer::start(
            desk.name(), "vnc://127.0.0.1:" + std::to_string(server->port) + "?ViewOnly=1");
        Desk::Window w = 0;
        REQUIRE(wait_until(PATIENCE, [&] {
            w = desk.find("view only - vnchl");
            return w || !watching->running();
        }));
        REQUIRE(w);
        XSetInputFocus(desk.x(), w, RevertToPointerRoot, CurrentTime);
        desk.tap(XK_a);
        desk.close_window(w); /* it comes after the key, so the key has been seen */
        CHECK(watching->wait(PATIENCE) == 0);
    }
    ShownViewer typing(desk, *server);
    XSetInputFocus(desk.x(), typing.window(), RevertToPointerRoot, CurrentTime);
    /* the server has read all of the first connection before it answers the second */
    server->screen->fill(0x204060);
    CHECK(typing.wait_shows(Image(400, 300, 0x204060)));
    CHECK_FALSE(server->screen->wait_key(XK_a, true, milliseconds(0)));
    desk.tap(XK_b);
    CHECK(server->screen->wait_key(XK_b, true, PATIENCE));
}
