// Octopus's rules under a fake clock, with the paper's own numbers where it has some.
#include "tests/catch.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <vector>

#include "prerequest/push/datagrams.h"
#include "prerequest/push/report.h"

namespace
{

const tick_t T0 = 1000 * TICK_S;
const size_t ROOM = 1131;

struct Sent {
    uint32_t sequence;
    int x, y, w, h, jpeg;
    bool last;
    tick_t at;
};

// A far end of 640x480. `size` says what a rectangle takes.
struct FarEnd {
    std::unique_ptr<push_plan> p = std::make_unique<push_plan>();
    std::unique_ptr<push_datagrams> d = std::make_unique<push_datagrams>();
    push_options options{0, 0, -1, true, true};
    std::vector<push_cell> memory;
    std::function<size_t(int w, int h)> size = [](int, int) { return 1000; };
    tick_t now = T0;
    uint32_t sequence = 0;
    std::vector<Sent> sent;

    explicit FarEnd(tick_t interval = 50 * TICK_MS)
    {
        d->octopus.on = true;
        d->octopus.interval = interval;
        push_plan_init(p.get(), &options, now);
        memory.assign(push_plan_cells(640, 480), push_cell{});
        push_plan_picture(p.get(), memory.data(), 640, 480, now);
        push_plan_shown(p.get(), now);
        push_cells_has(&p->cells, 0, 0, 640, 480, 0); // it went on the stream
        push_datagrams_init(d.get());
        push_datagrams_switch(d.get(), p.get(), true, now);
    }

    void change(int x, int y, int w, int h)
    {
        push_plan_changed(p.get(), x, y, w, h, now);
        push_plan_shown(p.get(), now);
    }

    // All that may leave now.
    void send()
    {
        push_strip s;

        while (push_datagrams_ready(d.get(), p.get(), now) &&
               push_datagrams_next(d.get(), p.get(), &sequence, &s, now)) {
            size_t bytes = size(s.w, s.h);

            if (bytes > ROOM) {
                push_octopus_cut(&d->octopus, bytes, ROOM);
                continue;
            }
            bool last =
                push_datagrams_left(d.get(), p.get(), &s, s.w, s.h, ++sequence, bytes, true, now);
            arrivals_block b = {sequence, s.x, s.y, s.w, s.h};
            CHECK(push_datagrams_sent(d.get(), p.get(), &b, bytes, now) ==
                  -1); // it is never repeated
            sent.push_back({sequence, s.x, s.y, s.w, s.h, s.jpeg, last, now});
        }
    }

    void run(int ms)
    {
        for (int i = 0; i < ms; i++, now += TICK_MS)
            send();
    }

    // This block alone has come.
    void arrive(uint32_t number)
    {
        const uint8_t before[ARRIVALS_BEFORE] = {};

        push_datagrams_told(d.get(), p.get(), number, before, before, now, now);
    }

    // So many cells were in blocks since `first`, and none twice.
    int covered(size_t first = 0)
    {
        std::vector<int> cells(push_plan_cells(640, 480));
        int count = 0;

        for (size_t i = first; i < sent.size(); i++)
            for (int y = sent[i].y; y < sent[i].y + sent[i].h; y += PUSH_CELL)
                for (int x = sent[i].x; x < sent[i].x + sent[i].w; x += PUSH_CELL) {
                    CHECK(cells[size_t(y / PUSH_CELL * 40 + x / PUSH_CELL)]++ == 0);
                    count++;
                }
        return count;
    }

    // A second in which this share of the bandwidth is sent, and the step that follows.
    void second(double share)
    {
        now += TICK_S;
        change(0, 0, 16, 16);
        push_datagrams_ready(d.get(), p.get(), now);
        now = push_octopus_look_again(&d->octopus, p.get(), now);
        d->octopus.bandwidth = 1e6;
        d->octopus.bytes = uint64_t(share * 1e6);
        d->octopus.since = now - TICK_S;
        send();
    }
};

} // namespace

TEST_CASE("Octopus: a region of k packets is cut along its longer side into k parts, rounded up")
{
    FarEnd e;

    e.size = [](int w, int h) { return size_t(w) * size_t(h) / 20; };
    e.change(32, 64, 320, 64); // 1024 bytes
    e.run(60);
    REQUIRE(e.sent.size() == 1);
    CHECK(e.sent[0].w == 320);
    CHECK(e.sent[0].h == 64);

    e.sent.clear();
    e.change(0, 0, 320, 160); // 2560 bytes: 2.3 packets
    e.run(60);
    REQUIRE(e.sent.size() == 3);
    for (const Sent &s : e.sent) {
        CHECK(s.w <= 112);
        CHECK(s.h == 160);
    }
    CHECK(e.covered() == 20 * 10);

    e.sent.clear();
    e.change(0, 0, 96, 480); // 2304: 2.04 packets
    e.run(60);
    REQUIRE(e.sent.size() == 3);
    for (const Sent &s : e.sent) {
        CHECK(s.w == 96);
        CHECK(s.h == 160);
    }
}

TEST_CASE("Octopus: parts that are too large are measured and cut again, until they fit")
{
    FarEnd e;

    // nothing on the left; on the right so much that a cell alone fits
    e.size = [](int w, int h) { return w * h > 256 ? size_t(w) * size_t(h) * 3 : 900; };
    e.change(0, 0, 640, 480);
    e.run(60);
    CHECK(e.covered() == 40 * 30);
    CHECK(e.sent.size() == 1200);
    CHECK(std::count_if(e.sent.begin(), e.sent.end(), [](const Sent &s) { return s.last; }) == 1);
    CHECK(e.sent.back().last);
}

TEST_CASE("Octopus: what has changed is taken apart into rectangles, each cell goes once")
{
    FarEnd e;

    e.change(0, 0, 64, 32);
    e.change(32, 16, 64, 64);
    e.change(320, 240, 16, 16);
    e.run(60);
    CHECK(e.sent.size() == 4);
    CHECK(e.covered() == 4 * 2 + 4 * 4 - 2 + 1);
    CHECK(push_plan_figures(e.p.get(), e.now).changed == 0);
}

TEST_CASE("Octopus: an update leaves each 50 ms, if anything has changed")
{
    FarEnd e;

    for (int i = 0; i < 40; i++) { // every 25 ms
        e.change(0, 0, 16, 16);
        e.run(25);
    }
    CHECK(e.sent.size() == 20);
    for (size_t i = 1; i < e.sent.size(); i++)
        CHECK(e.sent[i].at - e.sent[i - 1].at == 50 * TICK_MS);

    e.run(537);
    e.sent.clear();
    e.change(0, 0, 16, 16);
    tick_t due = push_datagrams_look_again(e.d.get(), e.p.get(), e.now);
    CHECK(due > e.now);
    e.run(60);
    REQUIRE(e.sent.size() == 1);
    CHECK(e.sent[0].at == due);
    CHECK((due - T0) % (50 * TICK_MS) == 0);
    CHECK(push_octopus_look_again(&e.d->octopus, e.p.get(), e.now) == TICK_NEVER);
}

TEST_CASE("Octopus: nothing is ordered by the pointer or by input")
{
    FarEnd e;

    push_plan_pointer(e.p.get(), 300, 300);
    push_plan_input(e.p.get(), e.now);
    e.change(300, 300, 16, 16);
    e.change(0, 0, 16, 16);
    e.run(60);
    REQUIRE(e.sent.size() == 2);
    CHECK(e.sent[0].y == 0);
}

TEST_CASE("Octopus: a number is left out before each update")
{
    FarEnd e;

    e.size = [](int w, int h) { return size_t(w) * size_t(h) / 20; };
    for (int i = 0; i < 2; i++) {
        e.change(0, 0, 320, 160);
        e.run(60);
    }
    REQUIRE(e.sent.size() == 6);
    for (size_t i = 1; i < 6; i++)
        CHECK(e.sent[i].sequence - e.sent[i - 1].sequence == (i == 3 ? 2 : 1));
}

TEST_CASE("Octopus: the bandwidth is a block's size by the time since the block before it")
{
    FarEnd e;
    push_octopus *o = &e.d->octopus;

    e.size = [](int w, int h) { return w > 112 ? size_t(2500) : size_t(1000); };
    e.change(0, 0, 320, 160);
    e.run(60);
    REQUIRE(e.sent.size() == 3);
    uint32_t first = e.sent[0].sequence;
    e.arrive(first);
    CHECK(o->bandwidth == 0);
    e.now += 10 * TICK_MS;
    e.arrive(first + 1);
    CHECK(o->bandwidth == Approx(1e5)); // 1000 bytes in 10 ms
    e.now += 5 * TICK_MS;
    e.arrive(first + 2);
    CHECK(o->bandwidth == Approx(1e5 + (2e5 - 1e5) / 8)); // smoothed

    // not of two updates
    double before = o->bandwidth;
    e.change(0, 0, 320, 160);
    e.run(60);
    REQUIRE(e.sent.size() == 6);
    e.arrive(first + 4);
    CHECK(o->bandwidth == before);
    // and not where the one between them is not there
    e.arrive(first + 6);
    CHECK(o->bandwidth == before);
}

TEST_CASE("Octopus: 90 to 100 % of the bandwidth is sent")
{
    for (double share : {0.901, 0.95, 0.999}) {
        FarEnd e(0);

        for (int i = 0; i < 5; i++)
            e.second(share);
        CHECK(e.d->octopus.fps == 20);
        CHECK(e.d->octopus.level == 4);
    }
    FarEnd less(0), more(0);
    less.second(0.89);
    CHECK(less.d->octopus.level == 5);
    more.second(1.01);
    CHECK(more.d->octopus.fps == 17);
}

TEST_CASE("Octopus: the lower score is raised and the higher one lowered, by 1 level or 3 fps")
{
    FarEnd e(0);
    std::vector<std::pair<int, int>> steps;

    auto steps_at = [&](double share, int count) {
        steps.clear();
        for (int i = 0; i < count; i++) {
            e.second(share);
            steps.emplace_back(e.d->octopus.fps, e.d->octopus.level);
        }
    };
    // from 20 fps (0.83) and level 4 (0.5): the level up to 6 (0.83), then one after the other
    steps_at(0.1, 6);
    CHECK(steps ==
          std::vector<std::pair<int, int>>{{20, 5}, {20, 6}, {23, 6}, {23, 7}, {24, 7}, {24, 7}});
    // the paper: 12 fps and level 4 are both 0.5
    steps_at(1.5, 7);
    CHECK(steps == std::vector<std::pair<int, int>>{
                       {21, 7}, {21, 6}, {18, 6}, {18, 5}, {15, 5}, {15, 4}, {12, 4}});
    steps_at(1.5, 8);
    CHECK(steps.back() == std::pair<int, int>{1, 1}); // table 1, 100 kbit/s
    steps_at(1.5, 1);
    CHECK(steps.back() == std::pair<int, int>{1, 1});
    steps_at(0.1, 20);
    CHECK(steps.back() == std::pair<int, int>{24, 7}); // table 1, 5 Mbit/s
}

TEST_CASE("Octopus: a frozen U leaves the frame rate, and the user's limits hold")
{
    FarEnd e;

    e.second(0.1);
    e.second(0.1);
    CHECK(e.d->octopus.level == 6);
    CHECK(e.d->octopus.fps == 20);
    e.second(1.5);
    CHECK(e.d->octopus.level == 5);
    CHECK(push_octopus_interval(&e.d->octopus, e.p.get()) == 50 * TICK_MS);
    CHECK(push_octopus_jpeg(&e.d->octopus, e.p.get()) == 50); // Tight's level 5

    e.options = {5e5, 4, -1, true, true};
    push_plan_tune(e.p.get(), &e.options, e.now);
    CHECK(push_octopus_interval(&e.d->octopus, e.p.get()) == 250 * TICK_MS);
    e.second(0.6); // more than the user allows
    CHECK(e.d->octopus.level == 4);
    e.options.jpeg = false;
    push_plan_tune(e.p.get(), &e.options, e.now);
    CHECK(push_octopus_jpeg(&e.d->octopus, e.p.get()) == 0);
}

TEST_CASE("Octopus: a block is lost after SRTT + 4 RTTVAR, and goes as it is then")
{
    FarEnd e(10 * TICK_MS);

    e.change(0, 0, 16, 16);
    e.run(20);
    REQUIRE(e.sent.size() == 1);
    e.now = e.sent[0].at + 100 * TICK_MS;
    e.arrive(e.sent[0].sequence); // SRTT 100, RTTVAR 50: RTO 300

    e.change(64, 64, 32, 32);
    e.run(20);
    REQUIRE(e.sent.size() == 2);
    // what came later does not make it lost
    for (int i = 0; i < 6; i++) {
        e.change(320, 320, 16, 16);
        e.run(10);
        e.arrive(e.sent.back().sequence);
    }
    tick_t at = e.sent[1].at;
    size_t before = e.sent.size();
    e.d->arrivals.until_told = 100e6, e.d->arrivals.deviates = 50e6;
    while (e.now < at + 300 * TICK_MS) {
        e.run(1);
        CHECK(e.sent.size() == before);
    }
    e.run(20);
    REQUIRE(e.sent.size() == before + 1); // with the next update, once
    CHECK(e.sent.back().x == 64);
    CHECK(e.sent.back().w == 32);
    CHECK(e.sent.back().at <= at + 310 * TICK_MS);
}

TEST_CASE("Octopus: what has left again meanwhile is not in the queue any more (figure 1)")
{
    FarEnd e(10 * TICK_MS);

    e.change(0, 0, 160, 160);
    e.run(20);
    e.now = e.sent[0].at + 20 * TICK_MS;
    e.arrive(e.sent[0].sequence); // RTO 60 ms
    e.change(160, 160, 160, 160); // block 3, which is lost
    e.run(12);
    size_t three = e.sent.size() - 1;
    e.change(160, 208, 160, 160); // a window over most of it, which comes
    e.run(12);
    e.arrive(e.sent.back().sequence);
    e.run(100);
    REQUIRE(e.sent.size() == three + 3);
    CHECK(e.sent.back().x == 160);
    CHECK(e.sent.back().y == 160);
    CHECK(e.sent.back().w == 160);
    CHECK(e.sent.back().h == 48); // only the top part
}

TEST_CASE("Octopus: it keeps what it knows when blocks go on the stream meanwhile")
{
    FarEnd e(0);

    e.second(0.1);
    push_datagrams_switch(e.d.get(), e.p.get(), false, e.now);
    CHECK_FALSE(push_datagrams_hold(e.d.get()));
    push_datagrams_switch(e.d.get(), e.p.get(), true, e.now);
    CHECK(e.d->octopus.level == 5);
    CHECK(e.d->octopus.bandwidth == 1e6);
    CHECK(push_datagrams_hold(e.d.get()));
}

TEST_CASE("both policies are reported by the same names")
{
    FarEnd e;
    push_report r = {};
    push_report_figures f;

    CHECK_FALSE(push_report_make(&r, e.d.get(), e.p.get(), &f, e.now)); // nothing was sent
    e.d->octopus.bandwidth = 125000;
    e.change(0, 0, 16, 16);
    e.run(60);
    REQUIRE(push_report_make(&r, e.d.get(), e.p.get(), &f, e.now));
    CHECK(f.policy == std::string("octopus"));
    CHECK(f.rate == 125000);
    CHECK(f.fps == Approx(20));
    CHECK(f.jpeg == 37);
    e.run(500);
    e.change(0, 0, 16, 16);
    e.run(60);
    CHECK_FALSE(push_report_make(&r, e.d.get(), e.p.get(), &f, e.now)); // too soon
    e.run(940);
    REQUIRE(push_report_make(&r, e.d.get(), e.p.get(), &f, e.now));
    CHECK(f.sent == Approx(1000 / 1.5));

    push_datagrams_switch(e.d.get(), e.p.get(), false, e.now);
    e.run(2000);
    push_flow_sent(&e.p->flow, 1, 500, e.now);
    REQUIRE(push_report_make(&r, e.d.get(), e.p.get(), &f, e.now));
    CHECK(f.policy == std::string("auto"));
    CHECK(f.jpeg == push_level_jpeg(&e.p->level));
}
