// The queue model again: bursty loss, reordering, changes while packets wait; under a fake clock.
// Statistics are judged for fixed seeds: a mistake moves them by more than five standard
// deviations, bad luck cannot.
#include "tests/catch.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/linkem/queue.hpp"

namespace
{

struct Losses {
    int packets = 0, lost = 0, bursts = 0;

    double rate() const
    {
        return static_cast<double>(lost) / packets;
    }
};

Losses count_losses(const linkem_config &c, int packets)
{
    Queue q(c);
    Losses l;
    bool before = false;
    for (int i = 0; i < packets; i++) {
        bool lost = q.put(1, i) == LINKEM_LOST;
        l.packets++;
        l.lost += lost;
        l.bursts += lost && !before;
        before = lost;
        q.drain(i);
    }
    return l;
}

} // namespace

TEST_CASE("queue: bursty loss has the share and the burst length of Gilbert and Elliott", "[queue]")
{
    const int packets = 400000;
    const uint64_t seed = GENERATE(1, 2, 3);
    INFO("seed " << seed);
    auto c = config(0, 0, 0);
    c.seed = seed;
    c.burst_p = 0.01;
    c.burst_r = 0.25;
    c.burst_loss = 1;

    // Bounds of five standard deviations. The variance of
    // the mean of a two-state chain is that of independent draws times (1 + d) / (1 - d), where
    // d = 1 - p - r is what remains of the state after a step.
    double bad = c.burst_p / (c.burst_p + c.burst_r);
    double d = 1 - c.burst_p - c.burst_r;
    double sigma = std::sqrt(bad * (1 - bad) / packets * (1 + d) / (1 - d));
    Losses gilbert = count_losses(c, packets);
    CHECK(gilbert.rate() == Approx(bad).margin(5 * sigma));
    // A burst is geometric with mean 1 / r.
    double mean = 1 / c.burst_r, spread = std::sqrt(1 - c.burst_r) / c.burst_r;
    CHECK(gilbert.lost / static_cast<double>(gilbert.bursts) ==
          Approx(mean).margin(5 * spread / std::sqrt(gilbert.bursts)));

    c.burst_loss = 0.5;
    c.loss = 0.02;
    double expected = bad * 0.5 + (1 - bad) * 0.02;
    // Independent draws within the states, and the states' own spread times their difference.
    sigma = std::sqrt(expected / packets + 0.48 * 0.48 * sigma * sigma);
    CHECK(count_losses(c, packets).rate() == Approx(expected).margin(5 * sigma));
}

TEST_CASE("queue: without bursts the state never turns bad, and a change leaves it", "[queue]")
{
    auto c = config(0, 0, 0);
    c.burst_r = 0.5;
    c.burst_loss = 1;
    CHECK(count_losses(c, 1000).lost == 0);

    c.burst_p = 1;
    c.burst_r = 0;
    Queue q(c);
    CHECK(q.put(1, 0) == LINKEM_QUEUED); // starts good
    CHECK(q.put(1, 0) == LINKEM_LOST);
    c.burst_p = 0;
    REQUIRE(linkem_queue_change(&q.q, &c, 0));
    CHECK(q.put(1, 0) == LINKEM_QUEUED);
}

TEST_CASE("queue: with reordering jitter is independent of the packets before", "[queue]")
{
    const int count = 20000;
    const uint64_t seed = GENERATE(1, 2, 3);
    INFO("seed " << seed);
    auto c = config(0, 0, 50 * TICK_MS);
    c.jitter = 20 * TICK_MS;
    c.reorder = true;
    c.seed = seed;
    Queue q(c);
    for (int i = 0; i < count; i++) {
        REQUIRE(q.put(100, i * TICK_MS, static_cast<uint64_t>(i)) == LINKEM_QUEUED);
    }
    tick_t last = 0;
    int overtaken = 0;
    uint64_t highest = 0;
    double sum = 0;
    std::vector<bool> seen(count);
    auto all = q.drain();
    REQUIRE(all.size() == static_cast<size_t>(count));
    for (const auto &p : all) {
        auto took = p.due - static_cast<tick_t>(p.cookie) * TICK_MS;
        REQUIRE(took >= 50 * TICK_MS);
        REQUIRE(took <= 70 * TICK_MS);
        REQUIRE(p.due >= last);
        REQUIRE_FALSE(seen[p.cookie]);
        seen[p.cookie] = true;
        last = p.due;
        sum += tick_to_ms(took);
        overtaken += p.cookie < highest;
        highest = std::max(highest, p.cookie);
    }
    // Uniform: the standard deviation of one is 20 / sqrt(12).
    CHECK(sum / count == Approx(60).margin(5 * 20 / std::sqrt(12.0 * count)));
    CHECK(overtaken > count / 2);
    CHECK(q.q.held_bytes == 0);
}

TEST_CASE("queue: packets due together come in order, reordering or not", "[queue]")
{
    auto c = config(0, 0, TICK_MS);
    c.reorder = true;
    Queue q(c);
    for (uint64_t i = 0; i < 1000; i++) {
        REQUIRE(q.put(1, 5, i) == LINKEM_QUEUED);
    }
    uint64_t expected = 0;
    for (const auto &p : q.drain()) {
        REQUIRE(p.cookie == expected++);
    }
    CHECK(expected == 1000);
}

TEST_CASE("queue: a new rate holds for what waits, not for the packet on the line", "[queue]")
{
    for (bool reorder : {false, true}) {
        INFO("reorder " << reorder);
        auto c = config(8000000, 10000, 5 * TICK_MS); // 1000 bytes take 1 ms
        c.reorder = reorder;
        Queue q(c);
        for (uint64_t i = 0; i < 4; i++) {
            REQUIRE(q.put(1000, 0, i) == LINKEM_QUEUED);
        }
        c.rate = 800000; // 10 ms
        c.delay = 7 * TICK_MS;
        REQUIRE(linkem_queue_change(&q.q, &c, TICK_MS + TICK_MS / 2));
        REQUIRE(q.put(1000, 2 * TICK_MS, 4) == LINKEM_QUEUED);
        CHECK(linkem_queue_backlog(&q.q, 2 * TICK_MS) == 2000);
        auto got = q.drain();
        REQUIRE(got.size() == 5);
        CHECK(got[0].due == 6 * TICK_MS);
        CHECK(got[1].due == 7 * TICK_MS); // was on the line
        CHECK(got[2].due == 19 * TICK_MS);
        CHECK(got[3].due == 29 * TICK_MS);
        CHECK(got[4].due == 39 * TICK_MS);

        c.reorder = !reorder;
        CHECK_FALSE(linkem_queue_change(&q.q, &c, 0));
    }
}

TEST_CASE("queue: a shorter delay overtakes nothing in order, and waits for nothing else",
          "[queue]")
{
    auto c = config(8000000, 0, 50 * TICK_MS);
    Queue q(c);
    for (int i = 0; i < 3; i++) {
        REQUIRE(q.put(1000, 0) == LINKEM_QUEUED);
    }
    c.delay = 0;
    c.rate = 0;
    REQUIRE(linkem_queue_change(&q.q, &c, TICK_MS / 2));
    auto got = q.drain();
    REQUIRE(got.size() == 3);
    for (const auto &p : got) {
        CHECK(p.due == 51 * TICK_MS);
    }
}
