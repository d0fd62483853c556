// Which parts of the picture came with loss, and what is asked for again.
#include "tests/catch.hpp"

#include <vector>

#include "rfb/decode/lossy.h"

namespace
{

struct Lossy {
    lossy l{};
    Lossy(int width, int height)
    {
        REQUIRE(lossy_resize(&l, width, height));
    }
    ~Lossy()
    {
        lossy_deinit(&l);
    }

    std::vector<rect> take_all(size_t pixels, tick_t now)
    {
        std::vector<rect> slices;
        rect r;
        while (lossy_take(&l, pixels, now, &r))
            slices.push_back(r);
        return slices;
    }
};

bool same(rect a, rect b)
{
    return a.x == b.x && a.y == b.y && a.w == b.w && a.h == b.h;
}

} // namespace

TEST_CASE("what came as JPEG is asked for again, in whole tiles, and is clean when answered")
{
    Lossy c(200, 100);
    CHECK_FALSE(lossy_any(&c.l));
    lossy_drawn(&c.l, {20, 20, 30, 10}, true);
    REQUIRE(lossy_any(&c.l));
    auto slices = c.take_all(100000, 5);
    REQUIRE(slices.size() == 1);
    CHECK(same(slices[0], {16, 16, 48, 16}));
    CHECK(lossy_asked_for(&c.l, {20, 20, 8, 8}));
    CHECK_FALSE(lossy_asked_for(&c.l, {20, 20, 60, 8}));
    lossy_drawn(&c.l, slices[0], false);
    lossy_answered(&c.l, 4); // an update from before
    CHECK(c.l.asked == 1);
    lossy_answered(&c.l, 5);
    CHECK(c.l.asked == 0);
    CHECK_FALSE(lossy_any(&c.l));
}

TEST_CASE("the last tiles of a picture end at its edge")
{
    Lossy c(100, 50);
    lossy_drawn(&c.l, {0, 0, 100, 50}, true);
    auto slices = c.take_all(1 << 20, 1);
    REQUIRE(slices.size() == 1);
    CHECK(same(slices[0], {0, 0, 100, 50}));
    lossy_give_up(&c.l);
    CHECK(lossy_any(&c.l));
    lossy_drawn(&c.l, {0, 0, 100, 50}, false);
    CHECK_FALSE(lossy_any(&c.l));
}

TEST_CASE("a slice is as large as allowed, and the slices make up the whole")
{
    Lossy c(320, 320);
    lossy_drawn(&c.l, {0, 0, 320, 320}, true);
    auto slices = c.take_all(320 * 64, 1);
    REQUIRE(slices.size() == 5);
    int pixels = 0;
    for (auto r : slices) {
        CHECK(r.w * r.h <= 320 * 64);
        pixels += r.w * r.h;
    }
    CHECK(pixels == 320 * 320);
    lossy_answered(&c.l, 1);
    CHECK_FALSE(lossy_any(&c.l));
}

TEST_CASE("even the smallest allowance gets on, and no more than so many are on their way")
{
    Lossy c(1024, 16);
    lossy_drawn(&c.l, {0, 0, 1024, 16}, true);
    CHECK(c.take_all(1, 1).size() == LOSSY_SLICES);
    lossy_answered(&c.l, 1);
    CHECK(c.take_all(1, 2).size() == LOSSY_SLICES);
    lossy_answered(&c.l, 2);
    CHECK_FALSE(lossy_any(&c.l));
}

TEST_CASE("what comes with loss again stays lossy, what is covered without is clean")
{
    Lossy c(160, 160);
    lossy_drawn(&c.l, {0, 0, 160, 160}, true);
    c.take_all(1 << 20, 1);
    lossy_drawn(&c.l, {0, 0, 16, 16}, true);
    lossy_answered(&c.l, 1);
    CHECK(c.l.count == 1);
    lossy_drawn(&c.l, {0, 0, 15, 16}, false); // not all of the tile
    CHECK(c.l.count == 1);
    lossy_drawn(&c.l, {0, 0, 16, 16}, false);
    CHECK(c.l.count == 0);
}

TEST_CASE("rectangles at and beyond the edges do no harm")
{
    Lossy c(50, 50);
    lossy_drawn(&c.l, {40, 40, 8000, 8000}, true);
    lossy_drawn(&c.l, {8000, 0, 10, 10}, true);
    lossy_drawn(&c.l, {0, 0, 0, 0}, true);
    CHECK(c.l.count == 4);
    lossy none{};
    lossy_drawn(&none, {0, 0, 10, 10}, true);
    CHECK_FALSE(lossy_any(&none));
    CHECK_FALSE(lossy_asked_for(&none, {0, 0, 10, 10}));
}

TEST_CASE("lossy: an update that left before the server was asked answers nothing")
{
    lossy l{};
    rect slice;
    REQUIRE(lossy_resize(&l, 64, 64));
    CHECK_FALSE(lossy_answers(&l, 1000));
    lossy_drawn(&l, {0, 0, 64, 64}, true);
    REQUIRE(lossy_take(&l, 64 * 64, 500, &slice));
    CHECK_FALSE(lossy_answers(&l, 499));
    CHECK(lossy_answers(&l, 500));
    lossy_deinit(&l);
}
