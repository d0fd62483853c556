// When the downlink pauses, and how busy it is.
#include "tests/catch.hpp"

#include "prerequest/know/downlink.h"

namespace
{

struct Link {
    downlink d{};
    tick_t now = 1000 * TICK_S;

    Link()
    {
        downlink_init(&d);
    }

    // An update that takes up the downlink from now on for so long.
    void update(double ms, bool more = false)
    {
        downlink_begun(&d, 0, now);
        now += tick_from_ms(ms);
        downlink_finished(&d, ms * 1e6, more, now);
    }

    // Whether an update that begins so long after the last one ended comes after a pause.
    bool pauses(tick_t silence, double packet = 0) const
    {
        downlink after = d;

        downlink_begun(&after, packet, now + silence);
        return after.after_pause;
    }
};

} // namespace

TEST_CASE("before the first update nothing has come, and it comes after a pause")
{
    Link l;

    CHECK(downlink_unused(&l.d));
    CHECK_FALSE(downlink_in_use(&l.d));
    CHECK(l.pauses(0));
    l.update(10);
    CHECK_FALSE(downlink_unused(&l.d));
}

TEST_CASE("a silence of more than two packets and 2 ms is a pause")
{
    Link l;

    l.update(10);
    CHECK_FALSE(l.pauses(7 * TICK_MS)); // 5 ms for packets whose time is not known
    CHECK(l.pauses(7 * TICK_MS + 1));
    // a packet of 1460 bytes in 1.46 ms: 3000 bytes take 3 ms
    CHECK_FALSE(l.pauses(5 * TICK_MS - 1, 1.46e6));
    CHECK(l.pauses(5 * TICK_MS + 1, 1.46e6));
    // on a slow link: 300 ms
    CHECK_FALSE(l.pauses(302 * TICK_MS - 1, 146e6));
    CHECK(l.pauses(302 * TICK_MS + 1, 146e6));
}

TEST_CASE("there is no pause while bytes of the next update wait")
{
    Link l;

    l.update(10, true);
    CHECK_FALSE(l.pauses(5 * TICK_S));
    downlink_ran_dry(&l.d); // they were something else
    CHECK(l.pauses(5 * TICK_S));
}

TEST_CASE("an update that waited began when the one before ended")
{
    Link l;

    l.update(10, true);
    tick_t ended = l.now;
    downlink_begun(&l.d, 0, l.now + 3 * TICK_MS);
    CHECK(l.d.begun == ended);
    downlink_finished(&l.d, 10e6, false, l.now + 10 * TICK_MS);
    downlink_begun(&l.d, 0, l.now + 13 * TICK_MS);
    CHECK(l.d.begun == l.now + 13 * TICK_MS);
}

TEST_CASE("the downlink is in use while an update comes, and while the next one waits")
{
    Link l;

    downlink_begun(&l.d, 0, l.now);
    CHECK(downlink_in_use(&l.d));
    downlink_finished(&l.d, 0, true, l.now);
    CHECK(downlink_in_use(&l.d));
    downlink_ran_dry(&l.d);
    CHECK_FALSE(downlink_in_use(&l.d));
    l.update(10);
    CHECK_FALSE(downlink_in_use(&l.d));
}

TEST_CASE("a run is the time from the end of a pause to the newest update")
{
    Link l;

    l.update(10);
    CHECK(downlink_run(&l.d) == 10 * TICK_MS);
    l.now += 5 * TICK_MS; // no pause
    downlink_begun(&l.d, 0, l.now);
    CHECK(downlink_run(&l.d) == 15 * TICK_MS); // until its beginning, while it comes
    l.now += 20 * TICK_MS;
    downlink_finished(&l.d, 20e6, true, l.now);
    CHECK(downlink_run(&l.d) == 35 * TICK_MS);
    l.update(30);
    CHECK(downlink_run(&l.d) == 65 * TICK_MS);
    l.now += 100 * TICK_MS; // a pause
    l.update(40);
    CHECK(downlink_run(&l.d) == 40 * TICK_MS);
}

TEST_CASE("the busy share follows about a second")
{
    Link l;

    l.update(1000);
    CHECK(l.d.busy == Approx(0.632).epsilon(0.001)); // 1 - 1/e
    l.now += 693 * TICK_MS;
    l.update(0); // a silence of ln 2 seconds: half of it is left
    CHECK(l.d.busy == Approx(0.316).epsilon(0.001));
}

TEST_CASE("the busy share is the share of the time in which updates come")
{
    Link l;

    for (int i = 0; i < 200; i++) {
        l.now += 30 * TICK_MS;
        l.update(10);
    }
    CHECK(l.d.busy == Approx(0.25).epsilon(0.01));
}

TEST_CASE("the busy share is never more than all, and stands still without time")
{
    Link l;

    l.update(0);
    CHECK(l.d.busy == 0);
    for (int i = 0; i < 100; i++) { // each is said to have taken more than there was
        downlink_begun(&l.d, 0, l.now);
        l.now += 100 * TICK_MS;
        downlink_finished(&l.d, 500e6, true, l.now);
        REQUIRE(l.d.busy <= 1);
    }
    double busy = l.d.busy;
    CHECK(busy > 0.99);
    downlink_finished(&l.d, 0, true, l.now);
    CHECK(l.d.busy == busy);
}

TEST_CASE(
    "a downlink that is never idle is busy, one that shows a small update now and then is not")
{
    Link l;

    for (int i = 0; i < 100; i++)
        l.update(40, true);
    CHECK(l.d.busy > 0.95);
    for (int i = 0; i < 100; i++) {
        l.now += 38 * TICK_MS;
        l.update(2);
    }
    CHECK(l.d.busy < 0.1);
}
