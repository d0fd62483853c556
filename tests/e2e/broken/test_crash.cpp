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

/* A window whose session's process ends twice by the same signal. */
struct Ending {
    std::unique_ptr<Server> server;
    const Image picture{400, 300, 0x6080c0};
    Desk desk;
    ShownViewer viewer;

    Ending(std::unique_ptr<Server> painted, const std::vector<std::string> &options)
        : server(std::move(painted)), viewer(desk, *server, options)
    {
        CHECK(viewer.wait_shows(picture));
    }
    /* The first time it connects again by itself. */
    void twice(int signal, const std::string &first, const std::string &second)
    {
        const pid_t ended = end_session(viewer.process(), 0, signal);
        CHECK(wait_said(viewer.process(), first));
        CHECK(wait_said(viewer.process(), "connected again\n"));
        CHECK(viewer.wait_shows(picture));

        end_session(viewer.process(), ended, signal);
        CHECK(wait_said(viewer.process(), second));
        CHECK(viewer.process().running());
    }
};

std::unique_ptr<Server> painted_server()
{
    auto server = can_run() ? start_tigervnc({400, 300, {}, true}) : nullptr;
    if (server)
        server->screen->fill(0x6080c0);
    return server;
}

} // namespace

TEST_CASE("crash: the window stays, and connects again; after the second time it asks first",
          "[window]")
{
    auto server = painted_server();
    if (!server)
        return;
    /* a confined process gets no signal but SIGKILL from outside */
    Ending e(std::move(server), {"--alert-on-fatal-error=on", "--sandbox=off"});
    e.twice(SIGABRT, "has failed: it was ended by signal 6",
            "twice in a row, so the server may be hostile");
    const Desk::Window page = e.desk.find("vnchl");
    REQUIRE(page);
    CHECK_FALSE(session_of(e.viewer.process().pid()));
    /* to connect again may be a mistake: Enter leads back to the start window */
    e.desk.tap(XK_Return);
    CHECK(wait_until(PATIENCE, [&] { return e.desk.title(page) == "vnchl"; }));
    CHECK_FALSE(session_of(e.viewer.process().pid()));
}

TEST_CASE("crash: whose process is killed from outside is told so, and not of a hostile server",
          "[window]")
{
    auto server = painted_server();
    if (!server)
        return;
    Ending e(std::move(server), {"--alert-on-fatal-error=on"});
    e.twice(SIGKILL, "was ended from outside: it was ended by signal 9", "; twice in a row");
    CHECK(e.viewer.process().err().find("hostile") == std::string::npos);
}
