// How good the pictures are with the policy `auto`.
#include <algorithm>

#include "tests/catch.hpp"

#include "client.hpp"

TEST_CASE("the first picture is a small one, and a coarse one from far away")
{
    for (double rtt_ms : {1.0, 100.0}) {
        Client c(PRP_AUTO);
        tell_round_trip(c.s, rtt_ms, t0);
        CHECK(scheduler_quality(&c.s, t0) == (rtt_ms > 50 ? 6 : 1));
    }
}

TEST_CASE("the first picture is as small as the last session's pictures had to be, at least")
{
    scheduler_options o = {};
    o.policy = PRP_AUTO;
    for (double rtt_ms : {1.0, 100.0})
        for (int fitted : {-1, 0, 4, 8}) {
            scheduler s;
            o.first_quality = fitted + 1;
            scheduler_init(&s, &o);
            tell_round_trip(s, rtt_ms, t0);
            int alone = rtt_ms > 50 ? 6 : 1;
            CHECK(scheduler_quality(&s, t0) == std::max(alone, fitted));
            o.quality_pinned = true; /* the user's own choice wins */
            scheduler_init(&s, &o);
            tell_round_trip(s, rtt_ms, t0);
            CHECK(scheduler_quality(&s, t0) == 0);
            o.quality_pinned = false;
        }
}

TEST_CASE("a still screen far away is told the quality with which it is to move again")
{
    for (double rtt_ms : {5.0, 100.0}) {
        Client c(PRP_AUTO);
        tell(c.s, EVENT_NEW_PICTURE, t0);
        tell_round_trip(c.s, rtt_ms, t0);
        int first = scheduler_quality(&c.s, c.now_);
        c.update(110, 111);
        c.run_to(1000);
        CHECK(scheduler_quality(&c.s, c.now_) == first);
        c.run_to(4000);
        int still = scheduler_quality(&c.s, c.now_);
        CHECK(still == (rtt_ms > 50 ? 6 : first));
        c.update(4010, 4011);
        CHECK(scheduler_quality(&c.s, c.now_) == still); // and comes back later
    }
}

TEST_CASE("quality follows the path while the server pushes, too")
{
    Client c(PRP_AUTO);
    tell(c.s, EVENT_NEW_PICTURE, t0);
    tell_round_trip(c.s, 10, t0);
    c.update(10, 11);
    tell_push(c.s, true, c.now_);
    int changes = 0, step = c.s.quality.step;
    for (int i = 1; i < 100; i++) { // each takes most of its gap, whatever the quality
        c.update(10 + 100 * i, 105 + 100 * i);
        changes += c.s.quality.step != step;
        step = c.s.quality.step;
    }
    CHECK(changes > 1);
}

TEST_CASE("quality goes down in the middle of an update, unless that brings the whole picture")
{
    for (bool whole : {false, true}) {
        Client c(PRP_AUTO);
        uint64_t bytes = 1000000;

        tell_round_trip(c.s, 10, t0);
        tell(c.s, EVENT_NEW_PICTURE, t0);
        for (int i = 1; i < 50; i++) // 10 MB/s
            c.update(40 * i, 40 * i + 10, true, 100000);
        if (whole)
            tell(c.s, EVENT_NEW_PICTURE, c.now_);
        c.run_to(2100);
        int step = scheduler_quality(&c.s, c.now_);
        tell(c.s, EVENT_UPDATE_BEGUN, c.now_);
        for (int i = 0; i < 30; i++) { // 1 MB/s
            c.run_to(2100 + 2 * i);
            tell_arrived(c.s, bytes += 2000, c.now_);
        }
        CHECK((scheduler_quality(&c.s, c.now_) > step) == !whole);
    }
}

TEST_CASE("a screen far away that moves is told the quality that fits, not that of the beginning")
{
    Client c(PRP_AUTO);

    tell_round_trip(c.s, 100, t0);
    tell(c.s, EVENT_NEW_PICTURE, t0);
    for (int i = 1; i < 500; i++)
        c.update(40 * i + 100, 40 * i + 101);
    CHECK(scheduler_quality(&c.s, c.now_) == 0);
    CHECK(scheduler_quality(&c.s, c.now_ + 2 * TICK_S) == 6);
}
