/* What the window takes: memory that the X server has mapped, and what is asked of the server while
 * nobody can see the picture. */
#include <fstream>
#include <sstream>

#include "tests/e2e/check.hpp"
#include "tests/e2e/program.hpp"
#include "tests/e2e/shown_viewer.hpp"

/* after Catch2, which has names that are macros there */
#include <X11/keysym.h>

using namespace e2e;

namespace
{

/* How many mappings of a process have this in their name. */
int mappings(pid_t pid, const std::string &name)
{
    std::ifstream f("/proc/" + std::to_string(pid) + "/maps");
    int count = 0;

    for (std::string line; std::getline(f, line);)
        count += line.find(name) != std::string::npos;
    return count;
}

/* A part of a session, in the scheduler's own time. */
struct Part {
    double from = 0, to = 0; /* ms */
    int updates = 0, requests = 0;
};

/* The parts of a session: seen, hidden, seen. */
std::vector<Part> parts(const std::string &trace)
{
    Finished replayed = run(vnchl_replay({"--list", trace}));
    std::istringstream lines(replayed.out);
    std::vector<Part> all(1);

    INFO(replayed.err);
    REQUIRE(replayed.status == 0); /* it decides again as it did */
    for (std::string line; std::getline(lines, line);) {
        auto says = [&](const char *text) { return line.find(text) != std::string::npos; };
        double ms = strtod(line.c_str(), nullptr);
        all.back().to = std::max(all.back().to, ms);
        if (says(" hidden "))
            all.push_back({ms, ms, 0, 0});
        all.back().updates += says("update finished");
        all.back().requests += says("request sent");
    }
    return all;
}

} // namespace

TEST_CASE("window: one that is minimised is asked for once a second, and is up to date when shown",
          "[window]")
{
    auto server = can_run() && installed("openbox") ? start_tigervnc() : nullptr;
    if (!server)
        return;
    for (const std::string prp : {"auto", "off", "20"}) {
        INFO("--prp " << prp);
        Desk desk(true);
        TempDir dir;
        const std::string trace = dir.file("trace");
        const int seen = 25, hidden = 150; /* pictures that are drawn meanwhile */
        server->screen->draw(0);
        server->screen->settle();
        {
            ShownViewer viewer(desk, *server, {"--trace", trace, "--prp", prp});
            REQUIRE(viewer.wait_shows(server->screen->capture()));
            for (int i = 1; i <= seen; i++) { /* each is asked for, however slow the machine */
                server->screen->draw(i);
                server->screen->settle();
                REQUIRE(viewer.wait_shows(server->screen->capture()));
            }
            REQUIRE(desk.minimise(viewer.window(), true));
            server->screen->animate(hidden);
            server->screen->bell();
            server->screen->fill(0x208040);
            server->screen->settle();
            REQUIRE(desk.minimise(viewer.window(), false));
            CHECK(viewer.wait_shows(Image(516, 388, 0x208040)));
        }
        std::vector<Part> p = parts(trace);
        REQUIRE(p.size() == 3);
        CHECK(p[0].updates > seen);
        CHECK(p[1].to - p[1].from > 2000); /* it was moving all the time */
        CHECK(p[1].updates > 0);
        /* what was in flight comes, and then one for each second */
        CHECK(p[1].requests <= 2 + (p[1].to - p[1].from) / 1000);
        CHECK(p[1].updates < hidden / 3);
        CHECK(p[2].requests > 0);
    }
}

TEST_CASE("window: the picture at 1:1 is in memory once, and a page above it takes more only "
          "while it is open",
          "[window]")
{
    auto server = can_run() ? start_tigervnc() : nullptr;
    if (!server)
        return;
    Desk desk;
    server->screen->draw(0);
    server->screen->settle();
    ShownViewer viewer(desk, *server);
    const pid_t pid = viewer.process().pid();
    REQUIRE(viewer.wait_size(516, 388));
    REQUIRE(viewer.wait_shows(server->screen->capture()));
    CHECK(mappings(pid, "memfd:vnchl-picture") == 1);
    CHECK(wait_until(PATIENCE, [&] { return mappings(pid, "memfd:vnchl-window") == 0; }));
    CHECK(mappings(pid, "SYSV") == 0);

    desk.give_focus(viewer.window());
    desk.tap(XK_F8);
    CHECK(wait_until(PATIENCE, [&] { return mappings(pid, "memfd:vnchl-window") == 1; }));
    desk.tap(XK_Escape);
    CHECK(wait_until(PATIENCE, [&] { return mappings(pid, "memfd:vnchl-window") == 0; }));
    CHECK(viewer.wait_shows(server->screen->capture()));
}

TEST_CASE("window: an X server that maps no memory is shown the picture, too", "[window]")
{
    auto server = can_run() ? start_tigervnc() : nullptr;
    if (!server)
        return;
    Desk desk(false, {"-extension", "MIT-SHM"});
    server->screen->draw(0);
    server->screen->settle();
    ShownViewer viewer(desk, *server);
    CHECK(viewer.wait_shows(server->screen->capture()));
    server->screen->animate(40, milliseconds(15));
    CHECK(viewer.wait_shows(server->screen->capture()));
    CHECK(mappings(viewer.process().pid(), "memfd:vnchl-window") == 0);
}
