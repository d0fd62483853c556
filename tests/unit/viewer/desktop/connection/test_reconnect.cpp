// When the next attempt to connect is due. The time is a number.
#include "tests/catch.hpp"

#include <vector>

#include "viewer/desktop/connection/reconnect.h"

namespace
{

// The waits of attempts that fail at once, in seconds.
std::vector<double> waits(uint64_t seed, int count)
{
    struct reconnect r;
    std::vector<double> all;
    tick_t now = 7 * TICK_S;

    reconnect_init(&r, seed);
    for (int i = 0; i < count; i++) {
        tick_t at = reconnect_ended(&r, now);
        all.push_back(tick_to_s(at - now));
        now = at;
    }
    return all;
}

} // namespace

TEST_CASE("reconnect: waits double up to half a minute, give or take a quarter")
{
    const double middle[] = {0.5, 1, 2, 4, 8, 16, 30, 30, 30};
    for (uint64_t seed = 0; seed < 200; seed++) {
        auto w = waits(seed, 9);
        for (size_t i = 0; i < w.size(); i++) {
            INFO("seed " << seed << ", attempt " << i + 1);
            CHECK(w[i] >= 0.75 * middle[i]);
            CHECK(w[i] < 1.25 * middle[i]);
        }
    }
}

TEST_CASE("reconnect: two viewers do not come at the same time, one does as it did before")
{
    CHECK(waits(1, 5) == waits(1, 5));
    CHECK(waits(1, 5) != waits(2, 5));
}

TEST_CASE("reconnect: it goes on for ever")
{
    auto w = waits(3, 10000);
    CHECK(w.back() >= 0.75 * 30);
    CHECK(w.back() < 1.25 * 30);
}

TEST_CASE("reconnect: only a session that has lasted lets the waits begin anew")
{
    struct reconnect r;
    tick_t now = TICK_S;

    reconnect_init(&r, 5);
    for (int i = 0; i < 5; i++)
        reconnect_ended(&r, now);
    reconnect_established(&r, now);
    now += RECONNECT_STABLE - 1;
    CHECK(reconnect_ended(&r, now) - now > 10 * TICK_S);
    reconnect_established(&r, now);
    now += RECONNECT_STABLE;
    CHECK(reconnect_ended(&r, now) - now < TICK_S);
    // an attempt that fails later is no end of that session
    now += 2 * RECONNECT_STABLE;
    CHECK(reconnect_ended(&r, now) - now >= tick_from_ms(750));
}

TEST_CASE("reconnect: of several servers each gets its turn, where the next one may be better")
{
    for (enum failure f : {FAILURE_LOST, FAILURE_REFUSED, FAILURE_CRASHED, FAILURE_KILLED}) {
        CHECK(reconnect_has_another(f, 3, 1));
        CHECK(reconnect_has_another(f, 3, 2));
        CHECK_FALSE(reconnect_has_another(f, 3, 3));
        CHECK_FALSE(reconnect_has_another(f, 0, 1)); /* one is named */
    }
    /* nobody has answered; or what has failed would fail again, or is for the user to see */
    for (enum failure f : {FAILURE_UNREACHABLE, FAILURE_NAME, FAILURE_NONE, FAILURE_AUTHENTICATION,
                           FAILURE_TRUST, FAILURE_SECURITY})
        CHECK_FALSE(reconnect_has_another(f, 3, 1));
}

TEST_CASE("reconnect: what a later attempt cannot mend is left")
{
    for (bool listens : {false, true}) {
        for (enum failure f :
             {FAILURE_NAME, FAILURE_UNREACHABLE, FAILURE_GATEWAY, FAILURE_LOST, FAILURE_REFUSED})
            CHECK(reconnect_may_help(f, listens));
        CHECK_FALSE(reconnect_may_help(FAILURE_NONE, listens));
        CHECK_FALSE(reconnect_may_help(FAILURE_AUTHENTICATION, listens));
        /* a stranger came to our port: the server may come later */
        for (enum failure f : {FAILURE_TRUST, FAILURE_SECURITY, FAILURE_PROTOCOL})
            CHECK(reconnect_may_help(f, listens) == listens);
    }
}
