// What input does to requests, with the policy `auto`.
#include "tests/catch.hpp"

#include "client.hpp"

TEST_CASE("motion of the pointer does not add requests while they flow anyway")
{
    Client c(PRP_AUTO);
    tell(c.s, EVENT_NEW_PICTURE, t0);
    c.run_to(100);
    c.sent.clear();
    for (int i = 0; i < 20; i++)
        tell_input(c.s, false, c.now_);
    c.run_to(124);
    CHECK(c.sent.empty());
}

TEST_CASE("keys pressed without end do not make a storm of requests")
{
    Client c(PRP_AUTO);
    tell(c.s, EVENT_NEW_PICTURE, t0);
    tell_round_trip(c.s, 20, t0);
    for (int i = 1; i < 1000; i++) { // one a millisecond, an update every ten
        c.run_to(i);
        tell_input(c.s, true, c.now_);
        if (i % 10 == 0)
            c.update(i, i);
    }
    CHECK(c.sent.size() <= 110);
    CHECK(c.sent.size() >= 90);
}

TEST_CASE("auto's input takes a request along when the next would leave late")
{
    Client c(PRP_AUTO);
    tell(c.s, EVENT_NEW_PICTURE, t0);
    for (int i = 1; i < 40; i++) // two updates a second: the period grows to its maximum
        c.update(500 * i, 500 * i + 1);
    REQUIRE(tick_to_ms(scheduler_prp(&c.s)) == 200);
    size_t before = c.sent.size();
    c.run_to(tick_to_ms(c.s.asking.sent_at - t0) + 60);
    tell_input(c.s, true, c.now_);
    tell_input(c.s, true, c.now_);
    c.run_to(tick_to_ms(c.now_ - t0) + 9);
    CHECK(c.sent.size() == before + 1);
    CHECK(c.sent.back().cause == REQUEST_INPUT);
}

TEST_CASE("where the path is the limit input leaves the beat as it is")
{
    for (bool pressed : {false, true}) {
        Client c(PRP_AUTO);
        tell_round_trip(c.s, 50, t0);
        tell(c.s, EVENT_NEW_PICTURE, t0);
        for (int i = 1; i < 20; i++)
            c.update(220 * i, 220 * i + 200);
        tell(c.s, EVENT_UPDATE_BEGUN, c.now_);
        c.run_to(tick_to_ms(c.s.asking.sent_at - t0) + 20);
        size_t before = c.sent.size();
        tick_t due = c.s.asking.timer;
        REQUIRE(due > c.now_ + 100 * TICK_MS);
        if (pressed)
            tell_input(c.s, true, c.now_);
        c.run_to(tick_to_ms(due - t0));
        CHECK(c.sent.size() == before + 1);
        CHECK(c.sent.back().cause == REQUEST_TIMER);
    }
}

TEST_CASE("where nothing is on its way a request follows input, but not beyond the user's limit")
{
    for (double fps : {0.0, 2.0}) {
        Client c(PRP_AUTO, 0, {fps, 0, false});
        tell_round_trip(c.s, 50, t0);
        tell(c.s, EVENT_NEW_PICTURE, t0);
        for (int i = 1; i < 20; i++)
            c.update(600 * i, 600 * i + 500);
        while (!path_at_rest(&c.s.path, c.now_)) // until what was asked for must have come
            c.run_to(tick_to_ms(c.now_ - t0) + 1);
        tick_t sent = c.s.asking.sent_at, pressed = c.now_;
        tell_input(c.s, true, c.now_);
        REQUIRE(scheduler_next(&c.s).at >= pressed + 20 * TICK_MS);
        CHECK(scheduler_next(&c.s).at == (fps > 0 ? sent + TICK_S / 2 : pressed + 20 * TICK_MS));
    }
}

TEST_CASE("keys do not exceed the rate that the user allows")
{
    Client c(PRP_AUTO, 0, {0, 1000, false}); // an update's bytes, per second
    tell_round_trip(c.s, 20, t0);
    tell(c.s, EVENT_NEW_PICTURE, t0);
    for (int i = 1; i < 20; i++)
        c.update(1200 * i, 1200 * i + 5);
    while (!path_at_rest(&c.s.path, c.now_))
        c.run_to(tick_to_ms(c.now_ - t0) + 1);
    tick_t due = scheduler_next(&c.s).at;
    REQUIRE(due > c.now_ + 20 * TICK_MS);
    tell_input(c.s, true, c.now_);
    CHECK(scheduler_next(&c.s).at == due);
}

TEST_CASE("motion of the pointer takes one request along when none is about to leave")
{
    for (double after : {14, 18}) { // ms after the last request
        Client c(PRP_AUTO);

        tell(c.s, EVENT_NEW_PICTURE, t0);
        for (int i = 1; i < 40; i++) // two updates a second: the period is 200 ms
            c.update(500 * i, 500 * i + 1);
        tick_t last = c.s.asking.sent_at;
        double ms = tick_to_ms(last - t0) + 200; // the next one
        c.run_to(ms + after);
        REQUIRE(c.sent.back().ms == ms);
        size_t before = c.sent.size();
        tell_input(c.s, false, c.now_);
        c.run_to(ms + after);
        CHECK(c.sent.size() - before == (after > 16));
        if (after > 16)
            CHECK(c.sent.back().cause == REQUEST_INPUT);
        before = c.sent.size();
        c.run_to(ms + 190); // no other one follows it
        CHECK(c.sent.size() == before);
    }
}

TEST_CASE("a key that is pressed just after a request is followed by the next one soon")
{
    Client c(PRP_AUTO);

    tell(c.s, EVENT_NEW_PICTURE, t0);
    for (int i = 1; i < 40; i++)
        c.update(500 * i, 500 * i + 1);
    double ms = tick_to_ms(c.s.asking.sent_at - t0) + 200;
    c.run_to(ms + 5);
    c.sent.clear();
    tell_input(c.s, true, c.now_);
    c.run_to(ms + 100);
    CHECK(c.sent == std::vector<Sent>{{ms + 10, REQUEST_TIMER}, {ms + 20, REQUEST_TIMER}});
}

TEST_CASE("where the path is the limit input changes nothing while an answer may be on its way")
{
    for (bool rests : {false, true}) {
        Client c(PRP_AUTO);

        tell_round_trip(c.s, 50, t0);
        tell(c.s, EVENT_NEW_PICTURE, t0);
        for (int i = 1; i < 20; i++)
            c.update(600 * i, 600 * i + 500);
        while (path_at_rest(&c.s.path, c.now_) != rests)
            c.run_to(tick_to_ms(c.now_ - t0) + 1);
        tick_t due = scheduler_next(&c.s).at;
        tell_input(c.s, true, c.now_);
        CHECK((scheduler_next(&c.s).at == due) == !rests);
    }
}

TEST_CASE("the path is no limit while the content needs requests less often than that")
{
    for (double prp_ms : {40, 41}) { // the path answers one in 40.2 ms
        Client c(PRP_AUTO);

        tell_round_trip(c.s, 50, t0);
        tell(c.s, EVENT_NEW_PICTURE, t0);
        for (int i = 1; i < 100; i++)
            c.update(45 * i, 45 * i + 37);
        c.s.period.prp = tick_from_ms(prp_ms);
        tick_t due = scheduler_next(&c.s).at;
        tell_input(c.s, true, c.now_);
        CHECK((scheduler_next(&c.s).at < due) == (prp_ms > 40));
    }
}

TEST_CASE("where the path is the limit a request that input has brought forward is not sent twice")
{
    Client c(PRP_AUTO);

    tell_round_trip(c.s, 50, t0);
    tell(c.s, EVENT_NEW_PICTURE, t0);
    for (int i = 1; i < 20; i++)
        c.update(600 * i, 600 * i + 500);
    c.run_to(20000);                                  // still
    while (c.s.asking.timer <= c.now_ + 20 * TICK_MS) // until the next one is due later
        c.run_to(tick_to_ms(c.now_ - t0) + 1);
    REQUIRE(path_at_rest(&c.s.path, c.now_));
    c.sent.clear();
    tell_input(c.s, true, c.now_);
    c.run_to(tick_to_ms(c.now_ - t0));
    REQUIRE(c.sent.size() == 1);
    REQUIRE(c.sent[0].cause == REQUEST_INPUT);
    // 20 ms for the effect, and one period
    CHECK(c.s.asking.timer == c.now_ + 20 * TICK_MS + scheduler_prp(&c.s));
}
