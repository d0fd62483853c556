/* Recording in a window, and playing in one. */
#include "tests/e2e/check.hpp"
#include "tests/e2e/shown_viewer.hpp"

using namespace e2e;

namespace
{

bool titled(Desk &desk, Desk::Window w, const std::string &part)
{
    return desk.title(w).find(part) != std::string::npos;
}

} // namespace

TEST_CASE("window: a recording is named in the title, and played it shows the same", "[window]")
{
    auto server = can_run() ? start_tigervnc({400, 300, {}, true}) : nullptr;
    if (!server)
        return;
    TempDir dir;
    std::string file = dir.file("a.fbs");
    const Image shown(400, 300, 0x204060);
    Desk desk;
    {
        ShownViewer viewer(desk, *server, {"--record", file});
        server->screen->fill(0x204060);
        CHECK(viewer.wait_shows(shown));
        CHECK(wait_until(PATIENCE,
                         [&] { return titled(desk, viewer.window(), " - recording - vnchl"); }));
        desk.close_window(viewer.window());
        CHECK(viewer.process().wait(PATIENCE) == 0);
    }
    server->screen->fill(0x602040); /* nothing of what is to be shown comes from it */
    auto player = ShownViewer::start(desk.name(), "", {"--play", file, "--speed", "max"});
    Desk::Window w = 0;
    REQUIRE(wait_until(PATIENCE, [&] {
        w = desk.find_desktop();
        return w || !player->running();
    }));
    REQUIRE(w);
    /* the end is told for a while, above the picture */
    CHECK(wait_until(PATIENCE, [&] {
        return player->err().find("the recording has ended") != std::string::npos;
    }));
    CHECK(wait_until(PATIENCE, [&] { return desk.capture(w) == shown; }));
    CHECK_FALSE(titled(desk, w, "recording"));
    CHECK(player->running());
    desk.close_window(w);
    CHECK(player->wait(PATIENCE) == 0);
}
