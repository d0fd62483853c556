// What the client learns of the path, under a fake clock.
#include "tests/catch.hpp"

#include "prerequest/path.h"

namespace
{

struct Path {
    path p{};
    tick_t now = 1000 * TICK_S;

    explicit Path(double rtt_ms)
    {
        path_init(&p);
        path_rtt(&p, tick_from_ms(rtt_ms), now);
    }

    void wait(double ms)
    {
        now += tick_from_ms(ms);
    }

    void request()
    {
        path_request_sent(&p, now);
    }

    // An update that takes so long to arrive; `more`: the next one is right behind it.
    void update(double ms, uint64_t bytes = 100000, bool more = false)
    {
        path_update_begun(&p, now);
        wait(ms);
        path_update_finished(&p, bytes, more, true, now);
    }
};

} // namespace

TEST_CASE("after a pause all requests older than a round trip are answered")
{
    Path c(100);
    for (int i = 0; i < 10; i++) { // at 0, 20 .. 180 ms
        c.request();
        c.wait(20);
    }
    REQUIRE(c.p.in_flight == 10);
    c.update(1); // begins at 200: it knew those sent up to 100
    CHECK(c.p.in_flight == 4);
    CHECK(c.p.queue == 0);
}

TEST_CASE("within a run each update answers one request, and the oldest tells the queue")
{
    Path c(100);
    for (int i = 0; i < 6; i++) { // 0 .. 50
        c.request();
        c.wait(10);
    }
    c.wait(50); // 110
    c.update(40, 100000, true);
    CHECK(c.p.in_flight == 4);  // that of 0 and that of 10
    c.update(40, 100000, true); // answers the one of 20 at 150: 30 ms late
    CHECK(c.p.in_flight == 3);
    CHECK(tick_to_ms(tick_t(c.p.queue)) == Approx(30));
    c.update(40);
    CHECK(tick_to_ms(tick_t(c.p.queue)) == Approx(60));
    CHECK(c.p.service == Approx(double(40 * TICK_MS)));
    CHECK(c.p.rate == Approx(2.5e6).epsilon(0.02));
    CHECK(tick_to_ms(path_period(&c.p)) == Approx(40 / PATH_FILL));
}

TEST_CASE("there is room for a round trip of requests and no more, unless the downlink pauses")
{
    Path c(100);
    c.update(20, 50000, true);
    unsigned sent = 0;
    while (path_has_room(&c.p, 25 * TICK_MS)) {
        c.request();
        REQUIRE(++sent < 100);
    }
    CHECK(sent == 5); // 100 / 25, and the one that waits at the server
    c.update(20);
    CHECK(path_has_room(&c.p, 25 * TICK_MS));
}

TEST_CASE(
    "a downlink that is never idle is busy, one that shows a small update now and then is not")
{
    Path c(10);
    for (int i = 0; i < 100; i++)
        c.update(40, 100000, true);
    CHECK(c.p.busy > 0.95);
    for (int i = 0; i < 100; i++) {
        c.wait(38);
        c.update(2, 1000);
    }
    CHECK(c.p.busy < 0.1);
}

TEST_CASE("a server that counts is told by updates that nobody has just asked for")
{
    Path c(100);
    for (int i = 0; i < 20; i++)
        c.request();
    c.wait(140);
    for (int i = 0; i < 6; i++) {
        c.update(1, 1000);
        c.wait(32);
    }
    CHECK(c.p.counting);
    for (int i = 0; i < 3; i++)
        c.request();
    c.wait(500);
    c.update(1, 1000);
    CHECK(c.p.in_flight == 2);
}

TEST_CASE("a server that merges is never taken for one that counts")
{
    Path c(100);
    for (int i = 0; i < 200; i++) {
        c.request();
        c.wait(120 + i % 7 * 30);
        c.update(5);
    }
    CHECK_FALSE(c.p.counting);
}

TEST_CASE("the round trip follows a longer route after the window, a shorter one at once")
{
    Path c(100);
    for (int i = 0; i < 200; i++) {
        c.wait(100);
        path_rtt(&c.p, tick_from_ms(250), c.now);
    }
    CHECK(tick_to_ms(c.p.rtt) == Approx(250));
    path_rtt(&c.p, tick_from_ms(50), c.now);
    CHECK(tick_to_ms(c.p.rtt) == Approx(50));
}

TEST_CASE("more requests than are remembered lose the oldest, nothing else")
{
    Path c(1000);
    for (int i = 0; i < 3 * PATH_REQUESTS; i++) {
        c.request();
        c.wait(1);
    }
    CHECK(c.p.in_flight == PATH_REQUESTS);
    CHECK(tick_to_ms(c.now - c.p.sent[c.p.first]) == Approx(PATH_REQUESTS));
}
