// The far end's decisions put together, under a fake clock.
#include "tests/catch.hpp"

#include <memory>

#include "prerequest/push/plan.h"

namespace
{

const tick_t T0 = 1000 * TICK_S;

// A far end whose path is near and fast: what is sent is acknowledged 1 ms later.
struct FarEnd {
    std::unique_ptr<push_plan> p = std::make_unique<push_plan>();
    push_options options{0, 0, -1, true, true};
    std::vector<push_cell> memory;
    tick_t now = T0;
    uint32_t sequence = 0;
    bool last = false;
    std::vector<push_strip> sent;

    explicit FarEnd(push_options o = {0, 0, -1, true, true}, int w = 640, int h = 480) : options(o)
    {
        push_plan_init(p.get(), &options, now);
        picture(w, h);
    }

    void picture(int w, int h)
    {
        memory.assign(push_plan_cells(w, h), push_cell{});
        push_plan_picture(p.get(), memory.data(), w, h, now);
        push_plan_shown(p.get(), now);
    }

    // Sends what may leave, for so long. A block holds ten cells; pictures are sent with loss.
    void run(double ms, bool pictures = true)
    {
        push_strip s;

        for (tick_t end = now + tick_from_ms(ms); now < end; now += TICK_MS) {
            push_plan_acknowledged(p.get(), sequence, now, now);
            while (push_plan_next(p.get(), &s, now)) {
                int w = std::min(s.w, 160);

                sent.push_back(s);
                last = push_plan_sent(p.get(), &s, w, s.h, ++sequence, 1000,
                                      s.jpeg == 0 || !pictures, now);
            }
        }
    }

    void change(int x, int y, int w, int h)
    {
        push_plan_changed(p.get(), x, y, w, h, now);
        push_plan_shown(p.get(), now);
    }

    bool next(push_strip *s)
    {
        return push_plan_next(p.get(), s, now);
    }
};

} // namespace

TEST_CASE("strips are a row of cells high, and cut at the picture's edge")
{
    FarEnd e({0, 0, -1, true, true}, 100, 40);
    push_strip s;

    REQUIRE(e.next(&s));
    CHECK((s.x == 0 && s.y == 0 && s.w == 100 && s.h == 16));
    CHECK(s.jpeg > 0);
    CHECK_FALSE(push_plan_sent(e.p.get(), &s, 100, s.h, 1, 500, true, e.now));
    REQUIRE(e.next(&s));
    CHECK_FALSE(push_plan_sent(e.p.get(), &s, 48, s.h, 2, 500, true, e.now));
    REQUIRE(e.next(&s));
    CHECK((s.x == 48 && s.y == 16 && s.w == 52 && s.h == 16));
    CHECK_FALSE(push_plan_sent(e.p.get(), &s, 52, s.h, 3, 500, true, e.now));
    REQUIRE(e.next(&s));
    CHECK((s.x == 0 && s.y == 32 && s.w == 100 && s.h == 8));
    CHECK(push_plan_sent(e.p.get(), &s, 100, s.h, 4, 500, true, e.now));
    CHECK_FALSE(e.next(&s));
    CHECK(push_plan_look_again(e.p.get(), e.now) == TICK_NEVER);
}

TEST_CASE("rows that changed together may leave together, but not with what the user waits for")
{
    FarEnd e;
    push_strip s;

    e.run(100, false);
    e.change(0, 0, 640, 100);
    REQUIRE(e.next(&s));
    CHECK((s.y == 0 && s.h == 16 && s.most_h == 112));
    push_plan_sent(e.p.get(), &s, 640, 48, ++e.sequence, 1000, false, e.now);
    REQUIRE(e.next(&s));
    CHECK((s.y == 48 && s.most_h == 64));
    push_plan_sent(e.p.get(), &s, 320, 64, ++e.sequence, 1000, false, e.now);
    REQUIRE(e.next(&s));
    CHECK((s.x == 320 && s.y == 48 && s.w == 320 && s.most_h == 64));
    push_plan_sent(e.p.get(), &s, 320, 64, ++e.sequence, 1000, false, e.now);
    CHECK_FALSE(e.next(&s));

    e.change(160, 160, 320, 16); // a row of its own, then a wider one below
    e.change(0, 176, 640, 16);
    REQUIRE(e.next(&s));
    CHECK((s.y == 160 && s.most_h == 16));
    push_plan_sent(e.p.get(), &s, s.w, s.h, ++e.sequence, 1000, false, e.now);
    REQUIRE(e.next(&s));
    CHECK((s.y == 176 && s.w == 640));
    push_plan_sent(e.p.get(), &s, s.w, s.h, ++e.sequence, 1000, false, e.now);

    push_plan_input(e.p.get(), e.now);
    e.change(64, 64, 64, 64);
    REQUIRE(e.next(&s));
    CHECK(s.why == PUSH_EFFECT_OF_INPUT);
    CHECK(s.most_h == s.h);
}

TEST_CASE("a picture is whole only when the server's update has ended")
{
    FarEnd e;

    e.run(100);
    CHECK(e.last);
    push_plan_changed(e.p.get(), 0, 0, 16, 16, e.now);
    e.run(2);
    CHECK_FALSE(e.last);
    CHECK(push_plan_shown(e.p.get(), e.now)); // all has left: it has to be said
    push_plan_changed(e.p.get(), 0, 0, 16, 16, e.now);
    CHECK_FALSE(push_plan_shown(e.p.get(), e.now));
    e.run(2);
    CHECK(e.last);
    CHECK_FALSE(push_plan_shown(e.p.get(), e.now)); // an update of nothing
    CHECK(push_plan_copied(e.p.get(), 0, 100, 0, 0, 100, 100, e.now));
    CHECK(push_plan_shown(e.p.get(), e.now));
}

TEST_CASE("a copy of what has not left counts as a change")
{
    FarEnd e;

    CHECK_FALSE(push_plan_copied(e.p.get(), 0, 100, 0, 0, 100, 100, e.now));
    e.run(100);
    CHECK(push_plan_copied(e.p.get(), 0, 100, 0, 0, 100, 100, e.now));
    CHECK(e.p->cells.changed == 0);
    push_plan_hide(e.p.get(), true, e.now);
    CHECK_FALSE(push_plan_copied(e.p.get(), 0, 100, 0, 0, 100, 100, e.now));
    CHECK(e.p->cells.changed > 0);
}

TEST_CASE("what was typed overtakes the rest")
{
    FarEnd e;
    push_strip s;

    e.run(1000, false);
    push_plan_input(e.p.get(), e.now);
    e.change(0, 0, 640, 400); // a large change is no effect to wait for
    e.change(320, 432, 12, 14);
    REQUIRE(e.next(&s));
    CHECK((s.why == PUSH_EFFECT_OF_INPUT && s.x == 320 && s.y == 432 && s.w == 16));
    e.run(50);
    e.now += TICK_S;
    e.change(0, 0, 640, 400);
    e.change(320, 432, 12, 14); // nobody has typed
    REQUIRE(e.next(&s));
    CHECK((s.why == PUSH_NEWS && s.y == 0));
    push_plan_pointer(e.p.get(), 300, 440);
    e.change(320, 448, 12, 14);
    REQUIRE(e.next(&s));
    CHECK((s.why == PUSH_EFFECT_OF_INPUT && s.y == 448));
}

TEST_CASE("what is still comes again exact, and news goes first")
{
    FarEnd e;
    push_strip s;

    e.run(450);
    CHECK(e.p->cells.lossy == e.memory.size());
    CHECK_FALSE(e.next(&s));
    tick_t due = push_plan_look_again(e.p.get(), e.now);
    CHECK(due > e.now);
    CHECK(due <= T0 + 510 * TICK_MS);
    e.now = T0 + 510 * TICK_MS;
    REQUIRE(e.next(&s));
    CHECK((s.why == PUSH_REFINEMENT && s.jpeg == 0));
    CHECK(push_plan_sent(e.p.get(), &s, 16, s.h, ++e.sequence, 700, true, e.now));
    e.change(0, 400, 16, 16);
    REQUIRE(e.next(&s));
    CHECK((s.why == PUSH_NEWS && s.jpeg > 0));
    e.run(1500);
    CHECK(e.p->cells.lossy == 0);
    // each cell twice, but for the one above; and the one that changed before its second time once
    // more
    size_t cells = 0;
    for (const push_strip &one : e.sent)
        cells += size_t(std::min(one.w, 160) / 16);
    CHECK(cells == 2 * e.memory.size() - 1 + 1);
}

TEST_CASE("the user may want no refinement, no loss, or a quality")
{
    push_strip s;
    FarEnd blurred({0, 0, -1, true, false});
    blurred.run(2000);
    CHECK(blurred.p->cells.lossy == blurred.memory.size());
    CHECK(push_plan_look_again(blurred.p.get(), blurred.now) == TICK_NEVER);

    FarEnd exact({0, 0, -1, false, true});
    REQUIRE(exact.next(&s));
    CHECK(s.jpeg == 0);

    FarEnd pinned({0, 0, 4, true, true});
    REQUIRE(pinned.next(&s));
    CHECK(s.jpeg == 62);
    pinned.options.quality = 8;
    push_plan_tune(pinned.p.get(), &pinned.options, pinned.now);
    REQUIRE(pinned.next(&s));
    CHECK(s.jpeg == 92);
}

TEST_CASE("nothing is sent while nobody sees it")
{
    FarEnd e;
    push_strip s;

    e.run(100);
    push_plan_hide(e.p.get(), true, e.now);
    e.change(0, 0, 100, 100);
    CHECK_FALSE(e.next(&s));
    CHECK(push_plan_look_again(e.p.get(), e.now) == TICK_NEVER);
    push_plan_hide(e.p.get(), false, e.now);
    CHECK(e.next(&s));
}

TEST_CASE("no more passes than the user allows")
{
    FarEnd e({0, 10, -1, true, false});
    unsigned lasts = 0;

    e.run(200);
    for (int i = 0; i < 1000; i++) {
        e.last = false;
        if (i % 20 == 0)
            e.change(0, 0, 160, 16); // 50 a second
        e.run(1);
        lasts += e.last;
    }
    CHECK(lasts >= 9);
    CHECK(lasts <= 11);
}

TEST_CASE("the server's next update waits for the end of a pass, but not for long")
{
    FarEnd e;
    push_strip s;

    e.run(100);
    CHECK(push_plan_wants(e.p.get(), e.now));
    e.change(0, 0, 640, 400);
    CHECK(push_plan_wants(e.p.get(), e.now));
    REQUIRE(e.next(&s));
    push_plan_sent(e.p.get(), &s, 160, s.h, ++e.sequence, 1000, false, e.now);
    CHECK_FALSE(push_plan_wants(e.p.get(), e.now));
    push_plan_input(e.p.get(), e.now); // its effect may be in that update
    CHECK(push_plan_wants(e.p.get(), e.now));
    e.change(16, 432, 12, 14); // there it is
    CHECK_FALSE(push_plan_wants(e.p.get(), e.now));
    CHECK(push_plan_wants(e.p.get(), e.now + PUSH_HOLD));
    e.run(100);
    CHECK(push_plan_wants(e.p.get(), e.now));
}

TEST_CASE("a new size begins anew, with what the path has taught")
{
    FarEnd e;

    e.run(1000);
    double rate = push_plan_figures(e.p.get(), e.now).rate;
    e.picture(1000, 20);
    CHECK(push_plan_figures(e.p.get(), e.now).changed == 63 * 2);
    CHECK(push_plan_figures(e.p.get(), e.now).rate == rate);
    e.run(1000);
    CHECK(push_plan_figures(e.p.get(), e.now).changed == 0);
    CHECK(push_plan_figures(e.p.get(), e.now).lossy == 0);
    push_plan_changed(e.p.get(), 0, 0, 1000, 20, e.now); // the viewer wants all of it again
    push_plan_shown(e.p.get(), e.now);
    CHECK(push_plan_figures(e.p.get(), e.now).changed == 63 * 2);
    e.picture(0, 0);
    e.run(10);
    CHECK(push_plan_figures(e.p.get(), e.now).changed == 0);
}

TEST_CASE("what the viewer has from before is not sent, and may be what makes the picture whole")
{
    FarEnd e;
    push_strip s;

    REQUIRE(e.next(&s));
    push_plan_sent(e.p.get(), &s, 160, s.h, ++e.sequence, 1000, false,
                   e.now); // ten cells, with loss
    CHECK_FALSE(push_plan_has(e.p.get(), 0, 0, 640, 64, ++e.sequence, 20, e.now));
    CHECK(push_plan_figures(e.p.get(), e.now).changed == 40 * 26);
    CHECK(push_plan_figures(e.p.get(), e.now).lossy == 0); // those, too
    CHECK(push_plan_figures(e.p.get(), e.now).on_way == 1020);
    CHECK(push_plan_has(e.p.get(), 0, 64, 640, 416, ++e.sequence, 20, e.now));
    CHECK_FALSE(e.next(&s));
    CHECK(push_plan_wants(e.p.get(), e.now));
    e.change(100, 100, 10, 10); // and it goes on
    REQUIRE(e.next(&s));
    CHECK((s.x == 96 && s.y == 96 && s.w == 16));
    // outside of the picture nothing is marked
    CHECK_FALSE(push_plan_has(e.p.get(), 0, 480, 640, 64, ++e.sequence, 20, e.now));
    CHECK_FALSE(push_plan_has(e.p.get(), -64, -64, 64, 64, ++e.sequence, 20, e.now));
    CHECK(push_plan_figures(e.p.get(), e.now).changed == 1);
}
