// Whether a server merges or counts, judged by what a probe shows. The round trip is 100 ms.
#include "tests/catch.hpp"

#include "prerequest/know/server_kind.h"

namespace
{

const tick_t T0 = 1000 * TICK_S;

tick_t at(tick_t ms)
{
    return T0 + ms * TICK_MS;
}

struct Server {
    server_kind k{};
    unsigned waiting = 2, saved = 24;

    Server()
    {
        server_kind_init(&k);
    }

    // How long a probe would be, ms, where the content brings a frame every 20 ms.
    double probe(unsigned saved_now)
    {
        saved = saved_now;
        return tick_to_ms(server_kind_probe(&k, saved, 20 * TICK_MS, T0));
    }

    bool update(bool unasked, tick_t begun, bool pause = true, bool silent = false)
    {
        struct server_kind_update u = {unasked, silent, pause,        waiting,
                                       saved,   begun,  100 * TICK_MS};

        return server_kind_update(&k, &u);
    }

    // A probe of 125 ms, and three updates that nobody asked for.
    void prove_counting()
    {
        REQUIRE(probe(saved) == 125);
        for (tick_t ms : {150, 170, 190})
            update(true, at(ms));
        REQUIRE(server_kind_counts(&k));
    }

    // The same, and then silence until requests have an effect again.
    void prove_merging(unsigned saved_now)
    {
        REQUIRE(probe(saved_now) == 125);
        update(false, at(240));
        REQUIRE(k.type == SERVER_MERGES);
    }
};

} // namespace

TEST_CASE("a server is held to merge, and what it does is not known")
{
    Server s;

    CHECK(s.k.type == SERVER_UNKNOWN);
    CHECK_FALSE(server_kind_counts(&s.k));
}

TEST_CASE("a probe follows when a server that counts would owe 24 updates")
{
    Server s;

    CHECK(s.probe(23) == 0);
    CHECK(s.probe(24) == 125); // 35 ms and 4.5 gaps of 20 ms
    CHECK(s.probe(1000) == 0); // one at a time
}

TEST_CASE("there is no probe where frames are more than 50 ms apart")
{
    Server s;

    CHECK(server_kind_probe(&s.k, 24, 50 * TICK_MS + 1, T0) == 0);
    CHECK(server_kind_probe(&s.k, 24, 50 * TICK_MS, T0) == 260 * TICK_MS); // 35 + 4.5 x 50
}

TEST_CASE("three updates that nobody asked for prove that a server counts")
{
    Server s;

    REQUIRE(s.probe(24) == 125);
    s.update(true, at(150));
    s.update(false, at(160)); // one between them that says nothing
    s.update(true, at(170));
    CHECK(s.k.type == SERVER_UNKNOWN);
    s.update(true, at(190));
    CHECK(s.k.type == SERVER_COUNTS);
    CHECK(server_kind_counts(&s.k));
    CHECK(server_kind_probe(&s.k, 1000, 20 * TICK_MS, at(1000)) == 0); // no other one is needed
}

TEST_CASE("updates that nobody asked for prove nothing without a probe")
{
    Server s;

    for (tick_t ms = 0; ms < 1000; ms += 20)
        s.update(true, at(ms));
    CHECK(s.k.type == SERVER_UNKNOWN);
    REQUIRE(s.probe(24) == 125);
    s.update(true, at(150));
    s.update(true, at(170));
    CHECK(s.k.type == SERVER_UNKNOWN); // those before the probe do not count
}

TEST_CASE("silence for as long as the probe shows that a server merges")
{
    // Requests leave again at 125. Their answers come from 225 on, 5 ms of which are chance.
    Server s;
    REQUIRE(s.probe(24) == 125);
    s.update(false, at(220));
    CHECK(s.k.type == SERVER_UNKNOWN); // it may be one of before the probe
    s.update(false, at(220) + 1, false);
    CHECK(s.k.type == SERVER_UNKNOWN); // in a run nobody knows since when it waits
    s.update(false, at(220) + 1);
    CHECK(s.k.type == SERVER_MERGES);
}

TEST_CASE("where the content itself was silent a probe shows nothing")
{
    for (tick_t late : {-1, 0}) { // ns
        Server s;

        REQUIRE(s.probe(24) == 125);
        s.update(false, at(350) + late); // the probe, a round trip, and as long as the probe
        CHECK(s.k.type == (late < 0 ? SERVER_MERGES : SERVER_UNKNOWN));
    }
    Server s;
    REQUIRE(s.probe(30) == 125);
    s.update(false, at(350));
    CHECK(s.probe(53) == 0);
    CHECK(s.probe(54) == 125); // another one after 24 more
}

TEST_CASE("one update that nobody asked for is no silence, and no proof")
{
    Server s;

    REQUIRE(s.probe(24) == 125);
    s.update(true, at(150));
    s.update(false, at(240));
    CHECK(s.k.type == SERVER_UNKNOWN);
    CHECK(s.probe(47) == 0);
    CHECK(s.probe(48) == 125); // another one after 24 more
}

TEST_CASE("what one probe has shown does not count in the next one")
{
    Server s;

    REQUIRE(s.probe(24) == 125);
    s.update(true, at(150));
    s.update(true, at(170));
    s.update(false, at(240));
    REQUIRE(s.probe(48) == 125);
    s.update(true, at(150));
    s.update(true, at(170));
    CHECK(s.k.type == SERVER_UNKNOWN);
    s.update(true, at(190));
    CHECK(s.k.type == SERVER_COUNTS);
}

TEST_CASE("a server that has shown that it merges is probed after four times as many requests")
{
    Server s;

    s.prove_merging(30);
    CHECK(s.probe(143) == 0);
    CHECK(s.probe(144) == 125); // 4 x 30 + 24
}

TEST_CASE("a server that has shown that it merges can still be found to count")
{
    Server s;

    s.prove_merging(24);
    s.saved = 120; // 4 x 24 + 24
    s.prove_counting();
}

TEST_CASE("a probe that a request cuts short comes again after 17, 34, 51 and 68 more in turn")
{
    Server s;
    unsigned saved = 24;

    for (unsigned more : {17, 34, 51, 68, 17}) {
        REQUIRE(s.probe(saved) == 125);
        CHECK(server_kind_request(&s.k, saved, at(125) - 1));
        CHECK_FALSE(server_kind_request(&s.k, saved, at(125) - 1)); // it is cut already
        saved += more;
        CHECK(s.probe(saved - 1) == 0);
    }
    CHECK(s.probe(saved) == 125);
}

TEST_CASE("a request at the end of a probe cuts nothing")
{
    Server s;

    REQUIRE(s.probe(24) == 125);
    CHECK_FALSE(server_kind_request(&s.k, 24, at(125)));
    s.update(false, at(240));
    CHECK(s.k.type == SERVER_MERGES); // it is judged
}

TEST_CASE("a probe that was cut short proves nothing")
{
    Server s;

    REQUIRE(s.probe(24) == 125);
    server_kind_request(&s.k, 24, at(50));
    for (tick_t ms = 150; ms < 250; ms += 20)
        s.update(true, at(ms));
    s.update(false, at(260));
    CHECK(s.k.type == SERVER_UNKNOWN);
}

TEST_CASE("a probe of a merging server that is cut short is as rare as others")
{
    Server s;

    s.prove_merging(24);
    REQUIRE(s.probe(120) == 125); // 4 x 24 + 24
    CHECK(server_kind_request(&s.k, 120, at(50)));
    CHECK(s.probe(503) == 0);
    CHECK(s.probe(504) == 125); // 4 x 120 + 24
}

TEST_CASE("a counting server whose debt does not become less although it sends was a mistake")
{
    Server s;

    s.prove_counting();
    for (int i = 1; i < 6; i++)
        REQUIRE_FALSE(s.update(false, at(200 + 20 * i)));
    CHECK(s.update(false, at(320))); // the sixth: what is saved is to be forgotten
    CHECK(s.k.type == SERVER_UNKNOWN);
    CHECK(s.probe(23) == 0);
    CHECK(s.probe(24) == 125); // the search begins again
}

TEST_CASE("a counting server whose debt becomes less is no mistake")
{
    Server s;

    s.saved = 100;
    s.prove_counting();
    for (int i = 0; i < 60; i++) {
        s.saved -= i % 6 == 5; // one less, after five updates without
        s.update(false, at(200 + 20 * i));
        REQUIRE(server_kind_counts(&s.k));
    }
}

TEST_CASE("a debt that has become less, and then does so no longer, was a mistake, too")
{
    Server s;

    s.saved = 100;
    s.prove_counting();
    s.saved = 50;
    for (int i = 0; i <= 5; i++) // the first one shows that it was less
        REQUIRE_FALSE(s.update(false, at(200 + 20 * i)));
    CHECK(s.update(false, at(320)));
}

TEST_CASE("the debt of a counting server may grow while it is silent")
{
    Server s;

    s.prove_counting();
    for (int i = 0; i < 60; i++) {
        s.waiting += i % 6 == 5;
        s.update(false, at(200 + 20 * i), true, i % 6 == 5);
        REQUIRE(server_kind_counts(&s.k));
    }
}

TEST_CASE("a debt of fewer than 24 updates may stay")
{
    Server s;

    s.prove_counting();
    s.waiting = 3;
    s.saved = 20;
    for (int i = 0; i < 60; i++) {
        s.update(false, at(200 + 20 * i));
        REQUIRE(server_kind_counts(&s.k));
    }
}
