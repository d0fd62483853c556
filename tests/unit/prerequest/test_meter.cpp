// Counters and percentiles.
#include "tests/catch.hpp"

#include "prerequest/meter.h"

TEST_CASE("percentiles are right within a bucket")
{
    percentile p;

    percentile_init(&p);
    CHECK(percentile_get(&p, 0.5) == 0);
    for (int i = 1; i <= 1000; i++)
        percentile_add(&p, i);
    CHECK(percentile_get(&p, 0.5) == Approx(500).epsilon(0.016));
    CHECK(percentile_get(&p, 0.95) == Approx(950).epsilon(0.016));
    CHECK(percentile_get(&p, 1) == Approx(1000).epsilon(0.016));
    CHECK(p.max == 1000);
    CHECK(p.count == 1000);
}

TEST_CASE("percentiles take any value")
{
    percentile p;

    percentile_init(&p);
    for (double v : {0.0, -1.0, 1e-9, 1e12})
        percentile_add(&p, v);
    CHECK(p.count == 4);
    CHECK(percentile_get(&p, 0) > 0);
    CHECK(percentile_get(&p, 1) <= 1e12);
}

TEST_CASE("what changes is counted from the second picture on")
{
    static meter m;

    meter_init(&m);
    meter_update(&m, true, TICK_S);
    meter_change(&m);
    CHECK(m.changes == 0);
    meter_update(&m, true, 2 * TICK_S); /* the same picture, better */
    CHECK(m.changes == 0);
    meter_update(&m, true, 3 * TICK_S);
    meter_change(&m);
    CHECK(m.changes == 1);
}

TEST_CASE("the frame rate counts from the first finished picture")
{
    static meter m;

    meter_init(&m);
    CHECK(meter_fps(&m, TICK_S) == 0);
    meter_update(&m, true, 10 * TICK_S); /* a first picture that took long */
    CHECK(meter_fps(&m, 11 * TICK_S) == 0);
    for (int i = 1; i <= 60; i++)
        meter_update(&m, true, 10 * TICK_S + i * TICK_S / 30);
    CHECK(meter_fps(&m, 12 * TICK_S) == Approx(30));
    CHECK(percentile_get(&m.gaps, 0.5) == Approx(33.3).epsilon(0.016));
}

TEST_CASE("updates of pseudo-rectangles only are no frames")
{
    static meter m;

    meter_init(&m);
    meter_update(&m, true, TICK_S);
    meter_update(&m, false, TICK_S + 10 * TICK_MS);
    meter_update(&m, true, TICK_S + 50 * TICK_MS);
    CHECK(m.updates == 2);
    CHECK(m.pseudo_updates == 1);
    CHECK(m.gaps.max == Approx(50));
}

TEST_CASE("a row's gaps start afresh, the session's go on")
{
    static meter m;

    meter_init(&m);
    meter_update(&m, true, TICK_S);
    meter_update(&m, true, 2 * TICK_S);
    meter_row_taken(&m);
    meter_update(&m, true, 2 * TICK_S + 10 * TICK_MS);
    CHECK(m.gaps_row.max == Approx(10));
    CHECK(m.gaps.max == Approx(1000));
}
