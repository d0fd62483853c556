// Every rule earns its place: without it, a scenario that names it gets worse, and a user notices.
#include "tests/catch.hpp"

#include <algorithm>
#include <set>
#include <string_view>

#include "tests/sim/worth.hpp"

namespace
{

struct Proof {
    rule_id rule;
    const char *scenario, *figure;
};

// Found with tools/lab.sh ablate.
const Proof proofs[] = {
    {RULE_FIRST, "film, 100 ms, merging", "frames"},
    {RULE_INPUT, "loss of 0.1 %", "age p95"},
    {RULE_REACTIVE, "slow content, then a film", "frames"},
    {RULE_REFRESH, "rest and start, 100 ms", "sharp after"},
    {RULE_BEAT, "the line hangs", "age p95"},
    {RULE_NOTHING_COMES, "the line hangs, 20 ms", "frames"},
    {RULE_HELD, "rest and start, 500 ms", "longest gap"},
    {RULE_WAKE, "rest and start, 100 ms", "longest gap"},
    {RULE_NEAR, "slow content, then a film", "frames"},
    {RULE_TRAIN, "2 to 20 Mbit/s, counting", "frames"},
    {RULE_EFFECT, "film and keys, 0.5 Mbit/s, merging", "response p50"},
    {RULE_PATIENCE, "rest and start, 500 ms", "requests"},
    {RULE_PULL, "rest and start, 500 ms", "longest gap"},
    {RULE_STEADY_BEAT, "film and keys, 8 Mbit/s, ticking", "frames"},
    {RULE_PROBE, "the rate drops by twenty, counting", "response p50"},
    {RULE_FILL, "beside a download, 8 Mbit/s, counting", "response p50"},
    {RULE_DRAIN, "still, 0.5 Mbit/s", "age p95"},
    {RULE_ROOM, "film and keys, 0.5 Mbit/s, counting", "response p95"},
    {RULE_STILL_ROOM, "film and keys, 100 ms, ticking", "frames"},
    {RULE_EMPTIED, "2 to 20 Mbit/s, merging", "longest gap"},
    {RULE_SLOWDOWN, "the rate drops by twenty, counting", "response p95"},
    {RULE_LESS, "the line hangs", "frames"},
    {RULE_GUESS, "still, 0.5 Mbit/s", "age p95"},
    {RULE_FIRST_PACKET, "rest and start, 1 Mbit/s, keys, counting", "response p50"},
    {RULE_FAST_CONTENT, "the same, and it shows that it counts", "response p50"},
    {RULE_FASTER, "slow content, then a film", "frames"},
    {RULE_SLOWER, "film and keys, 1 ms, ticking", "requests"},
    {RULE_SWING, "film and keys, 500 ms, ticking", "longest gap"},
    {RULE_DOWN, "the rate drops by twenty, counting", "response p95"},
    {RULE_UP, "film and keys, 500 ms, ticking", "quality step"},
    {RULE_COARSE_FIRST, "still, 0.5 Mbit/s", "age p95"},
};

// Nobody sees what this one is worth: test_hidden.cpp does.
const std::set<rule_id> elsewhere = {RULE_HIDDEN};

const FigureKind &kind(std::string_view name)
{
    const auto &all = figure_kinds();

    return *std::find_if(all.begin(), all.end(),
                         [&](const FigureKind &k) { return name == k.name; });
}

double mean(const NamedScenario &n, const FigureKind &k, rule_set without)
{
    return (run_scenario(n, without, 1).*k.value + run_scenario(n, without, 2).*k.value) / 2;
}

} // namespace

TEST_CASE("every rule has a scenario that gets worse without it")
{
    std::set<rule_id> shown = elsewhere;

    for (const Proof &p : proofs) {
        const NamedScenario &n = scenario(p.scenario);
        const FigureKind &k = kind(p.figure);
        double with = mean(n, k, 0), without = mean(n, k, rule_set(1) << p.rule);

        INFO(rule_name(p.rule) << ": " << p.scenario << ", " << p.figure << " " << with
                               << " with it, " << without << " without");
        CHECK(worse(k, with, without) > 1);
        shown.insert(p.rule);
    }
    CHECK(shown.size() == RULE_COUNT); // of a new rule somebody has to tell what it is for
}
