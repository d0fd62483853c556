/* Clients and servers that nobody here wrote, with the accelerator in between: what is shown is
 * what would be shown without it. */
#include "tests/accelerator/accelerator.hpp"
#include "tests/accelerator/sounding.hpp"
#include "tests/e2e/check.hpp"
#include "tests/e2e/program.hpp"

using namespace e2e;
using namespace accelerator;

namespace
{

using Starter = std::unique_ptr<Server> (*)(const XvncOptions &);

ViewerOptions through(const Accelerator &a)
{
    ViewerOptions o;
    o.address = a.address();
    return o;
}

/* What moves is shown, and so is what stays. */
void watch_more(Server &server, Viewer &viewer)
{
    server.screen->animate(20);
    check_picture(viewer, server.screen->capture());
}

void watch_motion(Server &server, Viewer &viewer)
{
    require_connected(viewer);
    require_first_picture(viewer);
    watch_more(server, viewer);
}

void every_encoding(Starter start)
{
    auto server = start({});
    if (!server)
        return;
    Accelerator a(server->address);
    for (const char *encoding :
         {"raw", "copyrect,raw", "rre", "corre", "hextile", "zlib", "tight", "zrle"}) {
        INFO(encoding);
        ViewerOptions o = through(a);
        o.encodings = encoding;
        o.jpeg = std::string(encoding) == "raw"; /* the pictures are compared */
        for (prp_policy policy : {PRP_OFF, PRP_AUTO}) {
            o.policy = policy;
            Viewer viewer(o);
            watch_motion(*server, viewer);
        }
    }
    a.await("event=end", 16);
    INFO(a.process->err());
    CHECK(a.count("not-accelerated") == 0);
}

} // namespace

TEST_CASE("TigerVNC's pictures in every encoding", "[accelerator]")
{
    every_encoding(start_tigervnc);
}

TEST_CASE("TightVNC's pictures in every encoding", "[accelerator]")
{
    every_encoding(start_tightvnc);
}

TEST_CASE("x11vnc's pictures in every encoding", "[accelerator]")
{
    every_encoding(start_x11vnc);
}

TEST_CASE("a client that asks once gets more than one update", "[accelerator]")
{
    auto server = start_tigervnc();
    if (!server)
        return;
    Accelerator a(server->address);
    RawClient client(a.port);
    client.greet();
    REQUIRE(client.ask(false));
    REQUIRE(client.update());
    /* without the accelerator the first would be waited for in vain */
    for (int i = 0; i < 3; i++) {
        server->screen->draw(i);
        server->screen->settle();
        REQUIRE(client.update());
    }
}

TEST_CASE("a server's sound comes through, and what follows it", "[accelerator]")
{
    FakeServer server(sounding());
    Accelerator a(server.address());
    ViewerOptions o = through(a);
    o.sound = SOUND_WISH_ON;
    Viewer viewer(o);
    require_connected(viewer);
    check_heard(viewer);
    CHECK(viewer.stats().accelerated);
    check_unwanted(viewer);
}

TEST_CASE("with acceleration switched off a client gets what it asks for", "[accelerator]")
{
    auto server = start_tigervnc();
    if (!server)
        return;
    Accelerator a(server->address, {"--accelerate", "no"});
    Viewer viewer(through(a));
    watch_motion(*server, viewer);
    CHECK_FALSE(viewer.stats().accelerated);
}

TEST_CASE("with the paper's algorithm a server gets one request for each update", "[accelerator]")
{
    const unsigned updates = 20;
    Script script = e2e::handshake(64, 48);
    for (unsigned i = 1; i <= updates; i++)
        script = script + Script{await_request(), send_step(raw_screen(64, 48, i))};
    FakeServer server(script + Script{stall()});
    Accelerator a(server.address(), {"--algorithm", "paper"});
    RawClient client(a.port);
    client.greet();
    REQUIRE(client.ask(false));
    for (unsigned i = 1; i <= updates; i++) /* ours would wait for the client's requests */
        REQUIRE(client.update());
    REQUIRE(wait_until(PATIENCE, [&] { return server.requests() > updates; }));
    std::this_thread::sleep_for(milliseconds(200)); /* and ask again meanwhile */
    CHECK(server.requests() == updates + 1);
}

TEST_CASE("with the paper's algorithm a server's pictures are shown", "[accelerator]")
{
    auto server = start_tigervnc();
    if (!server)
        return;
    Accelerator a(server->address, {"--algorithm", "paper"});
    Viewer viewer(through(a));
    watch_motion(*server, viewer);
    CHECK(a.count("not-accelerated") == 0);
    CHECK(a.count("event=pushed") == 0);
}

TEST_CASE("vnchl knows that it is accelerated, and with which congestion control", "[accelerator]")
{
    auto server = start_tigervnc();
    if (!server)
        return;
    Accelerator a(server->address, {"--congestion", "reno"});
    Viewer viewer(through(a));
    watch_motion(*server, viewer);
    CHECK(wait_until(PATIENCE, [&] { return viewer.stats().accelerated; }));
    CHECK(std::string(viewer.stats().congestion) == "reno");
}

TEST_CASE("input and clipboard arrive, and bells", "[accelerator]")
{
    auto server = start_tigervnc();
    if (!server)
        return;
    Accelerator a(server->address);
    ViewerOptions o = through(a);
    o.key_codes = false;
    Viewer viewer(o);
    require_connected(viewer);
    viewer.pointer(100, 120, 0);
    CHECK(server->screen->wait_pointer(100, 120, PATIENCE));
    viewer.key('x', true);
    CHECK(server->screen->wait_key('x', true, PATIENCE));
    viewer.key('x', false);
    CHECK(server->screen->wait_key('x', false, PATIENCE));
    server->screen->bell();
    CHECK(viewer.wait_event(SESSION_BELL));
}

TEST_CASE("the server's screen changes its size", "[accelerator]")
{
    auto server = start_tigervnc();
    if (!server)
        return;
    Accelerator a(server->address);
    Viewer viewer(through(a));
    watch_motion(*server, viewer);
    REQUIRE(server->screen->resize(800, 600));
    watch_more(*server, viewer);
    CHECK(viewer.picture().width == 800);
    REQUIRE(server->screen->resize(640, 480));
    watch_more(*server, viewer);
    CHECK(viewer.picture().width == 640);
}

TEST_CASE("a password goes through untouched", "[accelerator]")
{
    TempDir dir;
    auto server = start_tigervnc(with_password(dir, "secret"));
    if (!server)
        return;
    Accelerator a(server->address);
    ViewerOptions o = through(a);
    SECTION("the right one")
    {
        o.password = "secret";
        Viewer viewer(o);
        watch_motion(*server, viewer);
        a.await("security=2");
    }
    SECTION("a wrong one")
    {
        o.password = "wrong";
        Viewer viewer(o);
        auto why = viewer.wait_closed();
        REQUIRE(why);
        INFO(*why);
        CHECK(why->find("password") != std::string::npos);
    }
}

TEST_CASE("an encrypted connection is a plain pipe where that is wanted", "[accelerator]")
{
    TempDir dir;
    if (!make_certificate(dir))
        return;
    auto server = start_tigervnc(with_certificate(dir));
    if (!server)
        return;
    Accelerator a(server->address, {"--security", "pass"});
    ViewerOptions o = through(a);
    o.x509_ca = dir.file("cert.pem");
    Viewer viewer(o);
    watch_motion(*server, viewer);
    a.await("event=not-accelerated");
    CHECK_FALSE(viewer.stats().accelerated);
}

TEST_CASE("a new pixel format never meets pixels of the old one", "[accelerator]")
{
    auto server = start_tigervnc();
    if (!server)
        return;
    Accelerator a(server->address);
    RawClient client(a.port);
    client.greet();
    pixel_format deep = pixel_format_xrgb;
    pixel_format flat = {8, 8, false, true, {7, 7, 3}, {0, 3, 6}};
    for (int i = 0; i < 20; i++) {
        /* The screen is still, and a request waits at the server. */
        const pixel_format &next = i % 2 ? deep : flat;
        REQUIRE(client.set_format(next));
        client.expect_format(next);
        REQUIRE(client.ask(false));
        server_frame found;
        do
            REQUIRE(client.update(found));
        while (found.pictures == 0);
    }
}

TEST_CASE("next to nothing comes for a window that nobody sees, and all when it is shown again",
          "[accelerator]")
{
    for (Starter start : {start_tigervnc, start_tightvnc}) {
        auto server = start({});
        if (!server)
            continue;
        INFO(server->name);
        Accelerator a(server->address);
        Viewer viewer(through(a));
        watch_motion(*server, viewer);
        CHECK(wait_until(PATIENCE, [&] { return viewer.stats().accelerated; }));
        auto drawn = [&] {
            const uint64_t before = viewer.stats().pixels;
            server->screen->animate(30);
            return viewer.stats().pixels - before;
        };
        const uint64_t seen = drawn();
        REQUIRE(seen > 0);
        session_hide(viewer.raw(), true);
        CHECK(wait_until(PATIENCE, [&] { return drawn() < seen / 4; }));
        session_hide(viewer.raw(), false);
        check_picture(viewer, server->screen->capture());
        watch_more(*server, viewer);
    }
}
