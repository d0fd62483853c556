// Pictures made smaller.
#include "tests/catch.hpp"

#include <cstdlib>
#include <random>
#include <vector>

#include "tests/seed.hpp"
#include "viewer/desktop/display/drawing/shrink.h"

namespace
{

using Pixels = std::vector<uint32_t>;

struct Shrinker {
    shrink s{};
    ~Shrinker()
    {
        shrink_drop(&s);
    }
    // All of the picture, or a part of it into `to`.
    void draw(const Pixels &from, int w, Pixels &to, int to_w, rect part, unsigned light = 256)
    {
        shrink_draw(&s, from.data(), w, to.data(), to_w, part, light);
    }
};

int channel(uint32_t pixel, int n)
{
    return int(pixel >> 8 * n & 0xff);
}

// What a pixel is to be, by definition.
double mean(const Pixels &p, int w, int h, int to_w, int to_h, int x, int y, int n)
{
    double x0 = double(x) * w / to_w, x1 = double(x + 1) * w / to_w;
    double y0 = double(y) * h / to_h, y1 = double(y + 1) * h / to_h, sum = 0;
    for (int j = int(y0); j < h && j < y1; j++)
        for (int i = int(x0); i < w && i < x1; i++)
            sum += channel(p[size_t(j) * size_t(w) + size_t(i)], n) *
                   (std::min(x1, i + 1.0) - std::max(x0, double(i))) *
                   (std::min(y1, j + 1.0) - std::max(y0, double(j)));
    return sum / (x1 - x0) / (y1 - y0);
}

// How far a side's weights may lead from the mean. The `parts` weights are 256ths. Each border
// between two of them is rounded by half of one at most, and moves so much of the difference of two
// pixels, which is 255 at most, from one to the other.
double weights_error(int from, int to, int at)
{
    int first = at * from / to, behind = ((at + 1) * from + to - 1) / to, parts = behind - first;
    return 0.5 * 255 / 256 * (parts - 1);
}

} // namespace

TEST_CASE("shrink: each pixel is the mean of what it covers")
{
    unsigned seed = any_seed();
    CAPTURE(seed);
    std::mt19937 random(seed);
    auto upto = [&](int n) { return 1 + static_cast<int>(random() % static_cast<unsigned>(n)); };
    for (int i = 0; i < 300; i++) {
        int w = upto(60), h = upto(60), to_w = upto(w), to_h = upto(h);
        CAPTURE(w, h, to_w, to_h);
        Pixels from(size_t(w) * size_t(h)), to(size_t(to_w) * size_t(to_h));
        for (uint32_t &p : from)
            p = random() % 3 ? random() & 0xffffff : 0xffffff;
        Shrinker s;
        REQUIRE(shrink_prepare(&s.s, w, h, to_w, to_h));
        s.draw(from, w, to, to_w, {0, 0, to_w, to_h});
        for (int y = 0; y < to_h; y++)
            for (int x = 0; x < to_w; x++)
                for (int n = 0; n < 3; n++) {
                    // and each of the two sums is rounded to a whole number
                    double most = weights_error(w, to_w, x) + weights_error(h, to_h, y) + 1;
                    REQUIRE(std::abs(channel(to[size_t(y) * size_t(to_w) + size_t(x)], n) -
                                     mean(from, w, h, to_w, to_h, x, y, n)) <= most + 1e-9);
                }
    }
}

TEST_CASE("shrink: a part comes out as it does with all, and nothing else is touched")
{
    unsigned seed = any_seed();
    CAPTURE(seed);
    std::mt19937 random(seed);
    auto upto = [&](int n) { return 1 + static_cast<int>(random() % static_cast<unsigned>(n)); };
    for (int i = 0; i < 500; i++) {
        int w = upto(200), h = upto(100), to_w = upto(w), to_h = upto(h);
        rect part = {upto(w) - 1, upto(h) - 1, 0, 0};
        part.w = upto(w - part.x);
        part.h = upto(h - part.y);
        CAPTURE(w, h, to_w, to_h, part.x, part.y, part.w, part.h);
        Pixels from(size_t(w) * size_t(h)), to(size_t(to_w) * size_t(to_h));
        for (uint32_t &p : from)
            p = random() & 0xffffff;
        Shrinker s;
        REQUIRE(shrink_prepare(&s.s, w, h, to_w, to_h));
        s.draw(from, w, to, to_w, {0, 0, to_w, to_h});
        for (int y = part.y; y < part.y + part.h; y++)
            for (int x = part.x; x < part.x + part.w; x++)
                from[size_t(y) * size_t(w) + size_t(x)] = random() & 0xffffff;
        Pixels all(to), some(to);
        s.draw(from, w, all, to_w, {0, 0, to_w, to_h});
        s.draw(from, w, some, to_w, shrink_target(&s.s, part));
        REQUIRE(all == some);
    }
}

TEST_CASE("shrink: one colour stays that colour, as bright as it is to be")
{
    for (auto size : {std::pair(1, 1), std::pair(8192, 7), std::pair(1000, 999)}) {
        int w = size.first, to_w = size.second;
        Pixels from(size_t(w) * 3, 0xfe0180), to(size_t(to_w) * 2);
        Shrinker s;
        REQUIRE(shrink_prepare(&s.s, w, 3, to_w, 2));
        s.draw(from, w, to, to_w, {0, 0, to_w, 2});
        CHECK(to == Pixels(to.size(), 0xfe0180));
        s.draw(from, w, to, to_w, {0, 0, to_w, 2}, 128);
        CHECK(to == Pixels(to.size(), 0x7f0040));
    }
}

TEST_CASE("shrink: wide vectors make the same picture")
{
    unsigned seed = any_seed();
    CAPTURE(seed);
    std::mt19937 random(seed);
    auto upto = [&](int n) { return 1 + static_cast<int>(random() % static_cast<unsigned>(n)); };
    for (int i = 0; i < 100; i++) {
        int w = upto(700), h = upto(20), to_w = upto(w), to_h = upto(h);
        unsigned light = i % 2 ? 256 : unsigned(upto(256));
        CAPTURE(w, h, to_w, to_h, light);
        Pixels from(size_t(w) * size_t(h)), wide(size_t(to_w) * size_t(to_h)), plain(wide);
        for (uint32_t &p : from)
            p = uint32_t(random());
        Shrinker s;
        REQUIRE(shrink_prepare(&s.s, w, h, to_w, to_h));
        if (!s.s.wide)
            return; // this processor has none
        s.draw(from, w, wide, to_w, {0, 0, to_w, to_h}, light);
        s.s.wide = false;
        s.draw(from, w, plain, to_w, {0, 0, to_w, to_h}, light);
        REQUIRE(wide == plain);
    }
}
