/* Where the picture lies in the window, and back; the pointer shape's resampling. */
#include "tests/catch.hpp"

#include <random>

#include "tests/seed.hpp"
#include "viewer/desktop/cursor.h"
#include "viewer/desktop/screen_map.h"

static void check_rect(struct rect r, int x, int y, int w, int h)
{
    CHECK(r.x == x);
    CHECK(r.y == y);
    CHECK(r.w == w);
    CHECK(r.h == h);
}

TEST_CASE("a window of the picture's size shows it pixel for pixel")
{
    auto m = screen_map_make(800, 600, 800, 600, 800, 600);
    check_rect(m.target, 0, 0, 800, 600);
    CHECK(screen_map_is_exact(&m));
    CHECK(screen_map_scale(&m) == 1);
    for (int p : {0, 1, 399, 598, 599}) {
        int x, y, wx, wy;
        REQUIRE(screen_map_to_picture(&m, p, p, &x, &y));
        CHECK(x == p);
        CHECK(y == p);
        screen_map_to_window(&m, p, p, &wx, &wy);
        CHECK(wx == p);
        CHECK(wy == p);
    }
}

TEST_CASE("a wider window leaves bars left and right, a taller one above and below")
{
    auto wide = screen_map_make(400, 300, 1000, 600, 1000, 600);
    check_rect(wide.target, 100, 0, 800, 600);
    CHECK_FALSE(screen_map_is_exact(&wide));
    CHECK(screen_map_scale(&wide) == 2);
    auto tall = screen_map_make(400, 300, 400, 500, 400, 500);
    check_rect(tall.target, 0, 100, 400, 300);
    CHECK(screen_map_is_exact(&tall));
}

TEST_CASE("positions outside the picture are clamped to its edge")
{
    auto m = screen_map_make(400, 300, 1000, 600, 1000, 600);
    int x, y;
    REQUIRE(screen_map_to_picture(&m, 0, 0, &x, &y));
    CHECK(x == 0);
    CHECK(y == 0);
    REQUIRE(screen_map_to_picture(&m, 999, 599, &x, &y));
    CHECK(x == 399);
    CHECK(y == 299);
    REQUIRE(screen_map_to_picture(&m, -5000, 40000, &x, &y));
    CHECK(x == 0);
    CHECK(y == 299);
    REQUIRE(screen_map_to_picture(&m, 100, 0, &x, &y)); /* first column that belongs to it */
    CHECK(x == 0);
    REQUIRE(screen_map_to_picture(&m, 102, 0, &x, &y));
    CHECK(x == 1);
}

TEST_CASE("a display with more pixels than window units")
{
    auto m = screen_map_make(1600, 1200, 800, 600, 1600, 1200);
    CHECK(screen_map_is_exact(&m));
    CHECK(screen_map_scale(&m) == 0.5);
    int x, y, wx, wy;
    REQUIRE(screen_map_to_picture(&m, 400, 300, &x, &y));
    CHECK(x == 801);
    CHECK(y == 601);
    screen_map_to_window(&m, 1599, 1199, &wx, &wy);
    CHECK(wx == 799);
    CHECK(wy == 599);
}

TEST_CASE("there and back meets the same picture pixel where the picture is not shrunk")
{
    unsigned seed = any_seed();
    CAPTURE(seed);
    std::mt19937 random(seed);
    auto upto = [&](int n) { return 1 + static_cast<int>(random() % static_cast<unsigned>(n)); };
    for (int i = 0; i < 2000; i++) {
        int w = upto(2000), h = upto(2000);
        int window_w = w + upto(1000), window_h = h + upto(1000);
        auto m = screen_map_make(w, h, window_w, window_h, window_w, window_h);
        int px = upto(w) - 1, py = upto(h) - 1, wx, wy, x, y;
        CAPTURE(w, h, window_w, window_h, px, py);
        screen_map_to_window(&m, px, py, &wx, &wy);
        REQUIRE(screen_map_to_picture(&m, wx, wy, &x, &y));
        REQUIRE(x == px);
        REQUIRE(y == py);
    }
}

TEST_CASE("the target never leaves the window and touches two of its sides")
{
    unsigned seed = any_seed();
    CAPTURE(seed);
    std::mt19937 random(seed);
    auto upto = [&](int n) { return 1 + static_cast<int>(random() % static_cast<unsigned>(n)); };
    for (int i = 0; i < 5000; i++) {
        int w = upto(8192), h = upto(8192), ow = upto(4000), oh = upto(4000);
        CAPTURE(w, h, ow, oh);
        auto m = screen_map_make(w, h, ow, oh, ow, oh);
        REQUIRE(m.target.x >= 0);
        REQUIRE(m.target.y >= 0);
        REQUIRE(m.target.w >= 1);
        REQUIRE(m.target.h >= 1);
        REQUIRE(m.target.x + m.target.w <= ow);
        REQUIRE(m.target.y + m.target.h <= oh);
        REQUIRE((m.target.w == ow || m.target.h == oh));
    }
}

TEST_CASE("without a picture there is nothing to point at")
{
    auto m = screen_map_make(0, 0, 640, 480, 640, 480);
    int x = 7, y = 7;
    CHECK_FALSE(screen_map_to_picture(&m, 10, 10, &x, &y));
    CHECK(x == 0);
    CHECK(y == 0);
    check_rect(m.target, 0, 0, 0, 0);
    CHECK(screen_map_scale(&m) == 1);
    struct screen_map zero = {};
    CHECK_FALSE(screen_map_to_picture(&zero, 1, 1, &x, &y));
}

TEST_CASE("a window without a size does no harm")
{
    auto m = screen_map_make(800, 600, 0, 0, 0, 0);
    int x, y;
    REQUIRE(screen_map_to_picture(&m, 0, 0, &x, &y));
    CHECK(x < 800);
    CHECK(y < 600);
}

TEST_CASE("the window opens at the picture's size if there is room, else smaller")
{
    struct {
        int w, h, max_w, max_h, fit_w, fit_h;
    } cases[] = {
        {800, 600, 1920, 1080, 800, 600},     {1920, 1080, 1920, 1080, 1920, 1080},
        {3840, 2160, 1920, 1080, 1920, 1080}, {1000, 4000, 1000, 1000, 250, 1000},
        {8192, 1, 1024, 768, 1024, 1},        {800, 600, 0, 0, 1, 1},
    };
    for (auto t : cases) {
        int w, h;
        screen_map_fit(t.w, t.h, t.max_w, t.max_h, &w, &h);
        CAPTURE(t.w, t.h, t.max_w, t.max_h);
        CHECK(w == t.fit_w);
        CHECK(h == t.fit_h);
    }
}

TEST_CASE("a pointer shape is resampled by averaging, invisible colours do not bleed in")
{
    const uint32_t in[4] = {0xffff0000, 0x0000ff00, 0xffff0000, 0x0000ff00};
    uint32_t same[4];
    cursor_resample(in, 2, 2, same, 2, 2);
    CHECK(same[0] == 0xffff0000);
    CHECK(same[1] == 0); /* nothing to be seen has no colour */
    uint32_t one;
    cursor_resample(in, 2, 2, &one, 1, 1);
    CHECK(one >> 24 == 0x80);
    CHECK((one & 0xffffff) == 0xff0000);
    uint32_t big[16];
    cursor_resample(in, 2, 2, big, 4, 4);
    for (int i = 0; i < 16; i++)
        CHECK(big[i] == (i % 4 < 2 ? 0xffff0000 : 0));
}

TEST_CASE("a shape nobody can see is blank")
{
    const uint32_t hidden[2] = {0x00ffffff, 0}, faint[2] = {0, 0x01000000};
    CHECK(cursor_is_blank(hidden, 2, 1));
    CHECK_FALSE(cursor_is_blank(faint, 2, 1));
    CHECK(cursor_is_blank(nullptr, 0, 0));
}
