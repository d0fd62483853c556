// Which requests an update has answered, at a round trip of 100 ms.
#include "tests/catch.hpp"

#include "prerequest/know/in_flight.h"

namespace
{

const tick_t T0 = 1000 * TICK_S;

tick_t at(tick_t ms)
{
    return T0 + ms * TICK_MS;
}

struct Requests {
    in_flight f{};

    Requests()
    {
        in_flight_init(&f);
    }

    void sent(std::initializer_list<tick_t> times)
    {
        for (tick_t ms : times)
            in_flight_sent(&f, at(ms));
    }

    void update(bool counts, bool pause, tick_t now)
    {
        struct in_flight_update u = {counts, pause, 100 * TICK_MS};

        in_flight_update(&f, &u, now);
    }

    // An update of a server that merges: after a pause, or within a run.
    void merged(tick_t ms)
    {
        update(false, true, at(ms));
    }

    void in_run(tick_t ms)
    {
        update(false, false, at(ms));
    }

    void counted(tick_t ms)
    {
        update(true, true, at(ms));
    }

    unsigned waiting() const
    {
        return in_flight_count(&f, false);
    }

    tick_t oldest() const // ms
    {
        return (in_flight_oldest(&f) - T0) / TICK_MS;
    }
};

} // namespace

TEST_CASE("nothing is in flight before a request was sent")
{
    Requests r;

    CHECK(r.waiting() == 0);
    CHECK(in_flight_oldest(&r.f) == TICK_NEVER);
    r.sent({10, 20});
    CHECK(r.waiting() == 2);
    CHECK(r.oldest() == 10);
}

TEST_CASE("after a pause all requests older than a round trip are answered")
{
    Requests r;

    r.sent({0, 20, 40, 60, 80, 100, 120, 140, 160, 180});
    r.merged(200); // the server knew those sent up to 100
    CHECK(r.waiting() == 4);
    CHECK(r.oldest() == 120);
    CHECK(r.f.asked == at(100));
}

TEST_CASE("within a run an update answers one request")
{
    Requests r;

    r.sent({0, 20, 40, 60});
    r.in_run(200);
    CHECK(r.waiting() == 3);
    CHECK(r.oldest() == 20);
    CHECK(r.f.asked == at(0));
    CHECK(in_flight_count(&r.f, true) == 3);
}

TEST_CASE("an update answers one request at least, however young that is")
{
    Requests r;

    r.sent({150, 160});
    r.merged(200);
    CHECK(r.waiting() == 1);
    CHECK(r.f.asked == at(150));
}

TEST_CASE("a server that counts owes the requests that were merged")
{
    Requests r;

    r.sent({0, 20, 40, 60, 80, 100, 120, 140, 160, 180});
    r.merged(200); // six requests, one update
    CHECK(in_flight_count(&r.f, true) == 4 + 5);
    for (unsigned i = 1; i <= 5; i++) {
        r.counted(300);
        CHECK(in_flight_count(&r.f, true) == 9 - i);
        CHECK(r.waiting() == 4);
        CHECK(r.f.asked == at(200)); // a round trip ago at the latest
    }
    r.counted(300);
    CHECK(in_flight_count(&r.f, true) == 3);
    CHECK(r.oldest() == 140);
    CHECK(r.f.asked == at(120));
}

TEST_CASE("each update of a server that counts answers one request, also after a pause")
{
    Requests r;

    r.sent({0, 20, 40});
    for (unsigned left : {2, 1, 0, 0}) {
        r.counted(300);
        CHECK(in_flight_count(&r.f, true) == left);
    }
}

TEST_CASE("what was merged can be forgotten")
{
    Requests r;

    r.sent({0, 20, 40, 180});
    r.merged(200);
    REQUIRE(in_flight_count(&r.f, true) == 3);
    in_flight_forget_saved(&r.f);
    CHECK(in_flight_count(&r.f, true) == 1);
}

TEST_CASE("an update without a request answers one of those that were merged")
{
    Requests r;

    r.sent({0, 20, 40});
    r.merged(200);
    REQUIRE(in_flight_count(&r.f, true) == 2);
    r.merged(210);
    CHECK(in_flight_count(&r.f, true) == 1);
    r.merged(220);
    CHECK(in_flight_count(&r.f, true) == 0);
    r.merged(230);
    CHECK(in_flight_count(&r.f, true) == 0);
}

TEST_CASE("silence is more than a second without an update")
{
    Requests r;

    r.merged(0);
    CHECK(r.f.silent); // the first
    r.merged(1000);
    CHECK_FALSE(r.f.silent);
    r.update(false, true, at(2000) + 1);
    CHECK(r.f.silent);
}

TEST_CASE("more requests than are remembered lose the oldest, nothing else")
{
    Requests r;

    for (tick_t ms = 0; ms < 768; ms++) // three times as many as are remembered
        r.sent({ms});
    CHECK(r.waiting() == 256);
    CHECK(r.oldest() == 512); // 768 - 256
    CHECK(in_flight_count(&r.f, true) == 768);
    r.in_run(1000);
    CHECK(r.waiting() == 255);
    CHECK(r.oldest() == 513);
}
