// The queue model of one direction of a link (tools/linkem/queue.h), under a fake clock.
#include "tests/catch.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "tools/linkem/queue.h"

namespace
{

// A queue that frees itself, with the calls shortened to what the tests ask.
struct Queue {
    linkem_queue q{};

    explicit Queue(const linkem_config &c)
    {
        REQUIRE(linkem_queue_init(&q, &c));
    }
    ~Queue()
    {
        linkem_queue_deinit(&q);
    }
    Queue(const Queue &) = delete;
    Queue &operator=(const Queue &) = delete;

    linkem_put put(uint32_t bytes, tick_t now, uint64_t cookie = 0)
    {
        return linkem_queue_put(&q, bytes, cookie, now);
    }
    tick_t due() const
    {
        return linkem_queue_next_due(&q);
    }
    std::vector<linkem_packet> drain(tick_t now = TICK_NEVER)
    {
        std::vector<linkem_packet> all;
        linkem_packet p;
        while (linkem_queue_take(&q, now, &p)) {
            all.push_back(p);
        }
        return all;
    }
};

linkem_config config(uint64_t rate, uint64_t queue_bytes, tick_t delay)
{
    linkem_config c{};
    c.rate = rate;
    c.queue_bytes = queue_bytes;
    c.delay = delay;
    return c;
}

} // namespace

TEST_CASE("queue: unlimited rate gives the delay alone", "[queue]")
{
    Queue q(config(0, 0, 150 * TICK_MS));
    REQUIRE(q.due() == TICK_NEVER);
    REQUIRE(q.put(1460, 10, 7) == LINKEM_QUEUED);
    REQUIRE(q.put(100, 10, 8) == LINKEM_QUEUED);
    REQUIRE(q.due() == 10 + 150 * TICK_MS);
    REQUIRE(q.drain(9 + 150 * TICK_MS).empty());
    auto got = q.drain(10 + 150 * TICK_MS);
    REQUIRE(got.size() == 2);
    CHECK(got[0].cookie == 7);
    CHECK(got[0].bytes == 1460);
    CHECK(got[1].cookie == 8);
    CHECK(q.due() == TICK_NEVER);
    CHECK(q.q.held_bytes == 0);
}

TEST_CASE("queue: packets are serialised one after another", "[queue]")
{
    // 8 Mbit/s: 1000 bytes take 1 ms.
    Queue q(config(8000000, 0, 5 * TICK_MS));
    REQUIRE(q.put(1000, 0) == LINKEM_QUEUED);
    REQUIRE(q.put(1000, 0) == LINKEM_QUEUED);
    REQUIRE(q.put(500, 0) == LINKEM_QUEUED);
    CHECK(linkem_queue_backlog(&q.q, 0) == 1500);
    CHECK(linkem_queue_backlog(&q.q, TICK_MS) == 500);
    CHECK(linkem_queue_backlog(&q.q, 2 * TICK_MS) == 0);
    auto got = q.drain();
    REQUIRE(got.size() == 3);
    CHECK(got[0].due == 6 * TICK_MS);
    CHECK(got[1].due == 7 * TICK_MS);
    CHECK(got[2].due == 7 * TICK_MS + TICK_MS / 2);
}

TEST_CASE("queue: an idle line does not save up capacity", "[queue]")
{
    Queue q(config(8000000, 0, 0));
    q.put(1000, 0);
    q.put(1000, 10 * TICK_MS);
    q.put(1000, 10 * TICK_MS);
    auto got = q.drain();
    REQUIRE(got.size() == 3);
    CHECK(got[1].due == 11 * TICK_MS);
    CHECK(got[2].due == 12 * TICK_MS);
}

TEST_CASE("queue: the rate is exact over many packets at awkward rates", "[queue]")
{
    for (uint64_t rate : {UINT64_C(7), UINT64_C(8000001), UINT64_C(999999999937)}) {
        INFO("rate " << rate);
        Queue q(config(rate, 0, 0));
        const int count = 3000;
        for (int i = 0; i < count; i++) {
            REQUIRE(q.put(1460, 0) == LINKEM_QUEUED);
        }
        auto got = q.drain();
        REQUIRE(got.size() == static_cast<size_t>(count));
        double exact = count * 1460.0 * 8 * 1e9 / static_cast<double>(rate);
        CHECK(static_cast<double>(got.back().due) == Approx(exact).epsilon(1e-9).margin(1.0));
    }
}

TEST_CASE("queue: drop-tail counts what waits, not what is on the line", "[queue]")
{
    Queue q(config(8000000, 2000, TICK_MS));
    CHECK(q.put(1000, 0) == LINKEM_QUEUED); // on the line
    CHECK(q.put(1000, 0) == LINKEM_QUEUED);
    CHECK(q.put(1000, 0) == LINKEM_QUEUED);
    CHECK(q.put(1, 0) == LINKEM_FULL);
    CHECK(linkem_queue_room_at(&q.q, 1, 0) == TICK_MS);
    CHECK(linkem_queue_room_at(&q.q, 1500, 0) == 2 * TICK_MS);
    CHECK(q.put(1000, TICK_MS) == LINKEM_QUEUED);
    CHECK(q.put(1, TICK_MS) == LINKEM_FULL);
    CHECK(q.drain().size() == 4);
}

TEST_CASE("queue: a packet longer than the queue passes when the line is idle", "[queue]")
{
    Queue q(config(8000000, 100, 0));
    CHECK(q.put(1000, 0) == LINKEM_QUEUED);
    CHECK(q.put(1000, 0) == LINKEM_FULL);
    tick_t when = linkem_queue_room_at(&q.q, 1000, 0);
    CHECK(when == TICK_MS);
    CHECK(q.put(1000, when) == LINKEM_QUEUED);
}

TEST_CASE("queue: jitter keeps the order and its bounds", "[queue]")
{
    auto c = config(0, 0, 50 * TICK_MS);
    c.jitter = 20 * TICK_MS;
    c.seed = 42;
    Queue q(c);
    const int count = 2000;
    double sum = 0;
    for (int i = 0; i < count; i++) {
        REQUIRE(q.put(100, i * 100 * TICK_MS, static_cast<uint64_t>(i)) == LINKEM_QUEUED);
    }
    auto got = q.drain();
    REQUIRE(got.size() == static_cast<size_t>(count));
    for (int i = 0; i < count; i++) {
        tick_t took = got[static_cast<size_t>(i)].due - i * 100 * TICK_MS;
        REQUIRE(took >= 50 * TICK_MS);
        REQUIRE(took <= 70 * TICK_MS);
        sum += tick_to_ms(took);
    }
    CHECK(sum / count == Approx(60).margin(1));

    Queue dense(c);
    for (int i = 0; i < count; i++) {
        REQUIRE(dense.put(100, i * TICK_MS / 10, static_cast<uint64_t>(i)) == LINKEM_QUEUED);
    }
    tick_t last = 0;
    uint64_t expected = 0;
    for (const auto &p : dense.drain()) {
        REQUIRE(p.due >= last);
        REQUIRE(p.cookie == expected++);
        last = p.due;
    }
}

TEST_CASE("queue: random loss has the probability asked for and repeats with its seed", "[queue]")
{
    auto c = config(0, 0, 0);
    c.loss = 0.1;
    c.seed = 1;
    Queue a(c), b(c);
    int lost = 0;
    for (int i = 0; i < 20000; i++) {
        linkem_put got = a.put(1, i);
        REQUIRE(got == b.put(1, i));
        lost += got == LINKEM_LOST;
    }
    CHECK(lost / 20000.0 == Approx(0.1).margin(0.01));
    CHECK(a.drain().size() == static_cast<size_t>(20000 - lost));

    c.loss = 1;
    Queue all(c);
    CHECK(all.put(1, 0) == LINKEM_LOST);
}

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
    auto seed = std::random_device{}();
    INFO("seed " << seed);
    auto c = config(0, 0, 0);
    c.seed = seed;
    c.burst_p = 0.01;
    c.burst_r = 0.25;
    c.burst_loss = 1;

    // Bounds of five standard deviations: one run in two million falls outside. The variance of
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
    auto seed = std::random_device{}();
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

TEST_CASE("queue: a clock that steps back does no harm", "[queue]")
{
    Queue q(config(8000000, 1000, 0));
    q.put(1000, 100 * TICK_MS);
    CHECK(q.put(1000, 0) == LINKEM_QUEUED);
    auto got = q.drain();
    REQUIRE(got.size() == 2);
    CHECK(got[1].due == 102 * TICK_MS);
}

TEST_CASE("queue: nonsense is refused", "[queue]")
{
    linkem_queue q{};
    auto c = config(LINKEM_RATE_MAX + UINT64_C(1), 0, 0);
    CHECK_FALSE(linkem_queue_init(&q, &c));
    CHECK(std::string(linkem_config_check(&c)) == "rate");
    c = config(0, 0, -1);
    CHECK(std::string(linkem_config_check(&c)) == "delay");
    c = config(0, 0, 0);
    c.loss = 0.0 / 0.0;
    CHECK(std::string(linkem_config_check(&c)) == "loss");
    c.loss = 0;
    c.burst_r = 1.5;
    CHECK(std::string(linkem_config_check(&c)) == "burst");
    c.burst_r = 1;
    c.burst_loss = -1;
    CHECK(std::string(linkem_config_check(&c)) == "burst loss");
    c.burst_loss = 0;
    CHECK(linkem_config_check(&c) == nullptr);
    linkem_queue_deinit(&q);
    linkem_queue_deinit(nullptr);

    Queue good(c);
    CHECK(good.put(UINT32_MAX, 0) == LINKEM_REFUSED);
    CHECK(good.put(LINKEM_BYTES_MAX, 0) == LINKEM_QUEUED);
}

TEST_CASE("queue: what goes in comes out once, in order, or was reported", "[queue]")
{
    auto seed = std::random_device{}();
    INFO("seed " << seed);
    std::mt19937 random(seed);
    linkem_config c =
        config(random() % 20000000 + 1000, random() % 60000, random() % 300 * TICK_MS);
    c.jitter = random() % 2 ? random() % 50 * TICK_MS : 0;
    c.loss = random() % 2 ? 0.05 : 0;
    c.burst_p = random() % 2 ? 0.01 : 0;
    c.burst_r = 0.2;
    c.burst_loss = 0.9;
    c.reorder = random() % 2;
    c.seed = seed;
    Queue q(c);
    std::vector<uint64_t> sent;
    std::vector<linkem_packet> got;
    tick_t now = 0;
    uint64_t held = 0;
    for (uint64_t i = 0; i < 20000; i++) {
        now += random() % (2 * TICK_MS);
        if (random() % 1000 == 0) {
            c.rate = random() % 20000000 + 1000;
            REQUIRE(linkem_queue_change(&q.q, &c, now));
        }
        auto bytes = static_cast<uint32_t>(random() % 1500 + 1);
        tick_t room = linkem_queue_room_at(&q.q, bytes, now);
        linkem_put put = q.put(bytes, now, i);
        if (put == LINKEM_QUEUED) {
            REQUIRE(room == now);
            sent.push_back(i);
            held += bytes;
        } else if (put == LINKEM_FULL) {
            REQUIRE(room > now);
        }
        REQUIRE((c.queue_bytes == 0 || linkem_queue_backlog(&q.q, now) <= c.queue_bytes));
        for (const auto &p : q.drain(now)) {
            REQUIRE(p.due <= now);
            held -= p.bytes;
            got.push_back(p);
        }
        REQUIRE(q.q.held_bytes == held);
    }
    for (const auto &p : q.drain()) {
        got.push_back(p);
    }
    REQUIRE(got.size() == sent.size());
    for (size_t i = 1; i < got.size(); i++) {
        REQUIRE(got[i].due >= got[i - 1].due);
    }
    if (c.reorder) {
        std::sort(got.begin(), got.end(),
                  [](const auto &a, const auto &b) { return a.cookie < b.cookie; });
    }
    for (size_t i = 0; i < got.size(); i++) {
        REQUIRE(got[i].cookie == sent[i]);
    }
}
