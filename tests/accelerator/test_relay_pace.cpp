// Clients that ask at a pace of their own, under a fake clock.
#include "relay.hpp"

using namespace accelerator;

TEST_CASE("a client with a pace of its own gets all, as long as it asks")
{
    Relay t;
    int sent = 0;

    t.first_picture();
    for (int i = 0; i < 10; i++)
        t.client_asks(true);
    CHECK(t.r.own_pace);
    auto run = [&](bool asks) {
        for (int i = 0; i < 500; i++) { // 10 s
            if (t.act() == RELAY_ASK) {
                t.update_comes(20 * TICK_MS);
                t.leaves();
                sent++;
            } else {
                t.now += 20 * TICK_MS;
            }
            if (asks && i % 10 == 0)
                t.client_asks(true);
        }
    };
    run(true);
    CHECK(sent >= 499);
    sent = 0;
    run(false);
    CHECK(sent < 120); // 1 s, two round trips, and what it had asked for
    t.client_asks(true);
    CHECK(t.next() == RELAY_ASK);
}

TEST_CASE("a client that has had all, and seems to lag, is found out by its silence")
{
    Relay t;

    t.first_picture();
    for (int i = 0; i < RELAY_LEAD_LEAST + 1; i++) {
        t.update_comes(); // of a server that sends by itself
        t.leaves();
    }
    t.now += 400 * TICK_MS;
    t.client_asks(true); // once for all
    CHECK(t.next() == RELAY_WAIT);
    tick_t later = relay_look_again(&t.r, &t.v, t.now);
    REQUIRE(later < t.now + 3 * TICK_S);
    t.now = later;
    CHECK(t.act() == RELAY_ASK);
    CHECK(t.r.own_pace);
}

namespace
{

// A client with a pace of its own asks every 16 ms. The server has something new every 33 ms. It
// answers all requests at once, or owes an update for each. Returns how many updates have come.
struct Server {
    bool counts;
    unsigned owes = 0, most_owed = 0, asked = 0;
    int operator()(Relay &t, int updates)
    {
        int came = 0;
        for (int ms = 0; ms < updates * 33; ms++, t.now += TICK_MS) {
            if (ms % 16 == 0)
                t.client_asks(true);
            if (t.act() == RELAY_ASK) {
                owes = counts ? owes + 1 : 1;
                asked++;
            }
            most_owed = std::max(most_owed, owes);
            if (ms % 33 != 32 || owes == 0)
                continue;
            owes--;
            came++;
            t.update_comes(0);
            t.leaves();
        }
        return came;
    }
};

} // namespace

TEST_CASE("the requests of a client with its own pace are passed on, too")
{
    Relay t;
    Server server{false};

    t.first_picture();
    for (int i = 0; i < 10; i++)
        t.client_asks(true);
    REQUIRE(t.r.own_pace);
    CHECK(server(t, 1000) > 960); // the tests cost few
    CHECK(server.asked > 1800);
    t.v.held = 1000000; // not while something waits that leaves later than the next update comes
    t.r.waiting = 1;
    server.asked = 0;
    server(t, 100);
    CHECK(server.asked <= 1);
}

TEST_CASE("a server that counts requests never owes many")
{
    Relay t;
    Server server{true};

    t.first_picture();
    for (int i = 0; i < 10; i++)
        t.client_asks(true);
    CHECK(server(t, 1000) > 990);
    CHECK(server.most_owed <= RELAY_REPEATS + 4);
}

TEST_CASE("an update may still come for a request that was repeated")
{
    Relay t;

    t.first_picture();
    for (int i = 0; i < 10; i++)
        t.client_asks(true);
    CHECK_FALSE(relay_expects(&t.r));
    REQUIRE(t.act() == RELAY_ASK);
    t.now += 10 * TICK_MS;
    t.client_asks(true);
    REQUIRE(t.act() == RELAY_ASK);
    CHECK(t.next() == RELAY_WAIT); // once for each time that the client asks
    CHECK(t.r.last_asked == t.now);
    CHECK(t.r.asked_at == t.now - 10 * TICK_MS); // the server's time counts from the first
    relay_update_begins(&t.r, t.now);
    CHECK_FALSE(relay_expects(&t.r)); // it comes
    relay_update_ends(&t.r, t.now);
    CHECK(relay_expects(&t.r)); // the second may have crossed it: a new pixel format waits
}
