// The paper's algorithm alone, under a fake clock.
#include "relay.hpp"

using namespace accelerator;

namespace
{

struct Paper : Relay {
    Paper()
    {
        relay_follow_paper(&r);
    }
};

} // namespace

TEST_CASE("the paper's loop asks when the server has answered and all has left")
{
    Paper t;

    CHECK(t.next() == RELAY_WAIT); // there is no request yet
    CHECK_FALSE(t.client_asks(true));
    for (int i = 0; i < 2 * RELAY_SENT_MAX; i++) { // though the client asks no more
        REQUIRE(t.act() == RELAY_ASK);
        CHECK(t.next() == RELAY_WAIT); // unansweredRequest
        relay_update_begins(&t.r, t.now);
        CHECK(t.next() == RELAY_WAIT);
        relay_update_ends(&t.r, t.now);
        CHECK(t.next() == RELAY_WAIT); // received - sent is 1
        t.leaves();
        t.now += 20 * TICK_MS;
    }
}

TEST_CASE("the paper's loop does not ask before the last update has left")
{
    Paper t;

    t.v.rate = 1e9;
    t.client_asks(true);
    REQUIRE(t.act() == RELAY_ASK);
    t.update_comes();
    t.v.held = 1; // leaves much sooner than the server answers
    CHECK(t.next() == RELAY_WAIT);
    CHECK(relay_look_again(&t.r, &t.v, t.now) == TICK_NEVER);
    t.leaves();
    CHECK(t.next() == RELAY_ASK);
}

TEST_CASE("the paper's loop loses no request for the whole picture")
{
    Paper t;

    t.client_asks(true);
    REQUIRE(t.act() == RELAY_ASK);
    CHECK(t.client_asks(false)); // on a still screen nothing would answer the other one
    t.update_comes();
    CHECK_FALSE(t.client_asks(false)); // the update has not left
    t.client_asks(true);
    CHECK(t.r.full);
    t.leaves();
    CHECK(t.act() == RELAY_ASK);
    t.client_asks(true);
    CHECK_FALSE(t.r.full);
}

TEST_CASE("the paper's loop repeats no request, also while the picture moves")
{
    Paper t;

    t.client_asks(true);
    for (int i = 0; i < 20; i++) {
        REQUIRE(t.act() == RELAY_ASK);
        t.update_comes(20 * TICK_MS);
        t.leaves();
    }
    REQUIRE(t.act() == RELAY_ASK);
    for (int i = 0; i < 20; i++) {
        t.now += RELAY_REPEAT_EVERY;
        t.client_asks(true);
        CHECK(t.next() == RELAY_WAIT);
        CHECK(relay_look_again(&t.r, &t.v, t.now) == TICK_NEVER);
    }
}

TEST_CASE("the paper's loop sends the client's newest request, as it is")
{
    Paper t;

    CHECK_FALSE(t.client_asks(false)); // it is not passed on beside the loop
    CHECK(t.r.full);
    REQUIRE(t.act() == RELAY_ASK);
    t.update_comes();
    t.leaves();
    CHECK(t.next() == RELAY_ASK);
    CHECK(t.r.full); // the client's next one has not come
    t.client_asks(true, {10, 20, 30, 40});
    t.client_asks(true, {100, 0, 10, 30});
    CHECK_FALSE(t.r.full);
    CHECK(t.r.region.x == 100);
    CHECK(t.r.region.w == 10);
}

TEST_CASE("of the paper's clients none asks for all of a part: that is passed on once")
{
    Paper t;

    t.client_asks(true);
    CHECK(t.client_asks(false, {0, 0, 1, 1}));
    CHECK(t.next() == RELAY_WAIT); // one request is at the server
    CHECK(t.r.region.w == 800);
    t.update_comes();
    t.leaves();
    CHECK(t.next() == RELAY_ASK);
    CHECK_FALSE(t.r.full);
    for (rect nothing : {rect{0, 0, 0, 0}, rect{800, 0, 10, 10}}) {
        t.client_asks(true, nothing); // no server answers it
        CHECK(t.r.region.w == 800);
    }
}
