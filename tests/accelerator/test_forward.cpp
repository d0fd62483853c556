// Which bytes may leave for the client.
#include "tests/catch.hpp"

#include "tools/accelerator/forward.h"

TEST_CASE("at once: all that has come may leave", "[forward]")
{
    forward f = {};

    CHECK(forward_room(&f, 0, 0, 1000) == 0);
    CHECK(forward_room(&f, 700, 0, 1000) == 700);
    CHECK(forward_room(&f, 700, 500, 1000) == 200);
}

TEST_CASE("whole: a message leaves when its last byte has come", "[forward]")
{
    forward f = {};
    f.whole = true;

    CHECK(forward_room(&f, 700, 0, 1000) == 0);
    forward_ended(&f, 800);
    CHECK(forward_room(&f, 900, 0, 1000) == 800);
    CHECK(forward_room(&f, 900, 300, 1000) == 500);
    CHECK(forward_room(&f, 900, 800, 1000) == 0); /* the next one has begun */
}

TEST_CASE("whole: a message that does not fit leaves as it comes, up to its end", "[forward]")
{
    forward f = {};
    f.whole = true;
    forward_ended(&f, 300);

    /* what is full of whole messages makes room by them */
    CHECK(forward_room(&f, 1000, 0, 1000) == 300);
    CHECK(forward_room(&f, 1000, 200, 1000) == 100);
    CHECK(forward_room(&f, 1200, 300, 1000) == 0);
    CHECK(forward_room(&f, 1300, 300, 1000) == 1000);
    CHECK(forward_room(&f, 1310, 1300, 1000) == 10);
    forward_ended(&f, 1400);
    CHECK(forward_room(&f, 1500, 1310, 1000) == 90);
    CHECK(forward_room(&f, 1500, 1400, 1000) == 0);
}
