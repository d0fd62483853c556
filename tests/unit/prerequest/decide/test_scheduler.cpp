// When requests leave with the policies `off` and `fixed`, and what all policies share.
#include "tests/catch.hpp"

#include "client.hpp"

TEST_CASE("nothing is due before there is a picture")
{
    for (auto policy : {PRP_OFF, PRP_FIXED, PRP_AUTO, PRP_THESIS}) {
        Client c(policy, 50);
        CHECK(scheduler_next(&c.s).at == TICK_NEVER);
    }
}

TEST_CASE("plain VNC asks when an update is rendered and at no other time")
{
    Client c(PRP_OFF);
    tell(c.s, EVENT_NEW_PICTURE, t0);
    c.update(300, 320);
    c.update(640, 650);
    c.run_to(10000);
    CHECK(c.sent ==
          std::vector<Sent>{{0, REQUEST_FIRST}, {320, REQUEST_REACTIVE}, {650, REQUEST_REACTIVE}});
}

TEST_CASE("a fixed PRP sends one more request whenever the client has waited that long")
{
    Client c(PRP_FIXED, 50);
    tell(c.s, EVENT_NEW_PICTURE, t0);
    c.run_to(160);
    CHECK(c.sent ==
          std::vector<Sent>{
              {0, REQUEST_FIRST}, {50, REQUEST_TIMER}, {100, REQUEST_TIMER}, {150, REQUEST_TIMER}});
}

TEST_CASE("the timer of a fixed PRP is set when the client starts to wait again")
{
    // thesis, section 3.1: 20 ms to receive and render and a PRP of 40 ms: one request in 60 ms
    Client c(PRP_FIXED, 40);
    tell(c.s, EVENT_NEW_PICTURE, t0);
    c.update(30, 50);
    c.run_to(135);
    CHECK(c.sent == std::vector<Sent>{{0, REQUEST_FIRST},
                                      {50, REQUEST_REACTIVE},
                                      {90, REQUEST_TIMER},
                                      {130, REQUEST_TIMER}});
}

TEST_CASE("plain VNC and a fixed PRP never ask because of input")
{
    for (auto policy : {PRP_OFF, PRP_FIXED}) {
        Client c(policy, 5000);
        tell(c.s, EVENT_NEW_PICTURE, t0);
        c.run_to(3000);
        c.sent.clear();
        tell_input(c.s, true, c.now_);
        c.run_to(3100);
        CHECK(c.sent.empty());
    }
}

TEST_CASE("a resize owes one non-incremental request, whatever else was owed")
{
    Client c(PRP_OFF);
    tell(c.s, EVENT_NEW_PICTURE, t0);
    c.update(10, 20);
    tell(c.s, EVENT_NEW_PICTURE, c.now_);
    c.run_to(30);
    CHECK(c.sent == std::vector<Sent>{{0, REQUEST_FIRST}, {20, REQUEST_FIRST}});
}

TEST_CASE("an update without pixels is answered too: it used up a request")
{
    for (auto policy : {PRP_OFF, PRP_AUTO}) {
        Client c(policy);
        tell(c.s, EVENT_NEW_PICTURE, t0);
        c.update(5010, 5011, false);
        c.run_to(5011);
        CHECK(c.sent.back().cause == REQUEST_REACTIVE);
    }
}

TEST_CASE("while our own socket is full nothing is due, and what is owed leaves after it")
{
    for (auto policy : {PRP_OFF, PRP_FIXED, PRP_AUTO}) {
        Client c(policy, 50);
        tell(c.s, EVENT_NEW_PICTURE, t0);
        CHECK_FALSE(scheduler_blocked(&c.s));
        tell_request(c.s, EVENT_REQUEST_SKIPPED, REQUEST_FIRST, t0);
        CHECK(scheduler_blocked(&c.s));
        tell_input(c.s, true, t0 + TICK_MS);
        CHECK(scheduler_next(&c.s).at == TICK_NEVER);
        tell(c.s, EVENT_ROOM, t0 + 20 * TICK_MS);
        CHECK(scheduler_next(&c.s).at <= t0);
        CHECK(scheduler_next(&c.s).cause == REQUEST_FIRST);
    }
}

TEST_CASE("a pre-request of a fixed PRP that could not leave is gone")
{
    Client c(PRP_FIXED, 50);
    tell(c.s, EVENT_NEW_PICTURE, t0);
    c.run_to(10);
    tell_request(c.s, EVENT_REQUEST_SKIPPED, REQUEST_TIMER, t0 + tick_from_ms(55));
    tell(c.s, EVENT_ROOM, t0 + tick_from_ms(60));
    CHECK(scheduler_next(&c.s).at == t0 + tick_from_ms(105));
}

TEST_CASE("the scheduler wants to be looked at when the screen becomes still")
{
    Client c(PRP_AUTO);
    tell(c.s, EVENT_NEW_PICTURE, t0);
    tell_request(c.s, EVENT_REQUEST_SKIPPED, REQUEST_FIRST, t0); // so nothing else is due
    CHECK(scheduler_wait(&c.s, t0) == t0 + 2 * TICK_S);
    CHECK(scheduler_wait(&c.s, t0 + 2 * TICK_S) == TICK_NEVER);
}

TEST_CASE("a server that pushes is asked for a new picture and lossless refreshes only")
{
    for (auto policy : {PRP_OFF, PRP_FIXED, PRP_AUTO}) {
        Client c(policy, 40, {0, 0, true});
        tell(c.s, EVENT_NEW_PICTURE, t0);
        c.update(10, 11);
        tell_push(c.s, true, c.now_);
        size_t before = c.sent.size();
        for (int i = 1; i < 100; i++) {
            c.update(20 + 30 * i, 25 + 30 * i);
            tell_input(c.s, true, c.now_);
        }
        CHECK(c.sent.size() == before);
        tell(c.s, EVENT_NEW_PICTURE, c.now_);
        c.run_to(5000);
        CHECK(c.sent.size() == before + 1);
        CHECK(c.sent.back().cause == REQUEST_FIRST);
        c.update(5010, 5011);
        tell_loss(c.s, {1000, false, false}, c.now_);
        CHECK((scheduler_next(&c.s).at != TICK_NEVER) == (policy == PRP_AUTO));
        if (policy == PRP_AUTO)
            CHECK(scheduler_next(&c.s).cause == REQUEST_REFRESH);
        tell_loss(c.s, {0, false, false}, c.now_);
        tell_push(c.s, false, c.now_); // it has stopped: requests go on at once
        CHECK(scheduler_next(&c.s).at <= c.now_);
        c.run_to(5100);
        CHECK(c.sent.size() > before + 1);
    }
}

TEST_CASE("plain VNC and a fixed PRP leave the quality alone")
{
    for (auto policy : {PRP_OFF, PRP_FIXED, PRP_AUTO}) {
        Client c(policy, 50);
        tell(c.s, EVENT_NEW_PICTURE, t0);
        tell_round_trip(c.s, 1, t0);
        c.run_to(10);
        tell(c.s, EVENT_UPDATE_BEGUN, c.now_);
        for (uint64_t i = 1; i <= 40; i++) { // 800 kB in 4 s
            c.run_to(10 + 100.0 * double(i));
            tell_arrived(c.s, 20000 * i, c.now_);
        }
        scheduler_update u = {true, false, true, 800000};
        tell_finished(c.s, u, c.now_);
        CHECK((scheduler_quality(&c.s, c.now_) > 0) == (policy == PRP_AUTO));
    }
}

TEST_CASE("a request says which rule wants it, with and without a timer")
{
    for (auto policy : {PRP_OFF, PRP_FIXED}) {
        Client c(policy, 50);

        CHECK(c.rule() == "none");
        tell(c.s, EVENT_NEW_PICTURE, t0);
        CHECK(c.rule() == "new picture");
        c.run_to(10);
        CHECK(c.rule() == (policy == PRP_OFF ? "none" : "beat"));
        tell(c.s, EVENT_UPDATE_BEGUN, c.now_);
        CHECK(c.rule() == "none"); // nobody waits while an update comes
        tell_finished(c.s, {true, false, true, 1000}, c.now_);
        CHECK(c.rule() == "reactive");
        tell(c.s, EVENT_NEW_PICTURE, c.now_);
        CHECK(c.rule() == "new picture"); // the first rule of the table
    }
}

TEST_CASE("an update shows something new, unless it brings what a refresh asked for")
{
    for (auto policy : {PRP_OFF, PRP_AUTO}) {
        Client c(policy);

        tell(c.s, EVENT_NEW_PICTURE, t0);
        for (bool news : {true, false}) {
            c.run_to(10);
            tell(c.s, EVENT_UPDATE_BEGUN, c.now_);
            tell_finished(c.s, {true, false, news, 1000}, c.now_);
            CHECK(scheduler_had_news(&c.s) == news);
        }
    }
}

TEST_CASE("without a policy that refreshes nothing is asked for again")
{
    for (auto policy : {PRP_OFF, PRP_FIXED, PRP_AUTO}) {
        for (bool wanted : {false, true}) {
            Client c(policy, 5000, {0, 0, wanted});

            tell(c.s, EVENT_NEW_PICTURE, t0);
            c.update(10, 11);
            tell_loss(c.s, {1000, false, false}, c.now_);
            tell_push(c.s, true, c.now_); // so nothing else is due
            CHECK((scheduler_next(&c.s).at != TICK_NEVER) == (policy == PRP_AUTO && wanted));
        }
    }
}

TEST_CASE("the log is told what is known of the connection")
{
    Client c(PRP_OFF);

    CHECK(scheduler_facts(&c.s).round_trip == 0);
    tell(c.s, EVENT_NEW_PICTURE, t0);
    tell_round_trip(c.s, 80, t0);
    c.run_to(100);
    CHECK(scheduler_facts(&c.s).in_flight == 1);
    tell(c.s, EVENT_UPDATE_BEGUN, c.now_);
    c.now_ += 10 * TICK_MS;
    tell_finished(c.s, {true, false, true, 101460}, c.now_);
    struct scheduler_facts f = scheduler_facts(&c.s);
    CHECK(f.round_trip == 80 * TICK_MS);
    CHECK(f.rate == Approx(10e6)); // without the packet that began it
    CHECK(f.queue == 0);
    CHECK(f.busy == Approx(0.00995).epsilon(0.001)); // 1 - exp(-10 ms / 1 s)
    CHECK(f.in_flight == 0);
    CHECK(f.quality_why == std::string("not changed"));
    CHECK(scheduler_refresh_pixels(&c.s) == Approx(500000)); // a tenth of a second, 2 bytes each
    CHECK(scheduler_decide(&c.s, c.now_).next.cause == REQUEST_REACTIVE);
    CHECK(scheduler_decide(&c.s, c.now_).quality == 0);
    CHECK_FALSE(scheduler_decide(&c.s, c.now_).lossless);
}

TEST_CASE("the period in force is none, the one that was fixed, or 16 ms at first")
{
    const double expected[] = {0, 40, 16}; // ms

    for (auto policy : {PRP_OFF, PRP_FIXED, PRP_AUTO}) {
        Client c(policy, 40);

        tell(c.s, EVENT_NEW_PICTURE, t0);
        CHECK(tick_to_ms(scheduler_prp(&c.s)) == expected[policy]);
        tell_push(c.s, true, t0);
        CHECK(scheduler_prp(&c.s) == 0);
    }
}

TEST_CASE("what a server pushes says nothing about requests")
{
    Client c(PRP_OFF);

    tell_round_trip(c.s, 100, t0); // so the update below answers one request at most
    tell(c.s, EVENT_NEW_PICTURE, t0);
    c.run_to(0);
    tell_push(c.s, true, c.now_);
    tell(c.s, EVENT_NEW_PICTURE, c.now_);
    c.run_to(10);
    CHECK(scheduler_facts(&c.s).in_flight == 2);
    c.update(20, 30);
    CHECK(scheduler_facts(&c.s).in_flight == 0);
}
