// Blocks of whole rectangles, as Octopus cuts them: the viewer draws what was there.
#include "tests/catch.hpp"

#include "rfb/blocks/area_writer.h"
#include "tests/unit/blocks.hpp"

using namespace blocks_test;

namespace
{

struct Areas {
    area_writer *w = area_writer_create();
    Areas() = default;
    Areas(const Areas &) = delete;
    ~Areas()
    {
        area_writer_destroy(w);
    }
};

// Writes, and draws if it fits.
block write(area_writer *w, const Picture &from, rect area, int jpeg, Picture &to)
{
    block b{};
    reason why{};
    Reader reader;

    REQUIRE(area_write(w, from.pixels.data(), from.w, area, jpeg, &b));
    CHECK(b.area.w == area.w);
    CHECK(b.area.h == area.h);
    if (b.size <= BLOCK_PAYLOAD_MAX) {
        uint8_t packed[BLOCK_MAX];
        size_t size = block_pack(&b, packed);
        block unpacked{};

        REQUIRE(block_unpack(&unpacked, packed, size, &why));
        INFO(why.text);
        REQUIRE(block_read(reader.r, &unpacked, to.pixels.data(), to.w, to.h, &why));
    }
    return b;
}

Picture noise(int w, int h, int colours)
{
    std::mt19937 random(1);
    std::vector<uint32_t> palette;
    Picture p(w, h);

    for (int i = 0; i < colours; i++)
        palette.push_back(random() & RGB);
    for (uint32_t &pixel : p.pixels)
        pixel = colours > 0 ? palette[random() % palette.size()] : random() & RGB;
    return p;
}

} // namespace

TEST_CASE("areas: what has few colours is exact, over several rows of cells")
{
    Areas a;

    for (int colours : {1, 2, 3, 16}) {
        Picture from = noise(48, 40, colours), to(48, 40);
        block b = write(a.w, from, {0, 0, 48, 40}, 50, to);

        CHECK((b.codec == BLOCK_SOLID) == (colours == 1));
        REQUIRE(b.size <= BLOCK_PAYLOAD_MAX);
        CHECK(to == from);
        CHECK(b.quality == 0);
    }
}

TEST_CASE("areas: a picture is JPEG where that is allowed, and else exact")
{
    Areas a;
    Picture from(64, 64), to(64, 64);

    for (int y = 0; y < 64; y++)
        for (int x = 0; x < 64; x++)
            from.at(x, y) = uint32_t(x * 4) << 16 | uint32_t(y * 4) << 8 | uint32_t(x + y);
    block lossy = write(a.w, from, {16, 0, 48, 48}, 50, to);
    CHECK(lossy.codec == BLOCK_JPEG_420);
    CHECK(lossy.quality == 50);
    CHECK(lossy.size <= BLOCK_PAYLOAD_MAX);
    block exact = write(a.w, from, {0, 0, 64, 64}, 0, to);
    CHECK(exact.codec == BLOCK_PIXELS_DEFLATED);
    CHECK(exact.quality == 0);
    REQUIRE(exact.size <= BLOCK_PAYLOAD_MAX);
    CHECK(to == from);
}

TEST_CASE("areas: one that is too large is measured, and a cell always fits")
{
    Areas a;
    Picture from = noise(256, 256, 0), to(256, 256);
    block b = write(a.w, from, {0, 0, 256, 256}, 0, to);

    CHECK(b.size == size_t(256 * 256 * 3));
    b = write(a.w, from, {0, 0, 256, 256}, 100, to);
    CHECK(b.size > 10 * BLOCK_PAYLOAD_MAX);
    for (int jpeg : {0, 10, 50, 90, 100}) {
        b = write(a.w, from, {240, 240, 16, 16}, jpeg, to);
        CHECK(b.size <= BLOCK_PAYLOAD_MAX);
    }
    Picture few = noise(16, 16, 256);
    CHECK(write(a.w, few, {0, 0, 16, 16}, 0, to).size <= BLOCK_PAYLOAD_MAX);
}

TEST_CASE("areas: one block does not depend on another, and no area is too large")
{
    Areas one, other;
    Picture from = noise(64, 64, 8), to(64, 64);
    block first = write(one.w, from, {0, 0, 32, 32}, 0, to);
    std::vector<uint8_t> payload(first.payload, first.payload + first.size);

    write(other.w, from, {16, 16, 48, 48}, 0, to);
    block again = write(other.w, from, {0, 0, 32, 32}, 0, to);
    CHECK(std::vector<uint8_t>(again.payload, again.payload + again.size) == payload);

    block b{};
    Picture large(300, 300);
    CHECK_FALSE(area_write(one.w, large.pixels.data(), 300, {0, 0, 300, 300}, 0, &b));
    CHECK_FALSE(area_write(one.w, large.pixels.data(), 300, {0, 0, 0, 16}, 0, &b));
}
