// Bytes of blocks with their heads, for what is done at a desk, with a viewer that takes blocks
// that refer to what it has, with one that takes foretold text besides, and with one that takes
// neither (docs/blocks.md); and what of them is which. All is exact. Then what it costs.
//
//   measure-references
#include <cstdio>
#include <ctime>
#include <map>
#include <memory>
#include <utility>

#include "prose.hpp"
#include "rfb/blocks/foretold/foretold.h"
#include "rfb/blocks/references/prefix.h"
#include "tests/unit/pusher/far_end_sides.hpp"

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

// Blocks of each codec.
struct Share {
    uint64_t blocks = 0, payload = 0;
};
using Shares = std::map<block_codec, Share>;

uint64_t measure(const Course &course, bool references, bool foretold, Shares *shares,
                 struct resolver_counts *counts)
{
    Far far(W, H);
    Server server(far.server, course.first);
    std::atomic<bool> begun{false};
    Also also;
    also.no_references = !references;
    also.no_foretold = !foretold;
    also.counts = [&](const block &b) {
        if (begun) {
            (*shares)[b.codec].blocks++;
            (*shares)[b.codec].payload += b.size;
        }
    };
    Viewer viewer(far.viewer, W, H, IN_TIME, false, also);
    viewer.await_picture(course.first);
    const uint64_t before = viewer.with([&] { return viewer.bytes; });
    begun = true;
    for (const Draw &step : course.steps) {
        if (course.rests)
            std::this_thread::sleep_for(std::chrono::milliseconds(1100));
        server.draw(step);
        viewer.await_picture(server.with([&] { return server.picture; }));
    }
    *counts = viewer.with([&] { return viewer.references; });
    return viewer.with([&] { return viewer.bytes; }) - before;
}

double cpu_ms()
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return double(t.tv_sec) * 1e3 + double(t.tv_nsec) / 1e6;
}

// What is done with a page of text.
struct Cost {
    double write = 0, read = 0; // ms
    size_t bytes = 0;
};

// In strips, each deflated alone.
Cost deflated(const Picture &p)
{
    blocks_test::Writer writer;
    blocks_test::Reader reader;
    Picture drawn(W, H);
    Cost c;
    const double began = cpu_ms();
    const std::vector<std::string> blocks = blocks_test::pack(writer, p, 0);
    const double written = cpu_ms();
    for (const std::string &wire : blocks) {
        c.bytes += wire.size();
        blocks_test::draw(reader, wire, drawn);
    }
    c.write = written - began;
    c.read = cpu_ms() - written;
    CHECK(drawn == p);
    return c;
}

// With what the viewer has there as the prefix, in pieces that fit.
Cost prefixed(const Picture &p, const Picture &then)
{
    prefix *far = prefix_create();
    Cost c;
    const double began = cpu_ms();
    for (int y = 0; y < H; y += 16)
        for (int x = 0; x < W; x += 128) {
            const uint8_t *payload;
            c.bytes += BLOCK_HEAD + prefix_write(far, p.pixels.data(), then.pixels.data(), W,
                                                 {x, y, 128, 16}, {0, y, W, 16},
                                                 BLOCK_PAYLOAD_ANYWHERE, &payload);
        }
    c.write = cpu_ms() - began;
    prefix_destroy(far);
    return c;
}

Cost foretold_text(const Picture &p, const Picture *then)
{
    foretold *far = foretold_create(), *near = foretold_create();
    Picture drawn = then ? *then : Picture(W, H);
    Cost c;
    for (int y = 0; y < H; y += 16)
        for (int x = 0; x < W; x += 256) {
            block b = {};
            reason why;
            const double began = cpu_ms();
            foretold_open(far, BLOCK_PAYLOAD_MAX);
            CHECK(foretold_add(far, p.pixels.data(), then ? then->pixels.data() : nullptr, W,
                               {x, y, 256, 16}));
            CHECK(foretold_close(far, &b));
            const double written = cpu_ms();
            CHECK(foretold_read(near, &b, drawn.pixels.data(), W, &why) == FORETOLD_GOOD);
            c.read += cpu_ms() - written;
            c.write += written - began;
            c.bytes += BLOCK_HEAD + b.size;
        }
    foretold_destroy(far);
    foretold_destroy(near);
    return c;
}

void print(const char *what, const Cost &c)
{
    const double mega = 1e6 / (double(W) * H);
    printf("%-60s %7zu B, write %6.1f ms, read %6.1f ms a megapixel\n", what, c.bytes,
           c.write * mega, c.read * mega);
}

} // namespace

TEST_CASE("references: what they save")
{
    static const char *const names[BLOCK_CODECS] = {
        "solid", "copy", "palette",  "palette, deflated", "pixels", "pixels, deflated", "JPEG",
        "JPEG",  "old",  "prefixed", "reference",         "film",   "foretold"};
    for (const Course &course : {typing(), scrolling("scrolling by a line, 60 times", 19, 60),
                                 scrolling("scrolling by 53 pixels, 20 times", 53, 20), windows(),
                                 dragging(), browsing()}) {
        struct resolver_counts counts;
        Shares unused, shares;
        const uint64_t alone = measure(course, false, false, &unused, &counts);
        const uint64_t with = measure(course, true, false, &unused, &counts);
        const uint64_t foretold = measure(course, true, true, &shares, &counts);
        printf(
            "%-50s alone %8llu B, with references %8llu B, and foretold text %8llu B (%2.0f %%), "
            "%llu refused\n",
            course.name, (unsigned long long)alone, (unsigned long long)with,
            (unsigned long long)foretold, 100.0 * double(foretold) / double(alone),
            (unsigned long long)counts.refused);
        for (const auto &[codec, share] : shares)
            printf("    %-20s %5llu blocks: heads %6llu B, payloads %7llu B\n", names[codec],
                   (unsigned long long)share.blocks, (unsigned long long)share.blocks * BLOCK_HEAD,
                   (unsigned long long)share.payload);
        fflush(stdout);
    }
}

TEST_CASE("references: what they cost")
{
    const Picture one = page(1), other = page(9);
    print("a page, in strips that are deflated", deflated(one));
    print("over another page, deflated behind what was there", prefixed(one, other));
    print("a page, foretold", foretold_text(one, nullptr));
    print("over another page, foretold", foretold_text(one, &other));
    print("over itself, foretold", foretold_text(one, &one));
}
