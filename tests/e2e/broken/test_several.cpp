/* Several servers of which any will do: the first that answers is shown, and the next one when it
 * is lost. */
#include <string>

#include "tests/e2e/breaking.hpp"
#include "tests/e2e/fake_server.hpp"
#include "tests/e2e/scene.hpp"
#include "tests/e2e/shown_viewer.hpp"

/* after Catch2, which has names that are macros there */
#include <X11/keysym.h>

using namespace e2e;

namespace
{

std::string nobody()
{
    return "127.0.0.1::" + std::to_string(free_port());
}

/* Shows one picture under this name. */
Script shows(const std::string &name)
{
    return handshake(640, 480, name) +
           Script{await_request(), send_step(raw_screen(640, 480, 0x6080c0)), await_request()};
}

bool wait_named(Scene &s, const std::string &name)
{
    return wait_until(PATIENCE, [&] { return s.title().find(name) != std::string::npos; });
}

std::string said(Command c)
{
    Finished r = run(c);
    INFO(r.err);
    CHECK(r.status == 0);
    return r.err;
}

} // namespace

TEST_CASE("several: the first that answers is used, without a window", "[several]")
{
    Demo server = start_demo_server({"--name", "second"});
    FakeServer mute({stall()});
    for (const std::string &first : {nobody(), mute.address()}) {
        std::string err =
            said(vnchl({"--headless", "--verbose", "--duration", "0.2", first, server.address()}));
        CHECK(err.find("the server that has answered is " + server.address() + "\n") !=
              std::string::npos);
        CHECK(err.find("connected to 'second'") != std::string::npos);
    }
    CHECK(wait_until(PATIENCE, [&] { return mute.clients() == 1; }));
}

TEST_CASE("several: without a window, too, the next one follows a server that fails", "[several]")
{
    Demo server = start_demo_server({"--name", "second"});
    FakeServer bad({send_step("RFB 003.008\n"), expect(12), reset()});
    std::string err = said(
        vnchl({"--headless", "--verbose", "--duration", "0.2", bad.address(), server.address()}));
    CHECK(err.find("trying the next server\n") != std::string::npos);
    CHECK(err.find("connected to 'second'") != std::string::npos);
}

TEST_CASE("several: when nobody answers one line says it of each", "[several]")
{
    std::string a = nobody(), b = nobody(), line = refusal(vnchl({"--headless", a, b}));
    INFO(line);
    CHECK(line.find("no server has answered: ") != std::string::npos);
    for (const std::string &server : {a, b})
        CHECK(line.find("port " + server.substr(server.rfind(':') + 1) + ": ") !=
              std::string::npos);
}

TEST_CASE("several: the next one is shown when a server is lost, and the first again after that",
          "[several][window]")
{
    auto one = can_run() ? start_tigervnc({400, 300, {}, true}) : nullptr;
    auto two = one ? start_tigervnc({400, 300, {}, true}) : nullptr;
    if (!two)
        return;
    Relay to_one, to_two;
    to_one.start(*one);
    to_two.start(*two);
    one->screen->fill(0x6080c0);
    two->screen->fill(0x80c060);
    Desk desk;
    Watched last(to_two); /* its address comes last */
    ShownViewer viewer(desk, last, {to_one.address()});
    CHECK(viewer.wait_shows(Image(400, 300, 0x6080c0)));

    to_one.stop();
    CHECK(viewer.wait_shows(Image(400, 300, 0x80c060)));
    desk.tap('b');
    CHECK(two->screen->wait_key('b', true, PATIENCE));
    CHECK(wait_until(PATIENCE, [&] {
        return viewer.process().err().find("Connected again. This is now " + to_two.address()) !=
               std::string::npos;
    }));

    to_one.start(*one);
    to_two.stop();
    CHECK(viewer.wait_shows(Image(400, 300, 0x6080c0)));
    desk.tap('a');
    CHECK(one->screen->wait_key('a', true, PATIENCE));
    CHECK_FALSE(one->screen->wait_key('b', true, milliseconds(0)));
    desk.close_window(viewer.window());
    CHECK(viewer.process().wait(PATIENCE) == 0);
}

TEST_CASE("several: a server that answers and then fails leaves its place to the next one",
          "[several][window]")
{
    auto two = can_run() ? start_tigervnc({400, 300, {}, true}) : nullptr;
    if (!two)
        return;
    FakeServer bad({send_step("RFB 003.008\n"), expect(12), reset()});
    Desk desk;
    two->screen->fill(0x80c060);
    ShownViewer viewer(desk, *two, {bad.address()}); /* whose address comes first */
    CHECK(viewer.wait_shows(Image(400, 300, 0x80c060)));
    CHECK(viewer.process().err().find("; trying the next server\n") != std::string::npos);
    desk.close_window(viewer.window());
    CHECK(viewer.process().wait(PATIENCE) == 0);
}

TEST_CASE("several: a question for a password names the server that asks", "[several][window]")
{
    if (!can_run())
        return;
    FakeServer server({send_step("RFB 003.008\n"), expect(12), send_step(u8(1) + u8(2)), expect(1),
                       send_step(std::string(16, 'x')), stall()});
    Scene s(server.address(), {"--theme", "dark", "--recent", "off"});
    Image alone;
    REQUIRE(s.wait_question(false));
    /* until it stays */
    REQUIRE(s.wait([&](const Image &i) {
        const bool same = i == alone;
        alone = i;
        return same;
    }));
    /* the page has the same words where it is one of two */
    s.again(server.address(), {"--theme", "dark", "--recent", "off", nobody()});
    CHECK(s.wait_shows(alone));
    CHECK(s.title() == server.address() + ": connecting - vnchl");
}

TEST_CASE("several: each keeps its own name, and all of them are in the start window again",
          "[several][window]")
{
    if (!can_run())
        return;
    FakeServer one(shows("the first desk")), two(shows("the second desk") + Script{stall()});
    Scene s(two.address(), {"--theme", "dark", one.address()}); /* whose address comes first */
    REQUIRE(wait_named(s, "the second desk"));
    REQUIRE(s.wait_shows(Image(640, 480, 0x6080c0)));
    s.desk.tap(XK_F8);
    s.desk.tap(XK_i); /* disconnect */
    REQUIRE(wait_until(PATIENCE, [&] { return s.title().find("desk") == std::string::npos; }));
    REQUIRE(s.wait_question(false));
    const std::string list = read_file(s.home.file("state/vnchl/recent"));
    INFO(list);
    CHECK(list.find(one.address() + "\tthe first desk\n") != std::string::npos);
    CHECK(list.find(two.address() + "\tthe second desk\n") != std::string::npos);
    const int before = one.clients();
    s.desk.tap(XK_Return); /* what is in the field */
    CHECK(wait_until(PATIENCE, [&] { return one.clients() > before; }));
    REQUIRE(wait_named(s, "the second desk"));
    s.desk.close_window(s.window());
    CHECK(s.viewer->wait(PATIENCE) == 0);
}
