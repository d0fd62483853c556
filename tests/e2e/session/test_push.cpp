/* ContinuousUpdates and fences: a server that pushes is asked for nothing and shows everything; one
 * that cannot, or must not, is asked as ever. */
#include <X11/keysym.h>

#include "rfb/proto/extensions/push.h"
#include "tests/e2e/check.hpp"
#include "tests/e2e/fake_server.hpp"

using namespace e2e;

namespace
{

ViewerOptions pushing_to(const std::string &address)
{
    ViewerOptions o;
    o.address = address;
    o.push = true;
    return o;
}

void require_pushed(Viewer &viewer)
{
    require_connected(viewer);
    bool pushed = viewer.wait_for(PATIENCE, [&] { return viewer.stats().pushed; });
    INFO(viewer.describe());
    REQUIRE(pushed);
}

/* Requests that a server which pushes needs none of. */
uint64_t times_asked(Viewer &viewer)
{
    auto m = viewer.stats().meter;
    return m.requests[REQUEST_REACTIVE] + m.requests[REQUEST_TIMER] + m.requests[REQUEST_INPUT];
}

const int W = 64, H = 48;

/* The server announces what TigerVNC does, in its order, is told to push, and plays `then`. */
Script pushed(const Script &then)
{
    std::string zero(1, '\0');
    return handshake(W, H) +
           Script{await_request(),
                  send_step(fence(FENCE_REQUEST, zero) + ends_of_continuous_updates(1)),
                  await_push(fence_answer(0, zero) + enable_continuous_updates(W, H))} +
           then;
}

} // namespace

TEST_CASE("tigervnc: a server that may push obeys --max-fps and --max-rate", "[tigervnc]")
{
    auto server = start_tigervnc();
    if (!server)
        return;
    for (bool rate : {false, true}) {
        INFO((rate ? "--max-rate" : "--max-fps"));
        ViewerOptions o = pushing_to(server->address);
        o.jpeg = true;
        o.lossless_refresh = false;
        o.max_fps = rate ? 0 : 4;
        o.max_rate = rate ? 50000 : 0; /* bytes a second */
        Viewer viewer(o);
        require_connected(viewer);
        require_first_picture(viewer);
        auto begin = Clock::now();
        auto before = viewer.stats();
        server->screen->film(0, 100);
        auto after = viewer.stats();
        double took = std::chrono::duration<double>(Clock::now() - begin).count();
        auto pictures = after.meter.updates - before.meter.updates;
        auto bytes = static_cast<double>(after.bytes_received - before.bytes_received);
        INFO(pictures << " pictures and " << bytes << " bytes in " << took << " s");
        CHECK_FALSE(after.pushed);
        CHECK(pictures > 0);
        /* of whatever time it took, and a second's burst; bytes are a limit in the mean */
        if (rate)
            CHECK(bytes < 1.25 * o.max_rate * (took + 1));
        else
            CHECK(static_cast<double>(pictures) < o.max_fps * (took + 1));
    }
}

TEST_CASE("tigervnc: pushed pictures, without requests, whatever the size", "[tigervnc]")
{
    auto server = start_tigervnc();
    if (!server)
        return;
    for (prp_policy policy : {PRP_OFF, PRP_FIXED, PRP_AUTO}) {
        INFO("policy " << policy);
        ViewerOptions o = pushing_to(server->address);
        o.policy = policy;
        Viewer viewer(o);
        require_pushed(viewer);
        uint64_t before = times_asked(viewer);
        server->screen->animate(20);
        check_picture(viewer, server->screen->capture());
        viewer.key(XK_x, true);
        viewer.key(XK_x, false);
        CHECK(server->screen->wait_key(XK_x, false, PATIENCE));
        for (auto [width, height] : {std::pair<int, int>{800, 600}, {640, 480}}) {
            INFO(width << "x" << height);
            if (!installed("xrandr"))
                break;
            REQUIRE(server->screen->resize(width, height));
            REQUIRE(viewer.wait_event(SESSION_RESIZED));
            server->screen->animate(5);
            check_picture(viewer, server->screen->capture());
        }
        CHECK(times_asked(viewer) == before);
        CHECK(viewer.stats().pushed);
    }
}

TEST_CASE("tigervnc: what was pushed as JPEG comes again without loss, every time", "[tigervnc]")
{
    auto server = start_tigervnc();
    if (!server)
        return;
    ViewerOptions o = pushing_to(server->address);
    o.encodings = "tight,copyrect,raw";
    o.jpeg = true;
    o.quality = 1;
    o.lossless_refresh = true;
    Viewer viewer(o);
    require_pushed(viewer);
    uint64_t before = times_asked(viewer), last = 0;
    auto refreshes = [&] { return viewer.stats().meter.requests[REQUEST_REFRESH]; };
    for (int i = 0; i < 3; i++) {
        /* The server may come first with a refresh of its own. */
        for (int tries = 0; tries < 30 && refreshes() == last; tries++) {
            server->screen->animate(10);
            check_picture(viewer, server->screen->capture());
        }
        CHECK(refreshes() > last); /* so it came with loss again */
        last = refreshes();
    }
    CHECK(times_asked(viewer) == before);
}

TEST_CASE("tigervnc: nothing is pushed unless it is asked to", "[tigervnc]")
{
    auto server = start_tigervnc();
    if (!server)
        return;
    Viewer viewer(to(*server));
    require_connected(viewer);
    server->screen->animate(10);
    check_picture(viewer, server->screen->capture());
    CHECK_FALSE(viewer.stats().pushed);
}

TEST_CASE("x11vnc: it cannot push and is asked as ever", "[x11vnc]")
{
    auto server = start_x11vnc();
    if (!server)
        return;
    Viewer viewer(pushing_to(server->address));
    require_connected(viewer);
    server->screen->animate(10);
    check_picture(viewer, server->screen->capture());
    CHECK_FALSE(viewer.stats().pushed);
    CHECK(times_asked(viewer) > 0);
}

TEST_CASE("wayvnc: it would push, but keeps its input", "[wayvnc]")
{
    auto server = start_wayvnc();
    if (!server)
        return;
    Viewer viewer(pushing_to(server->address));
    require_connected(viewer);
    for (uint32_t colour : {0x123456u, 0xabcdefu}) {
        REQUIRE(server->background(Image(server->width, server->height, colour)));
        check_picture(viewer, Image(server->width, server->height, colour));
    }
    CHECK_FALSE(viewer.stats().pushed);
    CHECK(times_asked(viewer) > 0);
    viewer.key(XK_x, true);
    viewer.key(XK_x, false);
    CHECK(wait_until(PATIENCE, [&] { return server->key_seen("x"); }));
}

TEST_CASE("fences are answered in order, with their payload and what was done", "[hostile]")
{
    std::string longest(FENCE_MAX, 'f'), asked, answers;
    for (uint32_t flags : {0x80000000u, 0x80000001u, 0x80000003u, 0xffffffffu}) {
        for (const std::string &payload : {std::string(), std::string("\1"), longest}) {
            asked += fence(flags, payload);
            answers += fence_answer(flags & FENCE_BLOCK_BEFORE, payload);
        }
        asked += fence(flags & ~FENCE_REQUEST, "an answer: nobody answers that");
    }
    FakeServer server(pushed({send_step(asked), await_push(answers), no_push(),
                              send_step(raw_screen(W, H, 0x336699)), stall()}));
    Viewer viewer(pushing_to(server.address()));
    require_connected(viewer);
    check_picture(viewer, Image(W, H, 0x336699));
}

TEST_CASE("a new size is pushed, too; requests go on when it ends", "[hostile]")
{
    Script script = pushed({send_step(update(1) + rectangle(0, 0, 2 * W, H, PSEUDO_DESKTOP_SIZE)),
                            await_push(enable_continuous_updates(2 * W, H)),
                            send_step(raw_screen(2 * W, H, 0x778899)),
                            send_step(ends_of_continuous_updates(1))});
    for (int i = 0; i < 6; i++) /* more than can have been sent before */
        script = script + Script{await_request()};
    script = script + Script{no_push(), send_step(raw_screen(2 * W, H, 0x998877)), stall()};
    FakeServer server(script);
    Viewer viewer(pushing_to(server.address()));
    require_connected(viewer);
    check_picture(viewer, Image(2 * W, H, 0x998877));
    CHECK_FALSE(viewer.stats().pushed);
}

TEST_CASE("a server like neatvnc gets no fence and is asked as ever", "[hostile]")
{
    std::string time(8, '\0');
    Script script =
        handshake(W, H) +
        Script{await_request(), send_step(ends_of_continuous_updates(1) +
                                          fence(FENCE_REQUEST | FENCE_BLOCK_BEFORE, time) +
                                          raw_screen(W, H, 0x111111))};
    for (int i = 0; i < 10; i++)
        script = script + Script{await_request(),
                                 send_step(fence(FENCE_REQUEST | FENCE_BLOCK_BEFORE, time))};
    script =
        script + Script{await_request(), no_push(), send_step(raw_screen(W, H, 0x222222)), stall()};
    FakeServer server(script);
    Viewer viewer(pushing_to(server.address()));
    require_connected(viewer);
    check_picture(viewer, Image(W, H, 0x222222));
    CHECK_FALSE(viewer.stats().pushed);
}

TEST_CASE("a server like neatvnc is told early the next time, but for TLS's hello", "[hostile]")
{
    FakeServer server(handshake(W, H) +
                      Script{await_request(),
                             send_step(update(1) + rectangle(0, 0, 0, 0, PSEUDO_TIMESTAMP) +
                                       std::string(8, 't') + raw_screen(W, H, 0x333333)),
                             stall()});
    Viewer viewer(pushing_to(server.address()));
    require_connected(viewer);
    check_picture(viewer, Image(W, H, 0x333333));
    const session_memory memory = viewer.stats().memory;
    CHECK_FALSE(memory.waits);
    CHECK(memory.hello_waits);
}

TEST_CASE("fences nobody can mean end the session", "[hostile]")
{
    for (bool push : {false, true})
        for (unsigned size : {65u, 200u, 255u}) {
            INFO(size << " bytes, " << (push ? "offered" : "not offered"));
            FakeServer server(handshake(W, H) +
                              Script{await_request(),
                                     send_step(fence(FENCE_REQUEST, std::string(size, 'f'))),
                                     stall()});
            ViewerOptions o = pushing_to(server.address());
            o.push = push;
            Viewer viewer(o);
            auto why = viewer.wait_closed();
            REQUIRE(why);
            CHECK(why->find("fence of " + std::to_string(size)) != std::string::npos);
        }
}

TEST_CASE("a server that drowns the client in fences or ends of pushing", "[hostile]")
{
    std::string fences, ends = ends_of_continuous_updates(10000);
    for (int i = 0; i < 1000; i++)
        fences += fence(FENCE_REQUEST, std::string(FENCE_MAX, 'f'));
    for (const std::string &flood : {fences, ends, fences + ends}) {
        FakeServer server(pushed({repeat(flood)}));
        Viewer viewer(pushing_to(server.address()));
        require_connected(viewer);
        /* It may end by itself: the answers leave more slowly than the fences come. */
        auto why = viewer.wait_closed(milliseconds(500));
        session_stop(viewer.raw());
        if (!why)
            why = viewer.wait_closed();
        CHECK(why);
    }
}
