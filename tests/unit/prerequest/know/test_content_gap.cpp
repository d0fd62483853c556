// The time between two frames of the content, from frames of known gaps.
#include "tests/catch.hpp"

#include "prerequest/know/content_gap.h"

namespace
{

struct Content {
    content_gap g{};

    Content()
    {
        content_gap_init(&g);
    }

    // A frame of which the path was the limit, `ms` after the one before. Returns the gap, ms.
    double late(double ms)
    {
        return frame({ms * 1e6, ms * 1e6, 1, false});
    }

    // A frame that shows the content's own pace.
    double own(double ms)
    {
        return frame({ms * 1e6, 0, 0, true});
    }

    double frame(const content_frame &f)
    {
        content_gap_frame(&g, &f);
        return tick_to_ms(g.gap);
    }
};

const double FIRST = 1000.0 / 30; // ms

} // namespace

TEST_CASE("content is held for a film of 30 frames per second at first")
{
    CHECK(tick_to_ms(Content().g.gap) == Approx(FIRST));
}

TEST_CASE("a frame that a request waited for has a tenth of the content's gap")
{
    Content c;

    CHECK(c.own(FIRST + 20) == Approx(FIRST + 2));
    CHECK(c.own(FIRST + 12) == Approx(FIRST + 3));
    CHECK(c.own(FIRST - 7) == Approx(FIRST + 2));
    for (int i = 0; i < 100; i++)
        c.own(80);
    CHECK(tick_to_ms(c.g.gap) == Approx(80).epsilon(0.01));
}

TEST_CASE("only a frame on a path with time to spare shows the content's gap")
{
    const double since = 100e6;

    // three quarters of the gap are too much, in the mean and for the update
    CHECK(Content().frame({since, 74.9e6, 0.749, true}) > FIRST + 6);
    CHECK(Content().frame({since, 74.9e6, 0.749, false}) == Approx(FIRST));
    CHECK(Content().frame({since, 75e6, 0.749, true}) == Approx(FIRST));
    CHECK(Content().frame({since, 74.9e6, 0.75, true}) == Approx(FIRST));
}

TEST_CASE("frames that come faster for half a second correct the content's gap at once")
{
    Content c;

    for (int i = 1; i < 25; i++)
        REQUIRE(c.late(20) == Approx(FIRST)); // 480 ms of them
    CHECK(c.late(20) == Approx(20));
}

TEST_CASE("frames that come slower because of the path say nothing about the content")
{
    Content c;

    for (int i = 0; i < 100; i++)
        CHECK(c.late(90) == Approx(FIRST));
}

TEST_CASE("each half second of frames is judged by itself")
{
    Content c;

    for (int i = 0; i < 10; i++)
        c.late(50); // half a second of slow ones
    for (int i = 1; i < 25; i++)
        REQUIRE(c.late(20) == Approx(FIRST));
    CHECK(c.late(20) == Approx(20));
}

TEST_CASE("a second without a frame is no gap of the content")
{
    Content c;

    for (int i = 1; i < 25; i++)
        c.late(20);
    CHECK(c.own(1000) == Approx(FIRST));
    for (int i = 1; i < 25; i++) // the half second begins afresh, too
        REQUIRE(c.late(20) == Approx(FIRST));
    CHECK(c.late(20) == Approx(20));
    CHECK(c.own(999) == Approx(20 + 97.9)); // 20 + 0.1 x (999 - 20)
}
