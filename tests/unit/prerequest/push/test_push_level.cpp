// How good the pictures of what moves are, under a fake clock.
#include "tests/catch.hpp"

#include <cmath>

#include "prerequest/push/picture/level.h"

namespace
{

const tick_t T0 = 1000 * TICK_S;

// A film on a path that needs `best_ms` for a frame at the best step.
struct Film {
    push_level l{};
    tick_t now = T0;
    double best_ms, fps, shrink = 0.78;
    unsigned changes = 0;

    Film(double fps, double best) : best_ms(best), fps(fps)
    {
        push_level_init(&l, now);
        push_level_pin(&l, -1);
    }

    double need() const
    {
        return best_ms * std::pow(shrink, l.step) * fps / 1000;
    }

    void run(double seconds)
    {
        for (tick_t end = now + tick_t(seconds * 1e9); now < end; now += tick_t(1e9 / fps)) {
            int before = l.step;

            push_level_frame(&l, need() * 1e9 / fps, 1e9 / fps, now, now + TICK_MS);
            changes += l.step != before;
        }
    }
};

} // namespace

TEST_CASE("a path with room gives the best quality within a second or two")
{
    Film f(30, 10);

    push_level_path(&f.l, 100 * TICK_MS, T0);
    CHECK(push_level_jpeg(&f.l) < 50);
    f.run(1.5);
    CHECK(push_level_jpeg(&f.l) == 92);
    f.changes = 0;
    f.run(60);
    CHECK(f.changes == 0);
}

TEST_CASE("a path that is far too slow gives a smaller picture at the second frame")
{
    Film f(30, 160);

    push_level_path(&f.l, TICK_MS, T0);
    f.run(0.1);
    CHECK(f.need() <= LEVEL_FULL);
    CHECK(f.need() > 0.4);
}

TEST_CASE("the quality settles, whatever a step leaves of the bytes")
{
    for (double shrink : {0.65, 0.78, 0.88})
        for (double best : {20.0, 40.0, 60.0, 90.0}) {
            Film f(30, best);

            f.shrink = shrink;
            f.run(60);
            f.changes = 0;
            f.run(100);
            INFO("shrink " << shrink << " best " << best << " need " << f.need());
            CHECK(f.changes <= 16);
            CHECK((f.need() <= LEVEL_FULL || f.l.step == LEVEL_STEPS - 1));
            CHECK((f.need() > 0.3 || f.l.step == 0));
        }
}

TEST_CASE("no quality is low enough for a path that carries nothing")
{
    Film f(30, 10000);

    f.run(10);
    CHECK(push_level_jpeg(&f.l) == 10);
    f.best_ms = 1;
    f.run(3);
    CHECK(push_level_jpeg(&f.l) == 92);
}

TEST_CASE("a frame from before the change says nothing of the step")
{
    Film f(30, 160);
    tick_t begun = T0 + TICK_MS;

    push_level_frame(&f.l, 60e6, 33e6, begun, T0 + 70 * TICK_MS);
    int step = f.l.step;
    CHECK(step > 6);
    push_level_frame(&f.l, 60e6, 33e6, begun, T0 + 71 * TICK_MS);
    CHECK(f.l.step == step);
}

TEST_CASE("a quality that the user has chosen is that of TigerVNC's level")
{
    const int expected[10] = {15, 29, 41, 42, 62, 77, 79, 86, 92, 100};
    Film f(30, 1000);

    for (int level = 0; level < 10; level++) {
        push_level_pin(&f.l, level);
        f.run(1);
        CHECK(push_level_jpeg(&f.l) == expected[level]);
    }
    push_level_pin(&f.l, -1);
    CHECK(push_level_jpeg(&f.l) == 10);
}

TEST_CASE("a far path begins with a moderate quality, a near one with a good one")
{
    push_level l;
    int far, middle, near;

    push_level_init(&l, T0);
    push_level_path(&l, 300 * TICK_MS, T0), far = push_level_jpeg(&l);
    push_level_path(&l, 100 * TICK_MS, T0), middle = push_level_jpeg(&l);
    push_level_path(&l, TICK_MS, T0), near = push_level_jpeg(&l);
    CHECK(far < middle);
    CHECK(middle < near);
}
