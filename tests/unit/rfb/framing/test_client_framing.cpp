// Where the messages of a client end.
#include "tests/catch.hpp"

#include <sstream>

#include "rfb/framing/client_framing.h"
#include "tests/unit/framed.hpp"

using namespace framed;

namespace
{

const Bytes key = u8(4) + u8(1) + u16(0) + u32('a');

// What is handed out, one line for all. Parts of one message are added up.
struct Handed {
    std::string events;
    Bytes passed;
};

void take(Handed &h, const client_frame &f, const client_framing &framing, uint64_t &parts)
{
    std::ostringstream s;

    if (f.size > 0)
        h.passed.insert(h.passed.end(), f.bytes, f.bytes + f.size);
    switch (f.event) {
    case CLIENT_FRAME_NONE:
        return;
    case CLIENT_FRAME_MESSAGE:
        s << "message " << int(f.type) << " " << f.size << (f.understood ? "" : "?") << "; ";
        CHECK((!f.understood || f.message.type == client_message_type(f.type)));
        CHECK(client_framing_between(&framing));
        break;
    case CLIENT_FRAME_PART:
        CHECK(f.begins == (parts == 0));
        parts += f.size;
        CHECK(client_framing_between(&framing) == f.ends);
        if (!f.ends)
            return;
        s << "long " << int(f.type) << " " << parts << "; ";
        parts = 0;
        break;
    case CLIENT_FRAME_UNKNOWN:
        s << "unknown";
        break;
    case CLIENT_FRAME_HOSTILE:
        s << "hostile";
        break;
    }
    h.events += s.str();
}

// The same in whatever pieces the bytes come; and nothing is lost or added on the way.
std::string events(const Bytes &bytes, bool extended = false)
{
    client_framing f;
    Handed h;
    uint64_t parts = 0;
    std::string all;
    bool first = true;

    in_pieces(
        bytes,
        [&] {
            client_framing_begin(&f);
            f.extended_buttons = extended;
            h = {};
            parts = 0;
        },
        [&](const uint8_t *piece, size_t size) {
            client_frame found;
            size_t at = 0;
            do {
                size_t n = client_framing_read(&f, piece + at, size - at, &found);
                REQUIRE(n <= size - at);
                at += n;
                if (found.event >= CLIENT_FRAME_UNKNOWN) {
                    CHECK(client_framing_why(&f)[0]);
                    CHECK_FALSE(client_framing_between(&f));
                    if (found.size > 0)
                        take(h, found, f, parts);
                    h.passed.insert(h.passed.end(), piece + at, piece + size);
                    return;
                }
                take(h, found, f, parts);
            } while (found.event != CLIENT_FRAME_NONE);
            REQUIRE(at == size);
        },
        [&] {
            if (!first)
                CHECK(h.events == all);
            all = h.events;
            first = false;
            Bytes expected(bytes);
            if (client_framing_between(&f))
                expected.resize(bytes.size() - f.held_size);
            CHECK(h.passed == expected);
        });
    return all;
}

} // namespace

TEST_CASE("client framing: messages are handed out whole", "[framing]")
{
    const Bytes format = u8(0) + any(3) + u8(32) + u8(24) + u8(0) + u8(1) + u16(255) + u16(255) +
                         u16(255) + u8(16) + u8(8) + u8(0) + any(3);

    CHECK(events(format + key) == "message 0 20; message 4 8; ");
    CHECK(events(u8(2) + u8(0) + u16(3) + u32(7) + u32(0) + u32(uint32_t(-224)) + key) ==
          "message 2 16; message 4 8; ");
    CHECK(events(u8(2) + u8(0) + u16(0) + key) == "message 2 4; message 4 8; ");
    CHECK(events(u8(3) + u8(1) + any(8) + key) == "message 3 10; message 4 8; ");
    CHECK(events(u8(5) + u8(0x80) + any(4) + key) == "message 5 6; message 4 8; ");
    CHECK(events(u8(5) + u8(0x80) + any(4) + u8(1) + key, true) == "message 5 7; message 4 8; ");
    CHECK(events(u8(5) + u8(1) + any(4) + key, true) == "message 5 6; message 4 8; ");
    CHECK(events(u8(150) + u8(1) + any(8) + key) == "message 150 10; message 4 8; ");
    CHECK(events(u8(200) + u8(0) + u8(1) + any(9) + key) == "message 200 12; message 4 8; ");
    CHECK(events(u8(200) + u8(1) + any(2) + u8(255) + any(7) + key) ==
          "message 200 12; message 4 8; ");
    CHECK(events(u8(248) + any(3) + u32(1) + u8(2) + any(2) + key) ==
          "message 248 11; message 4 8; ");
    CHECK(events(u8(251) + u8(0) + u16(80) + u16(60) + u8(1) + u8(0) + any(16) + key) ==
          "message 251 24; message 4 8; ");
    CHECK(events(u8(251) + u8(0) + u16(80) + u16(60) + u8(255) + u8(0) + any(16 * 255)) ==
          "message 251 4088; ");
    CHECK(events(u8(255) + u8(0) + u16(1) + u32('a') + u32(30) + key) ==
          "message 255 12; message 4 8; ");
}

TEST_CASE("client framing: messages of other viewers", "[framing]")
{
    CHECK(events(u8(255) + u8(1) + u16(0) + key) == "message 255 4?; message 4 8; ");
    CHECK(events(u8(255) + u8(1) + u16(1) + key) == "message 255 4?; message 4 8; ");
    CHECK(events(u8(255) + u8(1) + u16(2) + u8(3) + u8(2) + u32(44100) + key) ==
          "message 255 10?; message 4 8; ");
    CHECK(events(u8(250) + u8(0) + u8(1) + u8(2) + key) == "message 250 4?; message 4 8; ");
    CHECK(events(u8(8) + u8(2) + u16(0) + key) == "message 8 4?; message 4 8; ");
    CHECK(events(u8(9) + u8(1) + u16(0) + key) == "message 9 4?; message 4 8; ");
}

TEST_CASE("client framing: long messages are handed out as they come", "[framing]")
{
    CHECK(events(u8(6) + any(3) + u32(5) + text("hello") + key) == "long 6 13; message 4 8; ");
    CHECK(events(u8(6) + any(3) + u32(0) + key) == "long 6 8; message 4 8; ");
    CHECK(events(u8(6) + any(3) + u32(uint32_t(-12)) + any(12) + key) ==
          "long 6 20; message 4 8; ");
    CHECK(events(u8(253) + u8(129) + u16(300) + any(300) + key) == "long 253 304; message 4 8; ");
    CHECK(events(u8(253) + u8(1) + u8(5) + u8(0) + any(5) + key) == "long 253 9; message 4 8; ");
    CHECK(events(u8(11) + any(3) + u32(2) + text("hi") + u8(11) + any(3) + u32(0xfffffffe) + key) ==
          "long 11 10; long 11 8; message 4 8; ");
}

TEST_CASE("client framing: a text of any length is passed on, and none of it kept", "[framing]")
{
    client_framing f;
    client_frame found;
    Bytes head = u8(6) + any(3) + u32(0x80000000), part = any(1 << 20); // 2 GiB, extended
    uint64_t left = 0x80000000;

    client_framing_begin(&f);
    CHECK(client_framing_read(&f, head.data(), head.size(), &found) == head.size());
    CHECK((found.event == CLIENT_FRAME_PART && found.begins && !found.ends));
    for (; left > part.size(); left -= part.size()) {
        REQUIRE(client_framing_read(&f, part.data(), part.size(), &found) == part.size());
        REQUIRE((found.event == CLIENT_FRAME_PART && !found.ends && found.bytes == part.data()));
    }
    CHECK(client_framing_read(&f, part.data(), part.size(), &found) == left);
    CHECK(found.ends);
}

TEST_CASE("client framing: what is read of a message", "[framing]")
{
    client_framing f;
    client_frame found;
    Bytes request = u8(3) + u8(1) + u16(1) + u16(2) + u16(3) + u16(4);
    Bytes list = u8(2) + u8(0) + u16(2) + u32(7) + u32(uint32_t(-224));

    client_framing_begin(&f);
    client_framing_read(&f, request.data(), request.size(), &found);
    REQUIRE((found.event == CLIENT_FRAME_MESSAGE && found.understood));
    CHECK(found.message.incremental);
    CHECK((found.message.rect.x == 1 && found.message.rect.h == 4));
    client_framing_read(&f, list.data(), list.size(), &found);
    REQUIRE((found.event == CLIENT_FRAME_MESSAGE && found.understood));
    CHECK(client_message_encoding(&found.message, 1) == -224);
}

TEST_CASE("client framing: what is not known, and what no client may send", "[framing]")
{
    CHECK(events(key + u8(7) + any(9)) == "message 4 8; unknown");
    CHECK(events(u8(255) + u8(2) + any(9)) == "unknown");
    CHECK(events(u8(255) + u8(1) + u16(3) + any(9)) == "unknown");
    CHECK(events(u8(2) + u8(0) + u16(1025) + any(4100)) == "hostile");
    CHECK(events(u8(2) + u8(0) + u16(1024) + any(4096)) == "message 2 4100; ");
    CHECK(events(u8(248) + any(3) + u32(1) + u8(65) + any(65)) == "hostile");
    CHECK(events(u8(200) + u8(255) + any(10)) == "hostile");                // of blocks, unknown
    CHECK(events(u8(200) + u8(0) + u8(17) + any(136)) == "hostile");        // marks
    CHECK(events(u8(200) + u8(1) + any(2) + u8(10) + any(7)) == "hostile"); // no such quality
    CHECK(events(u8(0) + any(3) + u8(7) + any(15)) == "hostile");
}
