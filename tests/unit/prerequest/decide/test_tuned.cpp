// The user changes period or quality while the connection is up.
#include "tests/catch.hpp"

#include "client.hpp"

namespace
{

void tune(Client &c, prp_policy policy, double prp_ms = 0, bool pinned = false)
{
    scheduler_event e{};

    e.type = EVENT_TUNED;
    e.tuning = {policy, tick_from_ms(prp_ms), pinned};
    scheduler_tell(&c.s, &e, c.now_);
}

} // namespace

TEST_CASE("a fixed period begins with a request at once, and goes on from there")
{
    for (auto before : {PRP_OFF, PRP_AUTO}) {
        Client c(before);
        tell(c.s, EVENT_NEW_PICTURE, t0);
        c.update(30, 50);
        c.run_to(3000);
        c.sent.clear();
        tune(c, PRP_FIXED, 40);
        CHECK(scheduler_prp(&c.s) == tick_from_ms(40));
        c.run_to(3130);
        REQUIRE(c.sent.size() == 4);
        CHECK(c.sent[0] == Sent{3000, REQUEST_REACTIVE});
        CHECK(c.sent[1] == Sent{3040, REQUEST_TIMER});
        CHECK(c.sent[3] == Sent{3120, REQUEST_TIMER});
    }
}

TEST_CASE("plain VNC ends the timer, and one request is on its way")
{
    for (auto before : {PRP_FIXED, PRP_AUTO}) {
        Client c(before, 50);
        tell(c.s, EVENT_NEW_PICTURE, t0);
        c.update(30, 50);
        c.run_to(1000);
        c.sent.clear();
        tune(c, PRP_OFF);
        c.run_to(20000);
        CHECK(c.sent == std::vector<Sent>{{1000, REQUEST_REACTIVE}});
        CHECK(scheduler_prp(&c.s) == 0);
    }
}

TEST_CASE("auto takes over from plain VNC, and asks again and again")
{
    Client c(PRP_OFF);
    tell(c.s, EVENT_NEW_PICTURE, t0);
    c.update(30, 50);
    c.run_to(1000);
    c.sent.clear();
    tune(c, PRP_AUTO);
    c.run_to(11000);
    CHECK(c.sent.size() >= 3);
}

TEST_CASE("a quality that the user has chosen stays, and one that follows begins anew")
{
    Client c(PRP_AUTO);
    tell(c.s, EVENT_NEW_PICTURE, t0);
    c.s.quality.step = 5;
    tune(c, PRP_AUTO); // nothing has changed
    CHECK(c.s.quality.step == 5);
    tune(c, PRP_AUTO, 0, true);
    CHECK(c.s.quality.pinned);
    CHECK(scheduler_quality(&c.s, c.now_) == 0);
    tune(c, PRP_AUTO, 0, false);
    CHECK_FALSE(c.s.quality.pinned);
    c.s.quality.step = 5;
    tune(c, PRP_OFF);
    CHECK(scheduler_quality(&c.s, c.now_) == 0);
}

TEST_CASE("only auto asks again without loss")
{
    Client c(PRP_AUTO, 0, {0, 0, true});
    tell(c.s, EVENT_NEW_PICTURE, t0);
    CHECK(c.s.refresh.wanted);
    tune(c, PRP_FIXED, 40);
    CHECK_FALSE(c.s.refresh.wanted);
    CHECK_FALSE(scheduler_refreshing(&c.s));
    tune(c, PRP_AUTO);
    CHECK(c.s.refresh.wanted);
}
