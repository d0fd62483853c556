// A picture below a page is drawn so often that drawing takes a quarter of the time.
#include "tests/catch.hpp"

#include "viewer/desktop/display/throttle.h"

namespace
{

const tick_t MS = TICK_MS;

} // namespace

TEST_CASE("throttle: nothing waits at first")
{
    throttle t = {};

    CHECK_FALSE(throttle_holds(&t, 1));
    CHECK(throttle_wait(&t) == TICK_NEVER);
}

TEST_CASE("throttle: the next picture waits three times as long as the last one took")
{
    throttle t = {};

    throttle_drew(&t, 100 * MS, 0.02);
    CHECK(throttle_wait(&t) == 160 * MS);
    CHECK(throttle_holds(&t, 100 * MS));
    CHECK(throttle_holds(&t, 160 * MS - 1));
    CHECK_FALSE(throttle_holds(&t, 160 * MS));
    CHECK(throttle_wait(&t) == TICK_NEVER); // nobody is woken for a picture that does not come
}

TEST_CASE("throttle: where a graphics card draws nobody sees it, and no picture waits for long")
{
    throttle t = {};

    throttle_drew(&t, 100 * MS, 0.0005);
    CHECK_FALSE(throttle_holds(&t, 102 * MS));
    throttle_drew(&t, 200 * MS, 5); // all fonts were made with it
    CHECK(throttle_holds(&t, 200 * MS + THROTTLE_MOST - 1));
    CHECK_FALSE(throttle_holds(&t, 200 * MS + THROTTLE_MOST));
}

TEST_CASE("throttle: a moving picture takes a quarter of the time")
{
    throttle t = {};
    tick_t work = 0;

    for (tick_t now = 0; now < 10 * TICK_S; now += 2 * MS) { // one comes every 2 ms
        if (throttle_holds(&t, now))
            continue;
        work += 30 * MS;
        now += 30 * MS;
        throttle_drew(&t, now, 0.03);
    }
    CHECK(work > TICK_S);
    CHECK(work <= 2600 * MS);
}
