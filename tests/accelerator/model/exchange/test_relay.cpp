// When the accelerator asks, under a fake clock.
#include "relay.hpp"

using namespace accelerator;

TEST_CASE("nothing is asked for before the client has asked")
{
    Relay t;

    CHECK(t.next() == RELAY_WAIT);
    CHECK_FALSE(t.client_asks(true));
    CHECK(t.act() == RELAY_ASK);
    CHECK(t.r.region.w == 800);
}

TEST_CASE("one request is at the server at any time")
{
    Relay t;

    t.client_asks(true);
    CHECK(t.act() == RELAY_ASK);
    CHECK(t.next() == RELAY_WAIT);
    t.client_asks(true); // a client that asks again
    CHECK(t.next() == RELAY_WAIT);
    relay_update_begins(&t.r, t.now);
    CHECK(t.next() == RELAY_WAIT);
    relay_update_ends(&t.r, t.now);
    CHECK(t.next() == RELAY_WAIT); // it has not left
    t.leaves();
    CHECK(t.act() == RELAY_ASK); // at once, without the client
    CHECK(t.next() == RELAY_WAIT);
}

TEST_CASE("a request for all of a region is passed on once, at any time")
{
    Relay t;

    t.first_picture();
    CHECK(t.act() == RELAY_ASK); // for what changes in the picture that was asked for
    CHECK(t.client_asks(false));
    CHECK(t.next() == RELAY_WAIT);
    SECTION("while none comes")
    {
        t.update_comes();
        t.leaves();
        CHECK(t.act() == RELAY_ASK);
    }
    SECTION("while an update comes, which cannot be its answer")
    {
        relay_update_begins(&t.r, t.now);
        CHECK(t.client_asks(false));
        relay_update_ends(&t.r, t.now);
        t.leaves();
        CHECK(t.next() == RELAY_WAIT);
        t.update_comes();
        t.leaves();
        CHECK(t.next() == RELAY_ASK);
    }
}

TEST_CASE("the region is that of the client's last incremental request")
{
    Relay t;

    t.first_picture();
    t.client_asks(true, {10, 20, 30, 40});
    CHECK(t.r.region.x == 10);
    t.client_asks(false, {0, 0, 1, 1}); // a pixel, to see whether the server is there
    CHECK(t.r.region.w == 30);
    relay_resized(&t.r, 25, 600);
    CHECK(t.r.region.w == 15);
    relay_resized(&t.r, 5, 5);
    CHECK(t.next() == RELAY_WAIT); // nothing is left of it
    t.client_asks(true, {0, 0, 5, 5});
    relay_resized(&t.r, 640, 480); // the whole screen stays the whole screen
    CHECK(t.r.region.w == 640);
    CHECK(t.r.region.h == 480);
}

TEST_CASE("of several regions that the client asks for none is forgotten")
{
    Relay t;

    t.client_asks(true, {10, 20, 30, 40});
    t.client_asks(true, {100, 0, 10, 30});
    CHECK(t.r.region.x == 10);
    CHECK(t.r.region.y == 0);
    CHECK(t.r.region.w == 100);
    CHECK(t.r.region.h == 60);
    CHECK(t.act() == RELAY_ASK);
    t.client_asks(true, {5, 6, 7, 8}); // it wants less from now on
    CHECK(t.r.region.x == 5);
    CHECK(t.r.region.w == 7);
}

TEST_CASE("what a client wants to see besides is asked for while the server has not answered")
{
    Relay t;

    t.first_picture();
    t.client_asks(true, {0, 0, 100, 100});
    CHECK(t.act() == RELAY_ASK);
    t.client_asks(true, {50, 50, 20, 20});
    CHECK(t.next() == RELAY_WAIT); // the server has that
    t.client_asks(true, {400, 300, 100, 100});
    CHECK(t.act() == RELAY_ASK);
    CHECK(t.r.region.x + t.r.region.w == 500);
    CHECK(t.next() == RELAY_WAIT);
    t.client_asks(true, {0, 0, 100, 100}); // it has both
    CHECK(t.next() == RELAY_WAIT);
    SECTION("however often the request was repeated")
    {
        t.r.repeats = t.r.repeats_most;
        t.client_asks(true);
        CHECK(t.act() == RELAY_ASK);
    }
    SECTION("but not while it answers a request for all of a part: it is asked again then")
    {
        t.update_comes();
        t.leaves();
        t.client_asks(true);
        t.client_asks(false, {0, 0, 10, 10});
        CHECK(t.next() == RELAY_WAIT);
        t.update_comes();
        t.leaves();
        CHECK(t.act() == RELAY_ASK);
    }
}

TEST_CASE("a request for nothing is not waited for")
{
    Relay t;

    t.first_picture();
    for (rect nothing : {rect{0, 0, 0, 0}, rect{10, 10, 0, 5}, rect{800, 0, 10, 10}}) {
        CHECK(t.client_asks(false, nothing)); // is passed on, and no update answers it
        CHECK_FALSE(t.r.unanswered);
        t.client_asks(true, nothing);
        CHECK(t.r.region.w == 800);
    }
    CHECK(t.act() == RELAY_ASK);
}

TEST_CASE("who stops asking owes the client what it has asked for")
{
    Relay t;

    CHECK_FALSE(relay_owes(&t.r)); // it has not asked
    REQUIRE(t.client_asks(false));
    CHECK_FALSE(relay_owes(&t.r)); // its own request is at the server
    relay_update_begins(&t.r, t.now);
    t.client_asks(true); // when it saw the head
    CHECK(relay_owes(&t.r));
    relay_update_ends(&t.r, t.now);
    CHECK(relay_owes(&t.r));
    t.leaves();
    CHECK(t.act() == RELAY_ASK);
    CHECK_FALSE(relay_owes(&t.r));
    t.update_comes();
    relay_pass(&t.r, true);
    CHECK_FALSE(relay_owes(&t.r)); // all of its requests are passed on
}

TEST_CASE("the next update is asked for so that it comes when the last one has left")
{
    Relay t;

    t.v.rate = 1e6; // bytes per second
    t.first_picture();
    CHECK(t.act() == RELAY_ASK);
    t.update_comes(20 * TICK_MS); // the server's time is 10 ms, the best of the last
    t.v.held = 100000;            // 100 ms
    CHECK(t.next() == RELAY_WAIT);
    CHECK(relay_look_again(&t.r, &t.v, t.now) > t.now + 85 * TICK_MS);
    CHECK(relay_look_again(&t.r, &t.v, t.now) < t.now + 95 * TICK_MS);
    t.v.held = 9000; // 9 ms
    CHECK(t.next() == RELAY_ASK);
    t.v.rate = 0; // not known: only when all has left
    CHECK(t.next() == RELAY_WAIT);
}

TEST_CASE("the server's time is the best of its last eight answers")
{
    Relay t;

    t.v.rate = 1e6;
    t.first_picture();
    for (int i = 0; i < RELAY_ANSWERS; i++) {
        CHECK(t.r.server_time == 10 * TICK_MS); // of the first picture, which is among the eight
        REQUIRE(t.act() == RELAY_ASK);
        t.update_comes(i == 5 ? 60 * TICK_MS : 90 * TICK_MS); // at the ticks of a timer of its own
        t.leaves();
        t.client_asks(true);
    }
    CHECK(t.r.server_time == 60 * TICK_MS);
    REQUIRE(t.act() == RELAY_ASK);
    t.update_comes(90 * TICK_MS);
    t.v.held = 59000; // leave in 59 ms: it is asked meanwhile
    CHECK(t.act() == RELAY_ASK);
    t.leaves();
    t.v.held = 0;
    for (int i = 0; i < RELAY_ANSWERS; i++) {
        t.update_comes(10 * TICK_S); // somebody types: that is not the server's time
        t.leaves();
        t.client_asks(true);
        REQUIRE(t.act() == RELAY_ASK);
    }
    CHECK(t.r.server_time == RELAY_SERVER_TIME_MOST);
}

namespace
{

// Updates take `server` to come. The client shows one every `client`, and asks after each; or it
// shows all that has come, and asks once. Returns how many updates have left.
struct Run {
    tick_t server, client;
    bool merges = false;
    unsigned largest_lead = 0;                // updates that the client has not shown
    std::vector<tick_t> here = {}, asks = {}; // updates at the client, requests at the relay: when
    tick_t free_at = 0, comes = 0;            // when the client has time; when the update comes
    int operator()(Relay &t, tick_t time)
    {
        int sent = 0;
        for (tick_t end = t.now + time; t.now < end; t.now += TICK_MS) {
            if (comes == 0 && t.act() == RELAY_ASK)
                comes = t.now + server;
            if (comes != 0 && t.now >= comes) {
                t.update_comes(0);
                t.leaves();
                comes = 0;
                sent++;
                here.push_back(t.now + RTT / 2);
            }
            if (!here.empty() && here.front() <= t.now && free_at <= t.now) {
                free_at = t.now + client;
                do
                    here.erase(here.begin());
                while (merges && !here.empty() && here.front() <= t.now);
                asks.push_back(free_at + RTT / 2);
            }
            if (!asks.empty() && asks.front() <= t.now) {
                asks.erase(asks.begin());
                t.client_asks(true);
            }
            largest_lead = std::max(largest_lead, (unsigned)here.size());
        }
        return sent;
    }
};

} // namespace

TEST_CASE("a client that keeps up gets all, a round trip ahead of its requests")
{
    Relay t;
    Run run{33 * TICK_MS, 5 * TICK_MS};

    t.first_picture();
    run(t, 2 * TICK_S); // the lead grows to what the round trip needs
    CHECK(run(t, 10 * TICK_S) > 290);
    CHECK_FALSE(t.r.own_pace);
}

TEST_CASE("where a gateway hides the link, the trip of updates and requests is measured")
{
    Relay t;
    Run run{33 * TICK_MS, 5 * TICK_MS};

    t.v.round_trip = TICK_MS / 10; // to the gateway; RTT is what lies behind it
    t.first_picture();
    t.client_asks(true);
    run(t, 5 * TICK_S);
    CHECK(run(t, 10 * TICK_S) > 290);
    CHECK(t.r.trip >= RTT);
    CHECK(t.r.trip < RTT + 10 * TICK_MS);
    CHECK(relay_lead(&t.r) <= 30 * 0.3 * RELAY_GATEWAY_MORE * 1.2 + 1);

    run.client = 200 * TICK_MS; // the link becomes slow: five updates in a second
    run(t, 20 * TICK_S);
    run.largest_lead = 0;
    run(t, 10 * TICK_S);
    CHECK(run.largest_lead <= 3); // the gateway must not fill
}

TEST_CASE("a client that is slower than the path is waited for")
{
    Relay t;
    Run run{5 * TICK_MS, 200 * TICK_MS};

    t.first_picture();
    int sent = run(t, 20 * TICK_S);
    CHECK(sent > 90);             // it never waits,
    CHECK(run.largest_lead <= 6); // and never has more than a second of them
    CHECK_FALSE(t.r.own_pace);

    run.client = 10 * TICK_MS; // it becomes faster,
    run(t, 5 * TICK_S);
    CHECK(run(t, 10 * TICK_S) > 800);
    run.client = 200 * TICK_MS; // and slower
    run(t, 20 * TICK_S);
    run.largest_lead = 0;
    run(t, 20 * TICK_S);
    CHECK(run.largest_lead <= 6);
}

TEST_CASE("a client that asks no more gets no more")
{
    Relay t;
    Run never{10 * TICK_MS, 1000 * TICK_S};

    t.first_picture();
    t.client_asks(true);
    CHECK(never(t, 60 * TICK_S) <= RELAY_LEAD_LEAST);
    CHECK(relay_look_again(&t.r, &t.v, t.now) == TICK_NEVER); // and the machine sleeps
    t.client_asks(true);
    CHECK(t.act() == RELAY_ASK);
}

TEST_CASE("a client that asks once after several updates is never left waiting")
{
    Relay t;
    Run run{10 * TICK_MS, 5 * TICK_MS};

    t.first_picture();
    run(t, 20 * TICK_S);
    run.merges = true;
    run.client = 50 * TICK_MS;
    run(t, 10 * TICK_S);
    // no slower than a client that asks the server itself, once in a round trip and 60 ms
    CHECK(run(t, 10 * TICK_S) >= 10 * 1000 / 360);
}

TEST_CASE("a client may ask when it sees the head of an update")
{
    Relay t;

    t.first_picture();
    t.client_asks(true);
    for (int i = 0; i < 100; i++) {
        REQUIRE(t.act() == RELAY_ASK);
        relay_update_begins(&t.r, t.now);
        t.client_asks(true);
        relay_update_ends(&t.r, t.now);
        t.leaves();
    }
    CHECK(relay_lead(&t.r) == 0);
    CHECK_FALSE(t.r.own_pace); // so it is still waited for
    for (int i = 0; i < RELAY_LEAD_LEAST; i++) {
        REQUIRE(t.act() == RELAY_ASK);
        t.update_comes();
        t.leaves();
    }
    CHECK(t.next() == RELAY_WAIT);
}

TEST_CASE("nothing is asked for before a new pixel format")
{
    Relay t;

    t.first_picture();
    t.client_asks(true);
    CHECK(t.act() == RELAY_ASK);
    relay_update_begins(&t.r, t.now);
    relay_format_waits(&t.r);
    relay_update_ends(&t.r, t.now);
    t.leaves();
    CHECK(t.next() == RELAY_WAIT);
    relay_format_changed(&t.r);
    CHECK(t.next() == RELAY_ASK);
}

TEST_CASE("where the client's requests are passed on, none is made")
{
    Relay t;

    t.first_picture();
    relay_pass(&t.r, true);
    CHECK(t.next() == RELAY_WAIT);
    CHECK(t.client_asks(true));
    t.update_comes();
    t.leaves();
    CHECK(t.next() == RELAY_WAIT);
    relay_pass(&t.r, false);
    CHECK(t.next() == RELAY_ASK);
}

TEST_CASE("more updates than are remembered forget the oldest")
{
    Relay t;

    for (int i = 0; i < 2 * RELAY_SENT_MAX; i++) {
        t.update_comes();
        t.leaves();
    }
    CHECK(relay_lead(&t.r) == RELAY_SENT_MAX);
}
