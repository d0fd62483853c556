// When requests leave with the policy `auto`.
#include "tests/catch.hpp"

#include "client.hpp"

TEST_CASE("auto keeps its beat while an update is being received")
{
    Client c(PRP_AUTO);
    tell(c.s, EVENT_NEW_PICTURE, t0);
    c.update(10, 11);
    c.update(40, 120);
    CHECK(c.sent == std::vector<Sent>{{0, REQUEST_FIRST},
                                      {16, REQUEST_TIMER},
                                      {32, REQUEST_TIMER},
                                      {48, REQUEST_TIMER},
                                      {64, REQUEST_TIMER},
                                      {80, REQUEST_TIMER},
                                      {96, REQUEST_TIMER},
                                      {112, REQUEST_TIMER}});
}

TEST_CASE("auto asks a near server when an update comes, and a far one by the timer")
{
    for (double rtt : {2, 100}) {
        Client c(PRP_AUTO);
        tell(c.s, EVENT_NEW_PICTURE, t0);
        tell_round_trip(c.s, rtt, t0);
        c.update(100, 101);
        c.run_to(110);
        c.update(147, 148);
        CHECK(std::count(c.sent.begin(), c.sent.end(), Sent{147, REQUEST_REACTIVE}) == (rtt < 10));
        for (int i = 0; i < 200; i++)
            c.update(200 + 33 * i, 201 + 33 * i);
        c.sent.clear();
        for (int i = 200; i < 300; i++)
            c.update(200 + 33 * i, 201 + 33 * i);
        CHECK(c.sent.size() <= (rtt < 10 ? 102u : 127u));
    }
}

TEST_CASE("auto asks carefully until something has arrived")
{
    Client c(PRP_AUTO);
    tell(c.s, EVENT_NEW_PICTURE, t0);
    c.run_to(200);
    CHECK(c.sent == std::vector<Sent>{{0, REQUEST_FIRST}, {16, REQUEST_TIMER}});
    c.run_to(300); // but not for ever
    CHECK(c.sent.size() == 3);
}

TEST_CASE("auto asks a still screen ever less, and input ends that at once")
{
    Client c(PRP_AUTO);
    tell(c.s, EVENT_NEW_PICTURE, t0);
    c.update(10, 11);
    c.run_to(128);
    CHECK(c.sent.size() == 9); // the first, and eight that wait at the server
    c.sent.clear();
    c.run_to(4000);
    CHECK(c.sent == std::vector<Sent>{{378, REQUEST_TIMER},
                                      {745, REQUEST_TIMER},
                                      {1479, REQUEST_TIMER},
                                      {2947, REQUEST_TIMER}});

    c.run_to(4010);
    c.sent.clear();
    tell_input(c.s, true, c.now_);
    c.update(4030, 4031);
    c.run_to(4068);
    CHECK(c.sent == std::vector<Sent>{{4010, REQUEST_INPUT},
                                      {4030, REQUEST_TIMER},
                                      {4036, REQUEST_TIMER},
                                      {4052, REQUEST_TIMER},
                                      {4068, REQUEST_TIMER}});
}

TEST_CASE("a still screen is asked ever less, but for a minute where requests are merged")
{
    for (server_kind_type kind : {SERVER_UNKNOWN, SERVER_MERGES}) {
        Client c(PRP_AUTO);
        tell_round_trip(c.s, 50, t0);
        tell(c.s, EVENT_NEW_PICTURE, t0);
        c.update(60, 61);
        c.s.path.server.type = kind;
        c.run_to(40000);
        size_t before = c.sent.size();
        c.run_to(50000);
        if (kind == SERVER_MERGES)
            CHECK(c.sent.size() - before == 40);
        else
            CHECK(c.sent.size() - before <= 2);
        c.run_to(200000);
        before = c.sent.size();
        c.run_to(300000);
        CHECK(c.sent.size() - before <= 11);
        CHECK(c.sent.size() - before >= 9); // every ten seconds, after all
    }
}

TEST_CASE("an update wakes a relaxed auto at once")
{
    Client c(PRP_AUTO);
    tell(c.s, EVENT_NEW_PICTURE, t0);
    c.run_to(5000);
    c.sent.clear();
    c.update(5001, 5002);
    c.run_to(5050);
    CHECK(c.sent == std::vector<Sent>{{5001, REQUEST_REACTIVE},
                                      {5017, REQUEST_TIMER},
                                      {5033, REQUEST_TIMER},
                                      {5049, REQUEST_TIMER}});
}

TEST_CASE("a long update is no pause: auto does not start afresh after it")
{
    Client c(PRP_AUTO);
    tell(c.s, EVENT_NEW_PICTURE, t0);
    for (int i = 1; i < 10; i++)
        c.update(5000 * i - 4900, 5000 * i);
    CHECK(tick_to_ms(scheduler_prp(&c.s)) >= 200);
}

TEST_CASE("after a stall requests leave again as soon as the path is fast")
{
    Client c(PRP_AUTO);
    tell(c.s, EVENT_NEW_PICTURE, t0);
    tell_round_trip(c.s, 20, t0);
    c.update(20, 25);
    c.update(100, 8000); // eight seconds
    c.run_to(9000);
    for (int i = 0; i < 5; i++)
        c.update(9000 + 100 * i, 9005 + 100 * i);
    c.run_to(9500);
    size_t before = c.sent.size();
    c.run_to(10500);
    CHECK(c.sent.size() - before >= 3);
}

TEST_CASE("silence after something that is no update is no run")
{
    Client c(PRP_AUTO);
    tell(c.s, EVENT_NEW_PICTURE, t0);
    tell_round_trip(c.s, 20, t0);
    for (int i = 1; i < 20; i++)
        c.update(50 * i, 50 * i + 5);
    tell(c.s, EVENT_UPDATE_BEGUN, c.now_);
    scheduler_update u = {true, true, true, 1000}; // a bell is behind it
    tell_finished(c.s, u, c.now_);
    tell(c.s, EVENT_RAN_DRY, c.now_);
    double service = c.s.path.service.time;
    c.update(2500, 2505);
    CHECK(c.s.path.service.time <= service + double(TICK_MS));
}

TEST_CASE("each rule of auto wants a request where it says")
{
    Client c(PRP_AUTO, 0, {0, 0, true}), slow(PRP_AUTO);

    tell_round_trip(c.s, 50, t0);
    tell(c.s, EVENT_NEW_PICTURE, t0);
    CHECK(c.rule() == "new picture");
    c.run_to(0);
    CHECK(c.rule() == "beat");
    c.run_to(20);
    CHECK(c.rule() == "held"); // two are in flight, and nothing has come yet
    c.update(60, 61);
    c.run_to(3000);
    tell_input(c.s, true, c.now_);
    CHECK(c.rule() == "input");
    c.run_to(6000);
    tell(c.s, EVENT_UPDATE_BEGUN, c.now_);
    CHECK(c.rule() == "reactive");
    tell_finished(c.s, {true, false, true, 5000}, c.now_);
    tell_loss(c.s, {1000, false, false}, c.now_);
    c.rules.clear();
    c.run_to(6499);
    CHECK(c.rules.count("refresh") == 0);
    c.run_to(6500);
    CHECK(c.rules.count("refresh") == 1);

    tell_round_trip(slow.s, 50, t0);
    tell(slow.s, EVENT_NEW_PICTURE, t0);
    for (int i = 1; i < 10; i++) // the path answers one in a second
        slow.update(1200 * i, 1200 * i + 950);
    CHECK(slow.rules.count("nothing comes") == 0);
    while (scheduler_facts(&slow.s).in_flight > 0)
        slow.update(tick_to_ms(slow.now_ - t0) + 100, tick_to_ms(slow.now_ - t0) + 101);
    CHECK(slow.rule() == "nothing comes");
    CHECK(scheduler_next(&slow.s).at == slow.now_ + 250 * TICK_MS);
}

TEST_CASE("requests are no closer than the user allows, near and far")
{
    for (double rtt : {2, 100}) {
        Client c(PRP_AUTO, 0, {10, 0, false});

        tell_round_trip(c.s, rtt, t0);
        tell(c.s, EVENT_NEW_PICTURE, t0);
        for (int i = 1; i < 100; i++) {
            c.update(30 * i, 30 * i + 1);
            if (i % 10 == 0)
                tell_input(c.s, true, c.now_);
        }
        for (size_t i = 1; i < c.sent.size(); i++)
            CHECK(c.sent[i].ms - c.sent[i - 1].ms >= 100);
        CHECK(c.sent.size() >= 28);
    }
}

TEST_CASE("a pre-request that leaves late does not delay the next one")
{
    Client c(PRP_AUTO);

    tell(c.s, EVENT_NEW_PICTURE, t0);
    c.update(10, 11);
    tick_t due = scheduler_next(&c.s).at;
    REQUIRE(tick_to_ms(due - t0) == 16);
    tell_request(c.s, EVENT_REQUEST_SENT, REQUEST_TIMER, due + 5 * TICK_MS);
    CHECK(scheduler_next(&c.s).at == due + 16 * TICK_MS);
    due += 16 * TICK_MS; // one that was missed altogether is gone
    tell_request(c.s, EVENT_REQUEST_SENT, REQUEST_TIMER, due + 40 * TICK_MS);
    CHECK(scheduler_next(&c.s).at == due + 56 * TICK_MS);
}

TEST_CASE("auto tries a pre-request that could not leave one period later")
{
    Client c(PRP_AUTO);

    tell(c.s, EVENT_NEW_PICTURE, t0);
    c.update(10, 11);
    tick_t due = scheduler_next(&c.s).at;
    tell_request(c.s, EVENT_REQUEST_SKIPPED, REQUEST_TIMER, due);
    CHECK(scheduler_next(&c.s).at == TICK_NEVER); // while our own socket is full
    tell(c.s, EVENT_ROOM, due + 2 * TICK_MS);
    CHECK(scheduler_next(&c.s).at == due + 16 * TICK_MS);
}

TEST_CASE("a near server is asked 10 ms after the last request at the earliest")
{
    Client c(PRP_AUTO);

    tell(c.s, EVENT_NEW_PICTURE, t0);
    tell_round_trip(c.s, 2, t0);
    c.update(100, 101);
    c.run_to(116);
    REQUIRE(c.sent.back() == Sent{116, REQUEST_TIMER});
    c.update(119, 120); // answers it
    c.run_to(125);
    CHECK(c.sent.back() == Sent{116, REQUEST_TIMER});
    c.run_to(126);
    CHECK(c.sent.back() == Sent{126, REQUEST_TIMER});
    c.update(137, 138);
    CHECK(c.sent.back() == Sent{137, REQUEST_REACTIVE});
}

TEST_CASE("an update from a near server asks only when no request is in flight")
{
    Client c(PRP_AUTO);

    tell(c.s, EVENT_NEW_PICTURE, t0);
    tell_round_trip(c.s, 5, t0);
    c.update(100, 101);
    c.run_to(134);
    REQUIRE(c.sent[c.sent.size() - 1] == Sent{132, REQUEST_TIMER}); // it is still on its way
    REQUIRE(c.sent[c.sent.size() - 2] == Sent{116, REQUEST_TIMER});
    size_t before = c.sent.size();
    c.update(134, 147);
    CHECK(c.sent.size() == before);
}

TEST_CASE("while an update comes, and there is no room, no request leaves")
{
    Client c(PRP_AUTO);

    tell(c.s, EVENT_NEW_PICTURE, t0);
    tell_round_trip(c.s, 20, t0);
    c.run_to(30);
    tell(c.s, EVENT_UPDATE_BEGUN, c.now_);
    c.run_to(9000);
    CHECK(c.sent.back().ms < 100); // two may be in flight
    CHECK(scheduler_next(&c.s).at == TICK_NEVER);
}

TEST_CASE("after a rest twice as many requests may be in flight for four round trips")
{
    for (auto type : {SERVER_UNKNOWN, SERVER_COUNTS}) {
        Client c(PRP_AUTO);

        tell_round_trip(c.s, 160, t0);
        tell(c.s, EVENT_NEW_PICTURE, t0);
        c.update(200, 201);
        c.run_to(5000);
        path_forget_requests(&c.s.path);
        c.s.path.server.type = type;
        c.update(5001, 5002);
        // before *held* asks
        c.run_to(type == SERVER_COUNTS ? 5390 : 5640);
        // 2 x 160 / 16, and 8 that may wait there; where it counts 160 / 16
        CHECK(scheduler_facts(&c.s).in_flight == (type == SERVER_COUNTS ? 10 : 28));
    }
}

TEST_CASE("what moves again is asked fast, however slow it was before")
{
    Client c(PRP_AUTO);

    tell(c.s, EVENT_NEW_PICTURE, t0);
    for (int i = 1; i < 40; i++) // two updates a second
        c.update(500 * i, 500 * i + 1);
    REQUIRE(tick_to_ms(scheduler_prp(&c.s)) == 200);
    c.update(30000, 30001);
    CHECK(tick_to_ms(scheduler_prp(&c.s)) == 16);
}

TEST_CASE("where the path is the limit the content's period is left alone")
{
    Client c(PRP_AUTO);

    tell_round_trip(c.s, 50, t0);
    tell(c.s, EVENT_NEW_PICTURE, t0);
    for (int i = 1; i < 100; i++)
        c.update(220 * i, 220 * i + 200);
    CHECK(tick_to_ms(c.s.period.prp) == 16);
    CHECK(c.s.period.window_start == TICK_NEVER);
}

TEST_CASE("when a slow path becomes faster the next request is brought forward")
{
    Client c(PRP_AUTO);

    tell(c.s, EVENT_NEW_PICTURE, t0);
    tell_round_trip(c.s, 20, t0);
    c.update(20, 25);
    c.update(100, 8000); // eight seconds
    for (int i = 0; i < 10; i++) {
        c.update(9000 + 100 * i, 9005 + 100 * i);
        CHECK(c.s.asking.timer <= c.now_ + scheduler_prp(&c.s));
    }
}

TEST_CASE("a request that nothing asks for keeps to the limits of the user")
{
    // the path answers one in a second
    Client unlimited(PRP_AUTO), fps(PRP_AUTO, 0, {2, 0, false}), rate(PRP_AUTO, 0, {0, 500, false});

    for (Client *c : {&unlimited, &fps, &rate}) {
        tell_round_trip(c->s, 50, t0);
        tell(c->s, EVENT_NEW_PICTURE, t0);
        for (int i = 1; i < 10; i++)
            c->update(1200 * i, 1200 * i + 950);
        while (scheduler_facts(&c->s).in_flight > 0)
            c->update(tick_to_ms(c->now_ - t0) + 100, tick_to_ms(c->now_ - t0) + 101);
    }
    CHECK(scheduler_next(&unlimited.s).at == unlimited.now_ + 250 * TICK_MS);
    CHECK(scheduler_next(&fps.s).at == fps.now_ + 500 * TICK_MS);
    CHECK(scheduler_next(&rate.s).at > rate.now_ + 1000 * TICK_MS); // 1000 bytes take 2 s
}

TEST_CASE("a server that sends although nobody asks is found to count, by a probe")
{
    Client c(PRP_AUTO);
    double longest = 0;

    tell_round_trip(c.s, 100, t0);
    tell(c.s, EVENT_NEW_PICTURE, t0);
    for (int i = 1; i < 600; i++)
        c.update(100 + 33 * i, 101 + 33 * i);
    CHECK(server_kind_counts(&c.s.path.server));
    for (size_t i = 1; i < c.sent.size(); i++)
        if (c.sent[i].ms > 1000)
            longest = std::max(longest, c.sent[i].ms - c.sent[i - 1].ms);
    CHECK(longest > 180); // 35 ms, and 4.5 gaps of 33 ms
}
