// Which quality fits the path, under a fake clock and with a path whose updates really shrink.
#include "tests/catch.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "prerequest/decide/quality.h"
#include "prerequest/know/content_gap.h"

namespace
{

const tick_t T0 = 1000 * TICK_S;

// Content of a frame rate on a link that needs `service_ms` for a frame of the best quality.
struct Film {
    quality q{};
    content_gap content{};
    tick_t now = T0;
    double gap_ms, service_ms, shrink = 0.78;
    unsigned changes = 0;

    Film(double fps, double service, bool pinned = false) : gap_ms(1000 / fps), service_ms(service)
    {
        quality_init(&q, pinned);
        content_gap_init(&content);
    }

    double service() const
    {
        return service_ms * std::pow(shrink, q.step);
    }

    void run(double seconds)
    {
        for (tick_t end = now + tick_t(seconds * 1e9); now < end;) {
            double gap = std::max(gap_ms, service() / 0.92); // what the path can answer
            now += tick_from_ms(gap);
            content_frame f = {gap * 1e6, service() * 1e6, service() / gap, true};
            content_gap_frame(&content, &f);
            struct quality_update u = {service() * 1e6, content.gap, gap * 1e6,
                                       now - 100 * TICK_MS};
            changes += ::quality_update(&q, &u, now) != 1;
        }
    }
};

} // namespace

TEST_CASE("a path with room to spare gives the best picture")
{
    Film f(30, 10);
    f.run(60);
    CHECK(f.q.step == 0);
    CHECK(f.changes == 0);
}

TEST_CASE("a path that is too slow for the content gives a smaller picture, soon and for good")
{
    Film f(30, 100);
    f.run(3);
    CHECK(f.service() <= 0.85 * f.gap_ms);
    f.run(20);
    f.changes = 0;
    f.run(120);
    CHECK(f.changes <= 2);
    CHECK(f.service() <= 0.85 * f.gap_ms);
    CHECK(f.service() > 0.4 * f.gap_ms);
}

TEST_CASE("the coarsest steps are for paths on which nothing else moves")
{
    Film fair(30, 100 / std::pow(0.78, 2)); // 37 ms, or 27 frames a second, at step 6
    fair.run(30);
    CHECK(fair.q.step == 6);
    Film slow(30, 1000);
    slow.run(30);
    CHECK(slow.q.step == 8);
}

TEST_CASE("slow content is not made smaller than it has to be")
{
    Film f(5, 150);
    f.run(60);
    CHECK(f.q.step == 0);
}

TEST_CASE("quality comes back when the path does")
{
    Film f(30, 120);
    f.run(10);
    REQUIRE(f.q.step > 3);
    f.service_ms = 12;
    f.run(40);
    CHECK(f.q.step == 0);
}

TEST_CASE("a picture that does not shrink is not tried up and down for ever")
{
    Film f(30, 60);
    f.shrink = 1;
    f.run(30);
    f.changes = 0;
    f.run(300);
    CHECK(f.changes <= 12);
}

TEST_CASE("content that was held to be slower than it is does not stay in a fast path's way")
{
    Film f(30, 45);
    f.content.gap = 80 * TICK_MS; // 12 frames a second: at these 45 ms would fit
    f.run(10);
    CHECK(tick_to_ms(f.content.gap) == Approx(1000.0 / 30).epsilon(0.05));
    CHECK(f.service() <= 0.85 * f.gap_ms);
}

TEST_CASE("the quality goes down in the middle of an update when the path has become slower")
{
    Film f(30, 10);
    f.run(10);
    REQUIRE(f.q.step == 0);
    CHECK(quality_slower(&f.q, 100e6, f.content.gap, f.now) < 0.5);
    CHECK(f.q.step > 3);
    // not twice for the same
    CHECK(quality_slower(&f.q, 100e6, f.content.gap, f.now + TICK_MS) == 1);
}

TEST_CASE("after a pause the quality is back soon where the path allows it, and only there")
{
    Film fast(30, 8), slow(30, 100);
    fast.run(10);
    REQUIRE(fast.q.step == 0);
    CHECK(quality_wake(&fast.q, 6, 0, fast.now) < 0.5);
    CHECK(fast.q.step == 6);
    fast.run(3);
    CHECK(fast.q.step == 0);

    slow.run(10);
    int step = slow.q.step;
    REQUIRE(step > 2);
    CHECK(quality_wake(&slow.q, step, 0, slow.now) == 1);
    CHECK(quality_wake(&slow.q, 8, 0, slow.now) < 1);
    slow.run(3);
    CHECK(slow.q.step >= step - 1);
    CHECK(slow.q.step <= step + 1);
}

TEST_CASE("after a pause the quality waits for TCP's slow start")
{
    Film f(30, 8);
    f.run(10);
    REQUIRE(f.q.step == 0);
    quality_wake(&f.q, 6, 300 * TICK_MS, f.now);
    f.run(1.1);
    CHECK(f.q.step == 6);
    f.run(2);
    CHECK(f.q.step == 0);
}

TEST_CASE("where there is plenty the quality goes up without waiting")
{
    Film plenty(30, 5), spare(30, 18);
    for (Film *f : {&plenty, &spare}) {
        f->run(1);
        f->q.step = 4;
        f->run(1.5);
    }
    CHECK(plenty.q.step == 0);
    CHECK(spare.q.step > 0);
}

TEST_CASE("quality that the user pinned is left alone")
{
    Film f(30, 100, true);
    f.run(10);
    CHECK(quality_slower(&f.q, 500e6, f.content.gap, f.now) == 1);
    CHECK(quality_wake(&f.q, 6, 0, f.now) == 1);
    CHECK(f.q.step == 0);
    CHECK(f.changes == 0);
    CHECK(quality_why(&f.q) == std::string("not changed"));
}

TEST_CASE("the steps go one way")
{
    for (int i = 1; i < QUALITY_STEPS; i++) {
        CHECK(quality_jpeg(i) < quality_jpeg(i - 1));
        CHECK(quality_compress(i) >= quality_compress(i - 1));
    }
}

TEST_CASE("after two pauses in a row the quality comes back to the step before the first")
{
    Film f(30, 15); // no plenty: 45 %
    f.run(10);
    REQUIRE(f.q.step == 0);
    quality_wake(&f.q, 6, 0, f.now);
    quality_wake(&f.q, 8, 0, f.now);
    f.run(4); // eight steps of a quarter of a second and a round trip each
    CHECK(f.q.step == 0);
}
