/* The process that decodes for a window ends in the middle of a session. */
#include <signal.h>

#include "tests/e2e/check.hpp"
#include "tests/e2e/program.hpp"
#include "tests/e2e/shown_viewer.hpp"

/* after Catch2, which has names that are macros there */
#include <X11/Xlib.h>

using namespace e2e;

namespace
{

/* Ends the session's process, as its own fault would, when it is another one than `last`. */
pid_t crash(Process &viewer, pid_t last)
{
    pid_t session = 0;
    REQUIRE(wait_until(PATIENCE, [&] {
        session = session_of(viewer.pid());
        return session && session != last;
    }));
    REQUIRE(kill(session, SIGKILL) == 0);
    return session;
}

bool wait_said(Process &p, const std::string &text)
{
    return wait_until(PATIENCE, [&] { return p.err().find(text) != std::string::npos; });
}

} // namespace

TEST_CASE("crash: the window stays, and connects again; after the second time it asks first",
          "[window]")
{
    auto server = can_run() ? start_tigervnc({400, 300, {}, true}) : nullptr;
    if (!server)
        return;
    server->screen->fill(0x6080c0);
    Desk desk;
    ShownViewer viewer(desk, *server, {"--alert-on-fatal-error=on"});
    CHECK(viewer.wait_shows(Image(400, 300, 0x6080c0)));

    const pid_t first = crash(viewer.process(), 0);
    CHECK(wait_said(viewer.process(), "has failed: it was ended by signal 9"));
    CHECK(wait_said(viewer.process(), "connected again\n"));
    CHECK(viewer.wait_shows(Image(400, 300, 0x6080c0)));

    crash(viewer.process(), first);
    CHECK(wait_said(viewer.process(), "twice in a row, so the server may be hostile"));
    CHECK(viewer.process().running());
    CHECK(desk.find("vnchl"));
    CHECK_FALSE(session_of(viewer.process().pid()));
}
