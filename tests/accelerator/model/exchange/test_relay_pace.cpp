// Clients that ask at a pace of their own, under a fake clock.
#include <deque>

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

// A client asks every 16 ms, or once after each update. The server has something new every 33 ms.
// It answers all requests at once, or owes an update for each. Requests and updates are on their
// way for `way` ms. With `types` a key is pressed every so many ms. Returns how many updates have
// come.
struct Server {
    bool counts;
    int way = 0;
    bool asks_once = false;
    int types = 0;
    unsigned owes = 0, most_owed = 0, asked = 0;
    int operator()(Relay &t, int updates)
    {
        std::deque<int> requests, answers; // when each arrives
        int came = 0;
        for (int ms = 0; ms < updates * 33; ms++, t.now += TICK_MS) {
            if (!asks_once && ms % 16 == 0)
                t.client_asks(true);
            if (types && ms % types == 0)
                relay_client_presses(&t.r, t.now);
            if (t.act() == RELAY_ASK) {
                requests.push_back(ms + way);
                asked++;
            }
            for (; !requests.empty() && requests.front() <= ms; requests.pop_front())
                owes = counts ? owes + 1 : 1;
            most_owed = std::max(most_owed, owes);
            if (ms % 33 == 32 && owes > 0) {
                owes--;
                answers.push_back(ms + way);
            }
            for (; !answers.empty() && answers.front() <= ms; answers.pop_front()) {
                came++;
                t.update_comes(0);
                t.leaves();
                if (asks_once)
                    t.client_asks(true);
            }
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

TEST_CASE("while the picture moves requests are repeated for a client that asks once, too")
{
    Relay t;
    Server server{false, 0, true};

    t.first_picture();
    t.client_asks(true);
    CHECK(server(t, 1000) > 960);
    CHECK(server.asked > 2800); // three in 33 ms
    CHECK_FALSE(t.r.own_pace);

    t.act();
    t.now += 200 * TICK_MS; // it stands still
    CHECK(t.next() == RELAY_WAIT);
    CHECK(relay_look_again(&t.r, &t.v, t.now) == TICK_NEVER);
}

TEST_CASE("a server that counts owes few to a client that asks once, too")
{
    Relay t;
    Server server{true, GENERATE(0, 12), true};

    t.first_picture();
    t.client_asks(true);
    CHECK(server(t, 1000) > 990);
    CHECK(server.most_owed <= RELAY_REPEATS + 4);
}

TEST_CASE("a client that lags is not asked for again")
{
    Relay t;

    t.first_picture();
    t.client_asks(true);
    for (int i = 0; i < 2 * RELAY_LEAD_LEAST && t.act() == RELAY_ASK; i++) {
        t.update_comes();
        t.leaves();
    }
    t.now += RELAY_REPEAT_EVERY;
    CHECK(t.next() == RELAY_WAIT);
}

TEST_CASE("a repeated request may cross the answer to the others: that proves nothing")
{
    Relay t;
    Server server{false, 12};

    t.first_picture();
    for (int i = 0; i < 10; i++)
        t.client_asks(true);
    CHECK(server(t, 1000) > 960);
}

TEST_CASE("a server that counts requests never owes many")
{
    const int way = GENERATE(0, 12);
    Relay t;
    Server server{true, way, false, GENERATE(0, 30, 150, 700)};

    t.first_picture();
    for (int i = 0; i < 10; i++)
        t.client_asks(true);
    CHECK(server(t, 1000) > 990);
    CHECK(server.most_owed <= RELAY_REPEATS + 4);
}

TEST_CASE("what a key changes does not wait for the test of the server")
{
    Relay t;
    auto is_tested = [&] { return t.next() == RELAY_WAIT && !t.r.unanswered; };

    t.first_picture();
    t.client_asks(true);
    for (int ms = 0; ms < 1000 && !is_tested(); ms++, t.now += TICK_MS) {
        t.act();
        if (ms % 33 == 32) {
            t.update_comes(0);
            t.leaves();
            t.client_asks(true);
        }
    }
    REQUIRE(is_tested());
    const unsigned repeats = t.r.repeats;
    const tick_t pressed = t.now;
    relay_client_presses(&t.r, pressed);
    CHECK(t.act() == RELAY_ASK);
    t.now += RELAY_REPEAT_EVERY;
    CHECK(t.act() == RELAY_WAIT); // it is not tested yet
    t.update_comes();
    t.leaves();
    t.client_asks(true);
    CHECK(t.act() == RELAY_ASK);
    t.now = pressed + RELAY_INPUT_SHOWN;
    t.update_comes(0);
    t.leaves();
    t.client_asks(true);
    CHECK(t.r.repeats == repeats);
    CHECK(is_tested());
    t.now = relay_look_again(&t.r, &t.v, t.now);
    CHECK(t.act() == RELAY_ASK);
    CHECK(t.r.repeats == 0);
}

// While its screen stood still it was taken for one that merges.
TEST_CASE("a server that was mistaken is found out, and what it owes is waited for")
{
    Relay t;
    Server server{true};

    t.first_picture();
    for (int i = 0; i < 10; i++)
        t.client_asks(true);
    t.r.repeats_most = RELAY_REPEATS_MOST;
    server(t, 200);
    CHECK(t.r.repeats_most == RELAY_REPEATS);
    server.most_owed = 0;
    server(t, 100);
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
