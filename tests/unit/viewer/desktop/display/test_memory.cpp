/* Drawing in a window's memory: a surface stands for it. */
#include "tests/catch.hpp"

#include <memory>
#include <vector>

#include <SDL_surface.h>

#include "viewer/desktop/display/drawing/memory.h"

namespace
{

constexpr uint32_t black = 0, red = 0xff0000, blue = 0x0000ff;

struct Window {
    std::unique_ptr<SDL_Surface, decltype(&SDL_FreeSurface)> surface;
    std::vector<uint32_t> picture;
    framebuffer_view view{};
    screen_map map;
    ::memory memory{};
    memory_changes changes{};

    Window(int picture_w, int picture_h, int w, int h, uint32_t format = SDL_PIXELFORMAT_RGB888)
        : surface(SDL_CreateRGBSurfaceWithFormat(0, w, h, 32, format), SDL_FreeSurface),
          picture(size_t(picture_w) * size_t(picture_h), red),
          map(screen_map_make(picture_w, picture_h, w, h, w, h))
    {
        view.pixels = picture.data();
        view.width = picture_w;
        view.height = picture_h;
    }

    ~Window()
    {
        memory_drop(&memory);
    }

    bool draw(bool all)
    {
        bool ok = memory_draw(&memory, &view, surface.get(), &map, all, &changes);
        region_clear(&view.damage);
        return ok;
    }

    uint32_t at(int x, int y) const
    {
        auto row = static_cast<const uint8_t *>(surface->pixels) + y * surface->pitch;
        return reinterpret_cast<const uint32_t *>(row)[x] & 0xffffff;
    }

    void damage(rect r, uint32_t colour)
    {
        for (int y = r.y; y < r.y + r.h; y++)
            for (int x = r.x; x < r.x + r.w; x++)
                picture[size_t(y * view.width + x)] = colour;
        region_add(&view.damage, r);
    }
};

} // namespace

TEST_CASE("memory: everything, with bars beside it, then only what is damaged")
{
    Window w(40, 30, 60, 30);
    REQUIRE(w.draw(true));
    CHECK(w.at(9, 15) == black);
    CHECK(w.at(10, 0) == red);
    CHECK(w.at(49, 29) == red);
    CHECK(w.at(50, 15) == black);
    REQUIRE(w.changes.count == 1);
    CHECK(w.changes.rects[0].w == 60);

    w.picture[0] = blue; // but says nothing of it
    w.damage({5, 6, 7, 8}, blue);
    REQUIRE(w.draw(false));
    REQUIRE(w.changes.count == 1);
    CHECK(w.changes.rects[0].x == 15);
    CHECK(w.changes.rects[0].y == 6);
    CHECK(w.changes.rects[0].w == 7);
    CHECK(w.changes.rects[0].h == 8);
    CHECK(w.at(10, 0) == red);
    CHECK(w.at(14, 6) == red);
    CHECK(w.at(15, 6) == blue);
    CHECK(w.at(21, 13) == blue);
    CHECK(w.at(22, 13) == red);

    REQUIRE(w.draw(false));
    CHECK(w.changes.count == 0);
}

TEST_CASE("memory: enlarged in whole steps, only what is damaged is drawn")
{
    Window w(40, 30, 80, 60);
    REQUIRE(w.draw(true));
    w.damage({0, 0, 20, 30}, blue);
    REQUIRE(w.draw(false));
    REQUIRE(w.changes.count == 1);
    CHECK(w.changes.rects[0].w == 40);
    CHECK(w.changes.rects[0].h == 60);
    CHECK(w.at(0, 0) == blue);
    CHECK(w.at(39, 59) == blue);
    CHECK(w.at(40, 59) == red);
    CHECK(w.at(50, 0) == red);
    CHECK(w.at(79, 59) == red);
}

TEST_CASE("memory: enlarged in other steps, all of it is drawn")
{
    Window w(40, 30, 60, 45);
    REQUIRE(w.draw(true));
    w.damage({0, 0, 20, 30}, blue);
    REQUIRE(w.draw(false));
    REQUIRE(w.changes.count == 1);
    CHECK(w.changes.rects[0].w == 60);
    CHECK(w.at(0, 0) == blue);
    CHECK(w.at(59, 44) == red);
}

TEST_CASE("memory: shrunk, only what shows the damage is drawn, and as all of it would be")
{
    Window w(40, 30, 25, 19), whole(40, 30, 25, 19);
    REQUIRE(w.draw(true));
    w.damage({11, 7, 3, 2}, blue);
    whole.damage({11, 7, 3, 2}, blue);
    REQUIRE(w.draw(false));
    REQUIRE(whole.draw(true));
    REQUIRE(w.changes.count == 1);
    CHECK(w.changes.rects[0].x == 6); // 11 * 25 / 40
    CHECK(w.changes.rects[0].y == 4); // 7 * 19 / 30
    CHECK(w.changes.rects[0].w <= 4);
    CHECK(w.changes.rects[0].h <= 3);
    for (int y = 0; y < 19; y++)
        for (int x = 0; x < 25; x++)
            REQUIRE(w.at(x, y) == whole.at(x, y));
}

TEST_CASE("memory: a picture larger than the window is cut at its edges")
{
    for (double by : {1.0, 2.0, 1.5, 0.75}) {
        CAPTURE(by);
        Window w(400, 300, 60, 40);
        const struct scale scale = {SCALE_RATIO, by};
        int x = 1000000, y = 30;
        screen_map_zoom(&w.map, &scale, &x, &y);
        REQUIRE(w.draw(true));
        CHECK(w.at(59, 39) == red);
        w.damage({399, 0, 1, 300}, blue); // the last column: x is its limit
        w.damage({0, 0, 1, 300}, blue);   // out of sight
        REQUIRE(w.draw(false));
        CHECK(w.at(59, 0) != red);
        CHECK(w.at(0, 0) == red);
        for (int i = 0; i < w.changes.count; i++) {
            const SDL_Rect &r = w.changes.rects[i];
            CHECK(r.x >= 0);
            CHECK(r.y >= 0);
            CHECK(r.x + r.w <= 60);
            CHECK(r.y + r.h <= 40);
        }
    }
}

TEST_CASE("memory: a window with other pixels is drawn as well, and so is a thin picture")
{
    for (int width : {40, 1}) {
        Window w(width, 30, 80, 60, SDL_PIXELFORMAT_BGR888);
        REQUIRE(w.draw(true));
        CHECK(w.at(40, 30) == blue); // what is red there
    }
    Window thin(1, 30, 80, 60);
    REQUIRE(thin.draw(true));
    CHECK(thin.at(40, 30) == red);
}

TEST_CASE("memory: a dimmed picture is dark at every scale, and what was is not lost")
{
    const uint32_t dark = MEMORY_DIM << 16;
    for (auto size : {std::pair(40, 30), std::pair(80, 60), std::pair(20, 15)}) {
        INFO(size.first);
        Window w(40, 30, size.first, size.second);
        REQUIRE(w.draw(true));
        w.memory.dim = true;
        REQUIRE(w.draw(true));
        CHECK(w.at(10, 10) == dark);
        w.damage({0, 0, 40, 30}, red);
        REQUIRE(w.draw(false));
        CHECK(w.at(10, 10) == dark);
        w.memory.dim = false;
        REQUIRE(w.draw(true));
        CHECK(w.at(10, 10) == red);
    }
}

TEST_CASE("memory: it is dimmed before there is a picture")
{
    Window w(40, 30, 40, 30);
    w.memory.dim = true;
    REQUIRE(w.draw(true));
    CHECK(w.at(20, 20) == MEMORY_DIM << 16);
}

TEST_CASE("memory: a picture of another size")
{
    Window w(40, 30, 40, 30);
    REQUIRE(w.draw(true));
    w.picture.assign(20 * 10, blue);
    w.view.pixels = w.picture.data();
    w.view.width = 20;
    w.view.height = 10;
    w.map = screen_map_make(20, 10, 20, 10, 20, 10);
    REQUIRE(w.draw(true));
    CHECK(w.at(19, 9) == blue);
}

TEST_CASE("memory: without a picture the window is black")
{
    Window w(40, 30, 40, 30);
    REQUIRE(memory_draw(&w.memory, nullptr, w.surface.get(), &w.map, true, &w.changes));
    CHECK(w.at(20, 20) == black);
    CHECK(w.changes.count == 1);
}

TEST_CASE("memory: damage outside of the picture draws nothing")
{
    Window w(40, 30, 40, 30);
    REQUIRE(w.draw(true));
    region_add(&w.view.damage, {35, 25, 20, 20});
    region_add(&w.view.damage, {100, 100, 5, 5});
    REQUIRE(w.draw(false));
    REQUIRE(w.changes.count == 1);
    CHECK(w.changes.rects[0].w == 5);
    CHECK(w.changes.rects[0].h == 5);
}
