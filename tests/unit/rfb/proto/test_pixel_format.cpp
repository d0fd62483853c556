// PIXEL_FORMAT, checked against bytes written down by hand from RFB 3.8 (RFC 6143, section 7.4).
#include "tests/catch.hpp"

#include <cstring>
#include <string>
#include <vector>

#include "rfb/proto/encodings/pixel_format.h"
#include "tests/seed.hpp"

namespace
{

using Bytes = std::vector<uint8_t>;

Bytes written(const pixel_format &f)
{
    Bytes out(PIXEL_FORMAT_BYTES);
    REQUIRE(pixel_format_write(out.data(), &f) == out.size());
    return out;
}

bool same(const pixel_format &a, const pixel_format &b)
{
    return a.bits == b.bits && a.depth == b.depth && a.big_endian == b.big_endian &&
           a.true_colour == b.true_colour && memcmp(a.max, b.max, sizeof a.max) == 0 &&
           memcmp(a.shift, b.shift, sizeof a.shift) == 0;
}

const Bytes XRGB = {32, 24, 0, 1, 0, 255, 0, 255, 0, 255, 16, 8, 0, 0, 0, 0};

} // namespace

TEST_CASE("pixel formats are laid out as RFB says")
{
    const std::pair<pixel_format, Bytes> formats[] = {
        {pixel_format_xrgb, XRGB},
        {{32, 24, true, true, {255, 255, 255}, {0, 8, 16}},
         {32, 24, 1, 1, 0, 255, 0, 255, 0, 255, 0, 8, 16, 0, 0, 0}},
        {{16, 16, true, true, {31, 63, 31}, {11, 5, 0}},
         {16, 16, 1, 1, 0, 31, 0, 63, 0, 31, 11, 5, 0, 0, 0, 0}},
        {{8, 8, false, true, {7, 7, 3}, {0, 3, 6}},
         {8, 8, 0, 1, 0, 7, 0, 7, 0, 3, 0, 3, 6, 0, 0, 0}},
        // with a colour map the colours have no meaning
        {{8, 8, false, false, {258, 772, 0}, {200, 201, 202}},
         {8, 8, 0, 0, 1, 2, 3, 4, 0, 0, 200, 201, 202, 0, 0, 0}},
        {{32, 32, false, true, {65535, 1, 1023}, {16, 31, 0}},
         {32, 32, 0, 1, 0xff, 0xff, 0, 1, 3, 0xff, 16, 31, 0, 0, 0, 0}},
    };

    for (const auto &[format, bytes] : formats) {
        pixel_format f;
        reason why{};
        INFO(int(format.bits) << " bits");
        CHECK(written(format) == bytes);
        CHECK(pixel_format_read(bytes.data(), &f, &why));
        CHECK(same(f, format));
    }
}

TEST_CASE("every byte but 0 is true in a pixel format, and padding has no meaning")
{
    Bytes bytes = XRGB;
    pixel_format f;
    reason why{};

    bytes[2] = bytes[3] = 0x80;
    bytes[13] = bytes[14] = bytes[15] = 0xff;
    REQUIRE(pixel_format_read(bytes.data(), &f, &why));
    CHECK(f.big_endian);
    CHECK(f.true_colour);
}

TEST_CASE("pixel formats that no pixel can have are refused")
{
    struct {
        size_t at;
        uint8_t value;
        const char *word;
    } bad[] = {
        {0, 0, "0 bits"},         {0, 24, "24 bits"},    {0, 33, "33 bits"},
        {0, 64, "64 bits"},       {0, 255, "255 bits"},  {0, 8, "24 bits of 8"},
        {1, 33, "33 bits of 32"}, {5, 254, "up to 254"}, // not 2^N - 1
        {7, 0, "up to 0"},                               // no values
        {10, 25, "bit 25"},                              // 255 << 25 has more than 32 bits
        {11, 32, "bit 32"},       {12, 255, "bit 255"},
    };

    for (const auto &b : bad) {
        Bytes bytes = XRGB;
        pixel_format f;
        reason why{};
        bytes[b.at] = b.value;
        CHECK_FALSE(pixel_format_read(bytes.data(), &f, &why));
        INFO(why.text);
        CHECK(std::string(why.text).find(b.word) != std::string::npos);
    }
}

TEST_CASE("pixel formats come back as they were written")
{
    std::mt19937 random(any_seed());
    auto below = [&](unsigned n) { return unsigned(random()) % n; };

    for (int round = 0; round < 2000; round++) {
        pixel_format f{}, back;
        reason why{};
        f.bits = uint8_t(8 << below(3));
        f.depth = uint8_t(below(f.bits + 1u));
        f.big_endian = below(2);
        f.true_colour = below(2);
        for (int i = 0; i < 3; i++) {
            unsigned bits = 1 + below(f.bits < 16 ? f.bits : 16);
            f.max[i] = uint16_t((1u << bits) - 1);
            f.shift[i] = uint8_t(below(f.bits - bits + 1));
        }
        REQUIRE(pixel_format_read(written(f).data(), &back, &why));
        CHECK(same(f, back));
    }
}
