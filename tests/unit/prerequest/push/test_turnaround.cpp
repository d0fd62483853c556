// What a far end tells of an input: how long each part took there.
#include "tests/catch.hpp"

#include "prerequest/push/turnaround.h"

namespace
{

const tick_t MS = TICK_MS;

struct Turnaround {
    turnaround t;
    turnaround_told told = {};

    Turnaround()
    {
        turnaround_init(&t);
        turnaround_passed(&t, true, 0);
    }
    bool take(tick_t now)
    {
        return turnaround_take(&t, &told, now);
    }
    tick_t all() const
    {
        return told.far.input + told.far.server + told.far.encoder + told.far.queue;
    }
    // Answered at once, 10 ms after `at`.
    void answer(uint16_t number, tick_t at)
    {
        turnaround_input(&t, number, at);
        turnaround_passed(&t, true, at);
        turnaround_shown(&t, number, at + 10 * MS);
        turnaround_made(&t, number, 0, at + 10 * MS);
        turnaround_leaves(&t, true, 0);
    }
};

} // namespace

TEST_CASE("turnaround: each part is told, and they add up")
{
    Turnaround f;
    turnaround_input(&f.t, 7, 100 * MS);
    turnaround_passed(&f.t, true, 101 * MS);
    turnaround_shown(&f.t, 6, 110 * MS); // the server did not have it
    turnaround_made(&f.t, 6, 110 * MS, 111 * MS);
    turnaround_shown(&f.t, 7, 141 * MS);
    turnaround_made(&f.t, 7, 144 * MS, 146 * MS);
    CHECK_FALSE(f.take(147 * MS)); // it has not left
    turnaround_leaves(&f.t, false, 148 * MS);
    turnaround_leaves(&f.t, false, 150 * MS);
    turnaround_leaves(&f.t, true, 0);
    turnaround_leaves(&f.t, false, 190 * MS); // another block
    turnaround_leaves(&f.t, true, 0);
    REQUIRE(f.take(200 * MS));
    CHECK(f.told.number == 7);
    CHECK(f.told.far.input == 1 * MS);
    CHECK(f.told.far.server == 40 * MS);
    CHECK(f.told.far.encoder == 2 * MS);
    CHECK(f.told.far.queue == 3 * MS + 4 * MS);
    CHECK(f.all() == 50 * MS);
    CHECK_FALSE(f.take(1000 * MS));
}

TEST_CASE("turnaround: while no update is wanted the server is not what is waited for")
{
    Turnaround f;
    turnaround_passed(&f.t, false, 50 * MS); // long before
    turnaround_input(&f.t, 1, 100 * MS);
    turnaround_passed(&f.t, false, 100 * MS);
    turnaround_passed(&f.t, true, 130 * MS); // what was to be sent before has left
    turnaround_passed(&f.t, false, 135 * MS);
    turnaround_passed(&f.t, true, 136 * MS);
    turnaround_shown(&f.t, 1, 140 * MS);
    turnaround_made(&f.t, 1, 0, 140 * MS); // a copy: nothing is encoded
    turnaround_leaves(&f.t, true, 0);
    REQUIRE(f.take(140 * MS));
    CHECK(f.told.far.server == 9 * MS);
    CHECK(f.told.far.queue == 31 * MS);
    CHECK(f.told.far.encoder == 0);
    CHECK(f.all() == 40 * MS);
}

TEST_CASE("turnaround: an update that is read before the loop has passed the input on")
{
    Turnaround f;
    turnaround_input(&f.t, 1, 100 * MS);
    turnaround_shown(&f.t, 1, 105 * MS);
    turnaround_passed(&f.t, true, 106 * MS);
    turnaround_made(&f.t, 1, 106 * MS, 107 * MS);
    turnaround_leaves(&f.t, true, 0);
    REQUIRE(f.take(107 * MS));
    CHECK(f.told.far.server == 0);
    CHECK(f.told.far.input == 5 * MS);
    CHECK(f.all() == 7 * MS);
}

TEST_CASE(
    "turnaround: of inputs that one block answers the oldest is told, and of answers the newest")
{
    Turnaround f;
    turnaround_input(&f.t, 1, 100 * MS);
    turnaround_passed(&f.t, true, 100 * MS);
    turnaround_input(&f.t, 3, 110 * MS);
    turnaround_passed(&f.t, true, 110 * MS);
    turnaround_shown(&f.t, 3, 120 * MS);
    turnaround_made(&f.t, 3, 120 * MS, 121 * MS);
    turnaround_leaves(&f.t, true, 0);
    REQUIRE(f.take(121 * MS));
    CHECK(f.told.number == 1);
    CHECK(f.all() == 21 * MS);
    f.answer(4, 130 * MS);
    CHECK_FALSE(f.take(140 * MS)); // too soon
    f.answer(5, 160 * MS);
    CHECK_FALSE(f.take(121 * MS + TURNAROUND_EVERY - 1));
    REQUIRE(f.take(121 * MS + TURNAROUND_EVERY));
    CHECK(f.told.number == 5);
}

TEST_CASE("turnaround: numbers go round, and more inputs than are kept are forgotten")
{
    Turnaround f;
    turnaround_input(&f.t, 65535, 100 * MS);
    turnaround_input(&f.t, 0, 101 * MS);
    turnaround_passed(&f.t, true, 101 * MS);
    turnaround_shown(&f.t, 65535, 110 * MS);
    turnaround_made(&f.t, 65535, 110 * MS, 110 * MS);
    turnaround_leaves(&f.t, true, 0);
    REQUIRE(f.take(110 * MS));
    CHECK(f.told.number == 65535);
    turnaround_shown(&f.t, 0, 300 * MS);
    turnaround_made(&f.t, 0, 300 * MS, 300 * MS);
    turnaround_leaves(&f.t, true, 0);
    REQUIRE(f.take(300 * MS));
    CHECK(f.told.number == 0);
    for (int i = 1; i <= 1000; i++)
        turnaround_input(&f.t, uint16_t(i), TICK_S + i);
    turnaround_shown(&f.t, 1000, 2 * TICK_S);
    turnaround_made(&f.t, 1000, 2 * TICK_S, 2 * TICK_S);
    turnaround_leaves(&f.t, true, 0);
    REQUIRE(f.take(2 * TICK_S));
    CHECK(f.told.number == 1000 - TURNAROUND_INPUTS + 1);
}
