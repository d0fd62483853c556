/* The real program's window on Wayland. */
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>

#include "tests/e2e/check.hpp"
#include "tests/e2e/levels.hpp"
#include "tests/e2e/shown_viewer.hpp"
#include "viewer/desktop/display/window/display.h"
#include "wayland_desk.hpp"

/* after Catch2, which has names that are macros there */
#include <X11/keysym.h>

using namespace e2e;

namespace
{

std::unique_ptr<Server> server_if_can_run(const XvncOptions &options = {})
{
    return can_run_wayland() ? start_tigervnc(options) : nullptr;
}

/* Ctrl+Alt and this key. */
void hot_key(WaylandDesk &desk, uint32_t keysym)
{
    desk.hands().key(XK_Control_L, true);
    desk.hands().key(XK_Alt_L, true);
    desk.hands().tap(keysym);
    desk.hands().key(XK_Alt_L, false);
    desk.hands().key(XK_Control_L, false);
}

std::pair<int, int> size_of(const Server &server)
{
    const XScreen now(server.display);
    return {now.width(), now.height()};
}

std::unique_ptr<Process> copy(WaylandDesk &desk, const std::string &text)
{
    Command c;
    c.argv = {"wl-copy", "--foreground"};
    c.input = text;
    desk.add_to(c);
    return std::make_unique<Process>(c);
}

std::string paste(WaylandDesk &desk)
{
    Command c;
    c.argv = {"wl-paste", "--no-newline"};
    desk.add_to(c);
    return run(c).out;
}

size_t count(const std::string &text, const std::string &part)
{
    size_t found = 0;
    for (size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size())
        found++;
    return found;
}

class WaylandBoard : public Board
{
  public:
    explicit WaylandBoard(Hands &hands) : hands_(hands) {}
    void key_at(unsigned code, bool down) override
    {
        hands_.key_at(code, down);
    }
    unsigned long keysym(unsigned code) const override
    {
        return hands_.keysym(code, {});
    }
    unsigned long keysym(unsigned code, const std::vector<unsigned> &held) const override
    {
        return hands_.keysym(code, held);
    }

  private:
    Hands &hands_;
};

bool full_screen(WaylandViewer &viewer)
{
    return wait_until(PATIENCE, [&] { return viewer.window().full_screen; });
}

} // namespace

TEST_CASE("wayland: the window shows the server's picture exactly, and keys and clicks arrive",
          "[wayland]")
{
    auto server = server_if_can_run();
    if (!server)
        return;
    WaylandDesk desk;
    server->screen->draw(0);
    server->screen->settle();
    WaylandViewer viewer(desk, *server);
    CHECK(viewer.wait_size(516, 388));
    CHECK(viewer.wait_shows(server->screen->capture()));
    const struct rect at = viewer.window().place;
    CHECK(at.x >= 0);
    CHECK(at.y >= 0);
    CHECK(at.x + at.w <= 1200);
    CHECK(at.y + at.h <= 900);
    for (auto [x, y] : {std::pair(515, 387), std::pair(0, 0), std::pair(123, 45)}) {
        INFO(x << ", " << y);
        desk.hands().move(at.x + x, at.y + y);
        CHECK(server->screen->wait_pointer(x, y, PATIENCE));
        for (unsigned button : {1u, 2u, 3u}) {
            desk.hands().button(button, true);
            CHECK(server->screen->wait_button(button, true, x, y, PATIENCE));
            desk.hands().button(button, false);
            CHECK(server->screen->wait_button(button, false, x, y, PATIENCE));
        }
    }
    for (unsigned long key : {XK_a, XK_Return, XK_F5, XK_Left}) {
        desk.hands().key(static_cast<uint32_t>(key), true);
        CHECK(server->screen->wait_key(key, true, PATIENCE));
        desk.hands().key(static_cast<uint32_t>(key), false);
        CHECK(server->screen->wait_key(key, false, PATIENCE));
    }
    desk.hands().key(XK_Shift_L, true);
    desk.hands().tap(XK_b);
    desk.hands().key(XK_Shift_L, false);
    CHECK(server->screen->wait_key(XK_B, true, PATIENCE));
    CHECK(wait_until(PATIENCE, [&] { return server->screen->nothing_held(); }));
}

TEST_CASE("wayland: each key and level of a layout is what XKB says, also with Ctrl and Alt",
          "[wayland]")
{
    if (!can_run_wayland())
        return;
    for (bool codes : {false, true}) {
        FakeServer server(listening(codes));
        WaylandDesk desk;
        WaylandViewer viewer(desk, server.address());
        WaylandBoard board(desk.hands());
        for (const std::string &layout : all_layouts()) {
            INFO(layout << (codes ? " with codes" : ""));
            desk.hands().layout(layout);
            check_levels(board, server, codes);
        }
    }
}

TEST_CASE("wayland: full screen and back, with the server's screen", "[wayland]")
{
    auto server = server_if_can_run();
    if (!server)
        return;
    WaylandDesk desk;
    server->screen->fill(0x804020);
    std::vector<std::string> options;
    std::pair<int, int> full(1200, 900);
    SECTION("the server's screen follows") {}
    SECTION("the picture is scaled")
    {
        options = {"--scale", "fit"};
        full = {516, 388};
    }
    WaylandViewer viewer(desk, *server, options);
    REQUIRE(viewer.wait_size(516, 388));
    hot_key(desk, XK_Return);
    CHECK(full_screen(viewer));
    CHECK(viewer.wait_size(1200, 900));
    CHECK(wait_until(PATIENCE, [&] { return size_of(*server) == full; }));
    if (options.empty()) {
        REQUIRE(server->screen->resize(1200, 900));
        server->screen->fill(0x204080);
        CHECK(viewer.wait_shows(Image(1200, 900, 0x204080)));
    }
    desk.hands().tap(XK_b);
    CHECK(server->screen->wait_key(XK_b, false, PATIENCE));
    hot_key(desk, XK_Return);
    CHECK(viewer.wait_size(516, 388));
    CHECK_FALSE(viewer.window().full_screen);
    CHECK(wait_until(PATIENCE, [&] { return size_of(*server) == std::pair(516, 388); }));
}

TEST_CASE("wayland: --full-screen starts that way", "[wayland]")
{
    auto server = server_if_can_run();
    if (!server)
        return;
    WaylandDesk desk;
    WaylandViewer viewer(desk, *server, {"--full-screen"});
    CHECK(full_screen(viewer));
    CHECK(viewer.wait_size(1200, 900));
    CHECK(wait_until(PATIENCE, [&] { return size_of(*server) == std::pair(1200, 900); }));
}

TEST_CASE("wayland: --geometry gives the window its size, and the server's screen follows",
          "[wayland]")
{
    auto server = server_if_can_run();
    if (!server)
        return;
    WaylandDesk desk;
    WaylandViewer viewer(desk, *server, {"--geometry", "900x700"});
    CHECK(viewer.wait_size(900, 700));
    CHECK(wait_until(PATIENCE, [&] { return size_of(*server) == std::pair(900, 700); }));
}

TEST_CASE("wayland: another size, with the picture scaled or the server's screen", "[wayland]")
{
    auto server = server_if_can_run({400, 300, {}, true});
    if (!server)
        return;
    WaylandDesk desk;
    server->screen->fill(0x40a0c0);
    SECTION("fit")
    {
        WaylandViewer viewer(desk, *server, {"--scale", "fit"});
        REQUIRE(viewer.wait_size(400, 300));
        REQUIRE(
            desk.say("border none, resize set width 1000 px height 600 px, move position 50 50"));
        CHECK(viewer.wait_size(1000, 600));
        Image expected(1000, 600, 0);
        for (int y = 0; y < 600; y++)
            for (int x = 100; x < 900; x++)
                expected.pixels[static_cast<size_t>(y) * 1000 + static_cast<size_t>(x)] = 0x40a0c0;
        CHECK(viewer.wait_shows(expected));
        const struct rect at = viewer.window().place;
        desk.hands().move(at.x + 100 + 201, at.y + 401);
        CHECK(server->screen->wait_pointer(100, 200, PATIENCE));
    }
    SECTION("auto")
    {
        WaylandViewer viewer(desk, *server);
        REQUIRE(viewer.wait_size(400, 300));
        REQUIRE(
            desk.say("border none, resize set width 640 px height 512 px, move position 50 50"));
        CHECK(wait_until(PATIENCE, [&] { return size_of(*server) == std::pair(640, 512); }));
        CHECK(viewer.wait_size(640, 512));
    }
}

TEST_CASE("wayland: the clipboard goes both ways", "[wayland]")
{
    auto server = installed("wl-copy") ? server_if_can_run() : nullptr;
    if (!server)
        return;
    WaylandDesk desk;
    auto arrives = [&](const std::string &text) {
        return wait_until(PATIENCE,
                          [&] { return server->screen->ask_clipboard(milliseconds(500)) == text; });
    };
    WaylandViewer viewer(desk, *server);
    auto first = copy(desk, "\xe2\x82\xac \xd0\x9f first");
    CHECK(arrives("\xe2\x82\xac \xd0\x9f first"));
    auto second = copy(desk, "second");
    CHECK(arrives("second"));
    /* a program may offer a text only after some input */
    desk.hands().tap(XK_b);
    CHECK(server->screen->wait_key(XK_b, false, PATIENCE));
    server->screen->own_clipboard("\xe6\x97\xa5 from the server");
    CHECK(server->screen->serve_until(
        PATIENCE, [&] { return paste(desk) == "\xe6\x97\xa5 from the server"; }));
    CHECK(server->screen->owns_clipboard());
}

TEST_CASE("wayland: the text of a program that is slow to hand it over is sent, too", "[wayland]")
{
    auto server = installed("wl-copy") ? server_if_can_run() : nullptr;
    if (!server)
        return;
    WaylandDesk desk;
    WaylandViewer viewer(desk, *server, {"--verbose"});
    REQUIRE(desk.say("workspace 2"));
    auto slow = copy(desk, "slow");
    REQUIRE(wait_until(PATIENCE, [&] { return paste(desk) == "slow"; }));
    slow->signal(SIGSTOP);
    REQUIRE(desk.say("workspace 1"));
    /* the focus and the new text each make it read once */
    CHECK(wait_until(
        PATIENCE, [&] { return count(viewer.process().err(), "cannot read the clipboard") > 3; }));
    slow->signal(SIGCONT);
    CHECK(wait_until(PATIENCE,
                     [&] { return server->screen->ask_clipboard(milliseconds(500)) == "slow"; }));
}

TEST_CASE("wayland: the menu opens over the picture, and closes", "[wayland]")
{
    auto server = server_if_can_run({600, 500, {}, true});
    if (!server)
        return;
    WaylandDesk desk;
    server->screen->fill(0x208040);
    WaylandViewer viewer(desk, *server, {"--theme", "dark"});
    const Image plain(600, 500, 0x208040);
    REQUIRE(viewer.wait_shows(plain));
    desk.hands().tap(XK_F8);
    CHECK(wait_until(PATIENCE, [&] {
        const Image seen = desk.see(viewer.window().place);
        return seen.count(0x21262d) > 60000;
    }));
    desk.hands().tap(XK_v); /* view only */
    CHECK(viewer.wait_title("view only - vnchl"));
    CHECK(viewer.wait_shows(plain));
}

TEST_CASE("wayland: Ctrl+Alt+G takes the compositor's keys, and gives them back", "[wayland]")
{
    auto server = server_if_can_run();
    if (!server)
        return;
    TempDir seen;
    chmod(seen.path().c_str(), 0777);
    WaylandDesk desk({Output()}, "bindsym Mod1+F2 exec touch " + seen.file("taken"));
    WaylandViewer viewer(desk, *server);
    auto alt_f2 = [&] {
        desk.hands().key(XK_Alt_L, true);
        desk.hands().tap(XK_F2);
        desk.hands().key(XK_Alt_L, false);
    };
    hot_key(desk, XK_g);
    REQUIRE(viewer.wait_title("keyboard grabbed - vnchl"));
    CHECK(wait_until(PATIENCE, [&] {
        alt_f2(); /* the compositor has to hear of it first */
        return server->screen->wait_key(XK_F2, true, milliseconds(500));
    }));
    hot_key(desk, XK_g);
    CHECK(wait_until(PATIENCE, [&] {
        return viewer.window().title.find("keyboard grabbed") == std::string::npos;
    }));
    unlink(seen.file("taken").c_str());
    CHECK(wait_until(PATIENCE, [&] {
        alt_f2();
        return file_exists(seen.file("taken"));
    }));
}

TEST_CASE("wayland: at a scale of 2 a pixel of the server is a pixel here", "[wayland]")
{
    auto server = server_if_can_run({516, 387, {}, true});
    if (!server)
        return;
    WaylandDesk desk({{1200, 900, 2}});
    server->screen->draw(0);
    server->screen->settle();
    WaylandViewer viewer(desk, *server);
    CHECK(viewer.wait_size(258, 194));
    const Image shown = server->screen->capture();
    Image expected(516, 388); /* a unit is two pixels */
    std::copy(shown.pixels.begin(), shown.pixels.end(), expected.pixels.begin());
    CHECK(viewer.wait_shows(expected));
    const struct rect at = viewer.window().place;
    for (auto [x, y] : {std::pair(257, 192), std::pair(0, 0), std::pair(100, 33)}) {
        desk.hands().move(at.x + x, at.y + y);
        CHECK(server->screen->wait_pointer(2 * x + 1, 2 * y + 1, PATIENCE));
    }
    hot_key(desk, XK_Return);
    CHECK(wait_until(PATIENCE, [&] { return size_of(*server) == std::pair(1200, 900); }));
    REQUIRE(server->screen->resize(1200, 900));
    server->screen->draw(1);
    server->screen->settle();
    CHECK(viewer.wait_shows(server->screen->capture()));
}

TEST_CASE("wayland: with two screens the window is wholly on one, and full screen is one",
          "[wayland]")
{
    auto server = server_if_can_run({760, 500, {}, true});
    if (!server)
        return;
    WaylandDesk desk({{800, 600, 1}, {1000, 700, 1}});
    server->screen->fill(0x40a0c0);
    for (int screen = 0; screen < 2; screen++) {
        INFO(screen);
        const int begin = screen * 800, width = screen ? 1000 : 800, height = screen ? 700 : 600;
        REQUIRE(desk.say("focus output HEADLESS-" + std::to_string(screen + 1)));
        WaylandViewer viewer(desk, *server, {"--scale", "fit", "--full-screen-mode", "all"});
        struct rect r = {0, 0, 0, 0};
        const bool on_one = wait_until(PATIENCE, [&] {
            r = viewer.window().place;
            return r.w >= 700 && r.x >= begin && /* a window of 640 may grow so far */
                   r.x + r.w <= begin + width && r.y >= 0 && r.y + r.h <= height;
        });
        INFO(r.x << "," << r.y << " " << r.w << "x" << r.h);
        CHECK(on_one);
        CHECK(viewer.process().err() == "");
        hot_key(desk, XK_Return);
        CHECK(full_screen(viewer));
        /* one of the two: SDL 2.26 does not know which has the window */
        CHECK(wait_until(PATIENCE, [&] {
            r = viewer.window().place;
            return (r.x == 0 && r.y == 0 && r.w == 800 && r.h == 600) ||
                   (r.x == 800 && r.y == 0 && r.w == 1000 && r.h == 700);
        }));
        CHECK(wait_until(PATIENCE, [&] {
            return viewer.process().err().find("Wayland gives a program no more") !=
                   std::string::npos;
        }));
    }
}

TEST_CASE("wayland: text in a small picture is averaged as it is on X11", "[wayland]")
{
    auto server = server_if_can_run({1000, 800, {}, true});
    if (!server)
        return;
    WaylandDesk desk;
    Desk x11;
    server->screen->draw(0);
    server->screen->settle();
    Image expected;
    {
        ShownViewer viewer(x11, *server, {"--scale", "0.4"});
        wait_until(
            PATIENCE,
            [&] {
                const Image before = expected;
                expected = x11.capture(viewer.window());
                return colours(expected) > 30 && expected == before;
            },
            milliseconds(300));
    }
    WaylandViewer viewer(desk, *server, {"--scale", "0.4"});
    CHECK(viewer.wait_size(400, 320));
    CHECK(viewer.wait_shows(expected));
}

/* A seat without a keyboard ends SDL 2.26 at its start. So only the question is asked of weston. */
TEST_CASE("wayland: a compositor that keeps its keys is known", "[wayland]")
{
    if (!can_run_wayland() || !installed("weston"))
        return;
    auto gives_keys = [](const std::string &folder, const std::string &socket) {
        setenv("XDG_RUNTIME_DIR", folder.c_str(), 1);
        setenv("WAYLAND_DISPLAY", socket.c_str(), 1);
        return display_gives_keys();
    };
    TempDir dir;
    Command weston;
    weston.argv = {"weston", "--backend=headless-backend.so", "--socket=wayland-w", "--no-config"};
    weston.env = {{"XDG_RUNTIME_DIR", dir.path()}};
    weston.unset = {"DISPLAY", "WAYLAND_DISPLAY"};
    Process compositor(weston);
    REQUIRE(wait_until(PATIENCE, [&] { return file_exists(dir.file("wayland-w")); }));
    CHECK_FALSE(gives_keys(dir.path(), "wayland-w"));
    CHECK_FALSE(gives_keys(dir.path(), "nobody"));
    WaylandDesk desk;
    Command c;
    desk.add_to(c);
    CHECK(gives_keys(c.env["XDG_RUNTIME_DIR"], c.env["WAYLAND_DISPLAY"]));
}

TEST_CASE("wayland: a server that takes steps gets the pointer, and gives it back", "[wayland]")
{
    auto server = can_run_wayland() ? start_qemu() : nullptr;
    if (!server)
        return;
    WaylandDesk desk;
    WaylandViewer viewer(desk, *server, {"--remote-resize", "off"});
    REQUIRE(wait_until(PATIENCE, [&] { return server->painted(); }));
    auto caught = [&] {
        return viewer.window().title.find("gives the pointer back") != std::string::npos;
    };
    auto moved = [&] { return count(server->input_trace(), "input_event_rel"); };
    const struct rect at = viewer.window().place;
    desk.hands().move(at.x + 100, at.y + 100);
    desk.hands().move(at.x + 120, at.y + 120);
    desk.hands().button(1, true);
    desk.hands().button(1, false);
    REQUIRE(wait_until(PATIENCE, caught));
    CHECK(moved() == 0);
    CHECK(wait_until(PATIENCE, [&] {
        desk.hands().move(at.x + 130, at.y + 90);
        desk.hands().move(at.x + 90, at.y + 130);
        return moved() > 0;
    }));
    hot_key(desk, XK_g);
    CHECK(wait_until(PATIENCE, [&] { return !caught(); }));
}
