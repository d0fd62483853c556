// What the client learns of the path, under a fake clock.
#include "tests/catch.hpp"

#include <algorithm>
#include <deque>

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
    REQUIRE(requests_in_flight(&c.p.requests) == 10);
    c.update(1); // begins at 200: it knew those sent up to 100
    CHECK(requests_in_flight(&c.p.requests) == 4);
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
    CHECK(requests_in_flight(&c.p.requests) == 4); // that of 0 and that of 10
    c.update(40, 100000, true);                    // answers the one of 20 at 150: 30 ms late
    CHECK(requests_in_flight(&c.p.requests) == 3);
    double packet = 1460 / c.p.rate * 1e3; // ms: an update is noticed when its first one has come
    CHECK(tick_to_ms(tick_t(c.p.queue)) == Approx(30 - packet).epsilon(0.01));
    c.update(40);
    CHECK(tick_to_ms(tick_t(c.p.queue)) == Approx(60 - packet).epsilon(0.01));
    CHECK(c.p.service == Approx(double(40 * TICK_MS)));
    CHECK(c.p.rate == Approx(2.5e6).epsilon(0.02));
    CHECK(tick_to_ms(path_period(&c.p)) ==
          Approx(40 / PATH_FILL * (1 + (60 - packet) / 500)).epsilon(0.01));
}

TEST_CASE("there is room for a round trip of requests and no more, unless the downlink pauses")
{
    Path c(100);
    c.update(20, 50000, true);
    unsigned sent = 0;
    while (path_has_room(&c.p, 25 * TICK_MS, 1)) {
        c.request();
        REQUIRE(++sent < 100);
    }
    CHECK(sent == 5); // 100 / 25, and the one that waits at the server
    c.update(20);
    CHECK(path_has_room(&c.p, 25 * TICK_MS, 1));
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
            if (!path_has_room(&c.p, 20 * TICK_MS, 1))
                continue;
            c.request();
            server.push_back(c.now + 100 * TICK_MS); // as seen from this end
            tick_t probe = path_probe(&c.p, 25 * TICK_MS, c.now);
            probes += probe > 0;
            if (probe > 0)
                request = c.now + probe;
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
        }
    }
    return probes;
}

} // namespace

TEST_CASE("one probe shows whether a server counts or merges")
{
    Path counting(100), merging(100);
    CHECK(film(counting, true, 30) == 1);
    CHECK(counting.p.requests.server == SERVER_COUNTS);
    CHECK(film(merging, false, 30) <= 3);
    CHECK(merging.p.requests.server == SERVER_MERGES);
}

TEST_CASE("what a server that counts owes is in flight, and only that is known of it")
{
    Path c(100);
    film(c, true, 30);
    REQUIRE(c.p.requests.server == SERVER_COUNTS);
    c.wait(500);
    unsigned before = requests_in_flight(&c.p.requests);
    c.request();
    c.request();
    CHECK(requests_in_flight(&c.p.requests) == before + 2);
    c.wait(500); // a pause proves nothing here
    c.update(1, 1000);
    CHECK(requests_in_flight(&c.p.requests) == before + 1);
    for (int i = 0; i < 50; i++)
        c.request();
    CHECK_FALSE(path_has_room(&c.p, 25 * TICK_MS, 1));
}

TEST_CASE("a server that was taken for a counting one by mistake is not left without requests")
{
    Path c(100);
    film(c, true, 30);
    REQUIRE(c.p.requests.server == SERVER_COUNTS);
    for (int i = 0; i < 200; i++)
        c.request();
    for (int i = 0; i < 10; i++) { // it answers each new one and nothing else
        c.request();
        c.wait(110);
        c.update(1, 1000);
    }
    CHECK(c.p.requests.server != SERVER_COUNTS);
}

TEST_CASE("a server that merges is never taken for one that counts")
{
    Path c(100);
    for (int i = 0; i < 200; i++) {
        c.request();
        c.wait(120 + i % 7 * 30);
        c.update(5);
    }
    CHECK(c.p.requests.server == SERVER_UNKNOWN);
}

TEST_CASE("a path that has become slower shows before the update has come")
{
    Path c(100);
    for (int i = 0; i < 10; i++) {
        c.request();
        c.wait(110);
        c.update(10, 100000); // 10 MB/s
    }
    uint64_t bytes = 1000000;
    unsigned noticed = 0;
    path_update_begun(&c.p, c.now);
    for (int i = 0; i < 30; i++) { // 1 MB/s
        c.wait(1.46);
        bytes += 1460;
        noticed += path_arrived(&c.p, bytes, c.now);
    }
    CHECK(noticed == 1);
    CHECK(c.p.rate == Approx(1e6).epsilon(0.1));
    CHECK(tick_to_ms(tick_t(c.p.service)) == Approx(100).epsilon(0.15));
}

TEST_CASE("a stall is not a slower path")
{
    Path c(100);
    for (int i = 0; i < 10; i++) {
        c.request();
        c.wait(110);
        c.update(10, 100000);
    }
    uint64_t bytes = 1000000;
    path_update_begun(&c.p, c.now);
    for (int i = 0; i < 60; i++) {
        c.wait(i == 20 ? 300 : 0.146);
        bytes += 1460;
        CHECK_FALSE(path_arrived(&c.p, bytes, c.now));
    }
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
    for (int i = 0; i < 3 * REQUESTS_MAX; i++) {
        c.request();
        c.wait(1);
    }
    CHECK(requests_in_flight(&c.p.requests) == REQUESTS_MAX);
    CHECK(tick_to_ms(c.now - requests_oldest(&c.p.requests)) == Approx(REQUESTS_MAX));
}
