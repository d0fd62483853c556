// Lossless refresh: every event in every state, and when a slice is due.
#include "tests/catch.hpp"

#include <functional>
#include <string>
#include <vector>

#include "prerequest/decide/refresh.h"

namespace
{

const tick_t T0 = 1000 * TICK_S;
const double RATE = 1e6; // bytes per second: half a million pixels

const scheduler_loss NOTHING = {0, false, false}, SOME = {500000, false, false},
                     ON_ITS_WAY = {0, true, false}, AGAIN = {500000, true, true};

tick_t at(tick_t ms)
{
    return T0 + ms * TICK_MS;
}

// In a state that was reached through the diagram, at T0.
refresh in(refresh_state state)
{
    refresh r;

    refresh_init(&r, true);
    refresh_loss(&r, &SOME, RATE, T0);
    if (state != REFRESH_WATCHING)
        refresh_sent(&r, 1000, T0);
    if (state == REFRESH_IN_VAIN)
        refresh_loss(&r, &AGAIN, RATE, T0);
    REQUIRE(r.state == state);
    return r;
}

struct Event {
    std::string name;
    std::function<bool(refresh *)> happens; // whether ASKING ends
    refresh_state from_watching, from_asking, from_in_vain;
};

const refresh_state WATCHING = REFRESH_WATCHING, ASKING = REFRESH_ASKING, IN_VAIN = REFRESH_IN_VAIN;

bool loss(refresh *r, const scheduler_loss &l)
{
    return refresh_loss(r, &l, RATE, T0);
}

// All that can happen. When a slice of pixels can be sent, refresh_due() says.
const std::vector<Event> events = {
    {"news", [](refresh *r) { return refresh_news(r); }, WATCHING, WATCHING, WATCHING},
    {"nothing is lossy", [](refresh *r) { return loss(r, NOTHING); }, WATCHING, WATCHING, IN_VAIN},
    {"the last slice is on its way", [](refresh *r) { return loss(r, ON_ITS_WAY); }, WATCHING,
     ASKING, IN_VAIN},
    {"more is lossy", [](refresh *r) { return loss(r, SOME); }, WATCHING, ASKING, IN_VAIN},
    {"it came with loss again", [](refresh *r) { return loss(r, AGAIN); }, WATCHING, IN_VAIN,
     IN_VAIN},
    {"all came, but with loss again",
     [](refresh *r) {
         return loss(r, {0, false, true});
     },
     WATCHING, IN_VAIN, IN_VAIN},
    {"there was nothing to ask for",
     [](refresh *r) {
         refresh_sent(r, 0, T0);
         return false;
     },
     WATCHING, ASKING, IN_VAIN},
    {"nearly 5 s have passed", [](refresh *r) { return refresh_time(r, at(5000) - 1); }, WATCHING,
     ASKING, IN_VAIN},
    {"5 s have passed", [](refresh *r) { return refresh_time(r, at(5000)); }, WATCHING, IN_VAIN,
     IN_VAIN},
};

} // namespace

TEST_CASE("each event leads where the diagram of the refresh says, and says when ASKING ends")
{
    for (const Event &e : events) {
        INFO(e.name);
        for (refresh_state state : {WATCHING, ASKING, IN_VAIN}) {
            refresh r = in(state);
            refresh_state expected = state == WATCHING ? e.from_watching
                                     : state == ASKING ? e.from_asking
                                                       : e.from_in_vain;

            INFO("from " << state);
            CHECK(e.happens(&r) == (state == ASKING && expected != ASKING));
            CHECK(r.state == expected);
            CHECK(refresh_asking(&r) == (expected == ASKING));
        }
    }
}

TEST_CASE("a slice that was sent begins a refresh or goes on with one")
{
    for (refresh_state state : {WATCHING, ASKING}) {
        refresh r = in(state);

        REQUIRE(refresh_due(&r, T0, false) != TICK_NEVER);
        refresh_sent(&r, 1000, T0);
        CHECK(r.state == ASKING);
    }
    refresh r = in(IN_VAIN);
    CHECK(refresh_due(&r, T0, false) == TICK_NEVER); // so none is sent
}

TEST_CASE("a refresh begins in no other way than by a slice")
{
    for (const Event &e : events) {
        refresh r = in(WATCHING);

        INFO(e.name);
        e.happens(&r);
        CHECK_FALSE(refresh_asking(&r));
    }
}

TEST_CASE("the first slice is due when the screen has been still for half a second")
{
    refresh r = in(WATCHING);
    scheduler_loss little = {250000, false, false}; // takes half a second

    refresh_loss(&r, &little, RATE, T0);
    CHECK(refresh_due(&r, T0, false) == at(500));
    CHECK(refresh_due(&r, at(200), false) == at(700)); // the screen has moved
    little.pixels = 1;
    refresh_loss(&r, &little, RATE, T0);
    CHECK(refresh_due(&r, T0, false) == at(500));
}

TEST_CASE("a refresh that takes long waits for as long, and for ten seconds at most")
{
    refresh r = in(WATCHING);

    for (uint64_t seconds : {1, 3, 10, 11, 1000}) {
        scheduler_loss l = {500000 * seconds, false, false}; // 2 bytes a pixel

        refresh_loss(&r, &l, RATE, T0);
        CHECK(refresh_due(&r, T0, false) == T0 + tick_t(seconds < 10 ? seconds : 10) * TICK_S);
    }
    refresh_loss(&r, &SOME, 0, T0); // how long is not known
    CHECK(refresh_due(&r, T0, false) == at(500));
}

TEST_CASE("no slice is due unless something is lossy, and the user wants it")
{
    refresh r = in(WATCHING), unwanted;

    refresh_loss(&r, &NOTHING, RATE, T0);
    CHECK(refresh_due(&r, T0, false) == TICK_NEVER);
    refresh_loss(&r, &NOTHING, 0, T0);
    CHECK(refresh_due(&r, T0, false) == TICK_NEVER);
    refresh_init(&unwanted, false);
    refresh_loss(&unwanted, &SOME, RATE, T0);
    CHECK(refresh_due(&unwanted, T0, false) == TICK_NEVER);
}

TEST_CASE("no refresh begins while an update is coming, but one goes on")
{
    refresh r = in(WATCHING);

    CHECK(refresh_due(&r, T0, true) == TICK_NEVER);
    r = in(ASKING);
    CHECK(refresh_due(&r, T0, true) != TICK_NEVER);
}

TEST_CASE("slices are a tenth of a second apart")
{
    refresh r = in(WATCHING);

    refresh_sent(&r, 1000, at(2000));
    CHECK(refresh_due(&r, T0, false) == at(2100));
    refresh_sent(&r, 1000, at(2150));
    CHECK(refresh_due(&r, T0, false) == at(2250));
    refresh_sent(&r, 0, at(2250)); // there was nothing to ask for: not at once again
    CHECK(refresh_due(&r, T0, false) == at(2350));
}

TEST_CASE("the first slice waits for as long as the refresh takes, the others do not")
{
    refresh r = in(WATCHING);
    const scheduler_loss much = {4000000, false, false}; // takes 8 s

    refresh_loss(&r, &much, RATE, T0);
    CHECK(refresh_due(&r, T0, false) == at(8000));
    refresh_sent(&r, 1000, at(8000));
    CHECK(refresh_due(&r, T0, false) == at(8100));
    CHECK(refresh_due(&r, at(7900), false) == at(8400)); // half a second after what moved
}

TEST_CASE("while nothing is asked for there is no deadline")
{
    refresh asking = in(ASKING), watching = in(WATCHING);

    CHECK(refresh_deadline(&asking) == at(5000));
    CHECK(refresh_deadline(&watching) == TICK_NEVER);
}

TEST_CASE("the five seconds without an answer begin with each slice and each update")
{
    refresh r = in(ASKING);

    refresh_sent(&r, 1000, at(4000));
    CHECK_FALSE(refresh_time(&r, at(9000) - 1));
    refresh_loss(&r, &ON_ITS_WAY, RATE, at(9000));
    CHECK_FALSE(refresh_time(&r, at(14000) - 1));
    refresh_sent(&r, 0, at(14000)); // that asks for nothing, so no answer comes
    CHECK(refresh_time(&r, at(14000)));
}

TEST_CASE("a slice takes a tenth of a second of the line")
{
    CHECK(refresh_pixels(1e6) == 50000); // 100 kB, 2 bytes a pixel
    CHECK(refresh_pixels(25e6) == 1250000);
    CHECK(refresh_pixels(0) == 65536); // the rate is not known
}
