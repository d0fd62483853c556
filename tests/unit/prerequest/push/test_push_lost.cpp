// The plan and the flow where blocks are lost, under a fake clock.
#include "tests/catch.hpp"

#include <memory>

#include "prerequest/push/plan.h"

namespace
{

const tick_t T0 = 1000 * TICK_S;

struct FarEnd {
    std::unique_ptr<push_plan> p = std::make_unique<push_plan>();
    push_options options{0, 0, -1, true, true};
    std::vector<push_cell> memory;
    tick_t now = T0;
    uint32_t sequence = 0;

    explicit FarEnd(push_options o = {0, 0, -1, true, true}) : options(o)
    {
        push_plan_init(p.get(), &options, now);
        push_plan_may_lose(p.get(), true);
        memory.assign(push_plan_cells(640, 480), push_cell{});
        push_plan_picture(p.get(), memory.data(), 640, 480, now);
        push_plan_shown(p.get(), now);
        settle();
    }

    // All is sent, exact, and acknowledged.
    void settle()
    {
        push_strip s;

        for (int i = 0; i < 2000; i++, now += TICK_MS) {
            push_plan_acknowledged(p.get(), sequence, now, now);
            while (push_plan_next(p.get(), &s, now))
                send(s);
        }
    }

    void send(const push_strip &s, bool exact = true)
    {
        push_plan_sent(p.get(), &s, s.w, s.h, ++sequence, 1000, exact, now);
    }

    void change(int x, int y, int w, int h)
    {
        push_plan_changed(p.get(), x, y, w, h, now);
        push_plan_shown(p.get(), now);
    }

    push_strip next()
    {
        push_strip s{};

        REQUIRE(push_plan_next(p.get(), &s, now));
        return s;
    }

    uint32_t send_next(bool exact = true)
    {
        send(next(), exact);
        return sequence;
    }

    unsigned changed()
    {
        return push_plan_figures(p.get(), now).changed;
    }

    const push_cell &cell(int column, int row)
    {
        return memory[size_t(row * 40 + column)];
    }
};

} // namespace

TEST_CASE("what is lost goes again, and what a later block has carried does not")
{
    FarEnd e;

    e.change(0, 0, 64, 16);
    uint32_t first = e.send_next();
    e.change(16, 0, 16, 16);
    e.send_next();
    CHECK(e.changed() == 0);
    push_plan_lost(e.p.get(), first, 0, 0, 64, 16, e.now);
    CHECK(e.changed() == 3);
    CHECK(e.p->cells.lost == 3);
    push_strip s = e.next();
    CHECK((s.x == 0 && s.y == 0 && s.w == 16));
    e.send(s);
    s = e.next();
    CHECK((s.x == 32 && s.w == 32));
    e.send(s);
    CHECK(e.changed() == 0);
    CHECK(e.p->cells.lost == 0);
    push_plan_lost(e.p.get(), first, 0, 0, 64, 16, e.now); // once more: all is newer
    CHECK(e.changed() == 0);
    push_plan_lost(e.p.get(), e.sequence, 32, 0, 32, 16, e.now); // the second sending, too
    CHECK(e.changed() == 2);
}

TEST_CASE("a lost cell keeps its moves and its time, and goes before other changes")
{
    FarEnd e;

    for (int i = 0; i < 5; i++, e.now += 10 * TICK_MS) {
        e.change(160, 160, 16, 16);
        e.send_next();
    }
    push_cell before = e.cell(10, 10);
    e.change(0, 0, 640, 32);
    e.now += 20 * TICK_MS;
    push_plan_lost(e.p.get(), e.sequence, 160, 160, 16, 16, e.now);
    CHECK(e.cell(10, 10).moves == before.moves);
    CHECK(e.cell(10, 10).at == before.at);
    CHECK(e.p->cells.update == 0);
    push_strip s = e.next();
    CHECK((s.x == 160 && s.y == 160));
}

TEST_CASE("a lost cell that changes again is news")
{
    FarEnd e;

    e.change(0, 0, 16, 16);
    e.send_next();
    push_plan_lost(e.p.get(), e.sequence, 0, 0, 16, 16, e.now);
    CHECK(push_plan_wants(e.p.get(), e.now));
    e.change(0, 0, 16, 16);
    CHECK(e.p->cells.lost == 0);
    CHECK(e.changed() == 1);
    e.send_next();
    CHECK(e.changed() == 0);
}

TEST_CASE("a refinement that is lost goes again, and the picture becomes exact")
{
    FarEnd e;

    e.change(0, 0, 32, 16);
    e.send_next(false);
    e.now += TICK_S;
    push_strip s = e.next();
    REQUIRE(s.why == PUSH_REFINEMENT);
    e.send(s);
    CHECK(push_plan_figures(e.p.get(), e.now).lossy == 0);
    push_plan_lost(e.p.get(), e.sequence, 0, 0, 32, 16, e.now);
    CHECK(e.changed() == 2);
    e.send_next(false);
    s = e.next();
    CHECK(s.why == PUSH_REFINEMENT);
}

TEST_CASE(
    "what was lost is no pass: the server's next update does not wait, and no frame is counted")
{
    FarEnd e({0, 10, -1, true, false}); // ten passes a second

    e.change(0, 0, 64, 16);
    e.send_next();
    tick_t gap = e.p->content.gap, begun = e.p->pass.begun, due = e.p->pass_due;
    e.now += TICK_MS;
    push_plan_lost(e.p.get(), e.sequence, 0, 0, 64, 16, e.now);
    CHECK(push_plan_wants(e.p.get(), e.now));
    e.send_next(); // though the next pass is not due
    CHECK(e.p->pass.begun == begun);
    CHECK(e.p->pass_due == due);
    CHECK(e.p->content.gap == gap);
    CHECK(push_plan_wants(e.p.get(), e.now));
    push_plan_lost(e.p.get(), e.sequence, 0, 0, 64, 16, e.now);
    CHECK_FALSE(push_plan_shown(e.p.get(), e.now));
    CHECK_FALSE(e.p->moves);
}

TEST_CASE("a pass ends when only what was lost is left of it")
{
    FarEnd e;

    e.change(0, 0, 640, 32);
    e.send_next();
    CHECK_FALSE(push_plan_wants(e.p.get(), e.now));
    push_plan_lost(e.p.get(), e.sequence, 0, 0, 640, 16, e.now);
    push_strip s = e.next();
    CHECK(s.y == 0);
    e.send(s);
    CHECK_FALSE(push_plan_wants(e.p.get(), e.now));
    e.send_next();
    CHECK(push_plan_wants(e.p.get(), e.now));
}

TEST_CASE("while blocks may be lost nothing is copied")
{
    FarEnd e;

    CHECK_FALSE(push_plan_copied(e.p.get(), 0, 100, 0, 0, 64, 64, e.now));
    CHECK(e.changed() == 16);
    e.settle();
    push_plan_may_lose(e.p.get(), false);
    CHECK(push_plan_copied(e.p.get(), 0, 100, 0, 0, 64, 64, e.now));
    CHECK(e.changed() == 0);
}

TEST_CASE("what is lost takes no room on the way, also if nothing is told at all")
{
    FarEnd e;
    push_strip s;
    uint32_t first = e.sequence + 1;

    e.change(0, 0, 640, 480);
    while (push_plan_next(e.p.get(), &s, e.now) ||
           push_plan_look_again(e.p.get(), e.now) != TICK_NEVER) {
        if (push_plan_next(e.p.get(), &s, e.now))
            push_plan_sent(e.p.get(), &s, 16, s.h, ++e.sequence, 1000, true, e.now);
        else
            e.now = push_plan_look_again(e.p.get(), e.now);
        REQUIRE(e.sequence < first + 1200);
    }
    CHECK(push_plan_figures(e.p.get(), e.now).on_way > 0);
    for (uint32_t lost = first; lost <= e.sequence; lost++)
        push_plan_lost(e.p.get(), lost, 0, 0, 0, 0, e.now);
    CHECK(push_plan_figures(e.p.get(), e.now).on_way == 0);
}
