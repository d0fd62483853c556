// When text beside a film is seen to be exact.
#include "tests/catch.hpp"

#include <cstring>
#include <vector>

#include "tools/lab/eye/beside.h"

namespace
{

constexpr int WIDTH = 320, HEIGHT = 180, X = 40, Y = 30;
constexpr tick_t GAP = TICK_S / 30;

// A screen that shows the film and its text at X, Y, and what looks at it.
struct Screen {
    scene *drawn = scene_create(scene_kind_find("captions"), WIDTH, HEIGHT, 1);
    beside b{};
    std::vector<uint32_t> pixels = std::vector<uint32_t>(640 * 480, 0x334455);
    mark_picture picture{pixels.data(), 640, 480, 640};
    tick_t begun = 100 * TICK_S;

    Screen()
    {
        REQUIRE(beside_open(&b, scene_kind_find("captions"), WIDTH, HEIGHT, 1));
        REQUIRE(b.scene);
    }
    ~Screen()
    {
        beside_close(&b);
        scene_destroy(drawn);
    }
    tick_t drawn_at(uint32_t frame) const
    {
        return begun + tick_t(frame) * GAP;
    }
    void show_text(uint32_t number)
    {
        drawn->kind->paint_beside(drawn, number);
        for (int row = 0; row < drawn->beside.h; row++)
            memcpy(&pixels[size_t((Y + drawn->beside.y + row) * 640 + X)],
                   drawn->canvas.pixels + long(drawn->beside.y + row) * drawn->canvas.width,
                   size_t(WIDTH) * 4);
    }
    void look(uint32_t frame, tick_t now, bool counts = true)
    {
        mark m{MARK_FRAME, frame, mark_time(drawn_at(frame))};
        beside_look(&b, &picture, X, Y, &m, counts, now);
    }
};

} // namespace

TEST_CASE("beside: text is exact from drawing it until all of it is on the screen")
{
    Screen s;
    for (uint32_t n = 1; n < 30; n++)
        s.look(n, s.drawn_at(n) + 50 * TICK_MS);
    s.look(30, s.drawn_at(30) + 50 * TICK_MS); // the frame is here, its text is not
    CHECK(s.b.exact == 0);
    s.show_text(1);
    s.pixels[size_t((Y + s.drawn->beside.y + 20) * 640 + X + 7)] ^= 1; // a pixel differs
    s.look(31, s.drawn_at(30) + 80 * TICK_MS);
    CHECK(s.b.exact == 0);
    s.show_text(1);
    s.look(32, s.drawn_at(30) + 120 * TICK_MS);
    REQUIRE(s.b.exact == 1);
    CHECK(s.b.exact_ms[0] == Approx(120).margin(2)); // the marks' time has some ms
    CHECK(s.b.never == 0);
}

TEST_CASE("beside: text that is here before its frame counts from when it came")
{
    Screen s;
    s.look(1, s.drawn_at(1) + 50 * TICK_MS);
    s.look(29, s.drawn_at(29) + 50 * TICK_MS);
    s.show_text(1);
    s.look(29, s.drawn_at(30) + 60 * TICK_MS);
    s.look(29, s.drawn_at(30) + 90 * TICK_MS);
    CHECK(s.b.exact == 0);                     // when it was drawn is not known
    s.look(33, s.drawn_at(33) + 50 * TICK_MS); // the frames between were left out
    REQUIRE(s.b.exact == 1);
    CHECK(s.b.exact_ms[0] == Approx(60).margin(4));
}

TEST_CASE("beside: text that gives way to other text was never exact")
{
    Screen s;
    for (uint32_t n = 1; n < 60; n++)
        s.look(n, s.drawn_at(n) + 50 * TICK_MS);
    CHECK(s.b.never == 0);
    s.look(60, s.drawn_at(60) + 50 * TICK_MS);
    CHECK(s.b.never == 1);
    s.show_text(2);
    s.look(61, s.drawn_at(61) + 50 * TICK_MS);
    CHECK(s.b.exact == 1);
    s.look(90, s.drawn_at(90) + 50 * TICK_MS, false);
    s.show_text(3);
    s.look(91, s.drawn_at(91) + 50 * TICK_MS, false); // outside of what is measured
    CHECK(s.b.exact == 1);
}

TEST_CASE("beside: a scene without such text is not looked at")
{
    beside b;
    mark_picture none{nullptr, 0, 0, 0};
    mark m{MARK_FRAME, 1, 5};
    REQUIRE(beside_open(&b, scene_kind_find("video"), WIDTH, HEIGHT, 1));
    CHECK_FALSE(b.scene);
    beside_look(&b, &none, 0, 0, &m, true, TICK_S);
    beside_close(&b);
}
