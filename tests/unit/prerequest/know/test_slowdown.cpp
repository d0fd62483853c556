// When bytes show, in the middle of an update, that the path has become slower.
#include "tests/catch.hpp"

#include "prerequest/know/delivery.h"

namespace
{

struct Bytes {
    slowdown s{};
    uint64_t bytes = 1000000;
    tick_t now = 1000 * TICK_S;

    // The first bytes that are seen begin a piece.
    Bytes()
    {
        CHECK(slowdown_arrived(&s, bytes, 0, now) == 0);
    }

    // So many more bytes after `ms`, where 3 MB/s are usual.
    double arrive(uint64_t more, double ms)
    {
        now += tick_from_ms(ms);
        bytes += more;
        return slowdown_arrived(&s, bytes, 3e6, now);
    }
};

} // namespace

TEST_CASE("a piece is complete with 12000 bytes, and tells its rate")
{
    Bytes b;

    CHECK(b.arrive(6000, 2) == 0);
    CHECK(b.arrive(5999, 3) == 0);
    CHECK(b.arrive(1, 5) == Approx(1.2e6)); // 12000 bytes in 10 ms
    CHECK(b.arrive(11999, 1) == 0);         // the next one begins where it ended
    CHECK(b.arrive(12001, 1) == Approx(12e6));
}

TEST_CASE("two pieces in a row that take more than 2.5 times as long show a slower path")
{
    Bytes b;

    CHECK(b.arrive(12000, 10.01) < 1.2e6); // 1.2 MB/s would be 2.5 times slower than usual
    CHECK_FALSE(slowdown_shows(&b.s));
    b.arrive(12000, 10.01);
    CHECK(slowdown_shows(&b.s));
}

TEST_CASE("pieces that take 2.5 times as long are a healthy path")
{
    Bytes b;

    for (int i = 0; i < 100; i++) {
        CHECK(b.arrive(12000, 9.99) > 1.2e6);
        CHECK_FALSE(slowdown_shows(&b.s));
    }
}

TEST_CASE("one slow piece, and then a fast one, is a lost packet")
{
    Bytes b;

    for (int i = 0; i < 100; i++) {
        b.arrive(12000, i % 2 ? 4 : 300);
        CHECK_FALSE(slowdown_shows(&b.s));
    }
}

TEST_CASE("a slowdown that is known is not shown a second time")
{
    Bytes b;

    b.arrive(12000, 100);
    b.arrive(12000, 100);
    REQUIRE(slowdown_shows(&b.s));
    slowdown_reset(&b.s);
    CHECK_FALSE(slowdown_shows(&b.s));
    b.arrive(12000, 100);
    CHECK_FALSE(slowdown_shows(&b.s)); // both pieces have to be slow again
    b.arrive(12000, 100);
    CHECK(slowdown_shows(&b.s));
}

TEST_CASE("a piece does not reach across a time in which nothing arrived")
{
    Bytes b;

    b.arrive(6000, 2);
    slowdown_gap(&b.s);
    CHECK(b.arrive(6000, 5000) == 0); // begins a piece
    CHECK(b.arrive(12000, 4) == Approx(3e6));
    CHECK_FALSE(slowdown_shows(&b.s));
}

TEST_CASE("slow pieces before and after a gap are in a row")
{
    Bytes b;

    b.arrive(12000, 100);
    slowdown_gap(&b.s);
    b.arrive(100, 5000);
    b.arrive(12000, 100);
    CHECK(slowdown_shows(&b.s));
}

TEST_CASE("bytes that come at one moment have no rate until time has passed")
{
    Bytes b;

    CHECK(b.arrive(50000, 0) == 0);
    CHECK(b.arrive(10000, 10) == Approx(6e6)); // 60000 bytes in 10 ms
}

TEST_CASE("fewer bytes than before begin a piece")
{
    Bytes b;

    b.bytes = 0;
    CHECK(b.arrive(500000, 10) == 0);
    CHECK(b.arrive(12000, 4) == Approx(3e6));
}
