// VNC-HL's requests to the letter of its thesis (--requests thesis), beside those of a fixed PRP.
#include "tests/catch.hpp"

#include "client.hpp"

namespace
{

// All that has come until then is read.
void run_dry(Client &c, double ms)
{
    c.run_to(ms);
    tell(c.s, EVENT_RAN_DRY, c.now_);
}

} // namespace

TEST_CASE("thesis: a request leaves when an update is drawn, then the timer runs")
{
    // section 3.1: 20 ms to receive and render and a PRP of 40 ms: one request in 60 ms
    Client c(PRP_THESIS, 40);
    tell(c.s, EVENT_NEW_PICTURE, t0);
    c.update(30, 50);
    run_dry(c, 50);
    c.run_to(135);
    CHECK(c.sent == std::vector<Sent>{{0, REQUEST_FIRST},
                                      {50, REQUEST_REACTIVE},
                                      {90, REQUEST_TIMER},
                                      {130, REQUEST_TIMER}});
    CHECK(tick_to_ms(scheduler_prp(&c.s)) == 40);
}

TEST_CASE("thesis: the timer is set when the client waits again, whatever it has done before")
{
    for (auto policy : {PRP_FIXED, PRP_THESIS}) {
        Client told(policy, 40), typed(policy, 40);
        bool anew = policy == PRP_THESIS;
        std::vector<Sent> sent = {{0, REQUEST_FIRST}, {anew ? 65.0 : 40.0, REQUEST_TIMER}};

        tell(told.s, EVENT_NEW_PICTURE, t0);
        run_dry(told, 25); // a bell, for example
        tell(typed.s, EVENT_NEW_PICTURE, t0);
        typed.run_to(25);
        tell_input(typed.s, true, typed.now_);
        for (Client *c : {&told, &typed}) {
            c->run_to(70);
            CHECK(c->sent == sent);
        }
    }
}

TEST_CASE("thesis: no timer runs while bytes wait to be read")
{
    for (auto policy : {PRP_FIXED, PRP_THESIS}) {
        Client c(policy, 40);

        tell(c.s, EVENT_NEW_PICTURE, t0);
        c.run_to(10);
        tell(c.s, EVENT_UPDATE_BEGUN, c.now_);
        CHECK(c.rule() == "none");
        tell_finished(c.s, {true, true, true, 1000}, c.now_); // the next one is here, too
        c.run_to(200);
        CHECK(c.rule() == (policy == PRP_THESIS ? "none" : "beat"));
        CHECK((c.sent.size() == 2) == (policy == PRP_THESIS));
        if (policy == PRP_FIXED)
            continue;
        run_dry(c, 200);
        c.run_to(245);
        CHECK(c.sent.back() == Sent{240, REQUEST_TIMER});
    }
}

TEST_CASE("thesis: the first request starts the timer")
{
    Client c(PRP_THESIS, 40);

    run_dry(c, 10);
    tell_input(c.s, true, c.now_);
    CHECK(c.rule() == "none");
    tell(c.s, EVENT_NEW_PICTURE, c.now_);
    c.run_to(55);
    CHECK(c.sent == std::vector<Sent>{{10, REQUEST_FIRST}, {50, REQUEST_TIMER}});
}

TEST_CASE(
    "thesis: only its requests leave whatever our own socket holds, and only while it is seen")
{
    for (auto policy : {PRP_OFF, PRP_FIXED, PRP_AUTO, PRP_THESIS}) {
        Client c(policy, 40);
        scheduler_event hidden = core_event(EVENT_HIDDEN), tuned = core_event(EVENT_TUNED);
        auto unguarded = [&] { return scheduler_facts(&c.s).unguarded; };

        CHECK(unguarded() == (policy == PRP_THESIS));
        hidden.hidden = true;
        tell(c.s, hidden, t0);
        CHECK_FALSE(unguarded());
        hidden.hidden = false;
        tell(c.s, hidden, t0);
        CHECK(unguarded() == (policy == PRP_THESIS));
        tuned.tuning = {PRP_FIXED, tick_from_ms(40), false}; // by the menu
        tell(c.s, tuned, t0);
        CHECK_FALSE(unguarded());
    }
}
