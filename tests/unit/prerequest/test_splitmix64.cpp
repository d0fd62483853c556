// Random numbers that follow from a seed (prerequest/splitmix64.h).
#include "tests/catch.hpp"

#include "prerequest/splitmix64.h"

TEST_CASE("splitmix64: the numbers of the reference implementation")
{
    uint64_t state = 1234567;

    for (uint64_t expected : {UINT64_C(6457827717110365317), UINT64_C(3203168211198807973),
                              UINT64_C(9817491932198370423), UINT64_C(4593380528125082431),
                              UINT64_C(16408922859458223821)})
        CHECK(splitmix64_next(&state) == expected);
}

TEST_CASE("splitmix64: a share is in [0, 1), and follows from the seed")
{
    uint64_t state = 7, same = 7;

    for (int i = 0; i < 10000; i++) {
        double share = splitmix64_unit(&state);

        REQUIRE(share >= 0);
        REQUIRE(share < 1);
        REQUIRE(splitmix64_unit(&same) == share);
    }
}
