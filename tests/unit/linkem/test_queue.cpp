// The queue model of one direction of a link (tools/linkem/link/queue.h), under a fake clock.
#include "tests/catch.hpp"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "tests/linkem/queue.hpp"
#include "tests/seed.hpp"

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
    auto seed = any_seed();
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
