/* A few bytes that ask for much memory, and pictures that are drawn again and again: the program as
 * a whole stays within its bounds. test_bombs.cpp looks at each of them closely. */
#include <zlib.h>

#include "attacked.hpp"
#include "tests/catch.hpp"

using namespace e2e;

namespace
{

/* `megabytes` of zeros, as a deflate stream. */
std::string zeros(int megabytes)
{
    std::string out, in(1 << 20, '\0'), part(1 << 16, '\0');
    z_stream z = {};
    deflateInit(&z, Z_BEST_COMPRESSION);
    for (int i = 0; i <= megabytes; i++) {
        z.next_in = reinterpret_cast<Bytef *>(&in[0]);
        z.avail_in = i < megabytes ? static_cast<uInt>(in.size()) : 0;
        do {
            z.next_out = reinterpret_cast<Bytef *>(&part[0]);
            z.avail_out = static_cast<uInt>(part.size());
            deflate(&z, i < megabytes ? Z_NO_FLUSH : Z_SYNC_FLUSH);
            out.append(part, 0, part.size() - z.avail_out);
        } while (z.avail_out == 0);
    }
    deflateEnd(&z);
    return out;
}

std::string with_length(const std::string &bytes)
{
    return u32(static_cast<uint32_t>(bytes.size())) + bytes;
}

/* As Tight says a length: three bytes of 7, 7 and 8 bits. */
std::string with_tight_length(const std::string &bytes)
{
    auto size = static_cast<unsigned>(bytes.size());
    return u8(0x80 | (size & 0x7f)) + u8(0x80 | (size >> 7 & 0x7f)) + u8(size >> 14) + bytes;
}

const unsigned SIDE = 64;

std::string one(int32_t encoding, const std::string &data, unsigned side = SIDE)
{
    return update(1) + rectangle(0, 0, side, side, encoding) + data;
}

void explode(const std::string &bomb, unsigned side = SIDE,
             const char *encodings = "tight,zrle,raw")
{
    int wide = static_cast<int>(side);
    /* what comes behind it is wrong, so that the program ends whatever it thinks of the bomb */
    check_refused(handshake(wide, wide) + Script{await_request(), send_step(bomb + "\x63")},
                  picture_mb(wide, wide), {"--encodings", encodings});
}

} // namespace

TEST_CASE("attack: zlib bombs", "[attack]")
{
    std::string bomb = zeros(1024);
    INFO(bomb.size() << " bytes");
    explode(one(ENCODING_ZRLE, with_length(bomb)));
    explode(one(ENCODING_ZLIB, with_length(bomb)), SIDE, "zlib,raw");
    explode(one(ENCODING_TIGHT, u8(0) + with_tight_length(bomb)));
    /* texts: 1 GB, which is said, or another length */
    for (uint32_t length : {1u << 30, 4u, 0xffffffffu}) {
        std::string text = u32(0x10000001) + bomb;
        explode(cut_text(0u - static_cast<uint32_t>(text.size())) + text);
        std::string head = u32(length), packed(compressBound(4), '\0');
        uLongf size = packed.size();
        compress(reinterpret_cast<Bytef *>(&packed[0]), &size,
                 reinterpret_cast<const Bytef *>(head.data()), 4);
        text = u32(0x10000001) + packed.substr(0, size);
        explode(cut_text(0u - static_cast<uint32_t>(text.size())) + text);
    }
}

TEST_CASE("attack: many large pictures of few bytes", "[attack]")
{
    const unsigned side = 4096;
    std::string solid;
    for (int i = 0; i < 8; i++)
        solid += one(ENCODING_TIGHT, u8(0x80) + "abc", side);
    explode(solid, side);
    std::string sizes; /* the picture grows and shrinks */
    for (unsigned i = 0; i < 40; i++) {
        unsigned w = i % 2 ? side : 1;
        sizes += update(1) + rectangle(0, 0, w, w, PSEUDO_DESKTOP_SIZE);
    }
    FakeServer server(handshake(64, 64) + Script{await_request(), send_step(sizes + "\x63")});
    Attacked a = attack(server.address());
    check_unharmed(a, picture_mb(static_cast<int>(side), static_cast<int>(side)));
    CHECK(a.status == 1);
}
