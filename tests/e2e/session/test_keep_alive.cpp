/* A quiet server is asked for a pixel while the user is active, and every server answers. */
#include <signal.h>

#include "tests/e2e/check.hpp"

using namespace e2e;

namespace
{

void answers(std::unique_ptr<Server> server)
{
    if (!server)
        return;
    INFO(server->name);
    Viewer viewer(to(*server));
    require_connected(viewer);
    /* Shift alone changes nothing there */
    CHECK(wait_until(
        PATIENCE,
        [&] {
            viewer.key(0xffe1, true);
            viewer.key(0xffe1, false);
            return viewer.stats().answer_ms > 0;
        },
        milliseconds(200)));
    CHECK_FALSE(viewer.stats().silent);
}

} // namespace

TEST_CASE("keep-alive: TigerVNC answers", "[tigervnc]")
{
    answers(start_tigervnc());
}

TEST_CASE("keep-alive: TightVNC answers", "[tightvnc]")
{
    answers(start_tightvnc());
}

TEST_CASE("keep-alive: x11vnc answers", "[x11vnc]")
{
    answers(start_x11vnc());
}

TEST_CASE("keep-alive: QEMU answers", "[qemu]")
{
    answers(start_qemu());
}

TEST_CASE("keep-alive: wayvnc answers", "[wayvnc]")
{
    answers(start_wayvnc());
}

TEST_CASE("keep-alive: a user who only looks on is told of a silent server", "[tigervnc]")
{
    auto server = start_tigervnc();
    if (!server)
        return;
    Viewer viewer(to(*server));
    require_connected(viewer);
    session_watch(viewer.raw(), true);
    CHECK(wait_until(PATIENCE, [&] { return viewer.stats().answer_ms > 0; }));
    CHECK_FALSE(viewer.stats().silent);
    server->processes.back()->signal(SIGSTOP);
    CHECK(wait_until(PATIENCE, [&] { return viewer.stats().silent; }));
    server->processes.back()->signal(SIGCONT);
    CHECK(wait_until(PATIENCE, [&] { return !viewer.stats().silent; }));
}
