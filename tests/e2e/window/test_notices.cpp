/* What the window says when something is wrong, or new: certificates that have changed, connections
 * that cannot be made, bars above the picture. */
#include <sys/stat.h>

#include <algorithm>

#include "tests/e2e/breaking.hpp"
#include "tests/e2e/check.hpp"
#include "tests/e2e/fake_server.hpp"
#include "tests/e2e/scene.hpp"

/* after Catch2, which has names that are macros there */
#include <X11/Xlib.h>
#include <X11/keysym.h>

using namespace e2e;

namespace
{

const uint32_t BUTTON = 0x2f74d8; /* of viewer/ui/widgets/look.cpp, dark */

/* In one half of the image. */
long count_half(const Image &image, uint32_t colour, bool lower)
{
    const int half = image.height / 2;
    return lower ? image.count(colour, half, image.height) : image.count(colour, 0, half);
}

long above(const Image &image, uint32_t colour)
{
    return count_half(image, colour, false);
}

long below(const Image &image, uint32_t colour)
{
    return count_half(image, colour, true);
}

class Person : public Scene
{
  public:
    using Scene::Scene;

    /* What is shown, when it stays and is another picture than this one. */
    Image settled(const Image &before)
    {
        Image last;
        CHECK(wait([&](const Image &i) {
            bool same = i == last && i != before;
            last = i;
            return same;
        }));
        return last;
    }
    bool wait_end(int status)
    {
        return viewer->wait(PATIENCE) == status;
    }
};

std::string clipboard(Desk &desk)
{
    Command c;
    c.argv = {"xclip",      "-o",        "-display", desk.name(),
              "-selection", "clipboard", "-target",  "UTF8_STRING"};
    return run(c).out;
}

} // namespace

TEST_CASE(
    "notices: a certificate that has changed: going back is the default, forgetting asks anew",
    "[notices]")
{
    TempDir dir;
    if (!can_run() || !make_certificate(dir))
        return;
    auto server = start_tigervnc(with_certificate(dir));
    if (!server)
        return;
    server->screen->fill(0x306020);
    Person p("/no/such/socket");
    const std::string known = p.home.file("data/vnchl/known_servers"), zeros(64, '0'),
                      line = "127.0.0.1 " + std::to_string(server->port) + " ",
                      other = "far.example 5901 " + zeros + " 2026-11-22\n";
    REQUIRE(mkdir(p.home.file("data").c_str(), 0700) == 0);
    REQUIRE(mkdir(p.home.file("data/vnchl").c_str(), 0700) == 0);
    write_file(known, line + zeros + " 2026-11-22\n" + other);

    p.again(server->address);
    REQUIRE(p.wait_page(true));
    p.desk.tap(XK_Return); /* to the start window */
    CHECK(p.wait([](const Image &i) { return i.count(PANEL) > 1000 && i.count(WARNING) == 0; }));
    p.desk.tap(XK_Escape);
    CHECK(p.wait_end(1));
    CHECK(p.viewer->err().find("HAS CHANGED") != std::string::npos);
    CHECK(read_file(known) == line + zeros + " 2026-11-22\n" + other);

    p.again(server->address);
    REQUIRE(p.wait_page(true));
    const Image page = p.settled(Image());
    p.desk.tap(XK_Tab); /* from Close to Forget */
    const Image ring = p.settled(page);
    p.desk.tap(XK_space);
    CHECK(wait_until(PATIENCE, [&] { return read_file(known) == other; }));
    CHECK(p.wait([&](const Image &i) {
        return i != page && i != ring && i.count(WARNING) > 0 && i.count(PANEL) > 1000;
    }));
    p.desk.tap(XK_Tab); /* from Refuse to "Only this time" */
    p.desk.tap(XK_Tab); /* to Accept */
    p.desk.tap(XK_space);
    CHECK(p.wait([&](const Image &i) { return i == server->screen->capture(); }));
    CHECK(read_file(known).find(other + line) == 0);
}

TEST_CASE("notices: a fingerprint can be copied", "[notices]")
{
    TempDir dir;
    if (!can_run() || !installed("xclip") || !make_certificate(dir))
        return;
    auto server = start_tigervnc(with_certificate(dir));
    if (!server)
        return;
    Command openssl;
    openssl.argv = {"openssl",           "x509", "-noout", "-fingerprint", "-sha256", "-in",
                    dir.file("cert.pem")};
    std::string print = run(openssl).out;
    Person p(server->address);
    REQUIRE(p.wait_page(true));
    p.desk.key(XK_Shift_L, true);
    p.desk.tap(XK_Tab); /* from Refuse back to Copy */
    p.desk.key(XK_Shift_L, false);
    p.desk.tap(XK_space);
    CHECK(wait_until(PATIENCE, [&] {
        std::string copied = clipboard(p.desk);
        return copied.size() == 95 && print.find(copied) != std::string::npos;
    }));
    p.desk.tap(XK_Escape);
    CHECK(p.wait_end(0));
}

TEST_CASE("notices: where to try again cannot help, Enter leads to the address", "[notices]")
{
    if (!can_run())
        return;
    FakeServer server({send_step("RFB 003.008\n"), expect(12), send_step(u8(1) + u8(100))});
    Person p(server.address());
    REQUIRE(p.wait_page(true));
    p.desk.tap(XK_Return);
    CHECK(p.wait([](const Image &i) { return i.count(PANEL) > 1000 && i.count(WARNING) == 0; }));
    p.desk.tap(XK_Escape);
    CHECK(p.wait_end(1));
    CHECK(wait_until(PATIENCE, [&] { return server.clients() == 1; }));
}

TEST_CASE("notices: while it connects again, Enter tries at once and Escape stops", "[notices]")
{
    if (!can_run())
        return;
    FakeServer server(handshake(400, 300) +
                      Script{await_request(), send_step(raw_screen(400, 300, 0x2050a0))});
    Person p(server.address());
    auto with_buttons = [](const Image &i) {
        return above(i, BAR) > 500 && above(i, BUTTON) > 200;
    };
    CHECK(wait_until(PATIENCE, [&] { return server.clients() == 1; }));
    server.play({}); /* all others are sent away */
    CHECK(p.wait(with_buttons));
    /* by itself it would take minutes to come so often: the waits become longer */
    CHECK(wait_until(PATIENCE, [&] {
        p.desk.tap(XK_Return);
        return server.clients() >= 14;
    }));
    CHECK(p.wait(with_buttons));
    p.desk.tap(XK_Escape);
    CHECK(p.wait([](const Image &i) { /* why it was lost is said */
                                      return i.count(PANEL) > 1000 && i.count(WARNING) > 0 &&
                                             above(i, BAR) == 0;
    }));
    CHECK(p.viewer->err().find("connecting again was stopped\n") != std::string::npos);
    CHECK(p.viewer->running());
    server.play(handshake(400, 300) +
                Script{await_request(), send_step(raw_screen(400, 300, 0x30a050)), stall()});
    p.desk.tap(XK_Return);
    CHECK(p.wait([](const Image &i) { return i.count(0x30a050) == 400 * 300; }));
}

TEST_CASE("notices: the statistics stand below the bar that says how the connection is",
          "[notices]")
{
    const uint32_t figures = 0x101418; /* of viewer/ui/widgets/look.cpp */
    auto server = can_run() ? start_tigervnc({600, 500, {}, true}) : nullptr;
    if (!server)
        return;
    server->screen->fill(0x306020);
    Relay relay;
    relay.start(*server);
    Person p(relay.address(), {"--statistics", "on"});
    auto first = [](const Image &i, uint32_t colour) {
        return (std::find(i.pixels.begin(), i.pixels.end(), colour) - i.pixels.begin()) / i.width;
    };
    REQUIRE(p.wait([&](const Image &i) { return i.count(figures) > 5000; }));
    CHECK(first(p.see(), figures) < 20);
    relay.stop();
    CHECK(p.wait([&](const Image &i) {
        const auto half = i.pixels.rbegin() + static_cast<long>(i.pixels.size() / 2);
        const auto bar = std::find(half, i.pixels.rend(), BAR);
        return bar != i.pixels.rend() && i.count(figures) > 5000 &&
               (i.pixels.rend() - bar) / i.width < first(i, figures);
    }));
}

TEST_CASE("notices: view only is in the title, and said to who types", "[notices]")
{
    auto server = can_run() ? start_tigervnc() : nullptr;
    if (!server)
        return;
    server->screen->fill(0x306020);
    Person p(server->address, {"--view-only"});
    CHECK(wait_until(PATIENCE, [&] { return p.desk.find("test - view only - vnchl") != 0; }));
    CHECK(p.wait([&](const Image &i) { return i == server->screen->capture(); }));
    p.desk.tap(XK_Shift_L);
    p.desk.tap(XK_a);
    Image i;
    REQUIRE(p.wait([&](const Image &now) {
        i = now;
        return below(i, BAR) > 500 && above(i, BAR) == 0;
    }));

    /* it makes room for the pointer */
    const long at = std::find(i.pixels.begin(), i.pixels.end(), BAR) - i.pixels.begin();
    struct rect place = p.desk.place(p.window());
    p.desk.move(place.x + static_cast<int>(at % i.width), place.y + static_cast<int>(at / i.width));
    CHECK(p.wait([&](const Image &now) {
        return now.count(BAR) > 500 && now.pixels[static_cast<size_t>(at)] != BAR;
    }));
    /* and goes away by itself */
    CHECK(p.wait([&](const Image &i) { return i == server->screen->capture(); }));
    CHECK_FALSE(server->screen->wait_key(XK_a, true, milliseconds(0)));
}

TEST_CASE("notices: what is said of view only ends with it, and is said of the next time",
          "[notices]")
{
    auto server = can_run() ? start_tigervnc() : nullptr;
    if (!server)
        return;
    server->screen->fill(0x306020);
    Person p(server->address, {"--view-only"});
    auto says = [](const Image &i) { return i.count(BAR) > 500 && i.count(PANEL) == 0; };
    auto choose_view_only = [&] {
        p.desk.tap(XK_F8);
        CHECK(p.wait([](const Image &i) { return i.count(PANEL) > 1000; }));
        p.desk.tap(XK_v);
    };
    CHECK(p.wait([&](const Image &i) { return i == server->screen->capture(); }));
    p.desk.give_focus(p.window());
    for (int time = 0; time < 2; time++) {
        p.desk.tap(XK_a);
        CHECK(p.wait(says));
        choose_view_only();
        CHECK(p.wait([](const Image &i) { return i.count(BAR) == 0 && i.count(PANEL) == 0; }));
        p.desk.tap(XK_b); /* the server's */
        CHECK(server->screen->wait_key(XK_b, true, PATIENCE));
        choose_view_only();
    }
    CHECK_FALSE(server->screen->wait_key(XK_a, true, milliseconds(0)));
}

TEST_CASE("notices: none lies over a picture that leaves room in the window", "[notices]")
{
    auto server = can_run() ? start_tigervnc() : nullptr;
    if (!server)
        return;
    server->screen->fill(0x306020);
    const Image screen = server->screen->capture();
    Person p(server->address,
             {"--view-only", "--remote-resize", "off", "--geometry", "1000x806+10+10"});
    auto shown = [&](const Image &i) { return i.count(0x306020) >= 1000L * 751; };
    CHECK(p.wait(shown));
    p.desk.give_focus(p.window());
    p.desk.tap(XK_a);
    CHECK(p.wait([&](const Image &i) { return i.count(BAR) > 500 && shown(i); }));
}

TEST_CASE("notices: full screen says how to leave it", "[notices]")
{
    auto server = can_run() && installed("openbox") ? start_tigervnc() : nullptr;
    if (!server)
        return;
    server->screen->fill(0x306020);
    Person p(server->address, {"--full-screen"}, {}, true);
    CHECK(p.wait([](const Image &i) { return i.width == 1200 && below(i, BAR) > 500; }));
    CHECK(above(p.see(), BAR) == 0); /* the server's own menus are there */
    CHECK(p.wait([](const Image &i) { return i.count(BAR) == 0; }));
}
