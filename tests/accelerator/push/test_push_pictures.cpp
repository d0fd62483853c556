/* Pictures that the far end pushes are those of servers that nobody here wrote: whatever moves, as
 * soon as it is still. */
#include <X11/keysym.h>

#include "tests/accelerator/pushing.hpp"
#include "tests/e2e/reach.hpp"

using namespace e2e;
using namespace accelerator;

namespace
{

using Starter = std::unique_ptr<Server> (*)(const XvncOptions &);

/* Text that is typed: small changes, one after the other. */
void type_text(XScreen &screen)
{
    for (int i = 0; i < 20; i++) {
        screen.draw_text(20 + i * 9, 40, std::string(1, static_cast<char>('a' + i)));
        screen.settle();
    }
}

/* Everything that a desktop does, and each time an exact picture at its end. */
void watch_all(Server &server, Viewer &viewer)
{
    XScreen &screen = *server.screen;
    {
        INFO("motion");
        screen.animate(20);
        check_picture(viewer, screen.capture());
    }
    {
        INFO("typing");
        type_text(screen);
        check_picture(viewer, screen.capture());
    }
    {
        INFO("scrolling");
        for (int i = 0; i < 12; i++)
            screen.scroll(16);
        check_picture(viewer, screen.capture());
    }
    {
        INFO("a window that is moved");
        for (int i = 0; i < 12; i++)
            screen.move_window(10 + i * 13, 20 + i * 9);
        check_picture(viewer, screen.capture());
        screen.move_window(-1, -1);
    }
    {
        INFO("all of the screen");
        for (uint32_t colour : {0x102030u, 0xfefefeu, 0x804020u}) {
            screen.fill(colour);
            check_picture(viewer, screen.capture());
        }
    }
}

void standing(Starter start)
{
    auto server = start({});
    if (!server)
        return;
    for (bool jpeg : {false, true}) {
        INFO("jpeg " << jpeg);
        Accelerator a(server->address);
        ViewerOptions o = takes_blocks(a.address());
        o.jpeg = jpeg;
        Viewer viewer(o);
        require_pushed(viewer);
        require_first_picture(viewer);
        watch_all(*server, viewer);
        a.await("event=pushed");
        CHECK(viewer.stats().accelerated);
        CHECK(a.count("not-accelerated") == 0);
    }
}

void over_ssh(Starter start)
{
    auto server = start({});
    FarMachine far;
    if (!server || !far.gateway)
        return;
    OurPath path(*far.gateway);
    ViewerOptions o = takes_blocks(server->address);
    o.ssh = far.name();
    o.jpeg = true;
    {
        Viewer viewer(o);
        require_pushed(viewer);
        require_first_picture(viewer);
        watch_all(*server, viewer);
        CHECK(far.says("event=pushed"));
    }
    CHECK(wait_until(PATIENCE, [&] { return !far.runs(); }));
}

} // namespace

TEST_CASE("pushed through a standing accelerator: TigerVNC", "[push]")
{
    standing(start_tigervnc);
}

TEST_CASE("pushed through a standing accelerator: TightVNC", "[push]")
{
    standing(start_tightvnc);
}

TEST_CASE("pushed through a standing accelerator: x11vnc", "[push]")
{
    standing(start_x11vnc);
}

TEST_CASE("pushed over --ssh: TigerVNC", "[push]")
{
    over_ssh(start_tigervnc);
}

TEST_CASE("pushed over --ssh: TightVNC", "[push]")
{
    over_ssh(start_tightvnc);
}

TEST_CASE("pushed over --ssh: x11vnc", "[push]")
{
    over_ssh(start_x11vnc);
}

/* The machine begins in a text mode, and changes its mode when it is reset: another size, and
 * another depth of what it shows. */
TEST_CASE("pushed: QEMU, and the machine changes its screen's mode", "[push]")
{
    auto server = start_qemu();
    if (!server)
        return;
    Qemu &machine = *server;
    Accelerator a(machine.address);
    ViewerOptions o = takes_blocks(a.address());
    o.jpeg = true;
    Viewer viewer(o);
    require_pushed(viewer);
    REQUIRE(wait_until(PATIENCE, [&] { return machine.painted(); }));
    const Image first = machine.screendump();
    for (int i = 0; i < 2; i++) {
        INFO("start " << i);
        REQUIRE(wait_until(PATIENCE, [&] { return machine.screendump() == first; }));
        check_picture(viewer, first);
        const std::string before = machine.keys();
        viewer.key_code(XK_a, 0x1e, true);
        viewer.key_code(XK_a, 0x1e, false);
        REQUIRE(wait_until(PATIENCE, [&] { return machine.keys() == before + "a"; }));
        CHECK(wait_until(PATIENCE, [&] { return viewer.picture() == machine.screendump(); }));
        CHECK(viewer.picture() != first);
        REQUIRE(machine.monitor("{\"execute\":\"system_reset\"}"));
    }
}

TEST_CASE("pushed: wayvnc", "[push]")
{
    auto server = start_wayvnc();
    if (!server)
        return;
    Accelerator a(server->address);
    Viewer viewer(takes_blocks(a.address()));
    require_pushed(viewer);
    for (uint32_t colour : {0x123456u, 0xabcdefu}) {
        REQUIRE(server->background(Image(server->width, server->height, colour)));
        check_picture(viewer, Image(server->width, server->height, colour));
    }
    viewer.key(XK_x, true);
    viewer.key(XK_x, false);
    CHECK(wait_until(PATIENCE, [&] { return server->key_seen("x"); }));
}

TEST_CASE("pushed: the server's screen changes its size, by itself and by the viewer's wish",
          "[push]")
{
    auto behind = start_tigervnc();
    if (!behind || !installed("xrandr"))
        return;
    Pushed p(std::move(behind));
    Viewer &viewer = p.view();
    const uint64_t asked = viewer.stats().meter.requests[REQUEST_FIRST];
    for (auto [width, height] : {std::pair<int, int>{800, 600}, {641, 479}, {516, 388}}) {
        INFO(width << "x" << height);
        REQUIRE(p.server->screen->resize(width, height));
        p.server->screen->animate(5);
        p.check();
    }
    for (auto [width, height] : {std::pair<int, int>{700, 500}, {321, 243}, {516, 388}}) {
        INFO("by wish: " << width << "x" << height);
        session_resize(viewer.raw(), width, height);
        CHECK(wait_until(PATIENCE, [&] {
            auto e = viewer.wait_event(SESSION_RESIZED, milliseconds(0));
            return e && e->width == width && e->height == height;
        }));
        p.server->screen->cover_again();
        p.server->screen->fill(0x123456);
        p.check();
    }
    session_resize(viewer.raw(), 33, 17);
    auto refused = viewer.wait_event(SESSION_NOTICE);
    REQUIRE(refused);
    CHECK(refused->text.find("keeps the size of its screen") != std::string::npos);
    /* what is pushed anyway is not asked for: all of the new picture would come twice */
    CHECK(viewer.stats().meter.requests[REQUEST_FIRST] == asked);
}

TEST_CASE("pushed: pictures with loss while they move, exact at rest", "[push]")
{
    for (Starter start : {start_tigervnc, start_x11vnc}) {
        auto behind = start({});
        if (!behind)
            continue;
        Pushed p(std::move(behind));
        ViewerOptions o = p.options();
        o.jpeg = true;
        o.quality = 0;
        Viewer &viewer = p.view(o);
        p.server->screen->animate(1);
        for (int i = 0; i < 5; i++) {
            p.server->screen->film(i * 10, 10);
            p.check();
        }
        CHECK(wait_until(PATIENCE, [&] { return viewer.stats().meter.updates > 5; }));
    }
}

TEST_CASE("pushed: lossless refresh is off: what came with loss stays as it came", "[push]")
{
    auto behind = start_tigervnc();
    if (!behind)
        return;
    Pushed p(std::move(behind));
    double error[2];
    for (int high : {0, 1}) {
        ViewerOptions o = p.options();
        o.jpeg = true;
        o.quality = high ? 9 : 0;
        o.lossless_refresh = false;
        p.view(o);
        p.server->screen->film(7, 1);
        Image truth = p.server->screen->capture();
        CHECK(p.viewer->wait_for(PATIENCE, [&] {
            error[high] = mean_error(p.viewer->picture(), truth);
            return error[high] > 0 && error[high] < 20;
        }));
    }
    INFO(error[0] << " and " << error[1]);
    CHECK(error[1] < error[0]);
}

/* A photograph, as seen by who counts blocks. */
TEST_CASE("pushed: quality and no-jpeg are obeyed at the far end", "[push]")
{
    auto server = start_tigervnc();
    if (!server)
        return;
    Accelerator a(server->address);
    server->screen->film(3, 1);
    BlockClient::Seen seen[3];
    for (int i = 0; i < 3; i++) { /* quality 1, quality 9, no JPEG */
        BlockClient client(a.port);
        blocks_wishes wishes = {};
        wishes.quality = i == 0 ? 1 : 9;
        wishes.jpeg = i < 2;
        client.wish(wishes);
        REQUIRE(client.picture());
        seen[i] = client.seen;
    }
    CHECK(seen[0].jpeg > 0);
    CHECK(seen[1].jpeg > 0);
    CHECK(seen[2].jpeg == 0);
    CHECK(seen[0].quality < seen[1].quality);
    CHECK(seen[0].bytes < seen[1].bytes);
    CHECK(seen[1].bytes < seen[2].bytes);
    CHECK(seen[0].accelerator.find(SPOKEN) != std::string::npos);
}

TEST_CASE("pushed: two viewers of one server, each with a quality of its own", "[push]")
{
    auto server = start_tigervnc();
    if (!server)
        return;
    Accelerator a(server->address);
    ViewerOptions rough = takes_blocks(a.address()), exact = rough;
    rough.jpeg = true;
    rough.quality = 0;
    rough.lossless_refresh = false;
    Viewer one(rough), other(exact);
    require_pushed(one);
    require_pushed(other);
    server->screen->film(5, 10);
    Image truth = server->screen->capture();
    check_picture(other, truth);
    double error = 0;
    CHECK(one.wait_for(PATIENCE, [&] {
        error = mean_error(one.picture(), truth);
        return error > 0 && error < 20;
    }));
}

TEST_CASE("pushed: refresh brings all of the picture once more", "[push]")
{
    auto behind = start_tigervnc();
    if (!behind)
        return;
    Pushed p(std::move(behind));
    Viewer &viewer = p.view();
    p.server->screen->animate(3);
    p.check();
    const uint64_t before = viewer.stats().pixels;
    session_ask_all(viewer.raw());
    CHECK(wait_until(PATIENCE, [&] { return viewer.stats().pixels >= before + 516 * 388; }));
    p.check();
}

TEST_CASE("pushed: blocks are refused with --push off, and not made with --push no", "[push]")
{
    auto server = start_tigervnc();
    if (!server)
        return;
    for (bool refused : {true, false}) {
        INFO((refused ? "the viewer" : "the accelerator"));
        Accelerator a(server->address, {"--push", refused ? "yes" : "no"});
        ViewerOptions o = takes_blocks(a.address());
        o.blocks = !refused;
        Viewer viewer(o);
        require_connected(viewer);
        server->screen->animate(5);
        check_picture(viewer, server->screen->capture());
        CHECK(wait_until(PATIENCE, [&] { return viewer.stats().accelerated; }));
        CHECK(a.count("event=pushed") == 0);
        CHECK(pushers_of(a.process->pid()).empty());
    }
}
