/* The harness itself, without a viewer: the servers come up, show our content, and go away. */
#include "tests/catch.hpp"
#include "tests/e2e/servers.hpp"

#include <signal.h>

using namespace e2e;

TEST_CASE("a process is captured and ended", "[harness]")
{
    Command c;
    c.argv = {"sh", "-c", "echo out; echo err >&2; exit 3"};
    Finished f = run(c);
    CHECK(f.status == 3);
    CHECK(f.out == "out\n");
    CHECK(f.err == "err\n");
    c.argv = {"sleep", "100"};
    pid_t pid;
    {
        Process p(c);
        pid = p.pid();
        CHECK(p.running());
    }
    CHECK(kill(pid, 0) == -1);
    CHECK_FALSE(run(c, milliseconds(50)).status);
}

static void content_moves(const std::unique_ptr<Server> &s)
{
    if (!s)
        return;
    s->screen->animate(5, milliseconds(1));
    Image a = s->screen->capture();
    CHECK(a.width == s->screen->width());
    CHECK(colours(a) >= 64);
    s->screen->fill(0x123456);
    CHECK(s->screen->capture().at(9, 9) == 0x123456);
}

TEST_CASE("the servers come up", "[harness]")
{
    SECTION("TigerVNC")
    {
        content_moves(start_tigervnc());
    }
    SECTION("TightVNC")
    {
        content_moves(start_tightvnc());
    }
    SECTION("x11vnc")
    {
        content_moves(start_x11vnc());
    }
    SECTION("QEMU")
    {
        auto s = start_qemu();
        if (s)
            CHECK(wait_until(PATIENCE, [&] { return s->painted(); }));
    }
    SECTION("wayvnc")
    {
        auto s = start_wayvnc();
        if (s)
            CHECK(s->background(Image(s->width, s->height, 0x102030)));
    }
}
