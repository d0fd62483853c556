// Where the time of a response went: that the parts add up, whatever is told.
#include "tests/catch.hpp"

#include "prerequest/know/response_parts.h"

namespace
{

const tick_t MS = TICK_MS;

tick_t sum(const response_parts &p)
{
    tick_t all = 0;
    for (tick_t part : p.part)
        all += part;
    return all;
}

response_far far_of(tick_t input, tick_t server, tick_t encoder, tick_t queue)
{
    return {input, server, encoder, queue, 3 * MS, 0.03};
}

} // namespace

TEST_CASE("response parts: the path has what no other part has")
{
    const response_far far = far_of(1 * MS, 40 * MS, 2 * MS, 3 * MS);
    response_parts p = {};

    REQUIRE(response_parts_far(&p, &far, 65 * MS, 4 * MS));
    CHECK(p.far);
    CHECK(p.part[RESPONSE_SERVER] == 40 * MS);
    CHECK(p.part[RESPONSE_PATH] == 15 * MS);
    CHECK(p.part[RESPONSE_DECODER] == 4 * MS);
    CHECK(p.part[RESPONSE_REST] == 0);
    CHECK(p.path_queue == 3 * MS);
    CHECK(p.loss == 0.03);
    CHECK(p.total == 65 * MS);
    CHECK(sum(p) == p.total);
    CHECK(response_parts_valid(&p));
}

TEST_CASE("response parts: a far end cannot tell more than there was")
{
    const response_far all = far_of(1 * MS, 40 * MS, 2 * MS, 3 * MS);
    const response_parts before = {};
    response_parts p = before;

    CHECK_FALSE(response_parts_far(&p, &all, 49 * MS, 4 * MS));
    CHECK(p.total == before.total);
    REQUIRE(response_parts_far(&p, &all, 50 * MS, 4 * MS));
    CHECK(p.part[RESPONSE_PATH] == 0);
    CHECK(p.path_queue == 0); // no more than all of the path
}

TEST_CASE("response parts: without a far end server and line are one part")
{
    response_parts p;

    response_parts_near(&p, 20 * MS, 65 * MS, 4 * MS);
    CHECK_FALSE(p.far);
    CHECK(p.part[RESPONSE_PATH] == 20 * MS);
    CHECK(p.part[RESPONSE_REST] == 41 * MS);
    CHECK(p.part[RESPONSE_SERVER] == 0);
    CHECK(p.loss < 0);
    CHECK(sum(p) == 65 * MS);
    // the round trip of now may be longer than that of then, and the decoder's time, too
    response_parts_near(&p, 100 * MS, 65 * MS, 4 * MS);
    CHECK(p.part[RESPONSE_PATH] == 61 * MS);
    CHECK(p.part[RESPONSE_REST] == 0);
    response_parts_near(&p, 0, 65 * MS, 100 * MS);
    CHECK(p.part[RESPONSE_DECODER] == 65 * MS);
    CHECK(sum(p) == 65 * MS);
    CHECK(response_parts_valid(&p));
}

TEST_CASE("response parts: the display comes on top, and may be told again")
{
    response_parts p;

    response_parts_near(&p, 20 * MS, 65 * MS, 4 * MS);
    response_parts_shown(&p, 10 * MS);
    response_parts_shown(&p, 7 * MS);
    CHECK(p.total == 72 * MS);
    CHECK(p.part[RESPONSE_DISPLAY] == 7 * MS);
    CHECK(response_parts_valid(&p));
}

TEST_CASE("response parts: what cannot be is not valid")
{
    response_parts p;

    for (int what = 0; what < 6; what++) {
        response_parts_near(&p, 20 * MS, 65 * MS, 4 * MS);
        CHECK(response_parts_valid(&p));
        if (what == 0)
            p.total++;
        if (what == 1)
            p.part[RESPONSE_PATH] = -p.part[RESPONSE_REST];
        if (what == 2)
            p.total = p.part[RESPONSE_PATH] = INT64_MAX;
        if (what == 3)
            p.path_queue = -1;
        if (what == 4)
            p.loss = 1.1;
        if (what == 5)
            p.loss = -2;
        INFO(what);
        CHECK_FALSE(response_parts_valid(&p));
    }
}
