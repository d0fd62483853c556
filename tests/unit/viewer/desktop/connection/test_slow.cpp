// Why a session is slow, from made-up measurements, one a second.
#include "tests/catch.hpp"

#include "viewer/desktop/connection/slow.h"

namespace
{

struct slow_sample sample(double fps, double queue_ms, double busy, double answer_ms = 0,
                          double decode = 0, double draw = 0)
{
    return {fps, queue_ms, busy, answer_ms, decode, draw};
}

const struct slow_sample WELL = sample(30, 20, 0.5, 5, 0.2, 0.2);

enum slow_cause after(struct slow *s, const struct slow_sample &m, int seconds)
{
    enum slow_cause c = SLOW_NOT;
    for (int i = 0; i < seconds; i++)
        c = slow_second(s, &m);
    return c;
}

} // namespace

TEST_CASE("slow: each cause is named after some seconds")
{
    const struct {
        struct slow_sample m;
        enum slow_cause cause;
    } cases[] = {
        {sample(3, 100, 0.95), SLOW_NETWORK},
        {sample(20, 900, 0.5), SLOW_NETWORK},
        {sample(0, 0, 0, 2500), SLOW_SERVER},
        {sample(5, 0, 0.3, 0, 0.97), SLOW_MACHINE},
        {sample(5, 0, 0.3, 0, 0, 0.97), SLOW_MACHINE},
        {sample(5, 900, 1, 0, 0.97), SLOW_MACHINE}, // bytes wait because nobody reads them
        {sample(3, 100, 0.95, 2500), SLOW_NETWORK}, // answers wait behind pictures
        {sample(30, 20, 1), SLOW_NOT},              // a full link that keeps up
        {sample(0, 0, 0), SLOW_NOT},                // a still screen
        {sample(2, 0, 0.1, 300), SLOW_NOT},
        {WELL, SLOW_NOT},
    };
    for (auto &c : cases) {
        struct slow s = {};
        INFO("fps " << c.m.fps << ", queue " << c.m.queue_ms << ", busy " << c.m.busy);
        CHECK(after(&s, c.m, SLOW_ON - 1) == SLOW_NOT);
        CHECK(after(&s, c.m, 1) == c.cause);
        CHECK(after(&s, c.m, 100) == c.cause);
    }
}

TEST_CASE("slow: it does not flicker")
{
    struct slow s = {};
    const struct slow_sample bad = sample(3, 100, 0.95);

    for (int i = 0; i < 20; i++) { // bad for less than it takes, again and again
        CHECK(after(&s, bad, SLOW_ON - 1) == SLOW_NOT);
        CHECK(after(&s, WELL, 1) == SLOW_NOT);
    }
    CHECK(after(&s, bad, SLOW_ON) == SLOW_NETWORK);
    for (int i = 0; i < 20; i++) {
        CHECK(after(&s, WELL, SLOW_OFF - 1) == SLOW_NETWORK);
        CHECK(after(&s, bad, 1) == SLOW_NETWORK);
    }
    CHECK(after(&s, WELL, SLOW_OFF) == SLOW_NOT);
}

TEST_CASE("slow: another cause takes over")
{
    struct slow s = {};
    CHECK(after(&s, sample(3, 100, 0.95), SLOW_ON) == SLOW_NETWORK);
    CHECK(after(&s, sample(3, 0, 0.2, 0, 1), SLOW_ON - 1) == SLOW_NETWORK);
    CHECK(after(&s, sample(3, 0, 0.2, 0, 1), 1) == SLOW_MACHINE);
}

TEST_CASE("slow: each cause is told once, as long as it lasts the first time")
{
    struct slow_news n = {};

    CHECK(slow_tell(&n, SLOW_NOT) == SLOW_NOT);
    for (int i = 0; i < 3; i++)
        CHECK(slow_tell(&n, SLOW_NETWORK) == SLOW_NETWORK);
    CHECK(slow_tell(&n, SLOW_SERVER) == SLOW_SERVER);
    CHECK(slow_tell(&n, SLOW_NETWORK) == SLOW_NOT);
    CHECK(slow_tell(&n, SLOW_NOT) == SLOW_NOT);
    for (int i = 0; i < 3; i++) // a link on which it is always so
        CHECK(slow_tell(&n, i % 2 ? SLOW_NOT : SLOW_NETWORK) == SLOW_NOT);
    CHECK(slow_tell(&n, SLOW_MACHINE) == SLOW_MACHINE);
}
