// How long an update takes up the path, and how large it is, both smoothed.
#include "tests/catch.hpp"

#include "prerequest/know/downlink.h"

namespace
{

// Updates of 10 bytes per millisecond.
struct Updates {
    service s{};

    // Returns the service time, ms.
    double update(double ms, bool stalled = false)
    {
        service_update(&s, ms * 1e6, ms * 10, stalled);
        CHECK(s.size == Approx(s.time / 1e6 * 10)); // it is smoothed in the same way
        return s.time / 1e6;
    }
};

} // namespace

TEST_CASE("the newest update has a fifth of the service time")
{
    Updates u;

    CHECK(u.update(100) == Approx(100));
    CHECK(u.update(200) == Approx(120)); // 100 + 0.2 x (200 - 100)
    CHECK(u.update(90) == Approx(114));  // 120 + 0.2 x (90 - 120): 90 are three quarters of it
    CHECK(u.update(90) == Approx(109.2));
}

TEST_CASE("the second update in a row that takes much less has two fifths")
{
    Updates u;

    u.update(100);
    CHECK(u.update(50) == Approx(90)); // 100 + 0.2 x (50 - 100)
    CHECK(u.update(50) == Approx(74)); // 90 + 0.4 x (50 - 90)
}

TEST_CASE("much less is less than three quarters of the service time")
{
    Updates u;

    u.update(100);
    CHECK(u.update(75) == Approx(95));                  // 100 + 0.2 x (75 - 100)
    CHECK(u.update(71) == Approx(95 - 0.2 * 24));       // the first one that is less: 71.25 is not
    CHECK(u.update(67) == Approx(90.2 - 0.4 * 23.2));   // the second one
    CHECK(u.update(80.92) == Approx(80.92));            // as long as most
    CHECK(u.update(40.92) == Approx(80.92 - 0.2 * 40)); // so this is a first one again
}

TEST_CASE("an update that takes much less after a stall shows that the stall is over")
{
    Updates u;

    u.update(100);
    u.update(200, true);
    CHECK(u.update(50) == Approx(92)); // 120 + 0.4 x (50 - 120)
    Updates v;
    v.update(100);
    v.update(200, true);
    CHECK(v.update(110) == Approx(118));  // not much less: 120 + 0.2 x (110 - 120)
    CHECK(v.update(50) == Approx(104.4)); // the stall was before that: 118 + 0.2 x (50 - 118)
}

TEST_CASE("the time of an update that is not typical counts until there is a typical one")
{
    service s{};

    service_guess(&s, 500e6);
    CHECK(s.time == 500e6);
    CHECK(s.size == 0); // how large updates are is not known by that
    service_guess(&s, 300e6);
    CHECK(s.time == 500e6);
    service_update(&s, 100e6, 1000, false);
    CHECK(s.time == Approx(100e6)); // nothing is left of the guess
    CHECK(s.size == Approx(1000));
    service_update(&s, 200e6, 2000, false);
    CHECK(s.time == Approx(120e6));
    service_guess(&s, 900e6);
    CHECK(s.time == Approx(120e6));
}

TEST_CASE("updates that become smaller take less time in the same measure")
{
    Updates u;

    u.update(100);
    service_scale(&u.s, 0.6);
    CHECK(u.s.time == Approx(60e6));
    CHECK(u.s.size == Approx(600));
}

TEST_CASE("on a slower path an update takes its bytes per rate, and never less than before")
{
    service s{};

    service_update(&s, 10e6, 100000, false);
    service_slower(&s, 1e6);
    CHECK(s.time == Approx(100e6)); // 100 kB at 1 MB/s
    CHECK(s.size == Approx(100000));
    service_slower(&s, 5e6);
    CHECK(s.time == Approx(100e6));
}
