// When a quiet server is asked for a pixel, and when the link counts as silent. The time is a
// number.
#include "tests/catch.hpp"

#include "rfb/session/connection/keep_alive.h"

namespace
{

const tick_t S = TICK_S;

struct keep_alive fresh()
{
    struct keep_alive k;
    keep_alive_init(&k);
    return k;
}

// Whether a question is sent now.
bool asks(struct keep_alive *k, tick_t heard, tick_t now, struct rect *pixel = nullptr)
{
    struct rect r;
    keep_alive_look(k, heard, now);
    return keep_alive_take(k, heard, pixel ? pixel : &r);
}

// A question is sent at this time.
struct rect ask(struct keep_alive *k, tick_t now)
{
    struct rect pixel = {};
    keep_alive_input(k, now);
    k->active_since = now - KEEP_ALIVE_QUIET;
    REQUIRE(asks(k, now - KEEP_ALIVE_QUIET, now, &pixel));
    return pixel;
}

} // namespace

TEST_CASE("keep-alive: without input nothing is asked, however quiet it is")
{
    auto k = fresh();
    for (tick_t now = 0; now < 1000 * S; now += S) {
        CHECK_FALSE(asks(&k, 0, now));
        CHECK_FALSE(keep_alive_silent(&k, 0, now));
    }
}

TEST_CASE("keep-alive: a dead link is noticed within 10 s of input")
{
    auto k = fresh();
    tick_t heard = 100 * S, key = 500 * S, asked = 0, silent = 0;

    keep_alive_input(&k, key);
    for (tick_t now = key; now < key + 20 * S; now += S / 10) {
        if (asks(&k, heard, now)) {
            CHECK(asked == 0); // one question is enough
            asked = now;
        }
        if (!silent && keep_alive_silent(&k, heard, now))
            silent = now;
    }
    CHECK(asked == key + 2 * S);
    CHECK(silent == key + 5 * S);
    CHECK(keep_alive_silent(&k, heard, key + 100 * S));               // and it stays so
    CHECK_FALSE(keep_alive_silent(&k, key + 100 * S, key + 100 * S)); // until a byte comes
}

TEST_CASE("keep-alive: a dead link is noticed within 10 s by a user who only looks on")
{
    auto k = fresh();
    tick_t heard = 100 * S, asked = 0, silent = 0;

    keep_alive_watch(&k, true, 50 * S);
    for (tick_t now = heard; now < heard + 20 * S; now += S / 10) {
        if (asks(&k, heard, now)) {
            CHECK(asked == 0);
            asked = now;
        }
        if (!silent && keep_alive_silent(&k, heard, now))
            silent = now;
    }
    CHECK(asked == heard + 5 * S);
    CHECK(silent == heard + 8 * S);
}

TEST_CASE("keep-alive: looking on counts from its beginning to its end")
{
    auto k = fresh();
    tick_t heard = 0;

    keep_alive_watch(&k, true, 100 * S); // the server was quiet before
    CHECK_FALSE(asks(&k, heard, 105 * S - 1));
    CHECK(asks(&k, heard, 105 * S));
    heard = 106 * S;
    keep_alive_input(&k, 107 * S); // input counts more
    CHECK_FALSE(asks(&k, heard, 109 * S - 1));
    CHECK(asks(&k, heard, 109 * S));
    heard = 200 * S;
    keep_alive_watch(&k, false, 201 * S);
    CHECK_FALSE(asks(&k, heard, 300 * S));
}

TEST_CASE("keep-alive: a user who goes on typing is told as soon")
{
    auto k = fresh();
    tick_t heard = 0, silent = 0;

    for (tick_t now = 0; now < 60 * S && !silent; now += S / 10) {
        keep_alive_input(&k, now);
        if (now < 30 * S)
            heard = now; // echoes come, then the link dies
        asks(&k, heard, now);
        if (keep_alive_silent(&k, heard, now))
            silent = now;
    }
    CHECK(silent > 30 * S);
    CHECK(silent <= 36 * S);
}

TEST_CASE("keep-alive: a server that has nothing to say but answers is asked now and then")
{
    auto k = fresh();
    tick_t heard = 0;
    int asked = 0;

    keep_alive_input(&k, 50 * S);
    for (tick_t now = 50 * S; now < 200 * S; now += S / 10) {
        struct rect pixel;
        if (asks(&k, heard, now, &pixel)) {
            asked++;
            heard = now + S / 5;
            CHECK(keep_alive_answered(&k, pixel, heard));
            CHECK(keep_alive_answer_time(&k, heard) == S / 5);
        }
        CHECK_FALSE(keep_alive_silent(&k, heard, now));
    }
    CHECK(asked >= 3);
    CHECK(asked <= 5); // not any more when the user has stopped
    CHECK(keep_alive_answer_time(&k, 200 * S) == 0);
}

TEST_CASE("keep-alive: how long an answer took counts for a while, and not after a silence")
{
    auto k = fresh();
    CHECK(keep_alive_answer_time(&k, 0) == 0);
    struct rect pixel = ask(&k, S);
    CHECK(keep_alive_answered(&k, pixel, 3 * S));
    CHECK(keep_alive_answer_time(&k, 3 * S) == 2 * S);
    CHECK(keep_alive_answer_time(&k, 3 * S + KEEP_ALIVE_FRESH) == 2 * S);
    CHECK(keep_alive_answer_time(&k, 3 * S + KEEP_ALIVE_FRESH + 1) == 0);
    ask(&k, 10 * S);
    CHECK(keep_alive_answered(&k, pixel, 10 * S + KEEP_ALIVE_ANSWER));
    CHECK(keep_alive_answer_time(&k, 10 * S + KEEP_ALIVE_ANSWER) == 0);
}

TEST_CASE("keep-alive: while nothing can be sent the link counts as silent all the same")
{
    auto k = fresh();
    struct rect pixel;

    keep_alive_input(&k, 100 * S);
    for (tick_t now = 100 * S; now <= 105 * S; now += S) // the socket is full
        keep_alive_look(&k, 0, now);
    CHECK(keep_alive_silent(&k, 0, 105 * S));
    // there is room again: what was sent may need no answer, so the question still leaves
    CHECK(keep_alive_take(&k, 0, &pixel));
    CHECK_FALSE(keep_alive_take(&k, 0, &pixel));
    CHECK(keep_alive_answered(&k, pixel, 106 * S));
    CHECK_FALSE(keep_alive_silent(&k, 106 * S, 106 * S));
}

TEST_CASE("keep-alive: a question that waits is dropped when something has come")
{
    auto k = fresh();
    struct rect pixel;

    keep_alive_input(&k, 100 * S);
    keep_alive_look(&k, 0, 103 * S);
    CHECK_FALSE(keep_alive_take(&k, 104 * S, &pixel));
    CHECK_FALSE(keep_alive_take(&k, 104 * S, &pixel));
}

TEST_CASE("keep-alive: while bytes come nothing is asked")
{
    auto k = fresh();
    for (tick_t now = 0; now < 100 * S; now += S) {
        keep_alive_input(&k, now);
        CHECK_FALSE(asks(&k, now - S, now));
    }
}

TEST_CASE("keep-alive: only the pixel that was asked for is the answer, or its tile, and only once")
{
    auto k = fresh();
    const struct rect pixel = {0, 0, 1, 1};

    CHECK_FALSE(keep_alive_answered(&k, pixel, 0));
    struct rect asked = ask(&k, S);
    CHECK(asked.w == 1);
    CHECK(asked.h == 1);
    for (struct rect other :
         {rect{1, 0, 1, 1}, rect{0, 1, 1, 1}, rect{0, 0, 65, 1}, rect{0, 0, 1, 65}})
        CHECK_FALSE(keep_alive_answered(&k, other, S));
    CHECK(keep_alive_answered(&k, asked, S));
    CHECK_FALSE(keep_alive_answered(&k, asked, S));
    ask(&k, 10 * S);
    CHECK(keep_alive_answered(&k, {0, 0, 16, 1}, 10 * S));
    ask(&k, 20 * S);
    CHECK(keep_alive_answered(&k, {0, 0, 64, 64}, 20 * S));
}

TEST_CASE("keep-alive: a silent server matters while the user acts or looks on")
{
    keep_alive k;
    keep_alive_init(&k);
    CHECK_FALSE(keep_alive_matters(&k, TICK_S));
    keep_alive_input(&k, 2 * TICK_S);
    CHECK(keep_alive_matters(&k, 2 * TICK_S + KEEP_ALIVE_ACTIVE));
    CHECK_FALSE(keep_alive_matters(&k, 2 * TICK_S + KEEP_ALIVE_ACTIVE + 1));
    keep_alive_watch(&k, true, 20 * TICK_S);
    CHECK(keep_alive_matters(&k, 1000 * TICK_S));
    keep_alive_watch(&k, false, 1000 * TICK_S);
    CHECK_FALSE(keep_alive_matters(&k, 1000 * TICK_S));
}
