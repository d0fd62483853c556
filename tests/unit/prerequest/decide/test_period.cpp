// The PRP of `auto`, fed with frames and requests at known rates.
#include "tests/catch.hpp"

#include <algorithm>

#include "prerequest/decide/period.h"

namespace
{

void frame_at(period *p, bool updates_ask, tick_t now)
{
    struct period_frames frames = {updates_ask, false};

    period_frame(p, &frames, now);
}

// A server that shows each frame of `content_ms` if a request has arrived since the last one.
void watch(period *p, tick_t &now, double content_ms, double seconds)
{
    tick_t end = now + (tick_t)(seconds * 1e9);
    tick_t frame = now + tick_from_ms(content_ms), request = now;
    bool asked = false;

    while (now < end) {
        now = std::min(frame, request);
        if (now == request) {
            period_request(p);
            asked = true;
            request += p->prp;
        }
        if (now == frame) {
            if (asked)
                frame_at(p, false, now);
            asked = false;
            frame += tick_from_ms(content_ms);
        }
    }
}

// Without the trial that may be under way.
tick_t found(const period &p)
{
    return p.trial > 0 ? p.before : p.prp;
}

// Seconds that are told one by one, each with so many frames and requests.
struct Seconds {
    period p;
    tick_t now = 1000 * TICK_S;

    explicit Seconds(double prp_ms = 16)
    {
        period_init(&p);
        p.prp = tick_from_ms(prp_ms);
        frame_at(&p, false, now); // it opens the first second
    }

    // Returns the PRP after it, ms.
    double second(int frames, int requests, bool updates_ask = false)
    {
        tick_t start = now;

        for (int i = 0; i < requests; i++)
            period_request(&p);
        for (int i = 1; i <= frames; i++) {
            now = start + i * TICK_S / frames;
            frame_at(&p, updates_ask, now);
        }
        return tick_to_ms(p.prp);
    }

    // Requests are wasted, with 50 frames per second and a PRP of 10 ms: 16 ms is tried.
    void waste()
    {
        for (int i = 0; i < 3; i++)
            second(50, 100);
        REQUIRE(tick_to_ms(p.prp) == Approx(16));
        REQUIRE(p.trial == 4);
    }
};

} // namespace

TEST_CASE("the PRP settles between the content's period and two thirds of it")
{
    for (double fps : {10.0, 15.0, 20.0, 24.0, 30.0, 48.0, 60.0}) {
        period p;
        tick_t now = TICK_S;

        period_init(&p);
        watch(&p, now, 1000 / fps, 12);
        INFO(fps << " fps, PRP " << tick_to_ms(found(p)));
        CHECK(tick_to_ms(found(p)) < 1000 / fps);
        CHECK(tick_to_ms(found(p)) > 1000 / fps / 1.6);
    }
}

TEST_CASE("the PRP stays once it fits")
{
    period p;
    tick_t now = TICK_S;

    period_init(&p);
    watch(&p, now, 1000 / 30.0, 8);
    tick_t settled = found(p);
    watch(&p, now, 1000 / 30.0, 10);
    CHECK(found(p) <= settled);
}

TEST_CASE("the PRP follows content that changes its rate")
{
    period p;
    tick_t now = TICK_S;

    period_init(&p);
    watch(&p, now, 1000 / 60.0, 5);
    CHECK(tick_to_ms(p.prp) < 16.7);
    watch(&p, now, 100, 40);
    CHECK(tick_to_ms(found(p)) == Approx(80).epsilon(0.05));
    watch(&p, now, 1000 / 30.0, 8);
    CHECK(tick_to_ms(p.prp) < 33.4);
}

TEST_CASE("a slower PRP that costs frames is undone, and the rate stays")
{
    // looks for changes when it is asked, 30 ms after the last look at the earliest
    period p;
    tick_t now = TICK_S, request = now, look = now;
    unsigned frames = 0, before = 0;

    period_init(&p);
    for (; now < 120 * TICK_S; now = request) {
        if (now < 60 * TICK_S)
            before = frames;
        period_request(&p);
        if (now - look >= 30 * TICK_MS) {
            frame_at(&p, false, now);
            frames++;
            look = now;
        }
        request = now + p.prp;
    }
    INFO(before << " frames in the first minute, " << frames - before << " in the second");
    CHECK(tick_to_ms(found(p)) <= 16);
    CHECK(frames - before >= 60 * 31 * 0.95);
}

TEST_CASE("the PRP keeps within its bounds")
{
    period p;
    tick_t now = TICK_S;

    period_init(&p);
    watch(&p, now, 2, 10);
    CHECK(tick_to_ms(p.prp) == 10);
    watch(&p, now, 330, 60);
    CHECK(tick_to_ms(found(p)) == 200);
}

TEST_CASE("a pause is not mistaken for a slow rate")
{
    period p;
    tick_t now = TICK_S;

    period_init(&p);
    watch(&p, now, 1000 / 30.0, 8);
    tick_t settled = found(p);
    now += 60 * TICK_S;
    period_wake(&p);
    watch(&p, now, 1000 / 30.0, 1.5);
    CHECK(found(p) <= settled);
}

TEST_CASE("waking up is fast whatever was before")
{
    period p;
    tick_t now = TICK_S;

    period_init(&p);
    watch(&p, now, 330, 20);
    period_wake(&p);
    CHECK(tick_to_ms(p.prp) == 16);
}

TEST_CASE("one hiccup of the link does not slow the PRP down")
{
    period p;
    tick_t now = TICK_S;

    period_init(&p);
    watch(&p, now, 1000 / 30.0, 8);
    tick_t settled = found(p);
    for (int i = 0; i < 40; i++) // 40 requests go out while nothing comes
        period_request(&p);
    now += TICK_S;
    watch(&p, now, 1000 / 30.0, 3);
    CHECK(found(p) == settled);
}

TEST_CASE("where frames keep up the PRP becomes six tenths of it, and 16 ms at most")
{
    CHECK(Seconds(18.1).second(50, 55) == Approx(10.86)); // 0.9 gaps are 18 ms
    CHECK(Seconds(17.9).second(50, 56) == Approx(17.9));
    CHECK(Seconds(36).second(50, 28) == Approx(16)); // 21.6 would be more
    CHECK(Seconds(150).second(7, 7) == Approx(16));  // in one step
    CHECK(Seconds(16).second(80, 63) == Approx(10)); // 9.6 would be less than the least
}

TEST_CASE("requests that are wasted for two seconds in a row make the PRP 0.8 gaps, on trial")
{
    Seconds s, single;

    CHECK(s.second(25, 63) == Approx(16)); // what was before shows in the first second
    CHECK(s.second(25, 63) == Approx(16));
    CHECK(s.second(25, 33) == Approx(32)); // 33 are more than 1.3 x 25; 0.8 x 40 ms
    CHECK(s.p.trial == 4);
    for (int i = 0; i < 20; i++) // never two in a row
        CHECK(single.second(25, i % 2 ? 63 : 32) == Approx(16));
}

TEST_CASE("the PRP becomes no more than four times as long at once")
{
    Seconds s(10);

    for (int i = 0; i < 3; i++)
        s.second(5, 100); // 0.8 gaps are 160 ms
    CHECK(tick_to_ms(s.p.prp) == Approx(40));
}

TEST_CASE("after four seconds a slower PRP stays unless the gap has grown by more than 3 %")
{
    for (int frames : {49, 48}) { // of 50: 2 and 4 %
        Seconds s(10);

        s.waste();
        for (int i = 0; i < 3; i++)
            CHECK(s.second(frames, 60) == Approx(16));
        CHECK(s.second(frames, 60) == Approx(frames == 49 ? 16 : 10));
        CHECK(s.p.trial == 0);
    }
}

TEST_CASE("a slower PRP that was undone is tried again after 8 s, 32 s, and every 64 s")
{
    Seconds s(10);

    s.waste();
    for (int patience : {8, 32, 64, 64}) {
        for (int i = 0; i < 4; i++)
            s.second(48, 60);
        REQUIRE(s.p.trial == 0);
        for (int i = 0; i < patience; i++) {
            s.second(50, 100);
            REQUIRE(s.p.trial == 0);
        }
        s.second(50, 100);
        REQUIRE(s.p.trial == 4);
    }
}

TEST_CASE("a slower PRP that stays is followed by the next one without delay")
{
    Seconds s(10);

    s.waste();
    for (int i = 0; i < 4; i++)
        s.second(48, 60);
    for (int i = 0; i < 9; i++)
        s.second(50, 100);
    REQUIRE(s.p.trial == 4); // the second time
    for (int i = 0; i < 4; i++)
        s.second(50, 62);
    CHECK(tick_to_ms(s.p.prp) == Approx(16));
    for (int i = 0; i < 2; i++) // the content has become slower
        s.second(25, 62);
    CHECK(tick_to_ms(s.p.prp) == Approx(32));
}

TEST_CASE("a PRP that fits is left alone")
{
    Seconds s(25);

    for (int i = 0; i < 300; i++)
        REQUIRE(s.second(30, 39) == Approx(25));
}

TEST_CASE("a restart gives up a trial and measures afresh")
{
    Seconds s(10);

    s.waste();
    period_restart(&s.p);
    CHECK(s.p.prp == 10 * TICK_MS);
    CHECK(s.p.trial == 0);
    s.now += 5 * TICK_S; // no gap
    frame_at(&s.p, false, s.now);
    for (int i = 0; i < 2; i++)
        CHECK(s.second(50, 100) == Approx(10));
    CHECK(s.second(50, 100) == Approx(16));
}

TEST_CASE("waking up gives up a trial, and forgets that one was undone")
{
    Seconds s(10);

    s.waste();
    for (int i = 0; i < 4; i++)
        s.second(48, 60);
    REQUIRE(s.p.trial == 0);
    period_wake(&s.p);
    CHECK(s.p.prp == 10 * TICK_MS); // it is short enough
    frame_at(&s.p, false, s.now);
    s.waste(); // without the 8 s
    period_wake(&s.p);
    CHECK(s.p.prp == 10 * TICK_MS);
    CHECK(s.p.trial == 0);
}

TEST_CASE("a second that began before the end of a silence does not count")
{
    Seconds s;

    s.second(25, 63);
    s.second(25, 63);
    period_ignore(&s.p, s.now + 1);
    CHECK(s.second(25, 63) == Approx(16));
    CHECK(s.second(25, 63) == Approx(32));
}

TEST_CASE("where updates ask the PRP may be twice as long, and a mistake is undone at once")
{
    CHECK(Seconds(71).second(25, 20, true) == Approx(71)); // 1.8 gaps are 72 ms
    CHECK(Seconds(73).second(25, 20, true) == Approx(16));
    for (int frames : {21, 20}) { // a gap of 47.6 and of 50 ms; 1.2 x 40 are 48
        Seconds s(20);

        for (int i = 0; i < 3; i++)
            s.second(25, 63, true);
        REQUIRE(tick_to_ms(s.p.prp) == Approx(64)); // 1.6 gaps
        CHECK(s.second(frames, 40, true) == Approx(frames == 21 ? 64 : 20));
    }
}

TEST_CASE("where updates do not ask a mistake is judged after four seconds, however bad")
{
    Seconds s(10);

    s.waste();
    for (int i = 0; i < 3; i++)
        CHECK(s.second(25, 60) == Approx(16));
    CHECK(s.second(25, 60) == Approx(10));
}

TEST_CASE("a trial is judged by its last two seconds: one that is bad does not undo it")
{
    Seconds s(10);

    s.waste();
    for (int frames : {50, 50, 50, 48}) // alone it would be 4 % worse
        s.second(frames, 60);
    CHECK(s.p.trial == 0);
    CHECK(tick_to_ms(s.p.prp) == Approx(16));
}

TEST_CASE("the PRP is not tried shorter because requests are wasted, nor longer than the longest")
{
    Seconds shorter(17), longest(200);

    for (int i = 0; i < 10; i++) {
        CHECK(shorter.second(50, 80) == Approx(17)); // 0.8 gaps are 16 ms
        longest.second(2, 10);
        CHECK(longest.p.trial == 0);
    }
}
