// Blocks that leave as datagrams, and again, under a fake clock.
#include "tests/catch.hpp"

#include <algorithm>
#include <memory>
#include <set>
#include <vector>

#include "prerequest/push/datagrams.h"

namespace
{

const tick_t T0 = 1000 * TICK_S;
const size_t HEAD = 11; // of a parity

// A far end whose viewer tells every 10 ms. A block is a row of cells.
struct FarEnd {
    std::unique_ptr<push_plan> p = std::make_unique<push_plan>();
    std::unique_ptr<push_datagrams> d = std::make_unique<push_datagrams>();
    push_options options{0, 0, -1, true, true};
    std::vector<push_cell> memory;
    std::vector<uint32_t> numbers = std::vector<uint32_t>(PUSH_INSURED); // of what is kept
    tick_t now = T0;
    uint32_t sequence = 0;
    double loss = 0; // the path's own, as it is known, with what is not worth repeating for
    std::set<uint32_t> has, swallowed; // what the viewer has; what does not get there
    std::set<uint32_t> made;           // what it has made of parities
    std::vector<int> again;            // what was repeated: where it is kept
    std::vector<push_group> parities;  // that have left

    FarEnd()
    {
        push_plan_init(p.get(), &options, now);
        push_datagrams_init(d.get());
        push_datagrams_switch(d.get(), p.get(), true, now);
        memory.assign(push_plan_cells(640, 480), push_cell{});
        push_plan_picture(p.get(), memory.data(), 640, 480, now);
        push_plan_shown(p.get(), now);
        run(2000);
        REQUIRE(changed() == 0);
    }

    // The path loses so much more than is not worth repeating for.
    void know()
    {
        p->flow.loss.quiets = 1;
        p->flow.loss.quiet[0] = loss > 0 ? loss + PUSH_LOSS_LEAST : 0;
    }

    bool ready()
    {
        know();
        return push_datagrams_ready(d.get(), p.get(), now);
    }

    // One block of what waits. False: nothing may leave.
    bool send()
    {
        push_strip s;

        if (!ready() || !push_plan_next(p.get(), &s, now))
            return false;
        arrivals_block b = {++sequence, s.x, s.y, s.w, s.h};
        push_plan_sent(p.get(), &s, s.w, s.h, sequence, 1000, true, now);
        kept = push_datagrams_sent(d.get(), p.get(), &b, 1000, now);
        numbers[kept] = sequence;
        return true;
    }

    unsigned kept = 0; // by the newest send()

    // One copy of a block, or parity.
    bool more()
    {
        push_more m;

        if (!ready() || !push_datagrams_more(d.get(), p.get(), sequence + 1, HEAD, &m, now))
            return false;
        sequence++;
        if (m.parity)
            parities.push_back(m.group);
        else
            again.push_back(int(m.kept));
        return true;
    }

    void tell()
    {
        uint8_t before[ARRIVALS_BEFORE] = {}, makes[ARRIVALS_BEFORE] = {};

        for (uint32_t s = sequence > 200 ? sequence - 200 : 1; s <= sequence; s++)
            if (swallowed.count(s) == 0)
                has.insert(s);
        if (has.empty())
            return;
        uint32_t newest = *has.rbegin();
        for (uint32_t back = 1; back < newest && back <= 8 * ARRIVALS_BEFORE; back++) {
            before[(back - 1) / 8] |= uint8_t(has.count(newest - back) << (back - 1) % 8);
            makes[(back - 1) / 8] |= uint8_t(made.count(newest - back) << (back - 1) % 8);
        }
        know();
        push_datagrams_told(d.get(), p.get(), newest, before, makes, now, now);
    }

    void run(int ms)
    {
        for (int i = 0; i < ms; i++, now += TICK_MS) {
            while (send() || more())
                ;
            if (i % 10 == 9)
                tell();
        }
    }

    // Nothing is repeated meanwhile.
    void send_all()
    {
        for (int i = 0; i < 400; i++, now += TICK_MS) {
            while (send())
                ;
            if (changed() == 0)
                return;
            if (i % 10 == 9)
                tell();
        }
    }

    void change(int row, int rows)
    {
        push_plan_changed(p.get(), 0, row * PUSH_CELL, 640, rows * PUSH_CELL, now);
        push_plan_shown(p.get(), now);
    }

    unsigned changed()
    {
        return push_plan_figures(p.get(), now).changed;
    }
};

} // namespace

TEST_CASE("where nothing is lost, nothing is repeated")
{
    FarEnd e;

    for (int i = 0; i < 20; i++) {
        e.change(0, 20);
        e.run(50);
    }
    CHECK(e.again.empty());
    CHECK(e.p->copies <= 1);
    CHECK(push_datagrams_look_again(e.d.get(), e.p.get(), e.now) == TICK_NEVER);
}

TEST_CASE("few blocks are repeated until hardly one is lost, each once before any goes twice")
{
    struct {
        int blocks;
        double loss;
        unsigned repeats;
    } cases[] = {
        {1, 0.04, 0},  // 0.04 are lost
        {1, 0.1, 1},   // 0.1
        {5, 0.005, 0}, // 0.025
        {5, 0.02, 3},  // 0.1, so (1 - 1/2) / 0.98 of them once
        {4, 0.2, 8},   // 0.8, 0.16, so (1 - 5/16) / 0.8 of them twice
        {5, 0.3, 15},  // 1.5, 0.45, 0.135, so (1 - 10/27) / 0.7 of them thrice: 4.5
        {5, 0.4, 15},  // three times, which are the most
    };

    for (auto &c : cases) {
        FarEnd e;

        e.loss = c.loss;
        e.change(0, c.blocks);
        e.run(400);
        INFO(c.blocks << " blocks, " << c.loss);
        REQUIRE(e.again.size() == c.repeats);
        for (size_t i = 0; i < e.again.size(); i++)
            CHECK(e.again[i] == int(i) % c.blocks);
        CHECK(e.parities.empty());
        CHECK(push_datagrams_look_again(e.d.get(), e.p.get(), e.now) == TICK_NEVER);
    }
}

TEST_CASE("behind more blocks parity leaves, so that 49 of 50 updates are whole")
{
    struct {
        int blocks;
        double loss;
        unsigned parities; // worked out apart, as in test_push_insurance.cpp, for 0.98
    } cases[] = {
        {6, 0.001, 0}, {6, 0.1, 3},   {12, 0.1, 4},    {24, 0.05, 4},
        {24, 0.1, 7},  {24, 0.3, 19}, {30, 0.0006, 0}, {30, 0.0015, 1},
    };

    for (auto &c : cases) {
        FarEnd e;

        e.loss = c.loss;
        e.change(0, c.blocks);
        uint32_t first = e.sequence + 1;
        e.run(400);
        INFO(c.blocks << " blocks, " << c.loss);
        CHECK(e.again.empty());
        REQUIRE(e.parities.size() == c.parities);
        CHECK(e.numbers[0] == first);
        for (unsigned i = 0; i < c.parities; i++) {
            CHECK(e.parities[i].first == 0);
            CHECK(e.parities[i].count == unsigned(c.blocks));
            CHECK(e.parities[i].index == i);
        }
        CHECK(e.sequence == first + unsigned(c.blocks) + c.parities - 1);
        CHECK(push_datagrams_look_again(e.d.get(), e.p.get(), e.now) == TICK_NEVER);
    }
}

TEST_CASE("pictures are to be small enough for what leaves behind them")
{
    FarEnd e;

    e.loss = 0.05;
    e.change(0, 4);
    e.send_all();
    e.ready();
    CHECK(e.p->copies == Approx(1 + (1 - 0.05 / 0.2) / 0.95));
    e.run(200);
    e.loss = 0.1;
    e.change(0, 24);
    e.send_all();
    e.ready();
    CHECK(e.p->copies == Approx(1 + 7.0 / 24));
}

TEST_CASE("what was sent again behind an update is insured for itself")
{
    FarEnd e;

    e.loss = 0.1;
    e.change(0, 24);
    e.run(150);
    REQUIRE(e.parities.size() == 7);
    uint32_t first = e.numbers[0];
    for (uint32_t s = first; s < first + 8; s++)
        push_plan_lost(e.p.get(), s, 0, int(s - first) * PUSH_CELL, 640, PUSH_CELL, e.now);
    e.run(150);
    REQUIRE(e.parities.size() == 10);
    CHECK(e.again.empty());
    CHECK(e.parities[7].first == 24);
    CHECK(e.parities[7].count == 8);
    push_plan_lost(e.p.get(), e.numbers[10], 0, 10 * PUSH_CELL, 640, PUSH_CELL, e.now);
    e.run(150);
    CHECK(e.parities.size() == 10);
    CHECK(e.again == std::vector<int>{32});
}

TEST_CASE("blocks that the viewer has made of parities are lost, and do not go again")
{
    FarEnd e;

    e.loss = 0.1;
    e.change(0, 24);
    uint32_t first = e.sequence + 1;
    e.swallowed = {first + 2, first + 7, first + 24}; // one of them is a parity
    e.made = {first + 2};
    uint64_t lost = e.d->arrivals.lost;
    e.run(40); // less than until they count as lost
    e.run(400);
    CHECK(e.d->arrivals.lost == lost + 3);
    CHECK(e.numbers[0] == first);
    CHECK(e.changed() == 0);
    REQUIRE(e.kept == 24); // what was not made has left again, and a copy of it
    CHECK(e.p->cells.cell[7 * 40].sequence == e.numbers[24] + 1);
    CHECK(e.p->cells.cell[2 * 40].sequence == first + 2);
}

TEST_CASE("the bytes of a parity are on the way: as many as the longest block has, and its head")
{
    FarEnd e;

    e.loss = 0.1;
    e.change(0, 10);
    e.send_all();
    uint64_t before = push_plan_figures(e.p.get(), e.now).on_way;
    e.now += 20 * TICK_MS;
    REQUIRE(e.more());
    REQUIRE(e.parities.size() == 1);
    CHECK(push_plan_figures(e.p.get(), e.now).on_way == before + 1000 + HEAD);
}

TEST_CASE("nothing is repeated while anything else waits")
{
    FarEnd e;

    e.loss = 0.3;
    e.change(0, 4);
    e.send_all();
    e.tell();
    push_plan_changed(e.p.get(), 0, 400, 16, 16, e.now); // an update comes, and has not ended
    e.now += 100 * TICK_MS;
    CHECK_FALSE(e.more());
    CHECK(push_datagrams_look_again(e.d.get(), e.p.get(), e.now) > e.now);
    push_plan_shown(e.p.get(), e.now);
    CHECK_FALSE(e.more());
    REQUIRE(e.send());
    e.tell();
    e.now += 20 * TICK_MS; // for the pace
    CHECK(e.more());
}

TEST_CASE("what a later block has carried is not repeated")
{
    FarEnd e;

    e.loss = 0.3;
    e.change(0, 4);
    e.send_all();
    e.tell();
    e.now += TICK_MS;
    push_plan_lost(e.p.get(), e.sequence - 2, 0, 16, 640, 16, e.now);
    REQUIRE(e.send());
    CHECK(e.kept == 4);
    e.run(200);
    REQUIRE(e.again.size() >= 8);
    for (int i : e.again)
        CHECK(i != 1);
    CHECK(std::count(e.again.begin(), e.again.end(), 4) >= 2);
}

TEST_CASE("of an update that is followed by another one nothing is repeated")
{
    FarEnd e;

    e.loss = 0.3;
    e.change(0, 4);
    e.send_all();
    e.tell();
    e.now += 20 * TICK_MS;
    e.change(1, 1);
    uint32_t first = e.sequence + 1;
    e.run(100);
    CHECK(e.again == std::vector<int>{0, 0}); // it is kept as the first one
    CHECK(e.sequence == first + 2);
}

TEST_CASE("a copy has a number of its own, and one of them is enough")
{
    for (unsigned lost = 0; lost < 8; lost++) { // which of the three do not arrive
        FarEnd e;

        e.loss = 0.3;
        e.change(0, 1);
        uint32_t first = e.sequence + 1;
        e.send_all();
        for (unsigned i = 0; i < 3; i++)
            if (lost >> i & 1)
                e.swallowed.insert(first + i);
        for (int i = 0; i < 200 && e.more(); i++, e.now += 10 * TICK_MS)
            ;
        REQUIRE(e.sequence == first + 2);
        CHECK(e.numbers[0] == first);
        e.tell();
        e.now += 3 * TICK_S;
        e.ready(); // what was not told is lost by now
        INFO("lost " << lost);
        CHECK(e.d->arrivals.out == e.d->arrivals.next);
        CHECK(e.changed() == (lost == 7 ? 40u : 0u));
        CHECK(push_plan_figures(e.p.get(), e.now).on_way == 0);
    }
}

TEST_CASE("the bytes of copies are on the way, too")
{
    FarEnd e;

    e.loss = 0.3;
    e.change(0, 1);
    e.send_all();
    uint64_t before = push_plan_figures(e.p.get(), e.now).on_way;
    e.now += 20 * TICK_MS;
    REQUIRE(e.more());
    CHECK(push_plan_figures(e.p.get(), e.now).on_way == before + 1000);
}

TEST_CASE("when datagrams are given up, all that has not come goes again, over an unknown path")
{
    FarEnd e;

    e.loss = 0.3;
    e.change(0, 4);
    e.swallowed = {e.sequence + 2, e.sequence + 3};
    e.send_all();
    e.swallowed.insert(e.sequence + 1); // the copy of the first one
    e.now += 20 * TICK_MS;
    REQUIRE(e.more());
    e.tell();
    REQUIRE(push_plan_figures(e.p.get(), e.now).round_trip > 0);
    push_datagrams_switch(e.d.get(), e.p.get(), false, e.now);
    CHECK(e.changed() == 80);
    CHECK_FALSE(e.ready());
    CHECK_FALSE(e.more());
    CHECK(e.p->copies <= 1);
    CHECK_FALSE(e.p->may_lose);
    CHECK(push_plan_figures(e.p.get(), e.now).round_trip == 0);
    CHECK(push_plan_figures(e.p.get(), e.now).on_way == 0);
    CHECK_FALSE(push_datagrams_are_silent(e.d.get(), e.p.get(), e.now + 10 * TICK_S));
}

TEST_CASE("a full ledger is no reason to look again at once")
{
    FarEnd e;
    arrivals_block b = {};

    e.loss = 0.3;
    e.change(0, 4);
    e.send_all();
    while (!arrivals_full(&e.d->arrivals)) {
        b.sequence = ++e.sequence;
        push_datagrams_sent(e.d.get(), e.p.get(), &b, 1000, e.now);
    }
    CHECK_FALSE(e.ready());
    CHECK(push_datagrams_look_again(e.d.get(), e.p.get(), e.now) > e.now);
}

TEST_CASE("a viewer that tells nothing is silent after a while, and not before")
{
    FarEnd e;

    CHECK_FALSE(push_datagrams_are_silent(e.d.get(), e.p.get(), e.now + 10 * TICK_S));
    e.change(0, 4);
    e.send_all();
    CHECK_FALSE(push_datagrams_are_silent(e.d.get(), e.p.get(), e.now + PUSH_DATAGRAMS_SILENT / 2));
    CHECK(push_datagrams_are_silent(e.d.get(), e.p.get(), e.now + 2 * PUSH_DATAGRAMS_SILENT));
}

TEST_CASE("a silence goes on where each block is lost before the next leaves")
{
    auto a = std::make_unique<arrivals>();
    const tick_t pace = 300 * TICK_MS;
    arrivals_block lost, b = {1, 0, 0, 16, 16};
    const uint8_t none[ARRIVALS_BEFORE] = {};
    tick_t now = TICK_S;

    arrivals_init(a.get());
    arrivals_sent(a.get(), &b, now);
    arrivals_told(a.get(), b.sequence, none, now + 10 * TICK_MS, now + 10 * TICK_MS);
    const tick_t first = now += pace;
    for (int i = 0; i < 5; i++, now += pace) {
        b.sequence++;
        arrivals_sent(a.get(), &b, now);
        CHECK(arrivals_silent(a.get(), now) == now - first);
        now = arrivals_due(a.get());
        CHECK(arrivals_lost(a.get(), &lost, now));
        CHECK(arrivals_silent(a.get(), now) == 0);
    }
    now += 2 * ARRIVALS_PAUSE; // there was nothing to send
    b.sequence++;
    arrivals_sent(a.get(), &b, now);
    CHECK(arrivals_silent(a.get(), now + TICK_MS) == TICK_MS);
}
