// Which share of a large update is seen over time.
#include "tests/catch.hpp"

#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "tools/lab/eye/arrival.h"

namespace
{

constexpr int X = 40, Y = 30;

// A screen that shows the menu at X, Y, and what looks at it.
struct Screen {
    scene *drawn = scene_create(scene_kind_find("menu"), 0, 0, 1);
    arrival a{};
    std::vector<uint32_t> pixels = std::vector<uint32_t>(1024 * 768, 0x334455);
    mark_picture picture{pixels.data(), 1024, 768, 1024};
    tick_t pressed = 100 * TICK_S;

    Screen()
    {
        REQUIRE(arrival_open(&a, scene_kind_find("menu"), 1));
        REQUIRE(a.scene);
        show(0, drawn->height);
    }
    ~Screen()
    {
        arrival_close(&a);
        scene_destroy(drawn);
    }
    // The upper rows of frame n, and what each pixel is off.
    void show(uint32_t n, int rows, uint32_t off = 0)
    {
        drawn->kind->paint(drawn, n);
        for (int row = 0; row < rows; row++)
            for (int x = 0; x < drawn->width; x++)
                pixels[size_t((Y + row) * 1024 + X + x)] =
                    drawn->canvas.pixels[long(row) * drawn->canvas.width + x] ^ off;
    }
    void press(bool counts = true)
    {
        arrival_press(&a, counts, pressed);
    }
    void look(int ms)
    {
        arrival_look(&a, &picture, X, Y, pressed + ms * TICK_MS);
    }
    std::vector<double> shares(unsigned openings)
    {
        REQUIRE(a.openings == openings);
        std::vector<double> all;
        for (double sum : a.shares)
            all.push_back(sum / openings);
        return all;
    }
};

} // namespace

TEST_CASE("arrival: the share grows with what is on the screen, coarse or exact")
{
    Screen s;
    s.press();
    s.look(0);
    s.look(40);
    s.show(1, s.drawn->height / 2, 0x040404); // half of it, with loss
    s.look(50);
    s.look(100); // looks between were missed
    s.show(1, s.drawn->height);
    s.look(110);
    s.look(2990);
    const std::vector<double> shares = s.shares(1);
    CHECK(shares[0] == 0);
    CHECK(shares[4] == 0);
    CHECK(shares[5] == Approx(0.5));
    CHECK(shares[10] == Approx(0.5));
    CHECK(shares[11] == 1);
    CHECK(shares[ARRIVAL_STEPS - 1] == 1);
}

TEST_CASE("arrival: the mean of openings, not of closings, nor of what is not measured")
{
    Screen s;
    auto open_at = [&](uint32_t n, int ms, bool counts) {
        s.press(counts);
        s.look(0);
        s.look(ms - 10);
        s.show(n, s.drawn->height);
        s.look(ms);
        s.look(2990);
        s.pressed += 4 * TICK_S;
        s.press(counts); // it is closed
        s.look(0);
        s.show(n + 1, s.drawn->height);
        s.look(3000);
        s.pressed += 4 * TICK_S;
    };
    open_at(1, 1000, false);
    open_at(3, 100, true);
    open_at(5, 200, true);
    const std::vector<double> shares = s.shares(2);
    CHECK(shares[9] == 0);
    CHECK(shares[15] == Approx(0.5));
    CHECK(shares[20] == 1);
    CHECK(s.a.left_out == 0);
}

TEST_CASE("arrival: an opening is left out while the last menu is there, or the content is not")
{
    Screen s;
    s.show(1, s.drawn->height); // it opened before
    s.press();
    s.look(0);
    s.look(2990);
    CHECK(s.a.openings == 0);
    CHECK(s.a.left_out == 1);
    s.press();
    s.show(2, s.drawn->height);
    s.press();
    arrival_look(&s.a, &s.picture, 1000, Y, s.pressed);
    CHECK(s.a.left_out == 2);
    CHECK(s.a.openings == 0);
}

TEST_CASE("arrival: other scenes open nothing")
{
    arrival a{};
    REQUIRE(arrival_open(&a, scene_kind_find("image"), 1));
    CHECK(!a.scene);
    arrival_press(&a, true, TICK_S);
    arrival_close(&a);
}
