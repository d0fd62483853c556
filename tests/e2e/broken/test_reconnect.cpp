/* What the window does when the connection breaks: a real Xvnc behind a relay that can be stopped,
 * ended and started again, and a user in front of the window. */
#include <signal.h>

#include <algorithm>
#include <set>
#include <string>

#include "tests/e2e/breaking.hpp"
#include "tests/e2e/fake_server.hpp"
#include "tests/e2e/shown_viewer.hpp"

/* after Catch2, which has names that are macros there */
#include <X11/Xlib.h>
#include <X11/keysym.h>

using namespace e2e;

static const uint32_t BAR = 0x4a3b0a; /* a message, of viewer/ui/widgets/look.cpp, dark */

TEST_CASE("reconnect: another server with another size, and nothing that was typed before",
          "[window]")
{
    auto first = can_run() ? start_tigervnc({400, 300, {}, true}) : nullptr;
    if (!first)
        return;
    Relay relay;
    relay.start(*first);
    first->screen->fill(0x6080c0);
    Desk desk;
    Watched at(relay);
    ShownViewer viewer(desk, at);
    CHECK(viewer.wait_shows(Image(400, 300, 0x6080c0)));
    desk.key(XK_a, true); /* and it stays down */
    CHECK(first->screen->wait_key(XK_a, true, PATIENCE));

    relay.stop();
    CHECK(wait_dim(desk, viewer.window(), 0x6080c0));
    CHECK(wait_title(desk, viewer.window(), "connecting again"));
    desk.tap(XK_b);
    desk.key(XK_Shift_L, true);
    first->stop();

    auto second = start_tigervnc({640, 480, {}, true});
    second->screen->draw(0);
    second->screen->settle();
    relay.start(*second);
    CHECK(viewer.wait_size(640, 480));
    CHECK(viewer.wait_shows(second->screen->capture()));
    CHECK(
        wait_until(PATIENCE, [&] { return desk.title(viewer.window()) == "vnchl test - vnchl"; }));
    desk.key(XK_Shift_L, false);
    desk.key(XK_a, false);
    desk.tap(XK_c);
    arrives_alone(*second, XK_c, {XK_a, XK_b, XK_A, XK_B, XK_Shift_L});
    second->screen->animate(20);
    CHECK(viewer.wait_shows(second->screen->capture()));
    std::string said = viewer.process().err();
    CHECK(said.find("; connecting again\n") != std::string::npos);
    CHECK(said.find("connected again\n") != std::string::npos);

    desk.key(XK_Control_L, true);
    desk.key(XK_d, true);
    CHECK(second->screen->wait_key(XK_d, true, PATIENCE));
    relay.stop(); /* the second time is as the first */
    CHECK(wait_title(desk, viewer.window(), "connecting again"));
    relay.start(*second);
    CHECK(viewer.wait_shows(second->screen->capture()));
    desk.key(XK_d, false);
    desk.key(XK_Control_L, false);
    CHECK(wait_until(PATIENCE, [&] { return second->screen->nothing_held(); }));
    desk.close_window(viewer.window());
    CHECK(viewer.process().wait(PATIENCE) == 0);
}

TEST_CASE("reconnect: a link that is silent is noticed, and a session that comes back goes on",
          "[window]")
{
    auto server = can_run() ? start_tigervnc() : nullptr;
    if (!server)
        return;
    Relay relay;
    relay.start(*server);
    Desk desk;
    server->screen->draw(0);
    server->screen->settle();
    Watched at(relay);
    ShownViewer viewer(desk, at);
    CHECK(viewer.wait_shows(server->screen->capture()));

    relay.process().signal(SIGSTOP);
    desk.tap(XK_a);
    CHECK(wait_title(desk, viewer.window(), "last heard from the server "));
    server->screen->draw(1);
    server->screen->settle();
    relay.process().signal(SIGCONT);
    CHECK(
        wait_until(PATIENCE, [&] { return desk.title(viewer.window()) == "vnchl test - vnchl"; }));
    CHECK(viewer.wait_shows(server->screen->capture()));
    CHECK(server->screen->wait_key(XK_a, true, PATIENCE)); /* the same session: it was on its way */
    CHECK(viewer.process().running());
    CHECK(viewer.process().err() == "");
}

TEST_CASE("reconnect: a silent link counts each second, and offers what can be done", "[window]")
{
    auto server = can_run() ? start_tigervnc({600, 400, {}, true}) : nullptr;
    if (!server)
        return;
    /* buttons, of viewer/ui/widgets/look.cpp, dark */
    const uint32_t accept = 0x2f74d8, other = 0x343c47;
    Relay relay;
    relay.start(*server);
    Desk desk;
    server->screen->fill(0x6080c0);
    Watched at(relay);
    ShownViewer viewer(desk, at, {"--theme", "dark"});
    auto press = [&](uint32_t colour) {
        Image i;
        long first = -1, last = -1;
        REQUIRE(wait_until(PATIENCE, [&] {
            i = desk.capture(viewer.window());
            return i.count(colour) > 300;
        }));
        for (long p = 0; p < static_cast<long>(i.pixels.size()); p++)
            if (i.pixels[static_cast<size_t>(p)] == colour) {
                first = first < 0 ? p : first;
                last = p;
            }
        struct rect w = viewer.place();
        desk.move(w.x + static_cast<int>(first % i.width) + 12,
                  w.y + static_cast<int>((first + last) / 2 / i.width));
        desk.button(1, true);
        desk.button(1, false);
    };
    CHECK(viewer.wait_shows(Image(600, 400, 0x6080c0)));

    relay.process().signal(SIGSTOP);
    desk.tap(XK_a);
    CHECK(wait_title(desk, viewer.window(), "last heard from the server "));
    CHECK(wait_dim(desk, viewer.window(), 0x6080c0));
    desk.tap(XK_Return); /* is the server's, and presses no button */
    /* at rest it would look once in 10 s only */
    std::set<std::string> counted;
    CHECK(wait_until(PATIENCE, [&] {
        counted.insert(desk.title(viewer.window()));
        return std::any_of(counted.begin(), counted.end(), [](const std::string &t) {
            return t.find(" 3") != std::string::npos; /* 30 s and more */
        });
    }));
    CHECK(counted.size() > 8);
    SECTION("nothing, and it goes on")
    {
        relay.process().signal(SIGCONT);
        CHECK(viewer.wait_shows(Image(600, 400, 0x6080c0)));
        CHECK(server->screen->wait_key(XK_Return, true, PATIENCE));
    }
    SECTION("connect again")
    {
        press(accept);
        CHECK(wait_until(PATIENCE, [&] {
            return desk.title(viewer.window()).find("last heard") == std::string::npos;
        }));
        relay.process().signal(SIGCONT);
        CHECK(viewer.wait_shows(Image(600, 400, 0x6080c0)));
    }
    SECTION("disconnect: the start window")
    {
        press(other);
        CHECK(wait_until(PATIENCE, [&] {
            Image i = desk.capture(viewer.window());
            return i.count(0x21262d) > 9000;
        }));
        relay.process().signal(SIGCONT);
    }
}

TEST_CASE("reconnect: a server that has nothing to say is not silent", "[window]")
{
    auto server = can_run() ? start_tigervnc() : nullptr;
    if (!server)
        return;
    Desk desk;
    server->screen->fill(0x405060);
    ShownViewer viewer(desk, *server, {"--log", "-"});
    CHECK(viewer.wait_shows(Image(516, 388, 0x405060)));
    desk.tap(XK_a); /* which changes nothing there */
    CHECK(server->screen->wait_key(XK_a, true, PATIENCE));
    /* twelve lines, one a second: the user counts as active for ten of them */
    bool strange = false;
    CHECK(wait_until(PATIENCE, [&] {
        std::string out = viewer.process().out();
        strange = strange || desk.title(viewer.window()) != "vnchl test - vnchl";
        return std::count(out.begin(), out.end(), '\n') >= 13;
    }));
    CHECK_FALSE(strange);
}

TEST_CASE("reconnect: off, the program ends with the reason", "[window]")
{
    auto server = can_run() ? start_tigervnc() : nullptr;
    if (!server)
        return;
    Relay relay;
    relay.start(*server);
    Desk desk;
    Watched at(relay);
    ShownViewer viewer(desk, at, {"--reconnect", "off"});
    relay.stop();
    CHECK(viewer.process().wait(PATIENCE) == 1);
    std::string said = viewer.process().err();
    CHECK(said.rfind("vnchl: ", 0) == 0);
    CHECK(said.find('\n') == said.size() - 1);
}

TEST_CASE("reconnect: a password that is refused the second time ends it", "[window]")
{
    if (!can_run())
        return;
    TempDir dir;
    std::string right = vnc_password_file(dir, "secret");
    auto server =
        right.empty()
            ? nullptr
            : start_tigervnc({400, 300, {"-SecurityTypes", "VncAuth", "-rfbauth", right}, true});
    if (!server)
        return;
    Relay relay;
    relay.start(*server);
    Desk desk;
    server->screen->fill(0x6080c0);
    Watched at(relay);
    TempDir mine;
    ShownViewer viewer(desk, at,
                       {"--passwd-file", vnc_password_file(mine, "secret"), "--ask", "terminal"});
    CHECK(viewer.wait_shows(Image(400, 300, 0x6080c0)));

    relay.stop(); /* the same password does for the next session */
    CHECK(wait_dim(desk, viewer.window(), 0x6080c0));
    relay.start(*server);
    CHECK(viewer.wait_shows(Image(400, 300, 0x6080c0)));

    relay.stop();
    TempDir other;
    auto changed = start_tigervnc(
        {400,
         300,
         {"-SecurityTypes", "VncAuth", "-rfbauth", vnc_password_file(other, "another")},
         true});
    relay.start(*changed);
    CHECK(viewer.process().wait(PATIENCE) == 1);
    CHECK(viewer.process().err().find("password") != std::string::npos);
}

TEST_CASE("reconnect: the viewer itself was stopped for a while", "[window]")
{
    auto server = can_run() ? start_tigervnc() : nullptr;
    if (!server)
        return;
    Desk desk;
    ShownViewer viewer(desk, *server);
    server->screen->draw(0);
    server->screen->settle();
    CHECK(viewer.wait_shows(server->screen->capture()));
    viewer.process().signal(SIGSTOP);
    server->screen->animate(60);
    desk.tap(XK_a);
    viewer.process().signal(SIGCONT);
    CHECK(viewer.wait_shows(server->screen->capture()));
    CHECK(server->screen->wait_key(XK_a, true, PATIENCE));
    CHECK(viewer.process().err() == "");
}

TEST_CASE("reconnect: a reset is tried again, a server that makes no sense is not", "[window]")
{
    if (!can_run())
        return;
    const int W = 64, H = 48;
    Script start = handshake(W, H) + Script{await_request(), send_step(raw_screen(W, H, 0x6080c0))};
    Desk desk;
    SECTION("reset")
    {
        FakeServer server(start + Script{await_request(), reset()});
        auto viewer = ShownViewer::start(desk.name(), server.address());
        CHECK(wait_until(PATIENCE, [&] { return server.clients() >= 3; }));
        CHECK(viewer->running());
    }
    SECTION("no sense")
    {
        FakeServer server(start + Script{await_request(), send_step(u8(99)), stall()});
        auto viewer = ShownViewer::start(desk.name(), server.address());
        CHECK(viewer->wait(PATIENCE) == 1);
        CHECK(viewer->err().find("unknown type 99") != std::string::npos);
    }
    SECTION("it was never there")
    {
        FakeServer server({reset()});
        auto viewer = ShownViewer::start(desk.name(), server.address());
        CHECK(viewer->wait(PATIENCE) == 1);
    }
}

TEST_CASE("reconnect: the user closes the window while it is lost", "[window]")
{
    auto server = can_run() ? start_tigervnc({400, 300, {}, true}) : nullptr;
    if (!server)
        return;
    Desk desk;
    TempDir dir;
    server->screen->fill(0x6080c0);
    ShownViewer viewer(desk, *server, {"--json", dir.file("figures")});
    CHECK(viewer.wait_shows(Image(400, 300, 0x6080c0)));
    server->stop();
    CHECK(wait_dim(desk, viewer.window(), 0x6080c0));
    XMoveResizeWindow(desk.x(), viewer.window(), 0, 0, 800, 600); /* drawn anew from what is kept */
    XFlush(desk.x());
    CHECK(viewer.wait_size(800, 600));
    CHECK(wait_dim(desk, viewer.window(), 0x6080c0));
    desk.close_window(viewer.window());
    CHECK(viewer.process().wait(PATIENCE) == 0);
    CHECK(read_file(dir.file("figures")).find("\"updates\"") != std::string::npos);
}

TEST_CASE("reconnect: a network that is too slow for the picture is named", "[window]")
{
    if (!can_run())
        return;
    Demo film = start_demo_server({"--fps", "30"});
    Demo link = start_demo_link(film.port, {"--rate", "150k", "--rtt", "60"});
    Desk desk;
    auto viewer = ShownViewer::start(desk.name(), link.address(), {"--theme", "dark"});
    Desk::Window w = 0;
    REQUIRE(wait_until(PATIENCE, [&] { return (w = desk.find_desktop()) != 0; }));
    CHECK(wait_title(desk, w, "slow: the network delivers pictures late"));
    /* small, and not where the server's menus are */
    Image i;
    auto upper = [&](int from, int to) { return i.count(BAR, from, to); };
    CHECK(wait_until(PATIENCE, [&] {
        i = desk.capture(w);
        return upper(i.height / 2, i.height) > 500;
    }));
    CHECK(upper(0, i.height / 2) == 0);
    /* once: the title is as always, though the link stays as it is */
    CHECK(wait_until(PATIENCE, [&] {
        i = desk.capture(w);
        return upper(0, i.height) == 0;
    }));
    CHECK(viewer->running());
}
