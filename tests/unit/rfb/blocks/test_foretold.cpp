// Text that both ends foretell: what one has written the other reads, whatever the pictures are,
// and what it cannot read it refuses until one begins anew.
#include "tests/catch.hpp"

#include <cstring>

#include "rfb/blocks/foretold/foretold.h"
#include "rfb/blocks/foretold/range_coder.h"
#include "rfb/blocks/resolver.h"
#include "tests/seed.hpp"
#include "tests/unit/blocks.hpp"

using namespace blocks_test;

namespace
{

// Both ends of a stream.
struct Ends {
    Picture viewer;
    foretold *far = foretold_create();
    resolver *r = resolver_create(0);
    newest *n = newest_create();
    Reader reader;
    newest_cells cells = NEWEST_NONE;
    reason why = {};
    uint32_t sequence = 0;

    explicit Ends(const Picture &first) : viewer(first)
    {
        REQUIRE((far && r && n && newest_begin(n, viewer.w, viewer.h, 0)));
    }
    Ends(const Ends &) = delete;
    ~Ends()
    {
        foretold_destroy(far);
        resolver_destroy(r);
        newest_destroy(n);
    }
    // The pieces of `now`, as far as they fit. Returns the block, packed; empty: none fits.
    std::string write(const Picture &now, const Picture *then, const std::vector<rect> &pieces,
                      size_t most = BLOCK_PAYLOAD_ANYWHERE)
    {
        block b = {};
        foretold_open(far, most);
        for (const rect &piece : pieces)
            foretold_add(far, now.pixels.data(), then ? then->pixels.data() : nullptr, now.w,
                         piece);
        if (!foretold_close(far, &b))
            return "";
        CHECK(b.size <= most);
        b.sequence = ++sequence;
        std::string wire(BLOCK_MAX, '\0');
        wire.resize(block_pack(&b, reinterpret_cast<uint8_t *>(&wire[0])));
        return wire;
    }
    bool draw(const std::string &wire)
    {
        block b;
        cells = NEWEST_NONE;
        why = {};
        return unpack(wire, &b, &why) && resolver_draw(r, n, reader.r, &b, viewer.pixels.data(),
                                                       viewer.w, viewer.h, &cells, &why);
    }
    std::vector<rect> written() const
    {
        const rect *piece;
        const unsigned pieces = foretold_pieces(far, &piece);
        return {piece, piece + pieces};
    }
};

void put(Picture &p, const Picture &from, rect r)
{
    for (int y = r.y; y < r.y + r.h; y++)
        for (int x = r.x; x < r.x + r.w; x++)
            p.at(x, y) = from.at(x, y);
}

rect any_piece(const Picture &p, Random &random)
{
    const int columns = (p.w + 15) / 16, rows = (p.h + 15) / 16;
    const int x = int(random()) & 0xffff, y = int(random()) & 0xffff;
    const rect r = {x % columns * 16, y % rows * 16, 16 * (1 + int(random() % 6)),
                    16 * (1 + int(random() % 4))};
    return rect_intersect(r, {0, 0, p.w, p.h});
}

} // namespace

TEST_CASE("range coder: what is written is read, and takes as little as it was to be expected")
{
    Random random(any_seed());
    for (unsigned percent : {0u, 3u, 50u, 97u, 100u}) {
        std::vector<uint8_t> out(20000);
        std::vector<bool> bits;
        undo u = {};
        range_coder c;
        chance of[4] = {CHANCE_EVEN, CHANCE_EVEN, CHANCE_EVEN, CHANCE_EVEN}, tree[256];
        std::fill(tree, tree + 256, CHANCE_EVEN);
        range_coder_write(&c, out.data(), out.size(), &u);
        for (int i = 0; i < 20000; i++) {
            bits.push_back(random() % 100 < percent);
            range_coder_bit(&c, &of[i % 4], bits.back());
        }
        range_coder_number(&c, tree, 8, 199);
        const size_t size = range_coder_end(&c);
        const double p = percent / 100.0;
        const double bound =
            p > 0 && p < 1 ? -20000 * (p * log2(p) + (1 - p) * log2(1 - p)) / 8 : 0;
        INFO(percent << " %: " << size << " bytes, at best " << bound);
        CHECK(double(size) < bound * 1.1 + 60);
        CHECK_FALSE(c.full);
        range_coder_read(&c, out.data(), size, &u);
        std::fill(of, of + 4, CHANCE_EVEN);
        std::fill(tree, tree + 256, CHANCE_EVEN);
        bool same = true;
        for (int i = 0; i < 20000; i++)
            same = same && range_coder_bit(&c, &of[i % 4], false) == bits[size_t(i)];
        CHECK(same);
        CHECK(range_coder_number(&c, tree, 8, 0) == 199);
    }
}

TEST_CASE("foretold: what is written is drawn, whatever the pictures are")
{
    Random random(any_seed());
    const int w = 150 + int(random() % 100), h = 90 + int(random() % 60); // cells are cut off
    Picture known(w, h, 0x123456);
    Ends ends(known);
    unsigned drawn = 0, pieces = 0;
    for (int i = 0; i < 60; i++) {
        Picture next = i % 3 == 0   ? few_colours(w, h, 1 + int(random() % 300), random)
                       : i % 3 == 1 ? text(w, h, true, random)
                                    : mixed(w, h, random);
        std::vector<rect> wanted;
        for (unsigned k = 0; k < 1 + random() % 4; k++)
            wanted.push_back(any_piece(known, random));
        Picture now = known; // a little of it is new
        for (const rect &r : wanted)
            put(now, next,
                rect_intersect({r.x + int(random() % 9), r.y + int(random() % 9),
                                1 + int(random() % 90), 1 + int(random() % 60)},
                               r));
        const std::string wire = ends.write(now, random() % 2 ? &known : nullptr, wanted,
                                            60 + random() % BLOCK_PAYLOAD_ANYWHERE);
        if (wire.empty())
            continue;
        drawn++;
        pieces += unsigned(ends.written().size());
        for (const rect &r : ends.written())
            put(known, now, r);
        INFO("block " << i);
        REQUIRE(ends.draw(wire));
        CHECK(ends.cells >= NEWEST_SOME);
        CHECK(ends.viewer == known);
    }
    CHECK(drawn > 20);
    CHECK(pieces > drawn);
    CHECK(resolver_counts(ends.r).foretold == drawn);
    CHECK(resolver_counts(ends.r).refused == 0);
}

TEST_CASE("foretold: what does not fit leaves no trace")
{
    Random random(any_seed());
    const Picture p = text(320, 64, true, random), hard = noise(320, 64, random);
    Picture known(320, 64);
    Ends ends(known);
    for (int i = 0; i < 10; i++) {
        const rect r = {32 * i, 0, 32, 64};
        CHECK(ends.write(hard, nullptr, {{0, 0, 320, 64}}, 200).empty());
        const std::string wire = ends.write(p, nullptr, {r});
        REQUIRE_FALSE(wire.empty());
        put(known, p, r);
        REQUIRE(ends.draw(wire));
        CHECK(ends.viewer == known);
    }
}

TEST_CASE("foretold: what the viewer cannot read it refuses, until one begins anew")
{
    Random random(any_seed());
    const Picture p = text(320, 64, true, random);
    const rect left = {0, 0, 32, 64}, right = {64, 16, 64, 32};
    Picture known(320, 64);
    Ends ends(known);
    REQUIRE(ends.draw(ends.write(p, &known, {left})));
    put(known, p, left);
    CHECK(ends.viewer == known);

    const int how = GENERATE(0, 1, 2);
    if (how == 0) { // it has something else there; of one pixel alone the guesses might stay right
        put(ends.viewer, noise(320, 64, random), right);
        REQUIRE(ends.draw(ends.write(p, &known, {right})));
        CHECK(ends.cells == NEWEST_GONE);
        put(ends.viewer, known, right);
    } else if (how == 1) { // one is missing
        ends.write(p, &known, {right});
    } else { // one is late
        std::string late = ends.write(p, &known, {left});
        block_renumber(reinterpret_cast<uint8_t *>(&late[0]), 0);
        REQUIRE(ends.draw(late));
        CHECK(ends.cells == NEWEST_GONE);
    }
    CHECK(ends.viewer == known);
    for (int i = 0; i < 3; i++) {
        REQUIRE(ends.draw(ends.write(p, &known, {right, left})));
        CHECK(ends.cells == NEWEST_GONE);
        CHECK(ends.viewer == known);
    }
    foretold_anew(ends.far);
    REQUIRE(ends.draw(ends.write(p, &known, {right})));
    put(known, p, right);
    CHECK(ends.cells >= NEWEST_SOME);
    CHECK(ends.viewer == known);
}

TEST_CASE("foretold: whatever is said, nothing is drawn outside of a block")
{
    Random random(any_seed());
    const Picture first = text(200, 120, true, random);
    Ends ends(first);
    for (int i = 0; i < 300; i++) {
        std::string wire = ends.write(first, &first, {any_piece(first, random)});
        for (unsigned k = random() % 6; k > 0; k--)
            wire[BLOCK_HEAD + random() % (wire.size() - BLOCK_HEAD)] = char(random());
        if (random() % 2)
            wire[BLOCK_HEAD] = 1; // as if it began anew
        const Picture before = ends.viewer;
        block b;
        REQUIRE(unpack(wire, &b, &ends.why));
        const bool good = ends.draw(wire);
        int outside = 0; // pixels that are another colour now
        for (int y = 0; y < first.h; y++)
            for (int x = 0; x < first.w; x++)
                if (!good || ends.cells == NEWEST_GONE || x < b.area.x ||
                    x >= b.area.x + b.area.w || y < b.area.y || y >= b.area.y + b.area.h)
                    outside += ends.viewer.at(x, y) != before.at(x, y);
        REQUIRE(outside == 0);
    }
    block b;
    std::string wire = ends.write(first, &first, {{0, 0, 16, 16}});
    wire[BLOCK_HEAD] = 2;
    REQUIRE(unpack(wire, &b, &ends.why));
    CHECK_FALSE(ends.draw(wire));
    CHECK(ends.why.text[0]);
}

TEST_CASE("foretold: a line of text takes less than half when the viewer has seen such text")
{
    Random random(any_seed());
    const Picture p = text(640, 400, true, random);
    const Picture empty(640, 400, RGB);
    Ends ends(empty);
    const auto line = [&](int y) { return ends.write(p, &empty, {{0, y, 640, 16}}).size(); };
    const size_t first = line(0);
    for (int y = 16; y < 384; y += 16)
        line(y);
    const size_t last = line(384);
    INFO(last << " bytes, the first one " << first);
    CHECK(2 * last < first);
}
