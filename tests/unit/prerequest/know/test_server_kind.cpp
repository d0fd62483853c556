// Whether a server merges or counts, judged by what a probe shows. The round trip is 100 ms, and
// the content brings a frame every 20 ms.
#include "tests/catch.hpp"

#include "prerequest/know/server_kind.h"

namespace
{

const tick_t T0 = 1000 * TICK_S;
const tick_t gap = 20 * TICK_MS;

tick_t at(tick_t ms)
{
    return T0 + ms * TICK_MS;
}

struct Server {
    server_kind k{};
    unsigned waiting = 2;

    Server()
    {
        server_kind_init(&k);
    }

    bool probe(unsigned saved)
    {
        return server_kind_begin_probe(&k, saved, gap, T0);
    }

    bool update(tick_t begun, unsigned saved = 24, bool silent = false)
    {
        struct server_kind_update u = {silent, waiting, saved, begun, 100 * TICK_MS};

        return server_kind_update(&k, &u);
    }

    // A probe that begins at T0: requests every 28 ms, for 17 gaps, so the last leaves at 364. For
    // it come so many updates, evenly, and one after it.
    void run_probe(unsigned updates, unsigned saved = 24)
    {
        unsigned requests = 0;

        REQUIRE(server_kind_begin_probe(&k, saved, gap, T0));
        for (tick_t ms = 28; server_kind_probing(&k); ms += 28) {
            server_kind_request(&k, gap, at(ms));
            requests++;
        }
        REQUIRE(requests == 13);
        for (unsigned i = 0; i < updates; i++)
            update(at(100) + (i + 1) * 364 * TICK_MS / (updates + 1), saved);
        update(at(470), saved);
    }
};

} // namespace

TEST_CASE("a server is held to merge, and what it does is not known")
{
    Server s;

    CHECK(s.k.type == SERVER_UNKNOWN);
    CHECK_FALSE(server_kind_counts(&s.k));
    CHECK_FALSE(server_kind_probing(&s.k));
}

TEST_CASE("a probe begins when a server that counts would owe 24 updates")
{
    Server s;

    CHECK_FALSE(s.probe(23));
    CHECK(s.probe(24));
    CHECK(server_kind_probing(&s.k));
    CHECK_FALSE(s.probe(1000)); // one at a time
}

TEST_CASE("there is no probe where frames are more than 50 ms apart")
{
    Server s;

    CHECK_FALSE(server_kind_begin_probe(&s.k, 24, 50 * TICK_MS + 1, T0));
    CHECK(server_kind_begin_probe(&s.k, 24, 50 * TICK_MS, T0));
}

TEST_CASE("a probe ends with the first request after 17 gaps of the content")
{
    Server s;

    REQUIRE(s.probe(24));
    server_kind_request(&s.k, gap, at(340) - 1);
    CHECK(server_kind_probing(&s.k));
    server_kind_request(&s.k, gap, at(340));
    CHECK_FALSE(server_kind_probing(&s.k));
    CHECK_FALSE(s.probe(1000)); // it has to be judged first
}

TEST_CASE("a server that sends an update for each request at most merges")
{
    for (unsigned updates : {13U, 15U}) { // one waited before the first, one came late
        Server s;

        s.run_probe(updates);
        CHECK(s.k.type == SERVER_MERGES);
    }
}

TEST_CASE("two probes in a row with three updates more than requests prove that a server counts")
{
    Server s;

    s.run_probe(16);
    CHECK(s.k.type == SERVER_UNKNOWN);
    s.run_probe(16, 30); // at once: no more need be saved
    CHECK(s.k.type == SERVER_COUNTS);
    CHECK(server_kind_counts(&s.k));
    CHECK_FALSE(s.probe(1000)); // no other one is needed
}

TEST_CASE("one probe like that, and then another kind, proves nothing")
{
    Server s;

    s.run_probe(16);
    s.run_probe(13);
    CHECK(s.k.type == SERVER_MERGES);
    s.run_probe(16, 1000);
    CHECK(s.k.type == SERVER_MERGES);
}

TEST_CASE("updates that came for requests before the probe do not count")
{
    Server s;

    REQUIRE(s.probe(24));
    for (tick_t ms = 0; ms < 100; ms += 5)
        s.update(at(ms)); // a round trip has not passed
    CHECK(s.k.updates == 0);
    s.update(at(100));
    CHECK(s.k.updates == 1);
}

TEST_CASE("the next probe follows after 24 more, or after four times as many where it merges")
{
    Server s;

    s.run_probe(13, 30);
    REQUIRE(s.k.type == SERVER_MERGES);
    CHECK_FALSE(s.probe(143)); // 4 x 30 + 24
    CHECK(s.probe(144));
}

TEST_CASE("a server that shows who it is needs no probe")
{
    for (bool counts : {false, true}) {
        Server s;

        server_kind_announced(&s.k, counts, 5);
        CHECK(s.k.type == (counts ? SERVER_COUNTS : SERVER_MERGES));
        CHECK_FALSE(s.probe(1000));
    }
}

TEST_CASE("a server that shows who it is while a probe lasts ends it")
{
    Server s;

    REQUIRE(s.probe(24));
    server_kind_announced(&s.k, true, 5);
    CHECK_FALSE(server_kind_probing(&s.k));
}

TEST_CASE("a debt that does not become less in six updates is none")
{
    for (bool announced : {false, true}) {
        Server s;

        if (announced) {
            server_kind_announced(&s.k, true, 32);
        } else {
            s.run_probe(16);
            s.run_probe(16, 30);
        }
        REQUIRE(server_kind_counts(&s.k));
        for (int i = 0; i < 5; i++)
            CHECK_FALSE(s.update(at(1000 + 20 * i), 30));
        CHECK(s.update(at(1200), 30));
        CHECK(s.k.type == (announced ? SERVER_COUNTS : SERVER_UNKNOWN));
    }
}

TEST_CASE("a debt that becomes less, is small, or has grown in a silence is real")
{
    for (int reason = 0; reason < 3; reason++) {
        Server s;

        server_kind_announced(&s.k, true, 200);
        for (unsigned i = 0; i < 100; i++) {
            unsigned saved = reason == 0 ? 198 - i : reason == 1 ? 21 : 30;
            CHECK_FALSE(s.update(at(1000 + 20 * i), saved, reason == 2));
        }
    }
}
