/* Texts of a server in the real program's window, on an Xvfb of the test's own. */
#include "tests/e2e/check.hpp"
#include "tests/e2e/fake_server.hpp"
#include "tests/e2e/shown_viewer.hpp"

/* after Catch2, which has names that are macros there */
#include <X11/Xlib.h>

using namespace e2e;

TEST_CASE("window: a long name is cut in the title, and hides nothing", "[window]")
{
    if (!can_run())
        return;
    std::string name, cut = "?x";
    for (int i = 0; i < 200; i++)
        name += "ü";
    for (int i = 0; i < 122; i++)
        cut += "ü";
    FakeServer server(handshake(64, 48, "\u202ex" + name) +
                      Script{await_request(), send_step(raw_screen(64, 48, 1)), stall()});
    Desk desk;
    auto viewer = ShownViewer::start(desk.name(), server.address());
    Window w = 0;
    bool shown = wait_until(PATIENCE, [&] { return (w = desk.find_desktop()) != 0; });
    INFO(viewer->err());
    REQUIRE(shown);
    CHECK(desk.title(w) == cut + "? - vnchl");
}
