// Blocks of a picture: written, read, and the same picture again.
#include "tests/catch.hpp"

#include <cstring>
#include <turbojpeg.h>

#include "rfb/blocks/pixels/strip_jpeg.h"
#include "tests/seed.hpp"
#include "tests/unit/blocks.hpp"

using namespace blocks_test;

namespace
{

// A file of ordinary JPEG.
std::vector<uint8_t> jpeg_file(const Picture &p, int quality, int subsampling)
{
    unsigned char *out = nullptr;
    unsigned long size = 0;
    tjhandle handle = tjInitCompress();
    auto *in = reinterpret_cast<const unsigned char *>(p.pixels.data());
    REQUIRE(tjCompress2(handle, const_cast<unsigned char *>(in), p.w, 0, p.h, TJPF_BGRX, &out,
                        &size, subsampling, quality,
                        subsampling == TJSAMP_444 ? TJFLAG_ACCURATEDCT : 0) == 0);
    std::vector<uint8_t> file(out, out + size);
    tjDestroy(handle);
    tjFree(out);
    return file;
}

Picture jpeg_picture(const std::vector<uint8_t> &file, int w, int h)
{
    Picture p(w, h);
    tjhandle handle = tjInitDecompress();
    REQUIRE(tjDecompress2(handle, const_cast<unsigned char *>(file.data()), file.size(),
                          reinterpret_cast<unsigned char *>(p.pixels.data()), w, 0, h, TJPF_BGRX,
                          0) == 0);
    tjDestroy(handle);
    return p;
}

int sampling(int quality)
{
    return quality >= BLOCK_FULL_CHROMA ? TJSAMP_444 : TJSAMP_420;
}

block some_block(const uint8_t *payload, size_t size)
{
    block b = {};
    b.codec = BLOCK_PIXELS;
    b.last = true;
    b.generation = 7;
    b.sequence = 0x89abcdef;
    b.input = 0xfedc;
    b.area = {16, 32, 300, 5};
    b.payload = payload;
    b.size = size;
    return b;
}

} // namespace

TEST_CASE("block: a head is what was written")
{
    const uint8_t payload[] = {1, 2, 3};
    block b = some_block(payload, sizeof payload), again = {};
    uint8_t wire[BLOCK_MAX];
    reason why = {};
    size_t size = block_pack(&b, wire);
    CHECK(size == BLOCK_HEAD + 3);
    const uint8_t head[] = {0x84, 7, 0,  0x89, 0xab, 0xcd, 0xef, 0xfe, 0xdc, 0,
                            16,   0, 32, 1,    44,   0,    5,    0,    3};
    CHECK(memcmp(wire, head, sizeof head) == 0);
    REQUIRE(block_unpack(&again, wire, size, &why));
    CHECK(again.codec == b.codec);
    CHECK(again.last);
    CHECK(again.generation == 7);
    CHECK(again.quality == 0);
    CHECK(again.sequence == b.sequence);
    CHECK(again.input == b.input);
    CHECK(again.area.x == 16);
    CHECK(again.area.y == 32);
    CHECK(again.area.w == 300);
    CHECK(again.area.h == 5);
    CHECK(again.size == 3);
    CHECK(memcmp(again.payload, payload, 3) == 0);
}

TEST_CASE("block: a head that is out of range is refused, with a reason")
{
    const uint8_t payload[BLOCK_PAYLOAD_MAX] = {};
    uint8_t wire[BLOCK_MAX];
    block good = some_block(payload, 30), again;
    auto refused = [&](block b) {
        reason why = {};
        size_t size = block_pack(&b, wire);
        return !block_unpack(&again, wire, size, &why) && why.text[0];
    };
    block b = good;
    CHECK_FALSE(refused(b));
    b.codec = BLOCK_CODECS;
    CHECK(refused(b));
    b = good;
    b.quality = 1; // of what has no loss
    CHECK(refused(b));
    b.codec = BLOCK_JPEG_420;
    CHECK_FALSE(refused(b));
    b.quality = 0;
    CHECK(refused(b));
    b.quality = 101;
    CHECK(refused(b));
    b = good;
    b.area.w = 0;
    CHECK(refused(b));
    b.area.w = 65535;
    CHECK(refused(b));
    b.codec = BLOCK_SOLID;
    b.size = 3;
    CHECK_FALSE(refused(b));
    b.size = 4;
    CHECK(refused(b));
    b.codec = BLOCK_COPY;
    CHECK_FALSE(refused(b));
    b = good;
    b.size = 0;
    CHECK(refused(b));
    size_t size = block_pack(&good, wire);
    reason why = {};
    for (size_t cut = 0; cut < size; cut++)
        CHECK_FALSE(block_unpack(&again, wire, cut, &why));
    CHECK_FALSE(block_unpack(&again, wire, size + 1, &why));
    wire[0] |= 0x10; // a flag of a later version
    CHECK_FALSE(block_unpack(&again, wire, size, &why));
}

TEST_CASE("block: without JPEG every picture comes out as it was")
{
    Random random(any_seed());
    Writer writer;
    Reader reader;
    for (int round = 0; round < 60; round++)
        for (const Kind &kind : kinds()) {
            int w = 1 + int(random() % 100), h = 1 + int(random() % 100);
            Picture p = kind.make(w, h, random), drawn(w, h, 0x123456);
            auto blocks = pack(writer, p, 0);
            INFO(kind.name << " " << w << "x" << h);
            REQUIRE_FALSE(blocks.empty());
            for (const auto &wire : blocks) {
                REQUIRE(wire.size() <= BLOCK_ANYWHERE);
                REQUIRE(draw(reader, wire, drawn) == "");
            }
            REQUIRE(drawn == p);
        }
}

TEST_CASE("block: with more room there are fewer, larger ones, and none is larger than that")
{
    Random random(any_seed());
    Writer writer;
    Reader reader;
    for (const Kind &kind : kinds())
        for (int jpeg : {0, 90}) {
            const Picture p = kind.make(600, 64, random);
            size_t count[2], largest[2] = {};
            INFO(kind.name << " " << jpeg);
            for (int more : {0, 1}) {
                const size_t room = more ? BLOCK_PAYLOAD_MAX : BLOCK_PAYLOAD_ANYWHERE;
                Picture drawn(p.w, p.h, 0x123456);
                block_writer_give_room(writer.w, room);
                const auto blocks = pack(writer, p, jpeg);
                count[more] = blocks.size();
                for (const auto &wire : blocks) {
                    REQUIRE(wire.size() <= BLOCK_HEAD + room);
                    REQUIRE(draw(reader, wire, drawn) == "");
                    largest[more] = std::max(largest[more], wire.size());
                }
                REQUIRE((jpeg > 0 || drawn == p));
            }
            REQUIRE(count[0] > 0);
            CHECK(count[1] <= count[0] + 1);
            if (std::string(kind.name) == "sixteen colours")
                CHECK(largest[1] > BLOCK_ANYWHERE);
        }
}

TEST_CASE("block: with JPEG each block is valid, and they cover the picture")
{
    Random random(any_seed());
    Writer writer;
    Reader reader;
    for (int round = 0; round < 60; round++)
        for (const Kind &kind : kinds()) {
            int w = 1 + int(random() % 300), h = 1 + int(random() % 60);
            int quality = 1 + int(random() % 100), covered = 0;
            Picture p = kind.make(w, h, random), drawn(w, h);
            INFO(kind.name << " " << w << "x" << h << " " << quality);
            for (const auto &wire : pack(writer, p, quality)) {
                block b;
                reason why = {};
                REQUIRE(unpack(wire, &b, &why));
                REQUIRE(draw(reader, wire, drawn) == "");
                covered += b.area.w * b.area.h;
                if (block_is_jpeg(&b)) {
                    CHECK(b.quality == quality);
                    CHECK((b.codec == BLOCK_JPEG_444) == (quality >= BLOCK_FULL_CHROMA));
                }
                int wrong = 0; // pixels
                for (int y = b.area.y; !block_is_jpeg(&b) && y < b.area.y + b.area.h; y++)
                    for (int x = b.area.x; x < b.area.x + b.area.w; x++)
                        wrong += ((drawn.at(x, y) ^ p.at(x, y)) & RGB) != 0;
                REQUIRE(wrong == 0);
            }
            CHECK(covered == w * h);
        }
}

TEST_CASE("block: a wide picture, and one that is a few pixels high")
{
    Random random(any_seed());
    Writer writer;
    Reader reader;
    for (auto [w, h] : {std::pair(8192, 16), std::pair(8192, 1), std::pair(5000, 19)})
        for (const Kind &kind : kinds()) {
            Picture p = kind.make(w, h, random), drawn(w, h);
            INFO(kind.name << " " << w << "x" << h);
            for (const auto &wire : pack(writer, p, 0))
                REQUIRE(draw(reader, wire, drawn) == "");
            REQUIRE(drawn == p);
        }
}

TEST_CASE("block: what is text is exact, also where a picture may come with loss")
{
    Random random(any_seed());
    Writer writer;
    Reader reader;
    for (int quality : {1, 30, 79, 80, 100})
        for (bool soft : {false, true}) {
            Picture p = text(300, 120, soft, random), drawn(300, 120);
            for (const auto &wire : pack(writer, p, quality))
                REQUIRE(draw(reader, wire, drawn) == "");
            CHECK(drawn == p);
        }
}

TEST_CASE("block: a picture with loss is as good as a JPEG file of that quality")
{
    Random random(any_seed());
    Writer writer;
    Reader reader;
    for (int quality : {1, 5, 10, 30, 50, 79, 80, 90, 95, 96, 100})
        for (auto [w, h] : {std::pair(640, 48), std::pair(61, 37), std::pair(17, 5)}) {
            Picture p = shades(w, h, random), drawn(w, h);
            INFO(quality << " " << w << "x" << h);
            unsigned strips = 0;
            for (const auto &wire : pack(writer, p, quality)) {
                block b;
                reason why;
                REQUIRE(draw(reader, wire, drawn) == "");
                REQUIRE(unpack(wire, &b, &why));
                strips += block_is_jpeg(&b);
            }
            CHECK(strips > 0);
            Picture ordinary = jpeg_picture(jpeg_file(p, quality, sampling(quality)), w, h);
            CHECK(psnr(p, drawn) > psnr(p, ordinary) - 1);
        }
}

TEST_CASE("block: a strip is a JPEG file without its header")
{
    Random random(any_seed());
    for (int quality = 1; quality <= 100; quality++)
        for (int subsampling : {TJSAMP_420, TJSAMP_444}) {
            Picture p = shades(1 + int(random() % 60), 1 + int(random() % 16), random);
            auto file = jpeg_file(p, quality, subsampling);
            uint8_t header[STRIP_HEADER], end[STRIP_END];
            strip_header_write(header, quality, subsampling == TJSAMP_444, p.w, p.h);
            strip_end_write(end);
            INFO(quality << " " << subsampling);
            REQUIRE(file.size() > sizeof header + sizeof end);
            REQUIRE(memcmp(file.data(), header, sizeof header) == 0);
            REQUIRE(memcmp(file.data() + file.size() - sizeof end, end, sizeof end) == 0);
        }
}

TEST_CASE("block: the pixels of a strip are those of its file")
{
    Random random(any_seed());
    Writer writer;
    Reader reader;
    for (int quality : {10, 60, 85}) {
        Picture p = shades(48, 16, random), drawn(48, 16);
        auto blocks = pack(writer, p, quality);
        REQUIRE(blocks.size() == 1);
        REQUIRE(draw(reader, blocks[0], drawn) == "");
        CHECK(drawn == jpeg_picture(jpeg_file(p, quality, sampling(quality)), 48, 16));
    }
}

TEST_CASE("block: rows of a picture are one block where they fit")
{
    Random random(any_seed());
    Writer writer;
    Reader reader;
    Picture p = shades(320, 100, random), drawn(320, 100);
    auto rows = [&](int y, int most_h, int quality, block *b) {
        return block_write_rows(writer.w, p.pixels.data(), p.w,
                                {0, y, 320, std::min(BLOCK_CELL, p.h - y)}, most_h, quality, b);
    };
    block b = {};
    int y = 0, last = 0;
    for (int i = 0; i < 4; i++) // it learns what they take
        rows(0, p.h, 10, &b);
    for (; y < p.h; y += last) {
        reason why = {};
        if (!rows(y, p.h - y, 10, &b))
            break;
        CHECK(b.area.x == 0);
        CHECK(b.area.y == y);
        CHECK(b.area.w == 320);
        CHECK(b.area.h > BLOCK_CELL);
        CHECK(b.size <= BLOCK_PAYLOAD_MAX);
        REQUIRE(block_read(reader.r, &b, drawn.pixels.data(), drawn.w, drawn.h, &why));
        last = b.area.h;
    }
    CHECK(y >= 2 * BLOCK_CELL);
    CHECK_FALSE(rows(0, p.h, 100, &b)); // not even one fits
    CHECK_FALSE(rows(0, p.h, 0, &b));
    CHECK_FALSE(rows(0, p.h, 101, &b));
    CHECK_FALSE(rows(0, BLOCK_CELL, 10, &b));
    for (int x = 0; x < 16; x++) // one cell of the second row is text
        for (int line = 16; line < 32; line++)
            p.at(48 + x, line) = x % 2 ? 0 : RGB;
    CHECK_FALSE(rows(0, p.h, 10, &b));
    CHECK(rows(32, p.h - 32, 10, &b));
}

TEST_CASE("block: an encoder runs about once for a block")
{
    Random random(one_seed());
    Writer writer;
    for (int round = 0; round < 4; round++) {
        pack(writer, text(1024, 400, true, random), 30);
        pack(writer, shades(1024, 400, random), 90);
    }
    uint64_t tries, blocks;
    block_writer_tries(writer.w, &tries, &blocks);
    INFO(tries << " for " << blocks);
    CHECK(double(tries) < 1.5 * double(blocks));
}

TEST_CASE("block: what is no row of cells is not encoded")
{
    Writer writer;
    Picture p(64, 64);
    block b;
    for (rect strip : {rect{0, 0, 0, 16}, rect{0, 0, 16, 0}, rect{8, 0, 16, 16}, rect{0, 8, 16, 16},
                       rect{0, 0, 16, 17}, rect{0, 0, -1, 16}})
        CHECK_FALSE(block_write_strip(writer.w, p.pixels.data(), p.w, strip, 0, &b));
    for (int quality : {-1, 101})
        CHECK_FALSE(block_write_strip(writer.w, p.pixels.data(), p.w, {0, 0, 16, 16}, quality, &b));
    block_writer_destroy(nullptr);
    block_reader_destroy(nullptr);
}
