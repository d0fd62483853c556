// Bytes of blocks with their heads, for what is done at a desk, with a viewer that takes blocks
// that refer to what it has, and with one that does not (docs/blocks.md). All is exact.
//
//   measure-references
#include <cstdio>
#include <memory>
#include <utility>

#include "far_end_sides.hpp"
#include "prose.hpp"

using namespace far_end;
using blocks_test::noise;
using blocks_test::prose;
using blocks_test::shades;
using blocks_test::shrunk;

namespace
{

constexpr int W = 1024, H = 768;

using Draw = std::function<rect(Picture &)>;

// What is done: it begins with this picture, and each step draws. `rests`: for more than a second
// before each step.
struct Course {
    const char *name;
    Picture first;
    std::vector<Draw> steps;
    bool rests = false;
};

rect put(Picture &p, const Picture &piece, rect from, int x, int y)
{
    for (int i = 0; i < from.h; i++)
        for (int j = 0; j < from.w; j++)
            p.at(x + j, y + i) = piece.at(from.x + j, from.y + i);
    return {x, y, from.w, from.h};
}

Picture page(uint32_t seed)
{
    return shrunk(prose(W, H, 3, seed), 3);
}

Course typing()
{
    auto text = std::make_shared<Picture>(page(1));
    Picture first = *text;
    const rect line = {16, 300, 720, 19};
    for (int y = line.y; y < line.y + line.h; y++)
        std::fill_n(&first.at(line.x, y), line.w, 0xffffff);
    Course c = {"typing, 90 letters", first, {}};
    for (int x = 16; x < 16 + 90 * 8; x += 8)
        c.steps.push_back([=](Picture &p) { return put(p, *text, {x, 300, 8, 19}, x, 300); });
    return c;
}

// A pane that moves up, and what comes in at its lower edge.
Course scrolling(const char *name, int by, int times)
{
    auto text = std::make_shared<Picture>(shrunk(prose(W, H + 1600, 3, 2), 3));
    Picture first(W, H, 0xe0e0e0);
    const rect pane = {37, 51, 800, 600};
    put(first, *text, {0, 40, pane.w, pane.h}, pane.x, pane.y);
    Course c = {name, first, {}};
    for (int i = 1; i <= times; i++)
        c.steps.push_back([=](Picture &p) {
            return put(p, *text, {0, 40 + i * by, pane.w, pane.h}, pane.x, pane.y);
        });
    return c;
}

Course windows()
{
    auto desk = std::make_shared<Picture>(page(3)), window = std::make_shared<Picture>(page(4));
    Course c = {"switching between two windows, 10 times", *desk, {}, true};
    for (int i = 0; i < 10; i++)
        c.steps.push_back([=](Picture &p) {
            return put(p, i % 2 ? *desk : *window, {0, 40, 700, 500}, 150, 100);
        });
    return c;
}

Course dragging()
{
    auto desk = std::make_shared<Picture>(page(5)), window = std::make_shared<Picture>(page(6));
    Course c = {"a window that moves, 20 times", *desk, {}};
    for (int i = 0; i < 20; i++)
        c.steps.push_back([=](Picture &p) {
            put(p, *desk, {0, 0, W, H}, 0, 0);
            put(p, *window, {0, 40, 400, 300}, 100 + 11 * i, 60 + 7 * i);
            return rect{80, 50, 440 + 11 * i, 330 + 7 * i};
        });
    return c;
}

Course browsing()
{
    auto one = std::make_shared<Picture>(page(7)), two = std::make_shared<Picture>(page(8));
    blocks_test::Random random(1);
    put(*one, shades(300, 200, random), {0, 0, 300, 200}, 400, 200);
    put(*two, shades(300, 200, random), {0, 0, 300, 200}, 300, 320);
    Course c = {"to another page with a picture, and back, 6 times", *one, {}, true};
    for (int i = 0; i < 6; i++)
        c.steps.push_back([=](Picture &p) {
            return put(p, i % 2 ? *one : *two, {0, 0, W, H}, 0, 0);
        });
    return c;
}

uint64_t measure(const Course &course, bool references, struct resolver_counts *counts)
{
    Far far(W, H);
    Server server(far.server, course.first);
    Also also;
    also.no_references = !references;
    Viewer viewer(far.viewer, W, H, IN_TIME, false, also);
    viewer.await_picture(course.first);
    const uint64_t before = viewer.with([&] { return viewer.bytes; });
    for (const Draw &step : course.steps) {
        if (course.rests)
            std::this_thread::sleep_for(std::chrono::milliseconds(1100));
        server.draw(step);
        viewer.await_picture(server.with([&] { return server.picture; }));
    }
    *counts = viewer.with([&] { return viewer.references; });
    return viewer.with([&] { return viewer.bytes; }) - before;
}

} // namespace

TEST_CASE("references: what they save")
{
    for (const Course &course : {typing(), scrolling("scrolling by a line, 60 times", 19, 60),
                                 scrolling("scrolling by 53 pixels, 20 times", 53, 20), windows(),
                                 dragging(), browsing()}) {
        struct resolver_counts counts;
        const uint64_t alone = measure(course, false, &counts);
        const uint64_t with = measure(course, true, &counts);
        printf("%-50s alone %9llu B, with %9llu B (%2.0f %%): %llu moved, %llu kept, %llu with a "
               "prefix, %llu refused\n",
               course.name, (unsigned long long)alone, (unsigned long long)with,
               100.0 * double(with) / double(alone), (unsigned long long)counts.moved,
               (unsigned long long)counts.kept, (unsigned long long)counts.prefixed,
               (unsigned long long)counts.refused);
        fflush(stdout);
    }
}
