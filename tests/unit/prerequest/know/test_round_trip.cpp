// The smallest round trip of the last seconds.
#include "tests/catch.hpp"

#include "prerequest/know/round_trip.h"

namespace
{

const tick_t T0 = 1000 * TICK_S;

struct Told {
    round_trip r{};

    Told()
    {
        round_trip_init(&r);
    }

    void tell(tick_t rtt_ms, tick_t at_ms)
    {
        round_trip_told(&r, rtt_ms * TICK_MS, T0 + at_ms * TICK_MS);
    }
};

} // namespace

TEST_CASE("no round trip is known before one was told")
{
    Told t;

    CHECK_FALSE(round_trip_known(&t.r));
    CHECK_FALSE(round_trip_steady(&t.r));
    CHECK(t.r.smallest == 0);
    t.tell(100, 0);
    CHECK(round_trip_known(&t.r));
    CHECK(round_trip_steady(&t.r));
    CHECK(t.r.smallest == 100 * TICK_MS);
}

TEST_CASE("a shorter round trip counts at once, a longer one does not")
{
    Told t;

    t.tell(100, 0);
    t.tell(250, 100);
    CHECK(t.r.smallest == 100 * TICK_MS);
    CHECK(t.r.newest == 250 * TICK_MS);
    t.tell(50, 200);
    CHECK(t.r.smallest == 50 * TICK_MS);
    CHECK(t.r.newest == 50 * TICK_MS);
}

TEST_CASE("the round trip follows a longer route after ten seconds, a shorter one at once")
{
    Told t;

    t.tell(100, 0);
    for (tick_t at = 100; at <= 9900; at += 100) {
        t.tell(250, at);
        REQUIRE(t.r.smallest == 100 * TICK_MS);
    }
    t.tell(250, 10000);
    CHECK(t.r.smallest == 250 * TICK_MS);
    t.tell(50, 10100);
    CHECK(t.r.smallest == 50 * TICK_MS);
}

TEST_CASE("a round trip is remembered for five seconds at least, whenever it was told")
{
    for (tick_t short_at = 0; short_at < 20000; short_at += 700) {
        Told t;

        for (tick_t at = 0; at <= short_at + 10000; at += 100) {
            t.tell(at == short_at ? 100 : 250, at);
            if (at >= short_at && at < short_at + 5000)
                REQUIRE(t.r.smallest == 100 * TICK_MS);
        }
        CHECK(t.r.smallest == 250 * TICK_MS); // and for ten at most
    }
}

TEST_CASE("the round trip is steady up to 30 ms above the smallest")
{
    Told t;

    t.tell(100, 0);
    t.tell(130, 100);
    CHECK(round_trip_steady(&t.r));
    round_trip_told(&t.r, 130 * TICK_MS + 1, T0 + 200 * TICK_MS);
    CHECK_FALSE(round_trip_steady(&t.r));
    t.tell(101, 300);
    CHECK(round_trip_steady(&t.r));
}
