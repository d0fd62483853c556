// Blocks that come late, twice, not at all, or in another order: each cell shows its newest one.
#include "tests/catch.hpp"

#include <algorithm>
#include <cstring>

#include "tests/seed.hpp"
#include "tests/unit/blocks.hpp"

using namespace blocks_test;

namespace
{

struct Newest {
    newest *n = newest_create();
    Newest(int w, int h, uint8_t generation = 0)
    {
        REQUIRE(newest_begin(n, w, h, generation));
    }
    Newest(const Newest &) = delete;
    ~Newest()
    {
        newest_destroy(n);
    }
    // Whether it drew; what it shows is in p.
    bool draw(Reader &reader, const block &b, Picture &p)
    {
        newest_cells drawn = NEWEST_NONE;
        reason why = {};
        bool ok = newest_draw(n, reader.r, &b, p.pixels.data(), &drawn, &why);
        INFO(why.text);
        CHECK(ok);
        return drawn >= NEWEST_SOME;
    }
};

const uint8_t RED[] = {0xff, 0, 0}, GREEN[] = {0, 0xff, 0};

block solid(rect area, uint32_t sequence, const uint8_t *colour)
{
    block b = {};
    b.codec = BLOCK_SOLID;
    b.area = area;
    b.sequence = sequence;
    b.payload = colour;
    b.size = 3;
    return b;
}

block copy(rect area, uint32_t sequence, int from_x, int from_y, uint8_t *payload)
{
    block b = solid(area, sequence, nullptr);
    block_set_copy(&b, from_x, from_y, payload);
    return b;
}

// Some frames of one picture that changes here and there, all their blocks, in order.
std::vector<std::string> frames(Picture &p, Random &random)
{
    std::vector<std::string> all;
    Writer writer;
    for (int frame = 0; frame < 6; frame++) {
        const Kind &kind = kinds()[random() % kinds().size()];
        Picture other = kind.make(p.w, p.h, random);
        int left = int(random() % unsigned(p.w)), top = int(random() % unsigned(p.h));
        for (int y = top; y < p.h; y++)
            for (int x = left; x < p.w; x++)
                p.at(x, y) = other.at(x, y);
        for (auto &wire : pack(writer, p, 0, uint32_t(all.size()) + 0xfffffff0)) // it wraps
            all.push_back(wire);
    }
    return all;
}

} // namespace

TEST_CASE("block newest: in any order, some twice, the picture is the last one")
{
    Random random(any_seed());
    Reader reader;
    for (int round = 0; round < 30; round++) {
        Picture p(1 + int(random() % 100), 1 + int(random() % 100)), drawn(p.w, p.h);
        Newest newest(p.w, p.h);
        auto blocks = frames(p, random);
        for (size_t i = blocks.size() / 2; i > 0; i--)
            blocks.push_back(blocks[random() % blocks.size()]);
        std::shuffle(blocks.begin(), blocks.end(), random);
        for (const auto &wire : blocks) {
            block b;
            reason why;
            REQUIRE(unpack(wire, &b, &why));
            newest.draw(reader, b, drawn);
        }
        REQUIRE(drawn == p);
    }
}

TEST_CASE("block newest: when some are lost each cell shows the newest that came")
{
    Random random(any_seed());
    Reader reader;
    for (int round = 0; round < 30; round++) {
        Picture p(1 + int(random() % 100), 1 + int(random() % 100)), drawn(p.w, p.h);
        Picture in_order(p.w, p.h);
        Newest newest(p.w, p.h);
        std::vector<std::string> came;
        for (const auto &wire : frames(p, random))
            if (random() % 4)
                came.push_back(wire);
        for (const auto &wire : came)
            REQUIRE(draw(reader, wire, in_order) == "");
        std::shuffle(came.begin(), came.end(), random);
        for (const auto &wire : came) {
            block b;
            reason why;
            REQUIRE(unpack(wire, &b, &why));
            newest.draw(reader, b, drawn);
        }
        REQUIRE(drawn == in_order);
    }
}

TEST_CASE("block newest: a late block is drawn beside what is newer")
{
    Reader reader;
    Picture p(64, 40);
    Newest newest(64, 40);
    CHECK(newest.draw(reader, solid({16, 0, 32, 16}, 10, RED), p));
    block late = solid({0, 0, 64, 40}, 9, GREEN);
    CHECK(newest_ask(newest.n, &late) == NEWEST_SOME);
    CHECK(newest.draw(reader, late, p));
    for (int y = 0; y < 40; y++)
        for (int x = 0; x < 64; x++)
            REQUIRE(p.at(x, y) == (y < 16 && x >= 16 && x < 48 ? 0xff0000u : 0x00ff00u));
    CHECK(newest_ask(newest.n, &late) == NEWEST_NONE);
    CHECK_FALSE(newest.draw(reader, late, p)); // twice
    block later = solid({0, 0, 64, 40}, 11, GREEN);
    CHECK(newest_take(newest.n, &later) == NEWEST_ALL);
    CHECK(newest_take(newest.n, &later) == NEWEST_NONE);
}

TEST_CASE("block newest: a copy reads before it writes, also where some cells stay")
{
    Random random(any_seed());
    Reader reader;
    for (int round = 0; round < 300; round++) {
        Picture p = noise(80, 64, random), expected = p, before = p;
        Newest newest(80, 64);
        bool some = random() % 2;
        rect area = {16 * int(random() % 3), 16 * int(random() % 2), 16 + 16 * int(random() % 3),
                     16 + 16 * int(random() % 3)};
        area.w = std::min(area.w, 80 - area.x);
        area.h = std::min(area.h, 64 - area.y);
        int from_x = int(random() % unsigned(81 - area.w));
        int from_y = int(random() % unsigned(65 - area.h));
        rect kept = {area.x + 16, area.y, 16, 16};
        uint8_t payload[4];
        block all = solid({0, 0, 80, 64}, 1, RED), one = solid(kept, 100, RED);
        newest_take(newest.n, &all);
        if (some && area.w > 16)
            newest_take(newest.n, &one);
        block b = copy(area, 50, from_x, from_y, payload);
        bool meets = some && area.w > 16 && from_x < kept.x + 16 && from_x + area.w > kept.x &&
                     from_y < kept.y + 16 && from_y + area.h > kept.y;
        CHECK((newest_ask(newest.n, &b) == NEWEST_GONE) == meets);
        for (int y = 0; !meets && y < area.h; y++)
            for (int x = 0; x < area.w; x++)
                if (!some || area.w == 16 || x < 16 || x >= 32 || y >= 16)
                    expected.at(area.x + x, area.y + y) = before.at(from_x + x, from_y + y);
        CHECK(newest.draw(reader, b, p) == !meets);
        REQUIRE(p == expected);
    }
}

TEST_CASE("block newest: a copy of what is not there any more, or not yet, is not drawn")
{
    Reader reader;
    Picture p(48, 16), before = p;
    Newest newest(48, 16);
    uint8_t payload[4];
    block b = copy({32, 0, 16, 16}, 10, 8, 0, payload);
    CHECK(newest_ask(newest.n, &b) == NEWEST_GONE); // none was drawn
    newest.draw(reader, solid({0, 0, 16, 16}, 1, RED), p);
    CHECK(newest_ask(newest.n, &b) == NEWEST_GONE); // one of two was
    newest.draw(reader, solid({16, 0, 16, 16}, 2, RED), p);
    CHECK(newest_ask(newest.n, &b) == NEWEST_ALL);
    newest.draw(reader, solid({16, 0, 16, 16}, 11, GREEN), p);
    CHECK_FALSE(newest.draw(reader, b, p)); // the other shows something newer
    CHECK(newest_ask(newest.n, &b) == NEWEST_GONE);
    CHECK(newest_take(newest.n, &b) == NEWEST_GONE);
    CHECK(p.at(40, 8) == before.at(40, 8));
    newest.draw(reader, solid({32, 0, 16, 16}, 12, GREEN), p);
    CHECK(newest_ask(newest.n, &b) == NEWEST_NONE); // it does not matter any more
}

TEST_CASE("block newest: a copy from outside of the picture is refused")
{
    Reader reader;
    Picture p(40, 40);
    Newest newest(40, 40);
    uint8_t payload[4];
    newest.draw(reader, solid({0, 0, 40, 40}, 1, RED), p);
    for (auto [x, y] : {std::pair(65535, 65535), std::pair(41, 7), std::pair(7, 50001),
                        std::pair(40, 40), std::pair(30, 0)}) {
        block b = copy({0, 0, 16, 16}, 2, x, y, payload);
        newest_cells drawn;
        reason why = {};
        CHECK_FALSE(newest_draw(newest.n, reader.r, &b, p.pixels.data(), &drawn, &why));
    }
}

TEST_CASE("block newest: sequences wrap")
{
    Newest newest(16, 16);
    for (uint32_t sequence : {0xffffff00u, 0xffffffffu, 0u, 5u, 0x70000000u, 0xe0000000u, 3u}) {
        block b = solid({0, 0, 16, 16}, sequence, RED);
        CHECK(newest_take(newest.n, &b) == NEWEST_ALL);
    }
    for (uint32_t sequence : {3u, 2u, 0xffffffffu, 0x90000000u}) {
        block b = solid({0, 0, 16, 16}, sequence, RED);
        CHECK(newest_take(newest.n, &b) == NEWEST_NONE);
    }
}

TEST_CASE("block newest: blocks of another generation are dropped, those that cut cells refused")
{
    Reader reader;
    Picture p(40, 40);
    Newest newest(40, 40, 7);
    block b = solid({0, 0, 40, 40}, 1, RED);
    newest_cells drawn;
    reason why = {};
    CHECK_FALSE(newest.draw(reader, b, p)); // generation 0
    b.generation = 7;
    CHECK(newest.draw(reader, b, p));
    for (rect area :
         {rect{8, 0, 16, 16}, rect{0, 8, 16, 16}, rect{0, 0, 24, 16}, rect{0, 0, 16, 24},
          rect{0, 0, 48, 16}, rect{32, 32, 16, 16}, rect{48, 0, 16, 16}}) {
        b.area = area;
        b.sequence++;
        CHECK_FALSE(newest_draw(newest.n, reader.r, &b, p.pixels.data(), &drawn, &why));
        CHECK(drawn == NEWEST_NONE);
        CHECK(newest_ask(newest.n, &b) == NEWEST_NONE);
    }
    b.area = {32, 32, 8, 8}; // the picture's corner
    CHECK(newest.draw(reader, b, p));
    REQUIRE(newest_begin(newest.n, 16, 16, 8));
    b = solid({0, 0, 16, 16}, 0, RED);
    b.generation = 8;
    CHECK(newest.draw(reader, b, p)); // an older sequence, but a new picture
    newest_destroy(nullptr);
}

TEST_CASE("block newest: a broken block is not remembered")
{
    Reader reader;
    Picture p(32, 16);
    Newest newest(32, 16);
    const uint8_t nonsense[] = {3, 7, 7, 7};
    block b = solid({0, 0, 32, 16}, 5, nonsense), first = solid({0, 0, 16, 16}, 6, RED);
    newest_cells drawn;
    reason why = {};
    b.codec = BLOCK_PALETTE_DEFLATED;
    b.size = sizeof nonsense;
    for (int i = 0; i < 2; i++) {
        CHECK_FALSE(newest_draw(newest.n, reader.r, &b, p.pixels.data(), &drawn, &why));
        CHECK(drawn == NEWEST_NONE);
        newest.draw(reader, first, p); // now only one of its cells is newer
    }
    CHECK(newest_ask(newest.n, &b) == NEWEST_SOME);
}
