// When the quality changes, by single updates whose need is known.
#include "tests/catch.hpp"

#include <cmath>
#include <string>

#include "prerequest/decide/quality.h"

namespace
{

const tick_t T0 = 1000 * TICK_S;

// An update as quality_update() sees it, alone, where the content's gap is 100 ms: a service time
// of 10 ms is a need of 0.1. It was asked for after the last change.
double update(quality *q, double service_ms, tick_t now, double since_ms = 100)
{
    struct quality_update u = {service_ms * 1e6, 100 * TICK_MS, since_ms * 1e6, now};

    return quality_update(q, &u, now);
}

} // namespace

TEST_CASE("the quality goes down where the content takes more than 85 % of the path, to 70 %")
{
    // 70 % are 0.78 of 89.7 %, and 0.78 of 0.78 of 115 %
    const struct {
        double service_ms;
        int step;
    } cases[] = {{84.9, 0}, {85.1, 1}, {89, 1}, {91, 2}, {114, 2}, {116, 3}};

    for (auto &c : cases) {
        quality q;
        quality_init(&q, false);
        CHECK(update(&q, c.service_ms, T0) == 1); // one update may be an accident
        CHECK(update(&q, c.service_ms, T0 + TICK_S) == Approx(std::pow(0.78, c.step)));
        CHECK(q.step == c.step);
    }
}

TEST_CASE("the quality stays where frames are so far apart that the path has time for them")
{
    quality q;

    quality_init(&q, false);
    for (int i = 0; i < 10; i++)
        CHECK(update(&q, 90, T0 + i * TICK_S, 107) == 1); // 85 % of 107 are 91
    CHECK(update(&q, 90, T0 + 10 * TICK_S, 105) < 1);
}

TEST_CASE("one update of half a second is enough to judge")
{
    quality q;

    quality_init(&q, false);
    CHECK(update(&q, 499, T0) == 1);
    quality_init(&q, false);
    CHECK(update(&q, 500, T0) < 1);
}

TEST_CASE("the quality changes twice in a second at most")
{
    quality q;

    quality_init(&q, false);
    update(&q, 86, T0);
    REQUIRE(update(&q, 86, T0) < 1);
    for (int i = 1; i < 50; i++)
        REQUIRE(update(&q, 86, T0 + i * 10 * TICK_MS) == 1);
    CHECK(quality_slower(&q, 500e6, 100 * TICK_MS, T0 + 499 * TICK_MS) == 1);
    CHECK(update(&q, 86, T0 + 500 * TICK_MS) < 1);
    CHECK(quality_slower(&q, 500e6, 100 * TICK_MS, T0 + 1000 * TICK_MS) < 1);
}

TEST_CASE("what was asked for before a change says nothing about it")
{
    quality q;
    struct quality_update u = {86e6, 100 * TICK_MS, 100e6, T0 - 1};

    quality_init(&q, false);
    update(&q, 86, T0);
    REQUIRE(update(&q, 86, T0) < 1);
    for (int i = 0; i < 10; i++)
        CHECK(quality_update(&q, &u, T0 + TICK_S) == 1);
    u.asked = T0;
    CHECK(quality_update(&q, &u, T0 + TICK_S) == 1); // the first one of the new step
    CHECK(quality_update(&q, &u, T0 + TICK_S) < 1);
}

TEST_CASE("the quality goes up one step where less than 60 % are needed for a second")
{
    quality spare, full, broken;

    for (quality *q : {&spare, &full, &broken}) {
        quality_init(q, false);
        q->step = 4;
    }
    for (int i = 0; i <= 10; i++) { // the second one, at 100 ms, is the first that is judged
        REQUIRE(update(&spare, 59, T0 + i * 100 * TICK_MS) == 1);
        update(&broken, i == 9 ? 61 : 59, T0 + i * 100 * TICK_MS);
    }
    CHECK(update(&spare, 59, T0 + 1100 * TICK_MS) == Approx(1 / 0.78));
    CHECK(spare.step == 3);
    CHECK(update(&broken, 59, T0 + 1100 * TICK_MS) == 1);
    for (int i = 0; i < 100; i++)
        REQUIRE(update(&full, 61, T0 + i * 100 * TICK_MS) == 1);
}

TEST_CASE("the quality goes up at once where less than 25 % are needed, after eight updates")
{
    quality plenty, spare;

    for (quality *q : {&plenty, &spare}) {
        quality_init(q, false);
        q->step = 4;
    }
    for (int i = 0; i < 7; i++)
        REQUIRE(update(&plenty, 24, T0) == 1);
    CHECK(update(&plenty, 24, T0) == Approx(1 / 0.78));
    for (int i = 1; i < 25; i++) // and a quarter of a second after a change
        REQUIRE(update(&plenty, 24, T0 + i * 10 * TICK_MS) == 1);
    CHECK(update(&plenty, 24, T0 + 250 * TICK_MS) == Approx(1 / 0.78));
    for (int i = 0; i < 90; i++)
        REQUIRE(update(&spare, 26, T0 + i * 10 * TICK_MS) == 1);
}

TEST_CASE("each step up that was too much doubles the wait for the next one, up to 32 s")
{
    quality q;
    tick_t now = T0;

    quality_init(&q, false);
    q.step = 4;
    for (int seconds : {1, 2, 4, 8, 16, 32, 32}) {
        double factor = 1;

        // plenty of room does not hurry any more
        for (tick_t from = now; factor == 1; now += 100 * TICK_MS) {
            factor = update(&q, seconds > 1 ? 24 : 59, now);
            // two updates, or half a second after a change, are not judged
            REQUIRE(tick_to_s(now - from) < seconds + 0.6);
            if (tick_to_s(now - from) < seconds)
                REQUIRE(factor == 1);
        }
        REQUIRE(factor > 1);
        for (factor = 1; factor == 1; now += 100 * TICK_MS)
            factor = update(&q, 86, now);
        REQUIRE(factor < 1);
    }
}

TEST_CASE("only a step up that was too much soon after doubles the wait")
{
    quality soon, late, down;

    for (quality *q : {&soon, &late, &down}) {
        quality_init(q, false);
        q->last = q == &down ? quality::QUALITY_WENT_DOWN : quality::QUALITY_WENT_UP;
        q->changed = T0;
        q->updates = 2;
        update(q, 86, T0 + (q == &late ? 4000 : 3999) * TICK_MS); // four times the wait
        REQUIRE(q->step == 1);
    }
    CHECK(soon.patience == 2 * TICK_S);
    CHECK(late.patience == TICK_S);
    CHECK(down.patience == TICK_S);
}

TEST_CASE("where the quality cannot go further down, the wait for a step up stays")
{
    quality q;

    quality_init(&q, false);
    q.step = QUALITY_COARSE; // the last step while it gives 25 frames per second
    q.last = quality::QUALITY_WENT_UP;
    q.changed = T0;
    for (int i = 1; i < 10; i++)
        REQUIRE(quality_slower(&q, 30e6, 33 * TICK_MS, T0 + i * TICK_S / 2) == 1);
    CHECK(q.patience == TICK_S);
}

TEST_CASE("where an update takes half a second, eight of them are not waited for")
{
    for (double service_ms : {499.0, 500.0}) {
        quality q;
        struct quality_update u = {service_ms * 1e6, TICK_S, 1e9, T0};

        quality_init(&q, false);
        q.step = 4;
        for (int i = 0; i < 4; i++)
            quality_update(&q, &u, T0 + i * TICK_S);
        CHECK((q.step < 4) == (service_ms >= 500));
    }
}

TEST_CASE("a path that has become slower counts only where the content takes more than 85 % of it")
{
    quality q;

    quality_init(&q, false);
    CHECK(quality_slower(&q, 84e6, 100 * TICK_MS, T0) == 1);
    CHECK(quality_slower(&q, 86e6, 100 * TICK_MS, T0) < 1);
}

TEST_CASE("the wait for a step up becomes shorter again when nothing was too much for long")
{
    for (int seconds : {32, 33}) { // eight times the wait
        quality q;

        quality_init(&q, false);
        q.patience = 4 * TICK_S;
        q.changed = q.calm_since = T0;
        q.updates = 2;
        update(&q, 59, T0 + seconds * TICK_S);
        CHECK(q.patience == (seconds == 32 ? 4 : 2) * TICK_S);
    }
}

TEST_CASE("each such time halves the wait once, however many updates arrive")
{
    quality q;
    tick_t now = T0, halved = T0;

    quality_init(&q, false);
    q.patience = 32 * TICK_S;
    q.changed = q.calm_since = T0;
    for (tick_t wait = q.patience; wait > TICK_S; wait /= 2, halved = now)
        while (q.patience == wait) { // neither room for better pictures nor too little for these
            now += 100 * TICK_MS;
            update(&q, 70, now);
            REQUIRE((q.patience < wait) == (now - halved > 8 * wait));
        }
    update(&q, 70, now + 60 * TICK_S);
    CHECK(q.patience == TICK_S);
}

TEST_CASE("the first step is coarse beyond 20 ms, the coarsest beyond 200 ms")
{
    for (bool known : {false, true}) {
        CHECK(quality_first(20 * TICK_MS, known) == (known ? 0 : 1));
        CHECK(quality_first(20 * TICK_MS + 1, known) == 6);
        CHECK(quality_first(200 * TICK_MS, known) == 6);
        CHECK(quality_first(200 * TICK_MS + 1, known) == 8);
    }
}

TEST_CASE("after a pause the quality hurries up to the step before it, and no further")
{
    quality q;

    quality_init(&q, false);
    q.step = 4;
    update(&q, 50, T0);
    quality_wake(&q, 6, 0, T0);
    for (int i = 1; i < 21; i++) { // a quarter of a second for each step
        update(&q, 50, T0 + i * 100 * TICK_MS);
        CHECK(q.step == (i < 3 ? 6 : i < 6 ? 5 : 4));
    }
    update(&q, 50, T0 + 2100 * TICK_MS); // half a second, and one of room
    CHECK(q.step == 3);
}

TEST_CASE("after a pause the quality does not hurry to a step that has not shown that it fits")
{
    quality fresh, known;

    for (quality *q : {&fresh, &known}) {
        quality_init(q, false);
        if (q == &known)
            update(q, 50, T0);
        CHECK(quality_wake(q, 6, 0, T0) == Approx(std::pow(0.78, 6)));
        for (int i = 1; i <= 9; i++)
            update(q, 50, T0 + i * 100 * TICK_MS);
    }
    CHECK(fresh.step == 6);
    CHECK(known.step < 6);
}

TEST_CASE("the quality says in words why it changed")
{
    quality q;

    quality_init(&q, false);
    CHECK(quality_why(&q) == std::string("not changed"));
    quality_wake(&q, 6, 0, T0);
    CHECK(quality_why(&q) == std::string("the screen was still"));
    quality_slower(&q, 500e6, 100 * TICK_MS, T0 + TICK_S);
    CHECK(quality_why(&q) == std::string("the path was full"));
    for (int i = 0; i < 20; i++)
        update(&q, 1, T0 + (2 + i) * TICK_S);
    CHECK(quality_why(&q) == std::string("the path had room"));
}
