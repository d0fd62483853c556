// Lossless refreshes as a part of the policy `auto`.
#include "tests/catch.hpp"

#include "client.hpp"

namespace
{

// A refresh is asked for: since half a second after the first picture, at 700 ms.
Client refreshing()
{
    Client c(PRP_AUTO, 0, {0, 0, true});

    tell_round_trip(c.s, 20, t0);
    tell(c.s, EVENT_NEW_PICTURE, t0);
    c.update(20, 25);
    tell_loss(c.s, {100000, false, false}, c.now_);
    c.update(490, 491); // something small, so that nothing is owed
    c.run_to(499);
    CHECK_FALSE(scheduler_refreshing(&c.s));
    c.sent.clear();
    c.run_to(700);
    CHECK(scheduler_refreshing(&c.s));
    return c;
}

} // namespace

TEST_CASE("a caret that blinks does not keep the rest of the screen lossy")
{
    Client c(PRP_AUTO, 0, {0, 0, true});
    tell(c.s, EVENT_NEW_PICTURE, t0);
    tell_round_trip(c.s, 20, t0);
    c.update(20, 25);
    c.run_to(30);
    tell(c.s, EVENT_UPDATE_BEGUN, c.now_);
    c.run_to(40);
    tell_finished(c.s, {true, false, true, 50000}, c.now_);
    // as many as take 600 ms
    scheduler_loss loss = {uint64_t(0.6 * scheduler_facts(&c.s).rate / 2), false, false};
    tell_loss(c.s, loss, c.now_);
    c.update(530, 531);
    tell_loss(c.s, loss, c.now_);
    while (scheduler_next(&c.s).at < t0 + tick_from_ms(1000)) {
        tick_t now = scheduler_next(&c.s).at;
        if (scheduler_next(&c.s).cause == REQUEST_REFRESH)
            break;
        tell_request(c.s, EVENT_REQUEST_SENT, scheduler_next(&c.s).cause, now);
    }
    CHECK(scheduler_next(&c.s).cause == REQUEST_REFRESH);
    CHECK(tick_to_ms(scheduler_next(&c.s).at - t0) == Approx(640));
}

TEST_CASE("during a refresh slices leave every 100 ms, and requests every 50 ms")
{
    Client c = refreshing();

    CHECK(tick_to_ms(scheduler_prp(&c.s)) == 50);
    for (double ms : {500, 600, 700})
        CHECK(std::count(c.sent.begin(), c.sent.end(), Sent{ms, REQUEST_REFRESH}) == 1);
    CHECK(std::count_if(c.sent.begin(), c.sent.end(),
                        [](const Sent &s) { return s.cause == REQUEST_TIMER && s.ms > 505; }) == 4);
}

TEST_CASE("what a refresh asked for, and something small beside it, do not end it")
{
    Client c = refreshing();

    tell(c.s, EVENT_UPDATE_BEGUN, c.now_);
    tell_finished(c.s, {true, false, false, 50000}, c.now_);
    CHECK(scheduler_refreshing(&c.s));
    tell(c.s, EVENT_UPDATE_BEGUN, c.now_);
    tell_finished(c.s, {true, false, true, 4000}, c.now_);
    CHECK(scheduler_refreshing(&c.s));
    CHECK_FALSE(scheduler_had_news(&c.s));
    c.sent.clear();
    c.run_to(800);
    for (const Sent &sent : c.sent)
        CHECK(sent.cause != REQUEST_REACTIVE);
}

TEST_CASE("what ends a refresh is told to the server with the next request, at once")
{
    for (int reason = 0; reason < 5; reason++) {
        Client c = refreshing();
        tick_t now = c.now_;

        if (reason == 0) { // news
            tell(c.s, EVENT_UPDATE_BEGUN, now);
            tell_finished(c.s, {true, false, true, 4001}, now);
            CHECK(scheduler_had_news(&c.s));
        } else if (reason == 1) { // a key, which needs no request of its own
            tell_input(c.s, true, now);
        } else if (reason == 2) { // all has come
            tell_loss(c.s, {0, false, false}, now);
        } else if (reason == 3) { // it came with loss again
            tell_loss(c.s, {50000, false, true}, now);
        } else { // nothing came
            now += 5 * TICK_S - 1;
            tell(c.s, EVENT_TIME, now);
            CHECK(scheduler_refreshing(&c.s));
            tell(c.s, EVENT_TIME, ++now);
        }
        INFO(reason);
        CHECK_FALSE(scheduler_refreshing(&c.s));
        CHECK(scheduler_next(&c.s).at <= now);
        CHECK(scheduler_next(&c.s).cause == REQUEST_REACTIVE);
    }
}

TEST_CASE("what a refresh asked for is no frame")
{
    Client c = refreshing();
    tick_t frame = c.s.frame_at;

    for (bool news : {false, true}) {
        tell(c.s, EVENT_UPDATE_BEGUN, c.now_);
        tell_finished(c.s, {true, false, news, 50000}, c.now_);
        CHECK((c.s.frame_at == frame) == !news);
    }
}

TEST_CASE("a slice that could not leave does so when there is room")
{
    Client c = refreshing();

    while (scheduler_next(&c.s).cause != REQUEST_REFRESH)
        c.run_to(tick_to_ms(scheduler_next(&c.s).at - t0));
    tick_t due = scheduler_next(&c.s).at;
    REQUIRE(tick_to_ms(due - t0) == 800);
    tell_request(c.s, EVENT_REQUEST_SKIPPED, REQUEST_REFRESH, due);
    c.run_to(900);
    CHECK(c.sent.back().cause != REQUEST_REFRESH);
    tell(c.s, EVENT_ROOM, c.now_);
    c.run_to(900);
    CHECK(std::count(c.sent.begin(), c.sent.end(), Sent{900, REQUEST_REFRESH}) == 1);
}

TEST_CASE("a refresh of a still screen asks every 50 ms at once")
{
    Client c(PRP_AUTO, 0, {2, 0, true}); // so seldom that the server has room for more

    tell_round_trip(c.s, 20, t0);
    tell(c.s, EVENT_NEW_PICTURE, t0);
    c.run_to(20);
    tell(c.s, EVENT_UPDATE_BEGUN, c.now_);
    c.run_to(30);
    tell_finished(c.s, {true, false, true, 101460}, c.now_); // 10 MB/s
    tell_loss(c.s, {15000000, false, false}, c.now_);        // takes 3 s
    c.run_to(3029);
    CHECK_FALSE(scheduler_refreshing(&c.s));
    REQUIRE(scheduler_prp(&c.s) == 500 * TICK_MS);
    c.sent.clear();
    c.run_to(3080);
    REQUIRE(c.sent.front() == Sent{3030, REQUEST_REFRESH});
    CHECK(c.sent.size() == 2);
    CHECK(c.sent.back() == Sent{3080, REQUEST_TIMER});
}

TEST_CASE("input delays a refresh, as movement does")
{
    Client c(PRP_AUTO, 0, {0, 0, true});

    tell_round_trip(c.s, 20, t0);
    tell(c.s, EVENT_NEW_PICTURE, t0);
    c.update(20, 25);
    tell_loss(c.s, {1000, false, false}, c.now_);
    c.run_to(400);
    tell_input(c.s, false, c.now_);
    c.run_to(899);
    CHECK_FALSE(scheduler_refreshing(&c.s));
    c.run_to(900);
    CHECK(scheduler_refreshing(&c.s));
}
