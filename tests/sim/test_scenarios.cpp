// What a user may expect of the scenarios of the table.
#include "tests/catch.hpp"

#include <cstdlib>
#include <iostream>
#include <set>

#include "tests/seed.hpp"
#include "tests/sim/scenarios.hpp"

namespace
{

constexpr double any = -1;

// Each is a bound, or `any`. Times in ms.
struct Wanted {
    const char *name;
    double fps;            // at least
    double gap = any;      // between two frames, at most
    double response = any; // 95th percentile, at most
    double start = any;    // first frame after a rest, at most
    double sharp = any;    // until the picture is without loss, at most
};

// A film at its own rate. Single frames may be left out, but never two in a row: no gap is longer
// than two frames and a few ms. A response is the round trip, 12 ms for the program, the server and
// the viewer, and up to a frame.
const Wanted films[] = {
    {"film, 1 ms, merging", 29.5, 75},
    {"film, 100 ms, merging", 29.5, 75},
    {"film of 60, 1 ms, merging", 59, 40},
    {"film of 60, 100 ms, merging", 59, 40},
    {"film and keys, 1 ms, counting", 29.5, 75, 1 + 50},
    {"film and keys, 100 ms, merging", 29.5, 75, 100 + 50},
    {"film and keys, 100 ms, counting", 29.5, 75, 100 + 50},
    {"film and keys, 500 ms, merging", 29.5, 75, 500 + 50},
    {"film and keys, 500 ms, counting", 29.5, 75, 500 + 50},
    // it looks 33 times a second at best; a look that found nobody asking delays the next
    {"film and keys, 1 ms, ticking", 18, 300, 1 + 130},
    {"film and keys, 100 ms, ticking", 18, 300, 100 + 130},
    {"film and keys, 500 ms, ticking", 17, 300, 500 + 130},
};

// The link is the limit. An update takes 27 ms at 8 Mbit/s, 68 ms at 2 and 270 ms at 0.5. A
// response waits for the update on the line, perhaps one more, and its own.
const Wanted slow_links[] = {
    {"film and keys, 8 Mbit/s, merging", 28, 100, 100 + 12 + 3 * 27},
    {"film and keys, 8 Mbit/s, counting", 28, 100, 100 + 12 + 3 * 27},
    {"film and keys, 8 Mbit/s, blocking", 28, 100, 100 + 12 + 3 * 27},
    {"film and keys, 8 Mbit/s, ticking", 14, 300, 100 + 180},
    {"film and keys, 2 Mbit/s, merging", 12, 150, 100 + 12 + 3 * 68},
    {"film and keys, 2 Mbit/s, counting", 12, 150, 100 + 12 + 3 * 68},
    {"film and keys, 0.5 Mbit/s, merging", 3, 600, 100 + 12 + 3 * 270},
    {"film and keys, 0.5 Mbit/s, counting", 3, 600, 100 + 12 + 3 * 270},
    {"film and keys, 0.5 Mbit/s, blocking", 3, 600, 100 + 12 + 3 * 270},
};

const Wanted troubles[] = {
    {"jitter of 20 ms", 29, 250, 100 + 2 * 20 + 50},
    // requests come to the server in bunches of up to 50 ms, and a bunch brings one frame
    {"jitter of 50 ms, film of 60", 30, 350, 100 + 2 * 50 + 100},
    // TCP alone allows 4.5, 1.4 and 0.6 Mbit/s; the smallest frame has 17 kB
    {"loss of 0.1 %", 18, 400, 100 + 400},
    {"loss of 1 %, merging", 7, 700, 100 + 800},
    {"loss of 1 %, counting", 7, 700, 100 + 900},
    {"loss of 5 %", 3.5, 1500, 100 + 1500},
    {"bursts of loss, 40 ms, 20 Mbit/s", 24, 1500, 40 + 500},
    // the room in front of the link is 600 ms long; a packet that is lost there comes as late again
    {"beside a download, 8 Mbit/s, merging", 15, 1000, 40 + 2 * 600},
    {"beside a download, 8 Mbit/s, counting", 15, 1000, 40 + 2 * 600},
    {"a queue of 2 s, 2 Mbit/s", 10, 300, 100 + 400},
    // at 2 Mbit/s a frame takes 68 ms, and the link is so slow for a second at a time
    {"2 to 20 Mbit/s, merging", 24, 350, 40 + 200},
    // it may not have shown that it counts when the link becomes slow; then it owes ten frames
    {"2 to 20 Mbit/s, counting", 24, 350, 40 + 700},
    // the stall itself takes a second
    {"the uplink stalls", 20, 1000 + 300, 1000 + 300},
    {"an uplink of 0.3 Mbit/s", 29, 250, 40 + 100},
};

const Wanted changes[] = {
    {"the rate drops by twenty", 28, 250, 100 + 150},
    {"the rate drops by twenty, counting", 28, 250, 100 + 150},
    {"the rate is back", 29, 250, 100 + 100},
    {"slower after a long rest", 20, 250, 100 + 150},
    {"the line hangs", 25, 250},
    {"another sender takes most", 12, 250, 100 + 12 + 3 * 68},
    {"the route becomes longer", 28, 250, 400 + 120},
    {"a window, then a pointer", 20, 400, 100 + 300},
    // half a round trip, for a request waits at the server. The first frame is larger than TCP's
    // first ten packets, so it takes a round trip more where that is long.
    {"rest and start, 1 ms", any, 250, any, 30, 1000},
    {"rest and start, 100 ms", any, 250, any, 50 + 100 + 50, 1500},
    {"rest and start, 500 ms", any, any, any, 250 + 500 + 50, 3000},
};

const Wanted hands[] = {
    {"typing in bursts", any, any, 100 + 30},
    {"typing in bursts, 0.5 Mbit/s", any, any, 100 + 50},
    {"scrolling in bursts, 8 Mbit/s", any, 150, any, 150, 2000},
    // it comes when the slide before is being sent without loss, so it comes so, too: 1.9 s
    {"slides, 2 Mbit/s", any, any, any, 2500, 4000},
};

const Wanted pushed[] = {
    {"pushed", 29.5, 80, 100 + 50},
    {"pushed, 2 Mbit/s", 12, 400, 100 + 600},
    {"pushed, rests, 8 Mbit/s", any, 150, any, 50 + 200, 2000},
};

// The film has 230 thousand pixels, so 460 kB without loss: 0.46 s at 8 Mbit/s, 1.8 s at 2 and 7.4
// s at 0.5. It waits half a second first, or as long as it takes.
const Wanted still[] = {
    {"still, 100 ms, 8 Mbit/s", any, any, any, any, 2 * 460 + 600},
    {"still, a caret blinks", any, any, any, any, 2 * 460 + 600},
    {"still, 0.5 Mbit/s", any, any, any, any, 2 * 7400 + 5000},
    // two frames come without loss
    {"still, and moves again, 2 Mbit/s", any, any, any, 1800 + 1800},
    // the key comes after 2.5 s
    {"still, and a key in the middle", any, any, 100 + 100, any, 2500 + 2 * 1850 + 600},
};

template <size_t N> void check(const Wanted (&rows)[N])
{
    uint64_t seed = one_seed() + 1;

    for (const Wanted &w : rows) {
        Figures f = run_scenario(scenario(w.name), scheduler_options{}, seed);

        INFO(w.name << ", seed " << seed << ": " << to_text(f));
        if (w.fps != any)
            CHECK(f.fps >= w.fps);
        if (w.gap != any)
            CHECK(f.gap_max_ms <= w.gap);
        if (w.response != any) {
            CHECK(f.response_p50 > 0); // there were some
            CHECK(f.response_p95 <= w.response);
        }
        if (w.start != any) {
            CHECK(f.start_ms > 0);
            CHECK(f.start_ms <= w.start);
        }
        if (w.sharp != any) {
            CHECK(f.lossless_ms > 0);
            CHECK(f.lossless_ms <= w.sharp);
        }
    }
}

} // namespace

TEST_CASE("scenarios: a film on fast links")
{
    check(films);
}

TEST_CASE("scenarios: a film on slow links")
{
    check(slow_links);
}

TEST_CASE("scenarios: networks that lose, delay and hold up")
{
    check(troubles);
}

TEST_CASE("scenarios: what changes on the way")
{
    check(changes);
}

TEST_CASE("scenarios: typing, scrolling, slides")
{
    check(hands);
}

TEST_CASE("scenarios: a server that pushes")
{
    check(pushed);
    // nothing is asked for but what is to come without loss
    CHECK(run_scenario(scenario("pushed"), scheduler_options{}, 1).requests == 0);
}

TEST_CASE("scenarios: what is still becomes sharp")
{
    check(still);
}

TEST_CASE("in no scenario requests or wake-ups come in storms")
{
    for (const NamedScenario &n : scenarios()) {
        Figures f = run_scenario(n, scheduler_options{}, one_seed() + 1);

        if (std::getenv("VNCHL_SIM_VERBOSE"))
            std::cerr << n.name << ": " << to_text(f) << "\n";
        INFO(n.name << ": " << to_text(f));
        CHECK(f.requests <= 130);
        // a frame wakes the sender twice, a request once; motion comes 125 times a second
        CHECK(f.wakeups_max <= 200);
        CHECK(f.utilisation <= 1.01);
    }
}

TEST_CASE("a scenario is the same each time, and another one with another seed")
{
    const NamedScenario &n = scenario("loss of 1 %, merging");
    Figures a = run_scenario(n, scheduler_options{}, 1), b = run_scenario(n, 0, 1),
            c = run_scenario(n, 0, 2);

    CHECK(to_text(a) == to_text(b));
    CHECK(to_text(a) != to_text(c));
}

TEST_CASE("the user's options reach the scheduler")
{
    scheduler_options slow{}, pinned{};

    slow.max_fps = 5;
    pinned.quality_pinned = true;
    CHECK(run_scenario(scenario("film, 100 ms, merging"), slow, 1).fps <= 5.5);
    CHECK(run_scenario(scenario("film and keys, 2 Mbit/s, merging"), pinned, 1).step == 0);
}

TEST_CASE("each scenario has a name of its own")
{
    std::set<std::string> names;

    for (const NamedScenario &n : scenarios())
        CHECK(names.insert(n.name).second);
    CHECK_THROWS(scenario("no such thing"));
}
