/* What the window says when something is wrong, or new: certificates that have changed, connections
 * that cannot be made, bars above the picture. */
#include <sys/stat.h>

#include <algorithm>

#include "check.hpp"
#include "desk.hpp"
#include "fake_server.hpp"

/* after Catch2, which has names that are macros there */
#include <X11/Xlib.h>
#include <X11/keysym.h>

using namespace e2e;

namespace
{

/* Of viewer/ui/look.cpp, dark. */
const uint32_t PANEL = 0x21262d, WARNING = 0xff8a80, BAR = 0x4a3b0a, BUTTON = 0x2f74d8;

long count(const Image &image, uint32_t colour, size_t from = 0, size_t to = 1)
{
    auto begin = image.pixels.begin(), half = begin + static_cast<long>(image.pixels.size() / 2);
    return std::count(from ? half : begin, to ? image.pixels.end() : half, colour);
}

long above(const Image &image, uint32_t colour)
{
    return count(image, colour, 0, 0);
}

long below(const Image &image, uint32_t colour)
{
    return count(image, colour, 1, 1);
}

/* The program in front of the person, whose data are in a folder of the test's. */
class Person
{
  public:
    explicit Person(const std::string &address, const std::vector<std::string> &more = {},
                    bool window_manager = false)
        : desk(window_manager)
    {
        start(address, more);
    }
    void start(const std::string &address, const std::vector<std::string> &more = {})
    {
        Command c = ShownViewer::command(desk.name(), address, more);
        c.env["XDG_DATA_HOME"] = home.path();
        c.unset.push_back("GTK_THEME");
        viewer.reset(); /* the window before goes first */
        viewer = std::make_unique<Process>(c);
        REQUIRE(wait_until(PATIENCE, [&] { return window() || !viewer->running(); }));
    }
    Desk::Window window()
    {
        return desk.find("vnchl");
    }
    Image see()
    {
        return desk.capture(window());
    }
    bool wait(const std::function<bool(const Image &)> &seen)
    {
        return wait_until(PATIENCE, [&] { return seen(see()); });
    }
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
    bool wait_warning()
    {
        return wait([](const Image &i) { return count(i, PANEL) > 1000 && count(i, WARNING) > 0; });
    }
    bool wait_end(int status)
    {
        return viewer->wait(PATIENCE) == status;
    }

    TempDir home;
    Desk desk;
    std::unique_ptr<Process> viewer;
};

std::string clipboard(Desk &desk)
{
    Command c;
    c.argv = {"xclip",      "-o",        "-display", desk.name(),
              "-selection", "clipboard", "-target",  "UTF8_STRING"};
    return run(c).out;
}

} // namespace

TEST_CASE("notices: a certificate that has changed: closing is the default, forgetting asks anew",
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
    const std::string known = p.home.file("vnchl/known_servers"), zeros(64, '0'),
                      line = "127.0.0.1 " + std::to_string(server->port) + " ",
                      other = "far.example 5901 " + zeros + " 2026-11-22\n";
    REQUIRE(mkdir(p.home.file("vnchl").c_str(), 0700) == 0);
    write_file(known, line + zeros + " 2026-11-22\n" + other);

    p.start(server->address);
    REQUIRE(p.wait_warning());
    p.desk.tap(XK_Return);
    CHECK(p.wait_end(1));
    CHECK(p.viewer->err().find("HAS CHANGED") != std::string::npos);
    CHECK(read_file(known) == line + zeros + " 2026-11-22\n" + other);

    p.start(server->address);
    REQUIRE(p.wait_warning());
    const Image page = p.settled(Image());
    p.desk.tap(XK_Tab); /* from Close to Forget */
    const Image ring = p.settled(page);
    p.desk.tap(XK_space);
    CHECK(wait_until(PATIENCE, [&] { return read_file(known) == other; }));
    CHECK(p.wait([&](const Image &i) {
        return i != page && i != ring && count(i, WARNING) > 0 && count(i, PANEL) > 1000;
    }));
    p.desk.tap(XK_Tab); /* from Refuse to Accept */
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
    REQUIRE(p.wait_warning());
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

TEST_CASE("notices: where to try again cannot help, Enter closes", "[notices]")
{
    if (!can_run())
        return;
    FakeServer server({send_step("RFB 003.008\n"), expect(12), send_step(u8(1) + u8(200))});
    Person p(server.address());
    REQUIRE(p.wait_warning());
    p.desk.tap(XK_Return);
    CHECK(p.wait_end(1));
    CHECK(server.clients() == 1);
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
    CHECK(p.wait([](const Image &i) { return count(i, PANEL) > 1000 && above(i, BAR) == 0; }));
    CHECK(p.viewer->err().find("connecting again was stopped\n") != std::string::npos);
    CHECK(p.viewer->running());
    server.play(handshake(400, 300) +
                Script{await_request(), send_step(raw_screen(400, 300, 0x30a050)), stall()});
    p.desk.tap(XK_Return);
    CHECK(p.wait([](const Image &i) { return count(i, 0x30a050) == 400 * 300; }));
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
    CHECK(p.wait([](const Image &i) { return above(i, BAR) > 500; }));

    /* the bar makes room for the pointer */
    struct rect place = p.desk.place(p.window());
    p.desk.move(place.x + place.w / 2, place.y + 20);
    CHECK(p.wait([](const Image &i) { return below(i, BAR) > 500 && above(i, BAR) == 0; }));
    /* and goes away by itself */
    CHECK(p.wait([&](const Image &i) { return i == server->screen->capture(); }));
    CHECK_FALSE(server->screen->wait_key(XK_a, true, milliseconds(0)));
}

TEST_CASE("notices: full screen says how to leave it", "[notices]")
{
    auto server = can_run() && installed("openbox") ? start_tigervnc() : nullptr;
    if (!server)
        return;
    server->screen->fill(0x306020);
    Person p(server->address, {"--full-screen"}, true);
    CHECK(p.wait([](const Image &i) { return i.width == 1200 && above(i, BAR) > 500; }));
    CHECK(p.wait([](const Image &i) { return count(i, BAR) == 0; }));
}
