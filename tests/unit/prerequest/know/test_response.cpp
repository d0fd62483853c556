// The response delay: from input to a picture that can show it.
#include "tests/catch.hpp"

#include "prerequest/know/answered.h"

namespace
{

const tick_t MS = TICK_MS;

struct response fresh()
{
    struct response r;
    response_init(&r);
    return r;
}

} // namespace

TEST_CASE("the delay is from the first input to the first update that can answer it")
{
    struct response r = fresh();

    response_update(&r, 0, 10 * MS); // nobody has typed
    CHECK(response_after(&r, 0) == 0);
    response_input(&r, 100 * MS);
    response_input(&r, 120 * MS);
    response_update(&r, 50 * MS, 130 * MS); // it had left before
    CHECK(response_after(&r, 0) == 0);
    response_update(&r, 50 * MS, 160 * MS);
    CHECK(response_after(&r, 0) == 60 * MS);
    response_update(&r, 50 * MS, 190 * MS);
    CHECK(response_after(&r, 0) == 60 * MS);
    CHECK(response_after(&r, 159 * MS) == 60 * MS);
    CHECK(response_after(&r, 160 * MS) == 0); // it is old
}

TEST_CASE("input without an effect is no delay")
{
    struct response r = fresh();

    response_input(&r, 0);
    response_update(&r, 0, RESPONSE_LIMIT + 1);
    CHECK(response_after(&r, 0) == 0);
    response_input(&r, 10 * TICK_S);
    response_update(&r, 0, 10 * TICK_S + RESPONSE_LIMIT);
    CHECK(response_after(&r, 0) == RESPONSE_LIMIT);
    response_input(&r, 20 * TICK_S);
    response_input(&r, 20 * TICK_S + RESPONSE_LIMIT + 1); // the first one is forgotten
    response_update(&r, 0, 20 * TICK_S + RESPONSE_LIMIT + 1 + 7 * MS);
    CHECK(response_after(&r, 0) == 7 * MS);
}
