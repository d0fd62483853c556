// How a path finds out what the server does with requests: a film, probes, and a debt.
#include "path.hpp"

#include <algorithm>
#include <deque>

namespace
{

// Five requests for four frames of 25 ms at 100 ms, with a probe when the path wants one, and the
// server's answers. Returns how many probes there were.
unsigned film(Path &c, bool counts, double seconds)
{
    tick_t end = c.now + tick_t(seconds * 1e9), request = c.now, frame = c.now;
    std::deque<tick_t> server; // requests on their way or there
    unsigned probes = 0;

    while (c.now < end) {
        c.now = std::min(request, frame);
        if (c.now == request) {
            request += 20 * TICK_MS;
            if (path_room_from(&c.p, 20 * TICK_MS, 1) > c.now)
                continue;
            c.request();
            server.push_back(c.now + 100 * TICK_MS); // as seen from this end
            probes += path_begin_probe(&c.p, c.now);
            if (path_probe_period(&c.p) > 0)
                request = c.now + path_probe_period(&c.p);
        }
        if (c.now == frame) {
            frame += 25 * TICK_MS;
            if (server.empty() || server.front() > c.now)
                continue;
            server.pop_front();
            while (!counts && !server.empty() && server.front() <= c.now)
                server.pop_front();
            path_update_begun(&c.p, c.now);
            path_update_finished(&c.p, 1000, false, true, c.now + TICK_MS);
            path_frame(&c.p, 25e6);
        }
    }
    return probes;
}

} // namespace

TEST_CASE("one probe shows that a server merges, and two that it counts")
{
    Path counting(100), merging(100);

    CHECK(film(counting, true, 30) == 2); // the second one confirms it
    CHECK(counting.p.server.type == SERVER_COUNTS);
    CHECK(film(merging, false, 30) <= 3);
    CHECK(merging.p.server.type == SERVER_MERGES);
}

TEST_CASE("what a server that counts owes is in flight, and only that is known of it")
{
    Path c(100);

    film(c, true, 30);
    REQUIRE(c.p.server.type == SERVER_COUNTS);
    c.wait(500);
    unsigned before = path_in_flight(&c.p);
    c.request();
    c.request();
    CHECK(path_in_flight(&c.p) == before + 2);
    c.p.in_flight.saved = 10; // it was thought to have merged these
    unsigned waiting = c.p.in_flight.waiting;
    CHECK(path_in_flight(&c.p) == waiting + 10);
    c.wait(500); // a pause proves nothing here
    c.update(1, 1000);
    CHECK(path_in_flight(&c.p) == waiting + 9);
    CHECK(c.p.in_flight.waiting == waiting); // the oldest debt is paid first
    for (int i = 0; i < 50; i++)
        c.request();
    CHECK(path_room_from(&c.p, 25 * TICK_MS, 1) == TICK_NEVER);
}

TEST_CASE("a server that was taken for a counting one by mistake is not left without requests")
{
    Path c(100);
    int answers = 0;

    film(c, true, 30);
    REQUIRE(c.p.server.type == SERVER_COUNTS);
    for (int i = 0; i < 200; i++)
        c.request();
    c.p.in_flight.saved = 30;
    for (; answers < 10 && c.p.server.type == SERVER_COUNTS; answers++) {
        c.request(); // it answers each new one and nothing else
        c.wait(110);
        c.update(1, 1000);
    }
    CHECK(answers < 10);
    CHECK(c.p.in_flight.saved == 0); // it owes nothing
}

TEST_CASE("a server that merges is never taken for one that counts")
{
    Path c(100);

    for (int i = 0; i < 200; i++) {
        c.request();
        c.wait(120 + i % 7 * 30);
        c.update(5);
    }
    CHECK(c.p.server.type == SERVER_UNKNOWN);
}

TEST_CASE("a probe begins only while the way is clear and the round trip is steady")
{
    for (int reason = 0; reason < 4; reason++) {
        Path c(100);

        c.update(10);
        c.wait(1);
        c.p.in_flight.saved = 24;
        if (reason == 1)
            path_round_trip(&c.p, 131 * TICK_MS, c.now);
        else if (reason == 2)
            c.p.queue = 11e6; // more than an update
        else if (reason == 3)
            c.begin();
        CHECK(path_begin_probe(&c.p, c.now) == (reason == 0));
        // 1.4 gaps of 1000 / 30
        CHECK(tick_to_ms(path_probe_period(&c.p)) == Approx(reason == 0 ? 46.667 : 0).margin(0.01));
    }
}

TEST_CASE("frames that a probe leaves out say nothing about the content")
{
    Path c(100);

    c.update(10);
    c.wait(100);
    c.p.in_flight.saved = 24;
    REQUIRE(path_begin_probe(&c.p, c.now));
    tick_t before = c.p.content.gap;
    for (int i = 0; i < 30; i++) {
        c.wait(40);
        c.update(1, 1000);
        path_frame(&c.p, 60e6);
    }
    CHECK(c.p.content.gap == before);
}

TEST_CASE("what a server did with requests is history once it sends by itself")
{
    Path c(100);

    film(c, true, 30);
    c.request();
    REQUIRE(c.p.server.type == SERVER_COUNTS);
    REQUIRE(path_in_flight(&c.p) > 0);
    path_forget_requests(&c.p);
    CHECK(c.p.server.type == SERVER_UNKNOWN);
    CHECK(path_in_flight(&c.p) == 0);
}
