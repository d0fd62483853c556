// Whether others keep the queue full, and the window beside them. On whole paths: tests/sim.
#include "tests/catch.hpp"

#include "prerequest/push/rate/competitor.h"

namespace
{

const tick_t T0 = 1000 * TICK_S;

// A round trip of 100 ms without a queue, and a block each 10 ms.
struct Seen {
    push_competitor c{};
    double smallest = 1e8; // ns: the round trip that is known as the smallest
    tick_t now = T0;
    uint32_t block = 0;

    explicit Seen(bool stream = false)
    {
        push_competitor_init(&c, stream, now);
    }

    // The queue makes blocks wait `ms`; in a look `in_look` ms.
    bool run(double seconds, double ms, double in_look)
    {
        bool changed = false;

        for (tick_t end = now + tick_t(seconds * 1e9); now < end; now += 10 * TICK_MS) {
            push_competitor_sent(&c, ++block);
            double wait = (c.looked ? in_look : ms) * 1e6;
            changed |= push_competitor_told(&c, 1e8 + wait, smallest, 5e6, 1e6, block, block, now);
            if (changed)
                break;
        }
        return changed;
    }
};

} // namespace

TEST_CASE("a queue that is empty now and then is our own")
{
    Seen s;

    for (int i = 0; i < 20; i++) {
        CHECK_FALSE(s.run(0.4, 50, 50));
        CHECK_FALSE(s.run(0.02, 1, 1));
    }
}

TEST_CASE("a queue that is empty when we leave none is our own")
{
    Seen s;

    CHECK_FALSE(s.run(20, 50, 1));
}

TEST_CASE("a stream's own queue may be longer, and stays for seconds")
{
    Seen s(true);

    CHECK_FALSE(s.run(20, 40, 40));
    CHECK_FALSE(s.run(2.9, 60, 60));
    s.now += 2 * TICK_S; // a rest
    CHECK_FALSE(s.run(2.9, 60, 60));
    CHECK(s.run(0.2, 60, 60));
    CHECK_FALSE(s.run(5, 60, 60));
    CHECK(s.c.on);
    CHECK(s.run(5, 60, 30));
    CHECK_FALSE(s.c.on);
}

// A download's queue goes up and down, and is never empty. All round trips of the last seconds have
// some of it in them.
TEST_CASE("a stream knows a download by the smallest round trip of before")
{
    Seen s(true);

    CHECK_FALSE(s.run(1, 1, 1));
    REQUIRE(s.run(5, 150, 150));
    for (int i = 0; i < 30; i++) {
        s.smallest = i < 3 ? 1e8 : 2.5e8;
        INFO(i);
        CHECK_FALSE(s.run(6, 160, 160));
        CHECK_FALSE(s.run(4, 220, 220));
        CHECK(s.c.on);
    }
    CHECK(s.run(6, 2, 2));
    CHECK_FALSE(s.c.on);
}

TEST_CASE("a stream that finds a download late knows it, too")
{
    Seen s(true);

    for (int i = 0; i < 4; i++) {
        CHECK_FALSE(s.run(2.5, 150, 150));
        CHECK_FALSE(s.run(0.02, 10, 10));
    }
    s.smallest = 2.5e8;
    CHECK(s.run(6, 160, 160));
    CHECK(s.c.on);
}

TEST_CASE("a stream knows a route that is a little longer when nobody is found")
{
    Seen s(true);

    s.run(1, 1, 1);
    s.smallest = 1.3e8;
    CHECK_FALSE(s.run(60, 31, 31));
    CHECK_FALSE(s.run(60, 70, 70)); // 40 ms of it are a stream's own queue
}

TEST_CASE("a stream knows a longer route by looks that find the same round trip")
{
    Seen s(true);

    CHECK_FALSE(s.run(1, 1, 1));
    REQUIRE(s.run(5, 150, 150));
    CHECK_FALSE(s.run(10, 180, 150));
    s.smallest = 2.5e8;
    CHECK(s.run(25, 180, 153));
    CHECK_FALSE(s.c.on);
    CHECK_FALSE(s.run(20, 180, 153)); // 30 ms of it are a queue now
}

TEST_CASE("somebody fills the queue: the window is half of what was known")
{
    Seen s;

    s.run(1, 1, 1);
    REQUIRE(s.run(3, 60, 50));
    CHECK(s.c.on);
    // 1 MB/s were known, and are sent still
    CHECK(push_competitor_window(&s.c, 0) > 0.9 * 1e6 * 0.15);
    CHECK(push_competitor_window(&s.c, 0) < 1.1 * 1e6 * 0.16);
    CHECK(push_competitor_rate(&s.c) == Approx(1e6).epsilon(0.1));
}

TEST_CASE("looks in a row that find nobody end it")
{
    Seen s;

    REQUIRE(s.run(5, 60, 50));
    CHECK_FALSE(s.run(5, 60, 50));
    CHECK(s.c.on);
    REQUIRE(s.run(5, 60, 1));
    CHECK_FALSE(s.c.on);
    CHECK(push_competitor_was(&s.c, s.now));
    CHECK_FALSE(push_competitor_was(&s.c, s.now + 20 * TICK_S));
}

TEST_CASE("a loss while a queue stands reduces the window, once in a round trip")
{
    Seen s;

    REQUIRE(s.run(5, 60, 50));
    double window = s.c.window;
    push_competitor_lost(&s.c, s.block, s.block, s.now); // before somebody was found
    CHECK(s.c.window == window);
    push_competitor_lost(&s.c, s.block + 1, s.block + 10, s.now);
    CHECK(s.c.window == Approx(0.8 * window));
    push_competitor_lost(&s.c, s.block + 5, s.block + 10, s.now);
    CHECK(s.c.window == Approx(0.8 * window));
    s.block += 20;
    s.run(0.02, 5, 5); // the queue is short
    push_competitor_lost(&s.c, s.block, s.block, s.now);
    CHECK(s.c.window == Approx(0.8 * window));
}

TEST_CASE("the window grows while it is used, and no wait is borne for ever")
{
    Seen s;

    REQUIRE(s.run(5, 60, 50));
    double window = s.c.window;
    push_competitor_grow(&s.c, window, false, s.now);
    CHECK(s.c.window == window);
    push_competitor_grow(&s.c, window, true, s.now + TICK_S);
    CHECK(s.c.window > window);
    CHECK(s.c.window <= 1.5 * window);
    window = s.c.window;
    s.run(0.1, 450, 50);
    CHECK(s.c.window < 0.81 * window);
}
