// Nobody can see the picture for a while.
#include "tests/catch.hpp"

#include "client.hpp"

namespace
{

void hide(Client &c, bool on)
{
    scheduler_event e{};

    e.type = EVENT_HIDDEN;
    e.hidden = on;
    scheduler_tell(&c.s, &e, c.now_);
}

} // namespace

TEST_CASE("a hidden picture: one request in flight, a second after the one before")
{
    for (auto policy : {PRP_OFF, PRP_FIXED, PRP_AUTO, PRP_THESIS}) {
        Client c(policy, 50);
        tell(c.s, EVENT_NEW_PICTURE, t0);
        c.update(30, 50);
        c.run_to(1000);
        double last = c.sent.back().ms;
        c.sent.clear();
        hide(c, true);
        c.run_to(60000);
        CHECK(c.sent.empty()); // nothing has come for what was asked
        CHECK(scheduler_prp(&c.s) == 0);
        c.update(60100, 60200);
        CHECK(c.rule() == "hidden"); // it left long ago
        c.run_to(60200);
        REQUIRE(c.sent == std::vector<Sent>{{60200, REQUEST_REACTIVE}});
        CHECK(last <= 1000);
        c.update(60300, 60310);
        c.update(60400, 60410); // of a server that sends two
        c.run_to(70000);
        REQUIRE(c.sent.size() == 2);
        CHECK(c.sent[1] == Sent{61200, REQUEST_REACTIVE});
    }
}

TEST_CASE("shown again, a request leaves at once, and then the policy's own")
{
    for (auto policy : {PRP_OFF, PRP_FIXED, PRP_AUTO, PRP_THESIS}) {
        Client c(policy, 50);
        tell(c.s, EVENT_NEW_PICTURE, t0);
        c.update(30, 50);
        c.run_to(1000);
        hide(c, true);
        c.update(1100, 1110);
        c.run_to(1500);
        c.sent.clear();
        hide(c, false);
        c.run_to(1500);
        REQUIRE(c.sent.size() == 1);
        CHECK(c.sent[0] == Sent{1500, REQUEST_REACTIVE});
        c.update(1520, 1530);
        c.run_to(3000);
        CHECK((policy == PRP_OFF ? c.sent.size() == 2 : c.sent.size() > 3));
    }
}

TEST_CASE("a new picture is asked for while it is hidden, and another period begins after it")
{
    Client c(PRP_AUTO);
    tell(c.s, EVENT_NEW_PICTURE, t0);
    c.update(30, 50);
    hide(c, true);
    c.run_to(1000);
    c.sent.clear();
    tell(c.s, EVENT_NEW_PICTURE, c.now_);
    c.run_to(1000);
    CHECK(c.sent == std::vector<Sent>{{1000, REQUEST_FIRST}});

    scheduler_event e{};
    e.type = EVENT_TUNED;
    e.tuning = {PRP_FIXED, tick_from_ms(40), false};
    scheduler_tell(&c.s, &e, c.now_);
    c.run_to(3000);
    CHECK(c.sent.size() == 1);
    hide(c, false);
    CHECK(scheduler_prp(&c.s) == tick_from_ms(40));
}

TEST_CASE("what is hidden twice is hidden once")
{
    Client c(PRP_AUTO);
    tell(c.s, EVENT_NEW_PICTURE, t0);
    c.update(30, 50);
    hide(c, true);
    hide(c, true);
    hide(c, false);
    c.run_to(50);
    c.sent.clear();
    hide(c, false);
    CHECK(c.rule() != "reactive");
}

TEST_CASE("a lossless refresh ends when the picture is hidden")
{
    Client c(PRP_AUTO, 0, {0, 0, true});
    tell(c.s, EVENT_NEW_PICTURE, t0);
    c.update(30, 50);
    tell_loss(c.s, {100000, false, false}, c.now_);
    c.run_to(5000);
    REQUIRE(scheduler_refreshing(&c.s));
    hide(c, true);
    CHECK_FALSE(scheduler_refreshing(&c.s));
    c.sent.clear();
    c.update(5100, 5110);
    tell_loss(c.s, {100000, false, false}, c.now_);
    c.run_to(20000);
    for (const Sent &s : c.sent)
        CHECK(s.cause == REQUEST_REACTIVE);
}
