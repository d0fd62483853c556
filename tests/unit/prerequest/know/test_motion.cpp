// Whether the screen moves: two clocks.
#include "tests/catch.hpp"

#include "prerequest/know/motion.h"

namespace
{

const tick_t T0 = 1000 * TICK_S;

} // namespace

TEST_CASE("the screen is still after two seconds without update and input")
{
    motion m{};

    CHECK(motion_still(&m, T0)); // nothing has happened yet
    motion_active(&m, T0);
    CHECK_FALSE(motion_still(&m, T0));
    CHECK_FALSE(motion_still(&m, T0 + 2 * TICK_S - 1));
    CHECK(motion_still(&m, T0 + 2 * TICK_S));
    motion_active(&m, T0 + 5 * TICK_S);
    CHECK_FALSE(motion_still(&m, T0 + 5 * TICK_S));
}

TEST_CASE("an update of up to 4000 bytes is no movement")
{
    motion m{};

    motion_moved(&m, T0);
    motion_update(&m, 1, T0 + 1);
    motion_update(&m, 4000, T0 + 2);
    CHECK(m.moved_at == T0);
    motion_update(&m, 4001, T0 + 3);
    CHECK(m.moved_at == T0 + 3);
    motion_update(&m, 0, T0 + 4); // who knows how large it was
    CHECK(m.moved_at == T0 + 4);
}

TEST_CASE("the two clocks of motion do not move each other")
{
    motion m{};

    motion_active(&m, T0);
    CHECK(m.moved_at == 0);
    motion_moved(&m, T0 + TICK_S);
    motion_update(&m, 50000, T0 + TICK_S);
    CHECK(m.active_at == T0);
    CHECK(motion_still(&m, T0 + 2 * TICK_S));
}
