// What updates and their bytes teach of a path, under a fake clock.
#include "path.hpp"

TEST_CASE("an update takes the path as long as the user's limit says, if that is longer")
{
    Path slow(100, 1e6), fast(100, 50e6);

    slow.update(10); // 100 kB
    CHECK(slow.p.service.time == Approx(100e6));
    fast.update(10);
    CHECK(fast.p.service.time == Approx(10e6));
}

TEST_CASE("the time of an update begins with its first packet, or with the end of the one before")
{
    struct {
        double silence_ms;
        uint64_t bytes;
        bool waits;
        double took_ms;
    } cases[] = {
        {100, 20000, false, 11},   // a packet takes 1 ms
        {100, 730, false, 10.5},   // half a packet
        {0.4, 20000, false, 10.4}, // no longer than nothing came
        {3, 20000, true, 13},      // it was noticed late
    };

    for (auto &k : cases) {
        Path c(100);

        c.update(10, 100000, k.waits);
        delivery_change(&c.p.delivery, 1.46e6);
        c.p.service = service{};
        c.wait(k.silence_ms);
        c.update(10, k.bytes);
        CHECK(c.p.service.time / 1e6 == Approx(k.took_ms));
    }
}

TEST_CASE("an update that is not typical is a guess of the service time, and no more")
{
    Path c(100);

    c.begin();
    c.wait(500);
    path_update_finished(&c.p, 5000000, false, false, c.now);
    CHECK(c.p.service.time == Approx(500e6));
    CHECK(c.p.delivery.rate == Approx(10e6).epsilon(0.001)); // it tells that as any update
    c.wait(100);
    c.update(20);
    CHECK(c.p.service.time == Approx(20e6).epsilon(0.01));
}

TEST_CASE("an update that took 2.5 times what its bytes take at best was a stall")
{
    for (double ms : {24.5, 25.5}) {
        Path c(100);

        c.update(10);
        delivery_piece(&c.p.delivery, 10e6); // 100 kB in 10 ms
        c.p.downlink.more = true;
        c.update(ms);
        CHECK(c.p.service.hastens == (ms > 25));
    }
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
    CHECK(c.p.delivery.rate == Approx(1e6).epsilon(0.1));
    CHECK(tick_to_ms(tick_t(c.p.service.time)) == Approx(100).epsilon(0.15));
}

TEST_CASE("a path that becomes slower still shows by two pieces, not by one")
{
    Path c(100);
    uint64_t bytes = 1000000;

    c.update(10); // 10 MB/s
    c.begin();
    path_arrived(&c.p, bytes, c.now);
    for (double ms : {12, 12, 120, 120}) { // 1 MB/s, then 0.1
        bool second = c.p.slowdown.slow == 1;

        c.wait(ms);
        CHECK(path_arrived(&c.p, bytes += 12000, c.now) == second);
    }
}

TEST_CASE("a slower path does not show before the size of updates is known")
{
    Path c(100);

    delivery_change(&c.p.delivery, 10e6);
    c.begin();
    for (uint64_t bytes = 1460; bytes < 100000; bytes += 1460) {
        c.wait(1.46);
        CHECK_FALSE(path_arrived(&c.p, bytes, c.now));
    }
    CHECK(c.p.delivery.rate == 10e6);
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

TEST_CASE("slow pieces are in a row within a run, and not after a pause")
{
    for (bool pause : {false, true}) {
        Path c(100);
        uint64_t bytes = 1000000;
        bool slower = false;

        c.update(10);                 // 10 MB/s
        for (int i = 0; i < 2; i++) { // two updates, each with one slow piece
            c.wait(pause ? 100 : 1);
            c.begin();
            slower = path_arrived(&c.p, bytes, c.now) || slower;
            c.wait(12);
            bytes += 12000;
            slower = path_arrived(&c.p, bytes, c.now) || slower;
            path_update_finished(&c.p, 20000, false, true, c.now);
        }
        CHECK(slower == !pause);
    }
}

TEST_CASE("a piece reaches into the next update only when that waited for the one before")
{
    for (bool more : {false, true}) {
        Path c(100);

        c.begin();
        path_arrived(&c.p, 1000000, c.now);
        c.wait(5);
        path_arrived(&c.p, 1006000, c.now);
        path_update_finished(&c.p, 6000, more, true, c.now);
        c.wait(5);
        c.begin();
        path_arrived(&c.p, 1012000, c.now);
        CHECK(c.p.delivery.best == Approx(more ? 1.2e6 : 0)); // 12 kB in 10 ms
    }
}
