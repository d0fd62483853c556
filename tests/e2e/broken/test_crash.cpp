/* The process that decodes for a window ends in the middle of a session. */
#include <signal.h>

#include "tests/e2e/check.hpp"
#include "tests/e2e/program.hpp"
#include "tests/e2e/shown_viewer.hpp"

/* after Catch2, which has names that are macros there */
#include <X11/Xlib.h>
#include <X11/keysym.h>

using namespace e2e;

namespace
{

/* Ends the session's process, when it is another one than `last`: SIGABRT as its own fault would,
 * SIGKILL as the system does that is short of memory. */
pid_t end_session(Process &viewer, pid_t last, int signal)
{
    pid_t session = 0;
    REQUIRE(wait_until(PATIENCE, [&] {
        session = session_of(viewer.pid());
        return session && session != last;
    }));
    REQUIRE(kill(session, signal) == 0);
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
    /* a confined process gets no signal but SIGKILL from outside */
    ShownViewer viewer(desk, *server, {"--alert-on-fatal-error=on", "--sandbox=off"});
    CHECK(viewer.wait_shows(Image(400, 300, 0x6080c0)));

    const pid_t first = end_session(viewer.process(), 0, SIGABRT);
    CHECK(wait_said(viewer.process(), "has failed: it was ended by signal 6"));
    CHECK(wait_said(viewer.process(), "connected again\n"));
    CHECK(viewer.wait_shows(Image(400, 300, 0x6080c0)));

    end_session(viewer.process(), first, SIGABRT);
    CHECK(wait_said(viewer.process(), "twice in a row, so the server may be hostile"));
    CHECK(viewer.process().running());
    const Desk::Window page = desk.find("vnchl");
    REQUIRE(page);
    CHECK_FALSE(session_of(viewer.process().pid()));
    /* to connect again may be a mistake: Enter leads back to the start window */
    desk.tap(XK_Return);
    CHECK(wait_until(PATIENCE, [&] { return desk.title(page) == "vnchl"; }));
    CHECK_FALSE(session_of(viewer.process().pid()));
}

TEST_CASE("crash: whose process is killed from outside is told so, and not of a hostile server",
          "[window]")
{
    auto server = can_run() ? start_tigervnc({400, 300, {}, true}) : nullptr;
    if (!server)
        return;
    server->screen->fill(0x6080c0);
    Desk desk;
    ShownViewer viewer(desk, *server, {"--alert-on-fatal-error=on"});
    CHECK(viewer.wait_shows(Image(400, 300, 0x6080c0)));

    const pid_t first = end_session(viewer.process(), 0, SIGKILL);
    CHECK(wait_said(viewer.process(), "was ended from outside: it was ended by signal 9"));
    CHECK(wait_said(viewer.process(), "connected again\n"));
    CHECK(viewer.wait_shows(Image(400, 300, 0x6080c0)));

    end_session(viewer.process(), first, SIGKILL);
    CHECK(wait_said(viewer.process(), "; twice in a row"));
    CHECK(viewer.process().err().find("hostile") == std::string::npos);
    CHECK(viewer.process().running());
}
