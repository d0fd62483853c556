// The viewer's measure of responses: which picture answers which input.
#include "tests/catch.hpp"

#include "prerequest/know/answered.h"

namespace
{

const tick_t MS = TICK_MS;

struct Answered {
    answered a;

    Answered()
    {
        answered_init(&a);
    }
    // The far end took 10 ms for it.
    bool told(uint16_t number)
    {
        const response_far far = {1 * MS, 6 * MS, 1 * MS, 2 * MS, 0, -1};
        return answered_told(&a, number, &far);
    }
};

} // namespace

TEST_CASE("answered: the first block that counts the input is its answer, once it can be seen")
{
    Answered t;
    answered_input(&t.a, 3, true, 100 * MS); // the third message is the click
    answered_came(&t.a, 2, 140 * MS);        // the server did not have it
    CHECK_FALSE(answered_shown(&t.a, 0, 141 * MS));
    CHECK(t.a.newest == 0);
    answered_input(&t.a, 1, false, 150 * MS); // motion is not waited for
    answered_came(&t.a, 3, 160 * MS);
    answered_came(&t.a, 4, 161 * MS); // it has its answer
    CHECK(answered_shown(&t.a, 20 * MS, 165 * MS));
    CHECK(t.a.newest == 65 * MS);
    CHECK(t.a.at == 165 * MS);
    CHECK(t.a.drawn == 165 * MS);
    CHECK(t.a.parts.total == 65 * MS);
    CHECK(t.a.parts.part[RESPONSE_DECODER] == 5 * MS);
    CHECK(t.a.parts.part[RESPONSE_PATH] == 20 * MS);
    CHECK_FALSE(t.a.parts.far); // nobody has told anything
    CHECK_FALSE(answered_shown(&t.a, 20 * MS, 170 * MS));
}

TEST_CASE("answered: what the far end tells is used, whether it comes before or after the block")
{
    bool before = GENERATE(false, true);
    INFO(before);
    Answered t;
    answered_input(&t.a, 1, true, 100 * MS);
    if (before)
        CHECK_FALSE(t.told(1));
    answered_came(&t.a, 1, 130 * MS);
    CHECK(answered_shown(&t.a, 20 * MS, 132 * MS));
    if (!before)
        CHECK(t.told(1));
    CHECK(t.a.parts.far);
    CHECK(t.a.parts.part[RESPONSE_SERVER] == 6 * MS);
    CHECK(t.a.parts.part[RESPONSE_PATH] == 20 * MS);
    CHECK(t.a.parts.total == 32 * MS);
    CHECK_FALSE(t.told(1)); // once
    // from now on parts wait for what is told
    answered_input(&t.a, 1, true, 200 * MS);
    answered_came(&t.a, 2, 230 * MS);
    CHECK_FALSE(answered_shown(&t.a, 20 * MS, 234 * MS));
    CHECK(t.a.newest == 34 * MS);
    CHECK(t.a.parts.total == 32 * MS);
    CHECK(t.told(2));
    CHECK(t.a.parts.total == 34 * MS);
    CHECK(t.a.drawn == 234 * MS);
    response_parts mean;
    CHECK(answered_mean(&t.a, &mean) == 2); // of those that the far end has told of
    CHECK(mean.total == 33 * MS);
    CHECK(mean.part[RESPONSE_SERVER] == 6 * MS);
    CHECK(response_parts_valid(&mean));
}

TEST_CASE("answered: of inputs that one picture answers the oldest counts")
{
    Answered t;
    answered_input(&t.a, 1, true, 100 * MS);
    answered_input(&t.a, 1, true, 120 * MS);
    answered_input(&t.a, 2, true, 130 * MS);
    answered_came(&t.a, 2, 150 * MS);
    answered_shown(&t.a, 0, 150 * MS);
    CHECK(t.a.newest == 50 * MS);
    answered_came(&t.a, 4, 170 * MS);
    answered_shown(&t.a, 0, 170 * MS);
    CHECK(t.a.newest == 40 * MS);
    CHECK(t.told(3)); // the first of the two messages: they left together
    CHECK(t.a.parts.total == 40 * MS);
    CHECK_FALSE(t.told(9));
}

TEST_CASE("answered: lies change nothing")
{
    Answered t;
    const response_far lie = {0, 1000 * MS, 0, 0, 0, -1};
    answered_input(&t.a, 1, true, 100 * MS);
    answered_came(&t.a, 1, 130 * MS);
    answered_shown(&t.a, 0, 130 * MS);
    CHECK_FALSE(answered_told(&t.a, 1, &lie));
    CHECK_FALSE(answered_told(&t.a, 0, &lie));
    CHECK_FALSE(answered_told(&t.a, 40000, &lie));
    CHECK(t.a.parts.total == 30 * MS);
}

TEST_CASE("answered: input without an effect is no response, and numbers go round")
{
    Answered t;
    answered_input(&t.a, 65535, false, 0);
    answered_input(&t.a, 2, true, 10 * MS); // 65536 and 65537: 0 and 1
    answered_came(&t.a, 65535, 20 * MS);
    CHECK_FALSE(answered_shown(&t.a, 0, 20 * MS));
    answered_came(&t.a, 1, 10 * MS + RESPONSE_LIMIT + 1);
    CHECK_FALSE(answered_shown(&t.a, 0, 10 * MS + RESPONSE_LIMIT + 1));
    CHECK(t.a.newest == 0);
    answered_input(&t.a, 1, true, 5 * TICK_S);
    answered_came(&t.a, 2, 5 * TICK_S + MS);
    CHECK(answered_shown(&t.a, 0, 5 * TICK_S + 2 * MS));
    CHECK(t.a.newest == 2 * MS);
}

TEST_CASE("answered: more inputs than are kept, and the newest is measured")
{
    Answered t;
    for (int i = 1; i <= 1000; i++)
        answered_input(&t.a, 1, true, i * MS);
    answered_came(&t.a, 1000, 1001 * MS);
    CHECK(answered_shown(&t.a, 0, 1001 * MS));
    CHECK(t.a.newest == ANSWERED_INPUTS * MS);
    CHECK_FALSE(t.told(5)); // forgotten
}

TEST_CASE("answered: where pictures are asked for, the round trip says which update it can be")
{
    Answered t;
    answered_input(&t.a, 0, true, 100 * MS); // a text is not counted as a message, and acts
    CHECK_FALSE(answered_update(&t.a, 50 * MS, MS, 130 * MS));
    response_parts mean;
    CHECK(answered_mean(&t.a, &mean) == 0);
    CHECK(mean.total == 0);
    CHECK(answered_update(&t.a, 50 * MS, 2 * MS, 165 * MS));
    CHECK(t.a.newest == 65 * MS);
    CHECK(t.a.parts.part[RESPONSE_PATH] == 50 * MS);
    CHECK(t.a.parts.part[RESPONSE_DECODER] == 2 * MS);
    CHECK(t.a.parts.part[RESPONSE_REST] == 13 * MS);
    CHECK_FALSE(answered_update(&t.a, 50 * MS, 2 * MS, 190 * MS)); // nothing is awaited
}
