// How fast bytes leave, under a fake clock.
#include "tests/catch.hpp"
#include "tools/accelerator/drain.h"

TEST_CASE("what leaves is measured while something waits")
{
    drain d = {};

    drain_tell(&d, 50000, true, TICK_S); // what fits into the socket at once says nothing
    CHECK(d.rate == 0);
    drain_tell(&d, 90000, true, TICK_S + 4 * TICK_MS); // nor does a single write
    CHECK(d.rate == 0);
    drain_tell(&d, 250000, false, TICK_S + 20 * TICK_MS);
    CHECK(d.rate == Approx(1e7));
    drain_tell(&d, 300000, false, 10 * TICK_S); // nothing has waited meanwhile
    CHECK(d.rate == Approx(1e7));
}

TEST_CASE("a slower path is found out while bytes wait")
{
    drain d = {};
    uint64_t left = 0;
    tick_t now = TICK_S;

    d.rate = 1e7;
    for (int i = 0; i < 20; i++) {
        drain_tell(&d, left, true, now);
        left += 10000;
        now += 10 * TICK_MS;
    }
    CHECK(d.rate > 0.99e6);
    CHECK(d.rate < 1.2e6);
}
