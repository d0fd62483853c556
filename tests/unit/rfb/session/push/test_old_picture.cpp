// The picture of an earlier session: what is said of it, and how long it is kept.
#include "tests/catch.hpp"

#include <cstring>
#include <string>
#include <vector>

#include "rfb/blocks/references/tile_digest.h"
#include "rfb/decode/framebuffer.h"
#include "rfb/session/push/old_picture.h"
#include "tests/seed.hpp"
#include "tests/unit/shown_picture.hpp"

using blocks_test::noise;
using blocks_test::Picture;
using blocks_test::Random;

namespace
{

const uint8_t KEY[BLOCKS_KEY_BYTES] = {7, 6, 5};
// A request for all of 1300x900.
const std::string ALL("\3\0\0\0\0\0\x05\x14\x03\x84", 10);

// What was said of a picture.
struct Said {
    blocks_digests of = {};
    std::vector<std::string> digests;

    explicit Said(const std::string &messages)
    {
        const uint8_t *at = reinterpret_cast<const uint8_t *>(messages.data()),
                      *end = at + messages.size();
        for (; at < end; at += BLOCKS_HEAD + blocks_body(at)) {
            blocks_message m;
            REQUIRE(blocks_read(at, &m));
            REQUIRE(m.kind == BLOCKS_DIGESTS);
            CHECK((m.digests.count == 0) == (of.bytes == 0));
            if (m.digests.count == 0)
                of = m.digests;
            CHECK(m.digests.bytes == of.bytes);
            for (unsigned i = 0; i < m.digests.count; i++)
                digests.emplace_back(m.digests.digest + i * of.bytes,
                                     m.digests.digest + (i + 1) * of.bytes);
        }
        CHECK(at == end);
    }
};

struct Old {
    old_picture *o = old_picture_create();

    Old() = default;
    Old(const Old &) = delete;
    ~Old()
    {
        old_picture_destroy(o);
    }
    bool give(const Picture &p)
    {
        return old_picture_give(o, blocks_test::Shown(p).reader, nullptr);
    }
    bool wanted()
    {
        return old_picture_wanted(o, KEY);
    }
    // The messages; empty: nothing is to be said.
    std::string take()
    {
        bytes_held b;
        if (!old_picture_take(o, &b))
            return "";
        std::string out(reinterpret_cast<const char *>(bytes_first(&b)), b.size);
        bytes_deinit(&b);
        return out;
    }
    // A block draws all of it.
    const uint32_t *use(int width, int height)
    {
        return old_picture_use(o, width, height, {0, 0, width, height});
    }
    bool has(int width, int height)
    {
        return use(width, height);
    }
    void end()
    {
        const uint8_t sum[TILE_DIGEST_BYTES] = {};
        old_picture_end(o, sum);
    }
};

} // namespace

TEST_CASE("old picture: the digests of all tiles are said once, whichever comes first")
{
    Random random(any_seed());
    const Picture p = noise(1300, 900, random); // 41 x 29 tiles: five messages
    std::string before;
    for (bool wanted_first : {true, false}) {
        Old old;
        CHECK(old.take() == "");
        CHECK_FALSE((wanted_first ? old.wanted() : old.give(p)));
        CHECK(old.take() == "");
        CHECK_FALSE(old.has(1300, 900));
        CHECK((wanted_first ? old.give(p) : old.wanted()));
        const std::string bytes = old.take();
        const Said said(bytes);
        CHECK((said.of.width == 1300 && said.of.height == 900));
        const auto grain = old_picture_grain_of(1300, 900);
        CHECK((said.of.side == grain.side && said.of.bytes == grain.bytes));
        REQUIRE(said.digests.size() == blocks_tiles(1300, 900, grain.side));
        tile_digest d;
        tile_digest_begin(&d, KEY, said.of.key);
        for (uint32_t tile = 0; tile < said.digests.size(); tile++) {
            uint8_t own[TILE_DIGEST_BYTES];
            tile_digest_make(&d, p.pixels.data(), p.w, tile_at(p.w, p.h, grain.side, tile), tile,
                             own);
            CHECK(said.digests[tile] == std::string(own, own + grain.bytes));
        }
        CHECK(bytes != before); // the viewer's own key is another one each time
        before = bytes;
        CHECK(old.take() == "");
        CHECK(old.has(1300, 900));
        CHECK_FALSE(old.has(900, 1300));
        CHECK(old.use(1300, 900)[5] == p.pixels[5]);
        old_picture_shown(old.o); // the far end may still be at it
        CHECK(old.has(1300, 900));
        old.end();
        CHECK_FALSE(old.has(1300, 900));
        CHECK_FALSE(old.give(p)); // one is enough
        CHECK(old.take() == ALL); // the far end's sum was another one
        CHECK(old.take() == "");
        CHECK_FALSE(old.has(1300, 900));
    }
}

TEST_CASE("old picture: with the sum of what was drawn, and no other, nothing is asked for again")
{
    Random random(any_seed());
    const Picture p = noise(200, 100, random);  // 7 x 4 tiles
    for (uint32_t wrong : {28u, 0u, 9u, 17u}) { // 28: none
        Old old;
        old.give(p);
        old.wanted();
        const Said said(old.take());
        const int side = said.of.side;
        tile_digest d;
        tile_digest_begin(&d, KEY, said.of.key);
        // the second row, and two tiles of the third, which the far end took for the same
        for (uint32_t tile = 7; tile < 16; tile++) {
            uint8_t own[TILE_DIGEST_BYTES];
            tile_digest_make(&d, p.pixels.data(), p.w, tile_at(p.w, p.h, side, tile), tile, own);
            own[31] ^= tile == wrong;
            tile_digest_add(&d, own);
        }
        const rect row = {0, side, 200, side}, part = {0, 2 * side, 2 * side, side};
        CHECK(old_picture_use(old.o, 200, 100, row));
        CHECK(old_picture_use(old.o, 200, 100, part));
        if (wrong == 17)
            CHECK(old_picture_use(old.o, 200, 100, tile_at(200, 100, side, 17)));
        uint8_t sum[TILE_DIGEST_BYTES];
        tile_digest_sum(&d, sum);
        old_picture_end(old.o, sum);
        CHECK((old.take() != "") == (wrong == 9 || wrong == 17));
        CHECK(old.take() == "");
    }
}

TEST_CASE("old picture: a large one has larger tiles, so that there are not too many")
{
    CHECK(old_picture_grain_of(1920, 1080).side == 32);
    CHECK(blocks_tiles(8192, 8192, old_picture_grain_of(8192, 8192).side) <= 8192);
    CHECK(blocks_tiles(8192, 4096, old_picture_grain_of(8192, 4096).side) <= 8192);
    CHECK(old_picture_grain_of(1, 1).side == 32);
}

TEST_CASE("old picture: where nothing was said of it, it is of no use behind a whole picture")
{
    const Picture p(100, 100, 1);
    for (bool given : {true, false}) {
        Old old;
        if (given)
            old.give(p);
        old_picture_shown(old.o);
        CHECK_FALSE(old.wanted());
        CHECK_FALSE(old.give(p));
        CHECK(old.take() == "");
        CHECK_FALSE(old.has(100, 100));
    }
}

TEST_CASE("old picture: no picture, and an end before anything was said, do no harm")
{
    Old old;
    framebuffer *fb = framebuffer_create(-1); // it has no size yet
    framebuffer_reader *reader = framebuffer_reader_of(fb);
    old.wanted();
    CHECK_FALSE(old_picture_give(old.o, reader, nullptr));
    CHECK(old.take() == "");
    old.end();
    old.end();
    CHECK(old.take() == ""); // nothing was drawn
    CHECK_FALSE(old.has(0, 0));
    framebuffer_unmap(reader);
    framebuffer_destroy(fb);
}
