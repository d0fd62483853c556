// The PRP of `auto`, fed with frames and requests at known rates.
#include "tests/catch.hpp"

#include "prerequest/tuner.h"

namespace
{

// A server that shows each frame of `content_ms` if a request has arrived since the last one.
void watch(tuner *t, tick_t &now, double content_ms, double seconds)
{
    tick_t end = now + (tick_t)(seconds * 1e9);
    tick_t frame = now + tick_from_ms(content_ms), request = now;
    bool asked = false;

    while (now < end) {
        now = std::min(frame, request);
        if (now == request) {
            tuner_request(t);
            asked = true;
            request += t->prp;
        }
        if (now == frame) {
            if (asked)
                tuner_frame(t, false, now);
            asked = false;
            frame += tick_from_ms(content_ms);
        }
    }
}

// Without the trial that may be under way.
tick_t found(const tuner &t)
{
    return t.trial > 0 ? t.before : t.prp;
}

} // namespace

TEST_CASE("the PRP settles between the content's period and two thirds of it")
{
    for (double fps : {10.0, 15.0, 20.0, 24.0, 30.0, 48.0, 60.0}) {
        tuner t;
        tick_t now = TICK_S;

        tuner_init(&t);
        watch(&t, now, 1000 / fps, 12);
        INFO(fps << " fps, PRP " << tick_to_ms(found(t)));
        CHECK(tick_to_ms(found(t)) < 1000 / fps);
        CHECK(tick_to_ms(found(t)) > 1000 / fps / 1.6);
    }
}

TEST_CASE("the PRP stays once it fits")
{
    tuner t;
    tick_t now = TICK_S;

    tuner_init(&t);
    watch(&t, now, 1000 / 30.0, 8);
    tick_t settled = found(t);
    watch(&t, now, 1000 / 30.0, 10);
    CHECK(found(t) <= settled);
}

TEST_CASE("the PRP follows content that changes its rate")
{
    tuner t;
    tick_t now = TICK_S;

    tuner_init(&t);
    watch(&t, now, 1000 / 60.0, 5);
    CHECK(tick_to_ms(t.prp) < 16.7);
    watch(&t, now, 100, 40);
    CHECK(tick_to_ms(found(t)) == Approx(80).epsilon(0.05));
    watch(&t, now, 1000 / 30.0, 8);
    CHECK(tick_to_ms(t.prp) < 33.4);
}

TEST_CASE("a slower PRP that costs frames is undone, and the rate stays")
{
    // looks for changes when it is asked, 30 ms after the last look at the earliest
    tuner t;
    tick_t now = TICK_S, request = now, look = now;
    unsigned frames = 0, before = 0;

    tuner_init(&t);
    for (; now < 120 * TICK_S; now = request) {
        if (now < 60 * TICK_S)
            before = frames;
        tuner_request(&t);
        if (now - look >= 30 * TICK_MS) {
            tuner_frame(&t, false, now);
            frames++;
            look = now;
        }
        request = now + t.prp;
    }
    INFO(before << " frames in the first minute, " << frames - before << " in the second");
    CHECK(tick_to_ms(found(t)) <= 16);
    CHECK(frames - before >= 60 * 31 * 0.95);
}

TEST_CASE("the PRP keeps within its bounds")
{
    tuner t;
    tick_t now = TICK_S;

    tuner_init(&t);
    watch(&t, now, 2, 10);
    CHECK(t.prp == TUNER_PRP_MIN);
    watch(&t, now, 330, 60);
    CHECK(found(t) == TUNER_PRP_MAX);
}

TEST_CASE("a pause is not mistaken for a slow rate")
{
    tuner t;
    tick_t now = TICK_S;

    tuner_init(&t);
    watch(&t, now, 1000 / 30.0, 8);
    tick_t settled = found(t);
    now += 60 * TICK_S;
    tuner_wake(&t);
    watch(&t, now, 1000 / 30.0, 1.5);
    CHECK(found(t) <= settled);
}

TEST_CASE("waking up is fast whatever was before")
{
    tuner t;
    tick_t now = TICK_S;

    tuner_init(&t);
    watch(&t, now, 330, 20);
    tuner_wake(&t);
    CHECK(t.prp == TUNER_PRP_START);
}

TEST_CASE("one hiccup of the link does not slow the PRP down")
{
    tuner t;
    tick_t now = TICK_S;

    tuner_init(&t);
    watch(&t, now, 1000 / 30.0, 8);
    tick_t settled = found(t);
    for (int i = 0; i < 40; i++) // 40 requests go out while nothing comes
        tuner_request(&t);
    now += TICK_S;
    watch(&t, now, 1000 / 30.0, 3);
    CHECK(found(t) == settled);
}
