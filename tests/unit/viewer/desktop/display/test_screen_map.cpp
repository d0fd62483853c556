/* Where the picture lies in the window, and back; the pointer shape's resampling. */
#include "tests/catch.hpp"

#include <random>

#include "tests/seed.hpp"
#include "viewer/desktop/display/pan.h"
#include "viewer/desktop/display/screen_map.h"
#include "viewer/desktop/input/cursor.h"

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

TEST_CASE("at every scale the pixel that is seen below the pointer is the one that is meant")
{
    unsigned seed = any_seed();
    CAPTURE(seed);
    std::mt19937 random(seed);
    auto upto = [&](int n) { return 1 + static_cast<int>(random() % static_cast<unsigned>(n)); };
    const enum scale_kind kinds[] = {SCALE_AUTO, SCALE_FIT, SCALE_INTEGER, SCALE_RATIO,
                                     SCALE_SYSTEM};
    for (int i = 0; i < 20000; i++) {
        int w = upto(3000), h = upto(3000), ow = upto(2000), oh = upto(2000);
        struct scale scale = {kinds[i % 5], upto(100) / 10.0};
        auto m = screen_map_make(w, h, ow, oh, ow, oh);
        int pan_x = upto(9000) - 1, pan_y = upto(9000) - 1;
        screen_map_zoom(&m, &scale, &pan_x, &pan_y);
        CAPTURE(w, h, ow, oh, int(scale.kind), scale.ratio, pan_x, pan_y);
        /* it is centred, or covers the whole side */
        REQUIRE((m.target.w <= ow ? m.target.x >= 0 : m.target.x <= 0));
        REQUIRE(m.target.x + m.target.w >= std::min(ow, m.target.w));
        REQUIRE((m.target.h <= oh ? m.target.y >= 0 : m.target.y <= 0));
        REQUIRE(m.target.y + m.target.h >= std::min(oh, m.target.h));
        if (scale.kind == SCALE_INTEGER && ow >= w && oh >= h)
            REQUIRE(screen_map_whole(&m) >= 1);
        for (int n = 0; n < 20; n++) {
            int wx = upto(ow) - 1, wy = upto(oh) - 1, x, y;
            REQUIRE(screen_map_to_picture(&m, wx, wy, &x, &y));
            if (wx < m.target.x || wx >= m.target.x + m.target.w || wy < m.target.y ||
                wy >= m.target.y + m.target.h)
                continue; /* beside the picture */
            /* the middle of the output pixel lies in what this pixel of the picture covers */
            double left = m.target.x + double(x) * m.target.w / w,
                   right = m.target.x + double(x + 1) * m.target.w / w,
                   top = m.target.y + double(y) * m.target.h / h,
                   bottom = m.target.y + double(y + 1) * m.target.h / h;
            REQUIRE(wx + 0.5 >= left - 1e-6);
            REQUIRE(wx + 0.5 <= right + 1e-6);
            REQUIRE(wy + 0.5 >= top - 1e-6);
            REQUIRE(wy + 0.5 <= bottom + 1e-6);
        }
    }
}

TEST_CASE("the display's own scale is kept where the picture was made for the window")
{
    const struct scale twice = {SCALE_SYSTEM, 2}, larger = {SCALE_SYSTEM, 1.5};
    const struct {
        struct scale scale;
        int w, h, window_w, window_h, units, target_w, target_h;
    } cases[] = {
        {twice, 500, 400, 1000, 800, 1, 1000, 800},
        {twice, 500, 400, 1001, 801, 1, 1000, 800}, /* the server's screen has whole pixels */
        {twice, 500, 400, 1003, 803, 2, 1000, 800}, /* and the window whole units */
        {twice, 500, 400, 1003, 803, 1, 1003, 802}, /* the user's own size: as large as fits */
        {twice, 500, 400, 999, 799, 1, 999, 799},
        {twice, 500, 400, 500, 400, 1, 500, 400},
        {larger, 333, 201, 500, 302, 1, 500, 302},
        {larger, 333, 201, 501, 303, 1, 500, 302},
    };
    for (const auto &t : cases) {
        CAPTURE(t.scale.ratio, t.window_w, t.window_h, t.units);
        int pan_x = 0, pan_y = 0;
        auto m = screen_map_make(t.w, t.h, t.window_w / t.units, t.window_h / t.units, t.window_w,
                                 t.window_h);
        screen_map_zoom(&m, &t.scale, &pan_x, &pan_y);
        CHECK(m.target.w == t.target_w);
        CHECK(m.target.h == t.target_h);
        CHECK(m.target.x == (t.window_w - t.target_w) / 2);
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

TEST_CASE("a picture larger than the window moves while the pointer is at an edge")
{
    pan p;
    pan_init(&p);
    const struct scale one = {SCALE_RATIO, 1};
    auto map = [&] {
        auto m = screen_map_make(500, 300, 400, 300, 400, 300);
        screen_map_zoom(&m, &one, &p.x, &p.y);
        return m;
    };
    auto m = map();
    tick_t now = 5 * TICK_S;
    pan_pointer(&p, &m, 200, 150, now);
    CHECK(p.due == TICK_NEVER);
    pan_pointer(&p, &m, 0, 0, now); // it begins there, and the other side has room
    CHECK(p.due == TICK_NEVER);
    pan_pointer(&p, &m, 399, 299, now);
    int steps = 0;
    for (; p.due != TICK_NEVER; now = p.due) {
        if (pan_move(&p, &m, p.due))
            steps++;
        m = map();
        REQUIRE(steps < 100);
        if (p.due == TICK_NEVER)
            break;
    }
    CHECK(p.x == 100); // all of it
    CHECK(p.y == 0);
    CHECK(steps == (100 + PAN_STEP - 1) / PAN_STEP);
    pan_pointer(&p, &m, 0, 150, now);
    CHECK(pan_move(&p, &m, now));
    pan_stop(&p); // the pointer leaves the window
    CHECK_FALSE(pan_move(&p, &m, now + TICK_S));
    CHECK(p.x == 100 - PAN_STEP);
}

TEST_CASE("a picture larger than the window follows a pointer that holds it")
{
    pan p;
    pan_init(&p);
    const struct scale one = {SCALE_RATIO, 1};
    auto map = [&](int picture) {
        auto m = screen_map_make(picture, 300, 400, 300, 800, 600);
        screen_map_zoom(&m, &one, &p.x, &p.y);
        return m;
    };
    auto small = map(800), m = map(1000);
    CHECK_FALSE(pan_hold(&p, &small, 10, 10)); // nothing is out of sight
    CHECK_FALSE(pan_drag(&p, &small, 0, 10));
    p.x = 100;
    m = map(1000);
    REQUIRE(pan_hold(&p, &m, 200, 10));
    CHECK(pan_drag(&p, &m, 180, 150)); // a unit is two pixels; there is no room up or down
    CHECK(p.x == 140);
    CHECK(p.y == 0);
    CHECK_FALSE(pan_drag(&p, &m, 180, 0));
    pan_pointer(&p, &m, 399, 10, 0); // the edge does nothing meanwhile
    CHECK(p.due == TICK_NEVER);
    CHECK(pan_drag(&p, &m, 399, 10)); // to its end, and back from there
    CHECK(p.x == 0);
    CHECK(pan_drag(&p, &m, 0, 10));
    CHECK(p.x == 200);
    pan_let_go(&p);
    CHECK_FALSE(pan_drag(&p, &m, 100, 10));
    CHECK(p.x == 200);
}

TEST_CASE("a window of whole units that was made for a picture shows it pixel for pixel")
{
    auto m = screen_map_make(515, 387, 258, 194, 516, 388);
    CHECK(screen_map_is_exact(&m));
    check_rect(m.target, 0, 0, 515, 387);
    m = screen_map_make(515, 387, 259, 195, 518, 390); // larger than that: it is enlarged
    CHECK_FALSE(screen_map_is_exact(&m));
    m = screen_map_make(515, 387, 516, 388, 516, 388);
    CHECK_FALSE(screen_map_is_exact(&m));
    m = screen_map_make(517, 389, 258, 194, 516, 388);
    CHECK_FALSE(screen_map_is_exact(&m));
}
