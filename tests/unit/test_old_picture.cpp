// The picture of an earlier session: what is said of it, and how long it is kept.
#include "tests/catch.hpp"

#include <cstring>

#include "rfb/blocks/tile_digest.h"
#include "rfb/decode/framebuffer.h"
#include "rfb/session/old_picture.h"
#include "shown_picture.hpp"
#include "tests/seed.hpp"

using blocks_test::noise;
using blocks_test::Picture;
using blocks_test::Random;

namespace
{

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
        return old_picture_give(o, blocks_test::Shown(p).reader);
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
    bool has(int width, int height)
    {
        return old_picture_pixels(o, width, height);
    }
};

} // namespace

TEST_CASE("old picture: the digests of all tiles are said once, whichever comes first")
{
    Random random(any_seed());
    const Picture p = noise(1300, 900, random); // 21 x 15 tiles: two messages
    for (bool wanted_first : {true, false}) {
        Old old;
        CHECK(old.take() == "");
        CHECK_FALSE((wanted_first ? old_picture_wanted(old.o) : old.give(p)));
        CHECK(old.take() == "");
        CHECK_FALSE(old.has(1300, 900));
        CHECK((wanted_first ? old.give(p) : old_picture_wanted(old.o)));
        const std::string said = old.take();
        REQUIRE(said.size() == 2 * (BLOCKS_HEAD + BLOCKS_DIGESTS_HEAD) + 315 * BLOCKS_DIGEST_BYTES);
        const uint8_t *at = reinterpret_cast<const uint8_t *>(said.data());
        for (uint32_t tile = 0; tile < 315;) {
            blocks_message m;
            REQUIRE(blocks_read(at, &m));
            CHECK((m.kind == BLOCKS_DIGESTS && m.digests.first == tile));
            CHECK((m.digests.width == 1300 && m.digests.height == 900));
            for (unsigned i = 0; i < m.digests.count; i++, tile++) {
                uint8_t own[BLOCKS_DIGEST_BYTES];
                tile_digest(p.pixels.data(), p.w, tile_at(p.w, p.h, tile), own);
                CHECK(memcmp(own, m.digests.digest + i * BLOCKS_DIGEST_BYTES, sizeof own) == 0);
            }
            at += BLOCKS_HEAD + blocks_body(at);
        }
        CHECK(old.take() == "");
        CHECK(old.has(1300, 900));
        CHECK_FALSE(old.has(900, 1300));
        CHECK(old_picture_pixels(old.o, 1300, 900)[5] == p.pixels[5]);
        old_picture_shown(old.o); // the far end may still be at it
        CHECK(old.has(1300, 900));
        old_picture_end(old.o);
        CHECK_FALSE(old.has(1300, 900));
        CHECK_FALSE(old.give(p)); // one is enough
        CHECK(old.take() == "");
        CHECK_FALSE(old.has(1300, 900));
    }
}

TEST_CASE("old picture: where nothing was said of it, it is of no use behind a whole picture")
{
    const Picture p(100, 100, 1);
    for (bool given : {true, false}) {
        Old old;
        if (given)
            old.give(p);
        old_picture_shown(old.o);
        CHECK_FALSE(old_picture_wanted(old.o));
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
    old_picture_wanted(old.o);
    CHECK_FALSE(old_picture_give(old.o, reader));
    CHECK(old.take() == "");
    old_picture_end(old.o);
    old_picture_end(old.o);
    CHECK_FALSE(old.has(0, 0));
    framebuffer_unmap(reader);
    framebuffer_destroy(fb);
}
