// How fast blocks leave, under a fake clock. How it does on whole paths is in tests/sim.
#include "tests/catch.hpp"

#include <deque>
#include <memory>

#include "prerequest/push/rate/flow.h"
#include "prerequest/push/report.h"

namespace
{

const tick_t T0 = 1000 * TICK_S;

// Blocks over a link of a rate and a round trip, each acknowledged by itself.
struct Path {
    push_flow f{};
    tick_t now = T0, rtt;
    double rate; // bytes per second
    uint32_t sequence = 0;
    tick_t free = T0; // when the link is
    std::deque<std::pair<uint32_t, tick_t>> back;
    uint64_t arrived = 0;
    double longest = 0; // queue, ms
    tick_t others = 0;  // what others have in the queue, always

    Path(double mbit, double rtt_ms, double most = 0)
        : rtt(tick_from_ms(rtt_ms)), rate(mbit * 1e6 / 8)
    {
        push_flow_init(&f, most, now);
    }

    bool may(push_haste haste = PUSH_NORMAL) const
    {
        return push_flow_due(&f, haste, now) <= now;
    }

    void send(uint32_t bytes = 1150)
    {
        push_flow_sent(&f, ++sequence, bytes, now);
        longest = std::max(longest, tick_to_ms(free - now));
        free = std::max(free, now) + tick_t(bytes / rate * 1e9);
        back.emplace_back(sequence, free + others + rtt);
        arrived += bytes;
    }

    // Sends all that may leave. `busy`: there is always something.
    void run(double seconds, bool busy = true)
    {
        for (tick_t end = now + tick_t(seconds * 1e9); now < end; now += TICK_MS / 4) {
            while (!back.empty() && back.front().second <= now) {
                push_flow_acknowledged(&f, back.front().first, now, now);
                back.pop_front();
            }
            while (busy && may())
                send();
            busy ? push_flow_blocked(&f, now) : push_flow_idle(&f);
        }
    }
};

} // namespace

TEST_CASE("at first TCP's first window leaves, and the rest waits for an acknowledgement")
{
    Path p(8, 100);

    for (int i = 0; i < 100 && p.may(); i++)
        p.send();
    CHECK(p.sequence >= 10);
    CHECK(push_flow_on_way(&p.f) <= PUSH_FIRST);
    CHECK(push_flow_due(&p.f, PUSH_NORMAL, p.now) == TICK_NEVER);
    // what the user waits for goes still
    CHECK(p.may(PUSH_AT_ONCE));
    p.send();
    p.send();
    CHECK_FALSE(p.may(PUSH_AT_ONCE));
}

TEST_CASE("the link is used, and what waits in front of it is short")
{
    for (double mbit : {2.0, 8.0, 50.0, 300.0})
        for (double rtt : {0.5, 20.0, 100.0, 400.0}) {
            Path p(mbit, rtt);

            p.run(12);
            p.arrived = 0;
            p.longest = 0;
            p.run(4);
            INFO(mbit << " Mbit/s, " << rtt << " ms");
            CHECK(double(p.arrived) / 4 / p.rate > 0.9);
            CHECK(p.longest < 25 + rtt / 8);
            CHECK(push_flow_rate(&p.f) > 0.8 * p.rate);
            CHECK(push_flow_rate(&p.f) < 1.3 * p.rate);
        }
}

TEST_CASE("a rest does not shrink what is known")
{
    Path p(8, 100);

    p.run(4);
    double rate = push_flow_rate(&p.f);
    p.run(5, false);
    for (int i = 0; i < 40; i++) { // somebody types
        p.send(60);
        p.run(0.2, false);
    }
    CHECK(push_flow_rate(&p.f) == rate);
    CHECK(push_flow_on_way(&p.f) == 0);
    CHECK(p.may());
}

TEST_CASE("the blocks of a packet arrive together, which is no rate")
{
    Path p(0.5, 100);

    p.run(8);
    p.run(1, false);
    for (int frame = 0; frame < 300; frame++) {
        tick_t first = p.now + tick_t(PUSH_SEGMENT / p.rate * 1e9), last = 0;

        for (int i = 0; i < 12; i++) { // 1.2 packets; the viewer takes 0.25 ms for a block
            push_flow_sent(&p.f, ++p.sequence, 150, p.now);
            last = i == 9 ? first + tick_t(352 / p.rate * 1e9) : i == 0 ? first : last;
            p.back.emplace_back(p.sequence, last + p.rtt + i * TICK_MS / 4);
        }
        p.run(0.033, false);
        CHECK(push_flow_rate(&p.f) < 1.3 * p.rate);
    }
    CHECK(push_flow_rate(&p.f) > 0.8 * p.rate);
}

TEST_CASE("a stream may become datagrams in the middle of a packet")
{
    Path p(8, 100);

    p.run(4);
    p.run(1, false);
    double rate = push_flow_rate(&p.f);
    for (int i = 0; i < 3; i++)
        push_flow_sent(&p.f, ++p.sequence, 150, p.now);
    p.now += 130 * TICK_MS;
    for (int i = 0; i < 3; i++, p.now += TICK_MS) {
        push_flow_acknowledged(&p.f, p.sequence - 2 + uint32_t(i), p.now, p.now);
        push_flow_may_lose(&p.f, true);
    }
    p.others = 30 * TICK_MS; // what is measured next is a full path
    for (int i = 0; i < 60; i++)
        p.send();
    p.run(0.4, false);
    CHECK(p.f.rate < 1.5 * rate);
    CHECK(p.f.rate > 0.5 * rate);
}

TEST_CASE("after a rest the window begins anew, unless TCP below keeps its own")
{
    for (bool keeps : {false, true}) {
        Path p(8, 100);

        if (keeps)
            push_flow_keep_window(&p.f);
        p.run(4);
        double window = push_flow_window(&p.f, p.now);
        p.run(0.5, false);
        CHECK_FALSE(push_flow_wake(&p.f, p.now)); // no rest yet
        p.run(5, false);
        CHECK(push_flow_wake(&p.f, p.now) == !keeps);
        CHECK(push_flow_window(&p.f, p.now) == Approx(keeps ? window : PUSH_FIRST));
    }
}

TEST_CASE("what is reported is what the path delivers, also after a rest, and nothing at first")
{
    Path p(8, 100);
    auto plan = std::make_unique<push_plan>();
    auto d = std::make_unique<push_datagrams>();
    auto reported = [&] {
        push_report r{};
        push_report_figures told{};
        plan->flow = p.f;
        REQUIRE(push_report_make(&r, d.get(), plan.get(), &told, p.now));
        return told.rate;
    };

    p.run(0.1);
    REQUIRE(p.f.state == PUSH_STARTS);
    CHECK(reported() == 0);
    p.run(12);
    p.run(5, false);
    REQUIRE(p.f.state == PUSH_GOES);
    const double rate = reported();
    CHECK(rate == push_flow_rate(&p.f));
    CHECK(rate > 0.8 * p.rate);
    REQUIRE(push_flow_wake(&p.f, p.now));
    CHECK(push_flow_rate(&p.f) < rate / 2); // only so much may leave just now
    CHECK(reported() == rate);
    push_flow_limit(&p.f, rate / 4);
    CHECK(reported() == rate / 4);
}

TEST_CASE("a longer round trip is noticed, and so is a shorter one")
{
    Path p(8, 50);

    p.run(4);
    p.rtt = 200 * TICK_MS;
    p.run(20);
    CHECK(push_flow_round_trip(&p.f) > 195 * TICK_MS);
    p.arrived = 0;
    p.run(2);
    CHECK(double(p.arrived) / 2 / p.rate > 0.9);
    p.rtt = 20 * TICK_MS;
    p.run(6);
    CHECK(push_flow_round_trip(&p.f) < 30 * TICK_MS);
}

TEST_CASE("the user's limit is the mean rate")
{
    Path p(100, 20, 500000);

    p.run(1);
    p.arrived = 0;
    p.run(4);
    CHECK(double(p.arrived) / 4 < 1.02 * 500000);
    CHECK(double(p.arrived) / 4 > 0.95 * 500000);
    CHECK(push_flow_rate(&p.f) <= 500000);
    push_flow_limit(&p.f, 0);
    p.arrived = 0;
    p.run(4);
    CHECK(double(p.arrived) / 4 > 0.8 * p.rate);
}

TEST_CASE("what has spare time only leaves no queue")
{
    Path p(8, 100);

    p.run(4);
    CHECK_FALSE(p.may(PUSH_SPARE));
    while (push_flow_on_way(&p.f) > 90000)
        p.run(0.01, false);
    CHECK(p.may(PUSH_SPARE));
}

TEST_CASE("an acknowledgement of nothing new, or of what was never sent, is nothing")
{
    Path p(8, 100);

    p.send();
    p.send();
    push_flow_acknowledged(&p.f, 7, p.now, p.now);
    CHECK(push_flow_on_way(&p.f) == 2300);
    push_flow_acknowledged(&p.f, 1, p.now + TICK_MS, p.now + TICK_MS);
    CHECK(push_flow_on_way(&p.f) == 1150);
    push_flow_acknowledged(&p.f, 1, p.now + TICK_MS, p.now + TICK_MS);
    push_flow_acknowledged(&p.f, 0, p.now + TICK_MS, p.now + TICK_MS);
    CHECK(push_flow_on_way(&p.f) == 1150);
    push_flow_acknowledged(&p.f, 2, p.now + TICK_MS, p.now + TICK_MS);
    CHECK(push_flow_on_way(&p.f) == 0);
}

TEST_CASE("more blocks than marks are on their way")
{
    Path p(800, 100);

    p.f.seek.window = 1e9; // as if it had been found already
    for (int i = 0; i < 5000; i++) {
        p.send();
        p.now += 11500;
    }
    CHECK(push_flow_on_way(&p.f) == 5000 * 1150);
    push_flow_acknowledged(&p.f, 2500, p.now, p.now);
    CHECK(push_flow_on_way(&p.f) > 2450 * 1150);
    CHECK(push_flow_on_way(&p.f) < 2550 * 1150);
    push_flow_acknowledged(&p.f, 5000, p.now, p.now);
    CHECK(push_flow_on_way(&p.f) == 0);
}

TEST_CASE("sequence numbers may wrap around")
{
    Path p(8, 20);

    p.sequence = UINT32_MAX - 500;
    p.f.oldest = p.f.newest = p.sequence;
    p.run(4);
    CHECK(p.sequence < 100000);
    CHECK(double(p.arrived) / 4 / p.rate > 0.85);
}

TEST_CASE("a stream beside somebody who keeps the queue full keeps a share, and gives it back")
{
    Path p(8, 100);

    p.run(5);
    p.others = 250 * TICK_MS;
    p.run(6);
    CHECK(p.f.competitor.on);
    CHECK(push_flow_rate(&p.f) > 0.25 * p.rate);
    p.others = 0;
    p.run(5);
    CHECK_FALSE(p.f.competitor.on);
}

TEST_CASE("a stream on a link that becomes slower meets nobody")
{
    for (double to : {0.5, 0.2, 0.1}) {
        Path p(20, 100);

        p.run(5);
        p.rate *= to;
        for (int i = 0; i < 40; i++) {
            p.run(0.25);
            CHECK_FALSE(p.f.competitor.on);
        }
    }
}

TEST_CASE("beside somebody the window grows while half of it is used")
{
    for (double used : {0.6, 0.3}) {
        Path p(8, 100);
        auto film = [&](int frames) {
            double share = used * push_flow_rate(&p.f);

            for (int i = 0; i < frames; i++) {
                tick_t next = p.now + tick_from_ms(1000.0 / 30);

                for (double bytes = 0; bytes < share / 30; bytes += 1150) {
                    for (; !p.may(); p.run(0.001, false))
                        push_flow_blocked(&p.f, p.now);
                    p.send();
                }
                p.run(tick_to_s(next - p.now), false);
            }
        };

        p.run(5);
        p.others = 250 * TICK_MS;
        p.run(6);
        REQUIRE(p.f.competitor.on);
        film(30);
        double before = p.f.competitor.window;
        film(60);
        INFO(used);
        CHECK((p.f.competitor.window > before) == (used > 0.5));
    }
}
