// Blocks that somebody has broken: refused, or drawn into their rectangle.
#include "tests/catch.hpp"

#include <cstring>
#include <zlib.h>

#include "rfb/system/thread.h"
#include "tests/seed.hpp"
#include "tests/unit/blocks.hpp"

using namespace blocks_test;

namespace
{

constexpr uint32_t GROUND = 0x123456;

std::string deflated(const std::string &bytes)
{
    std::string out(bytes.size() + 100, '\0');
    z_stream z = {};
    deflateInit2(&z, 9, Z_DEFLATED, -15, 9, Z_DEFAULT_STRATEGY);
    z.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(bytes.data()));
    z.avail_in = uInt(bytes.size());
    z.next_out = reinterpret_cast<Bytef *>(&out[0]);
    z.avail_out = uInt(out.size());
    deflate(&z, Z_FINISH);
    out.resize(out.size() - z.avail_out);
    deflateEnd(&z);
    return out;
}

// As it comes from the network: the memory ends where the block does.
std::string wire_of(block_codec codec, rect area, const std::string &payload, int quality = 0)
{
    block b = {};
    uint8_t out[BLOCK_MAX];
    b.codec = codec;
    b.area = area;
    b.quality = uint8_t(quality);
    b.payload = reinterpret_cast<const uint8_t *>(payload.data());
    b.size = payload.size();
    return std::string(reinterpret_cast<char *>(out), block_pack(&b, out));
}

// Draws it into a picture of one colour; whether all outside of its rectangle stayed.
bool stays_inside(Reader &reader, const std::string &wire, Picture &p)
{
    block b;
    reason why = {};
    std::vector<uint8_t> exact(wire.begin(), wire.end()); // ASan sees what is read behind its end
    bool inside = true;
    p.pixels.assign(p.pixels.size(), GROUND);
    if (!block_unpack(&b, exact.data(), exact.size(), &why))
        return why.text[0];
    if (!block_read(reader.r, &b, p.pixels.data(), p.w, p.h, &why) && !why.text[0])
        return false;
    for (int y = 0; y < p.h; y++)
        for (int x = 0; x < p.w; x++)
            inside = inside && ((x >= b.area.x && x < b.area.x + b.area.w && y >= b.area.y &&
                                 y < b.area.y + b.area.h) ||
                                p.at(x, y) == GROUND);
    return inside;
}

std::string drawn_into(Reader &reader, const std::string &wire, int w = 64, int h = 64)
{
    Picture p(w, h, GROUND);
    return draw(reader, wire, p);
}

} // namespace

TEST_CASE("block: cut or changed anywhere, it is refused or draws into its rectangle")
{
    Random random(any_seed());
    Writer writer;
    Reader reader;
    for (const Kind &kind : kinds())
        for (int quality : {0, 20, 90}) {
            Picture p = kind.make(40, 16, random), room(60, 24);
            for (const std::string &wire : pack(writer, p, quality)) {
                INFO(kind.name << " " << quality);
                for (size_t cut = 0; cut < wire.size(); cut++) {
                    REQUIRE(stays_inside(reader, wire.substr(0, cut), room));
                    std::string shorter = wire.substr(0, cut); // with a length that fits
                    if (cut > BLOCK_HEAD) {
                        shorter[17] = char((cut - BLOCK_HEAD) >> 8);
                        shorter[18] = char(cut - BLOCK_HEAD);
                        REQUIRE(stays_inside(reader, shorter, room));
                    }
                }
                for (size_t i = 0; i < wire.size(); i++) {
                    std::string changed = wire;
                    changed[i] = char(changed[i] ^ (1 + random() % 255));
                    REQUIRE(stays_inside(reader, changed, room));
                }
            }
        }
}

TEST_CASE("block: of what is exact, what is cut short is refused")
{
    Random random(any_seed());
    Writer writer;
    Reader reader;
    for (const Kind &kind : kinds())
        for (std::string wire : pack(writer, kind.make(40, 16, random), 0))
            while (wire.size() > BLOCK_HEAD + 1) {
                wire.pop_back();
                wire[17] = char((wire.size() - BLOCK_HEAD) >> 8);
                wire[18] = char(wire.size() - BLOCK_HEAD);
                REQUIRE(drawn_into(reader, wire) != "");
            }
}

TEST_CASE("block: what is outside of the picture is refused")
{
    Reader reader;
    std::string red("\xff\0\0", 3), from_corner(4, '\0'), from_outside("\0\x31\0\0", 4);
    CHECK(drawn_into(reader, wire_of(BLOCK_SOLID, {48, 48, 16, 16}, red)) == "");
    CHECK(drawn_into(reader, wire_of(BLOCK_SOLID, {49, 48, 16, 16}, red)) != "");
    CHECK(drawn_into(reader, wire_of(BLOCK_SOLID, {0, 65535, 16, 65535}, red)) != "");
    CHECK(drawn_into(reader, wire_of(BLOCK_COPY, {48, 48, 16, 16}, from_corner)) == "");
    CHECK(drawn_into(reader, wire_of(BLOCK_COPY, {48, 48, 16, 16}, from_outside)) != "");
    CHECK(drawn_into(reader, wire_of(BLOCK_COPY, {48, 48, 17, 16}, from_corner)) != "");
}

TEST_CASE("block: a palette has two colours at least, and no index is outside of it")
{
    Reader reader;
    rect area = {0, 0, 4, 4};
    std::string three("\2\0\0\0\0\0\0\0\0\0", 10);
    CHECK(drawn_into(reader, wire_of(BLOCK_PALETTE, area, three + std::string(4, '\x2a'))) == "");
    CHECK(drawn_into(reader, wire_of(BLOCK_PALETTE, area, three + std::string(4, '\x3a'))) != "");
    CHECK(drawn_into(reader, wire_of(BLOCK_PALETTE, area, three + std::string(5, '\0'))) != "");
    CHECK(drawn_into(reader, wire_of(BLOCK_PALETTE, area, three.substr(0, 5))) != "");
    CHECK(drawn_into(reader, wire_of(BLOCK_PALETTE, area, std::string(8, '\0'))) != "");
    CHECK(drawn_into(reader, wire_of(BLOCK_PALETTE_DEFLATED, area,
                                     "\2" + deflated(three.substr(1) + std::string(4, '\2')))) ==
          "");
    CHECK(drawn_into(reader, wire_of(BLOCK_PALETTE_DEFLATED, area,
                                     "\2" + deflated(three.substr(1) + std::string(4, '\xff')))) !=
          "");
}

TEST_CASE("block: what does not inflate to exactly its size is refused")
{
    Reader reader;
    rect area = {0, 0, 16, 16};
    auto pixels = [&](const std::string &data, char filter = 0) {
        return drawn_into(reader, wire_of(BLOCK_PIXELS_DEFLATED, area, filter + data));
    };
    CHECK(pixels(deflated(std::string(768, 'x'))) == "");
    CHECK(pixels(deflated(std::string(768, 'x')), 2) == "");
    CHECK(pixels(deflated(std::string(768, 'x')), 3) != ""); // no such filter
    CHECK(pixels(deflated(std::string(767, 'x'))) != "");
    CHECK(pixels(deflated(std::string(769, 'x'))) != "");
    CHECK(pixels(deflated(std::string(100 << 10, 'x'))) != ""); // a bomb
    CHECK(pixels(deflated(std::string(768, 'x')) + '\0') != "");
    CHECK(pixels("") != "");
    CHECK(drawn_into(reader, wire_of(BLOCK_PIXELS, area, std::string(767, 'x'))) != "");
    CHECK(drawn_into(reader, wire_of(BLOCK_PIXELS, area, std::string(769, 'x'))) != "");
}

TEST_CASE("block: JPEG data with a marker in it is refused")
{
    Random random(any_seed());
    Writer writer;
    Reader reader;
    std::string wire = pack(writer, shades(32, 16, random), 50)[0];
    std::string data = wire.substr(BLOCK_HEAD);
    rect area = {0, 0, 32, 16};
    auto strip = [&](const std::string &payload) {
        return drawn_into(reader, wire_of(BLOCK_JPEG_420, area, payload, 50));
    };
    CHECK(strip(data) == "");
    CHECK(strip(data + "\xff\xd9") != "");
    CHECK(strip(data + std::string("\xff\xda\0\x0c", 4)) != "");
    CHECK(strip(data + "\xff") != "");
    CHECK(strip("\xff\xd0" + data) != "");
    CHECK(strip(data + std::string(40, 'x')) != ""); // more than is read ahead
    CHECK(strip(data.substr(0, data.size() / 2)) != "");
    CHECK(strip(std::string("\0", 1)) != "");
}

TEST_CASE("block: no packet takes long")
{
    Random random(any_seed());
    Reader reader;
    std::string noise(BLOCK_PAYLOAD_MAX, '\0');
    for (char &c : noise)
        c = char(random() % 255);                              // no marker
    const double start = cpu_seconds(CLOCK_THREAD_CPUTIME_ID); // others do not count
    for (auto [w, h] : {std::pair(65535, 1), std::pair(1, 65535), std::pair(256, 256)})
        for (int codec = 0; codec < BLOCK_CODECS; codec++) {
            int quality = codec >= BLOCK_JPEG_420 ? 50 : 0;
            size_t size = codec == BLOCK_SOLID ? 3 : codec == BLOCK_COPY ? 4 : noise.size();
            std::string wire =
                wire_of(block_codec(codec), {0, 0, w, h}, noise.substr(0, size), quality);
            std::string zeros =
                wire_of(block_codec(codec), {0, 0, w, h}, std::string(size, '\0'), quality);
            drawn_into(reader, wire, w, h);
            drawn_into(reader, zeros, w, h);
            drawn_into(reader,
                       wire_of(BLOCK_PALETTE_DEFLATED, {0, 0, w, h},
                               "\1" + deflated(std::string(size_t(w) * size_t(h), '\0'))),
                       w, h);
        }
    CHECK(cpu_seconds(CLOCK_THREAD_CPUTIME_ID) - start < 20); // 72 packets, with a sanitizer
}
