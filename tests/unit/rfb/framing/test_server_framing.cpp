// Where the messages of a server end. Their forms are written down by hand from RFB 3.8 (RFC 6143)
// and from the community specification.
#include "tests/catch.hpp"

#include <algorithm>
#include <sstream>

#include "rfb/framing/server_framing.h"
#include "rfb/proto/encodings/encodings.h"
#include "tests/unit/framed.hpp"

using namespace framed;

namespace
{

const pixel_format rgb332 = {8, 8, false, true, {7, 7, 3}, {0, 3, 6}};
const pixel_format rgb565 = {16, 16, false, true, {31, 63, 31}, {11, 5, 0}};
// all 32 bits count: a pixel is never three bytes
const pixel_format rgb30 = {32, 30, false, true, {1023, 1023, 1023}, {20, 10, 0}};

std::string said(const server_frame &f)
{
    std::ostringstream s;

    switch (f.event) {
    case SERVER_FRAME_NONE:
        return "none";
    case SERVER_FRAME_UPDATE_BEGINS:
        s << "begins " << f.announced;
        break;
    case SERVER_FRAME_UPDATE_ENDS:
        s << "ends " << f.rectangles << "/" << f.pictures << (f.last_rect ? " last" : "")
          << (f.resized ? " resized" : "");
        break;
    case SERVER_FRAME_MESSAGE:
        s << "message " << int(f.type);
        if (f.type == SERVER_CUT_TEXT)
            s << (f.extended ? " extended " : " ") << f.length;
        if (f.type == SERVER_FENCE)
            s << " " << f.flags << " " << std::string(f.payload, f.payload + f.payload_size);
        break;
    case SERVER_FRAME_UNKNOWN:
        return "unknown";
    case SERVER_FRAME_HOSTILE:
        return "hostile";
    }
    return s.str();
}

// All events of these bytes and where they end: the same in whatever pieces the bytes come.
std::string events(const Bytes &bytes, const pixel_format &format = pixel_format_xrgb,
                   server_framing *after = nullptr)
{
    std::string all;
    server_framing f;
    std::ostringstream s;
    size_t taken = 0;
    bool first = true;

    in_pieces(
        bytes,
        [&] {
            server_framing_begin(&f, &format, 64, 48);
            s.str("");
            taken = 0;
        },
        [&](const uint8_t *piece, size_t size) {
            server_frame found;
            for (size_t at = 0;;) {
                size_t n = server_framing_read(&f, piece + at, size - at, &found);
                REQUIRE(n <= size - at);
                at += n;
                taken += n;
                if (found.event == SERVER_FRAME_NONE) {
                    REQUIRE(at == size);
                    break;
                }
                if (found.event < SERVER_FRAME_UNKNOWN || s.str().find(said(found)) == s.str().npos)
                    s << said(found) << " @" << taken << "; ";
                if (found.event >= SERVER_FRAME_UNKNOWN) {
                    CHECK(server_framing_why(&f)[0]);
                    CHECK_FALSE(server_framing_between(&f));
                    break;
                }
                CHECK(server_framing_between(&f) == (found.event != SERVER_FRAME_UPDATE_BEGINS));
            }
        },
        [&] {
            if (!first)
                CHECK(s.str() == all);
            all = s.str();
            first = false;
        });
    if (after)
        *after = f;
    return all;
}

const Bytes bell = u8(SERVER_BELL);

Bytes update(unsigned rectangles)
{
    return u8(SERVER_UPDATE) + u8(0) + u16(rectangles);
}

Bytes rectangle(unsigned w, unsigned h, int32_t encoding, const Bytes &payload = {})
{
    return u16(1) + u16(2) + u16(w) + u16(h) + u32(uint32_t(encoding)) + payload;
}

// An update of one rectangle, and a bell behind it, are found to end where they do.
void ends(unsigned w, unsigned h, int32_t encoding, const Bytes &payload,
          const pixel_format &format = pixel_format_xrgb, bool picture = true)
{
    Bytes bytes = update(1) + rectangle(w, h, encoding, payload);
    std::ostringstream expected;

    expected << "begins 1 @4; ends 1/" << picture << " @" << bytes.size() << "; message 2 @"
             << bytes.size() + 1 << "; ";
    INFO("encoding " << encoding << ", " << w << " x " << h << ", " << int(format.bits) << " bits, "
                     << payload.size() << " bytes");
    CHECK(events(bytes + bell, format) == expected.str());
}

void ends_pseudo(unsigned w, unsigned h, int32_t encoding, const Bytes &payload)
{
    ends(w, h, encoding, payload, pixel_format_xrgb, false);
}

} // namespace

TEST_CASE("server framing: messages without pictures", "[framing]")
{
    CHECK(events(bell + bell) == "message 2 @1; message 2 @2; ");
    CHECK(events(u8(3) + any(3) + u32(5) + text("hello") + bell) ==
          "message 3 5 @13; message 2 @14; ");
    CHECK(events(u8(3) + any(3) + u32(0) + bell) == "message 3 0 @8; message 2 @9; ");
    CHECK(events(u8(3) + any(3) + u32(uint32_t(-6)) + any(6) + bell) ==
          "message 3 extended 6 @14; message 2 @15; ");
    CHECK(events(u8(1) + any(1) + u16(3) + u16(2) + any(12) + bell) ==
          "message 1 @18; message 2 @19; ");
    CHECK(events(u8(150) + bell) == "message 150 @1; message 2 @2; ");
    CHECK(events(u8(248) + any(3) + u32(5) + u8(3) + text("abc") + bell) ==
          "message 248 5 abc @12; message 2 @13; ");
    CHECK(events(u8(248) + any(3) + u32(1) + u8(0) + bell) == "message 248 1  @9; message 2 @10; ");
    CHECK(events(u8(250) + u8(0) + u8(1) + u8(1) + bell) == "message 250 @4; message 2 @5; ");
    // gii: the length in either order of bytes
    CHECK(events(u8(253) + u8(129) + u16(4) + any(4) + bell) == "message 253 @8; message 2 @9; ");
    CHECK(events(u8(253) + u8(1) + u8(4) + u8(0) + any(4) + bell) ==
          "message 253 @8; message 2 @9; ");
    // QEMU's audio: begins, data, ends
    CHECK(events(u8(255) + u8(1) + u16(1) + u8(255) + u8(1) + u16(2) + u32(6) + any(6) + u8(255) +
                 u8(1) + u16(0)) == "message 255 @4; message 255 @18; message 255 @22; ");
    // a chat begins, and is spoken in
    CHECK(events(u8(11) + any(3) + u32(0xffffffff) + u8(11) + any(3) + u32(2) + text("hi")) ==
          "message 11 @8; message 11 @18; ");
}

TEST_CASE("server framing: a text of any length is passed over", "[framing]")
{
    server_framing f;
    server_frame found;
    Bytes head = u8(3) + any(3) + u32(0x7fffffff), part = any(1 << 20);
    uint64_t left = 0x7fffffff;

    server_framing_begin(&f, &pixel_format_xrgb, 64, 48);
    CHECK(server_framing_read(&f, head.data(), head.size(), &found) == head.size());
    for (; left > part.size(); left -= part.size()) {
        REQUIRE(server_framing_read(&f, part.data(), part.size(), &found) == part.size());
        REQUIRE(found.event == SERVER_FRAME_NONE);
    }
    CHECK(server_framing_read(&f, part.data(), part.size(), &found) == left);
    CHECK(said(found) == "message 3 2147483647");
}

TEST_CASE("server framing: updates", "[framing]")
{
    Bytes raw = rectangle(2, 2, 0, any(16));

    CHECK(events(update(0) + bell) == "begins 0 @4; ends 0/0 @4; message 2 @5; ");
    CHECK(events(update(2) + raw + rectangle(5, 5, 1, any(4)) + bell) ==
          "begins 2 @4; ends 2/2 @48; message 2 @49; ");
    CHECK(events(update(65535) + raw + rectangle(0, 0, PSEUDO_LAST_RECT) + bell) ==
          "begins 65535 @4; ends 1/1 last @44; message 2 @45; ");
    // a picture of no pixels
    CHECK(events(update(1) + rectangle(0, 5, 0) + bell) ==
          "begins 1 @4; ends 1/1 @16; message 2 @17; ");
}

TEST_CASE("server framing: raw pixels, and parts with one colour", "[framing]")
{
    for (const pixel_format &f : {rgb332, rgb565, pixel_format_xrgb}) {
        unsigned pixel = f.bits / 8;
        ends(5, 3, ENCODING_RAW, any(15 * pixel), f);
        ends(5, 3, ENCODING_RRE, u32(0) + any(pixel), f);
        ends(5, 3, ENCODING_RRE, u32(3) + any(pixel + 3 * (pixel + 8)), f);
        ends(5, 3, ENCODING_CORRE, u32(3) + any(pixel + 3 * (pixel + 4)), f);
    }
}

TEST_CASE("server framing: encodings with a length", "[framing]")
{
    for (int32_t encoding : {6, 9, 10, 16, 17}) {
        ends(5, 3, encoding, u32(9) + any(9));
        ends(5, 3, encoding, u32(0));
    }
    ends(5, 3, ENCODING_H264, u32(9) + u32(1) + any(9));
}

TEST_CASE("server framing: Tight", "[framing]")
{
    const Bytes length_1 = u8(100), length_2 = u8(0x80 | 10000 % 128) + u8(10000 / 128),
                length_3 =
                    u8(0x80 | 20000 % 128) + u8(0x80 | (20000 / 128 % 128)) + u8(20000 / 16384);

    // one colour; JPEG with lengths of one, two and three bytes
    ends(20, 10, 7, u8(0x8f) + any(3));
    ends(20, 10, 7, u8(0x8f) + any(4), rgb30);
    ends(20, 10, 7, u8(0x80) + any(2), rgb565);
    ends(20, 10, 7, u8(0x90) + length_1 + any(100));
    ends(20, 10, 7, u8(0x90) + length_2 + any(10000));
    ends(20, 10, 7, u8(0x90) + length_3 + any(20000));
    // pixels, compressed or too few for that
    ends(20, 10, 7, u8(0x30) + length_1 + any(100));
    ends(3, 1, 7, u8(0x00) + any(9));
    ends(4, 1, 7, u8(0x00) + length_1 + any(100));
    ends(2, 1, 7, u8(0x00) + any(8), rgb30);
    ends(11, 1, 7, u8(0x00) + any(11), rgb332);
    // the filters: copy, palette, gradient
    ends(3, 1, 7, u8(0x40) + u8(0) + any(9));
    ends(3, 1, 7, u8(0x40) + u8(2) + any(9));
    ends(20, 10, 7, u8(0x70) + u8(2) + length_1 + any(100));
    ends(20, 10, 7, u8(0x50) + u8(1) + u8(1) + any(6) + length_1 + any(100)); // 3 x 10 bytes
    ends(9, 5, 7, u8(0x50) + u8(1) + u8(1) + any(6) + any(10));               // 2 x 5 bytes
    ends(9, 6, 7, u8(0x50) + u8(1) + u8(1) + any(6) + u8(1) + any(1));        // 2 x 6 bytes
    ends(11, 1, 7, u8(0x50) + u8(1) + u8(2) + any(9) + any(11));
    ends(12, 1, 7, u8(0x50) + u8(1) + u8(255) + any(768) + length_1 + any(100));
    ends(20, 10, 7, u8(0x50) + u8(1) + u8(3) + any(8) + length_1 + any(100), rgb565);
    // without zlib there is a length all the same
    ends(20, 10, 7, u8(0xa0) + length_1 + any(100));
    ends(20, 10, 7, u8(0xe0) + u8(1) + u8(1) + any(6) + length_1 + any(100));
    ends(3, 1, 7, u8(0xa0) + any(9));
    // PNG, where the client has asked for it
    ends(20, 10, FOREIGN_TIGHT_PNG, u8(0xa0) + length_1 + any(100));
    ends(3, 1, FOREIGN_TIGHT_PNG, u8(0xa0) + length_1 + any(100));
    ends(3, 1, FOREIGN_TIGHT_PNG, u8(0x00) + any(9));
}

TEST_CASE("server framing: Hextile, tile by tile", "[framing]")
{
    for (const pixel_format &f : {rgb332, rgb565, pixel_format_xrgb}) {
        unsigned pixel = f.bits / 8;
        Bytes raw = u8(1) + any(256 * pixel), solid = u8(2) + any(pixel), again = u8(0),
              parts = u8(2 + 4 + 8) + any(2 * pixel) + u8(3) + any(6),
              coloured = u8(8 + 16) + u8(2) + any(2 * (pixel + 2)), none = u8(8) + u8(0);

        ends(16, 16, 5, raw, f);
        ends(48, 32, 5, solid + again + parts + coloured + none + raw, f);
        // narrow tiles on the right, low ones below
        ends(17, 18, 5,
             solid + u8(1) + any(16 * pixel) + u8(1) + any(32 * pixel) + u8(1) + any(2 * pixel), f);
        // the raw bit makes the others mean nothing
        ends(16, 16, 5, u8(31) + any(256 * pixel), f);
    }
    ends(0, 16, 5, {});
    ends(16, 0, 5, {});
    // ZlibHex has a length where a tile is compressed
    ends(48, 16, 8,
         u8(32) + u16(300) + any(300) + u8(64 + 2 + 8) + u16(5) + any(5) + u8(2) + any(4));
}

TEST_CASE("server framing: TRLE, tile by tile", "[framing]")
{
    for (const pixel_format &f : {rgb332, rgb565, rgb30, pixel_format_xrgb}) {
        unsigned pixel = f.bits == 32 && f.depth == 24 ? 3 : f.bits / 8;
        Bytes runs = u8(128);
        for (int i = 0; i < 16; i++) // of 15 pixels and one
            runs = runs + any(pixel) + u8(14) + any(pixel) + u8(0);

        ends(16, 16, 15, u8(0) + any(256 * pixel), f);
        ends(16, 16, 15, u8(1) + any(pixel), f);
        ends(16, 16, 15, u8(2) + any(2 * pixel) + any(32), f);
        ends(16, 16, 15, u8(3) + any(3 * pixel) + any(64), f);
        ends(16, 16, 15, u8(16) + any(16 * pixel) + any(128), f);
        ends(9, 3, 15, u8(2) + any(2 * pixel) + any(6), f);
        ends(9, 3, 15, u8(5) + any(5 * pixel) + any(15), f);
        ends(16, 16, 15, runs, f);
        ends(16, 16, 15, u8(128) + any(pixel) + u8(255) + u8(0), f); // one run of 256
        ends(16, 2, 15, u8(128) + any(pixel) + u8(31), f);
        // runs with a palette: some of one pixel
        ends(16, 2, 15, u8(130) + any(2 * pixel) + u8(0) + u8(129) + u8(29) + u8(1), f);
        ends(16, 16, 15, u8(255) + any(127 * pixel) + u8(128) + u8(255) + u8(0), f);
        // a palette used again, packed and in runs
        ends(48, 1, 15,
             u8(2) + any(2 * pixel) + any(2) + u8(127) + any(2) + u8(129) + u8(128) + u8(15), f);
        ends(32, 1, 15, u8(134) + any(6 * pixel) + u8(128) + u8(15) + u8(127) + any(8), f);
        ends(32, 1, 15, u8(1) + any(pixel) + u8(127), f); // of one colour
    }
    ends(0, 0, 15, {});
}

TEST_CASE("server framing: TRLE, where a pixel has three bytes", "[framing]")
{
    pixel_format f = pixel_format_xrgb;

    f.shift[0] = 24; // in the upper three of its four
    f.shift[1] = 16;
    f.shift[2] = 8;
    ends(16, 16, 15, u8(1) + any(3), f);
    f.shift[2] = 0; // in none of both
    ends(16, 16, 15, u8(1) + any(4), f);
    f.true_colour = false;
    ends(16, 16, 15, u8(1) + any(4), f);
}

TEST_CASE("server framing: pseudo-encodings", "[framing]")
{
    ends_pseudo(9, 3, PSEUDO_RICH_CURSOR, any(27 * 4 + 6));
    ends(9, 3, PSEUDO_RICH_CURSOR, any(27 * 2 + 6), rgb565, false);
    ends_pseudo(0, 0, PSEUDO_RICH_CURSOR, {});
    ends_pseudo(9, 3, PSEUDO_X_CURSOR, any(6 + 12));
    ends_pseudo(0, 0, PSEUDO_X_CURSOR, {});
    ends_pseudo(9, 3, PSEUDO_ALPHA_CURSOR, u32(0) + any(27 * 4));
    ends_pseudo(9, 3, FOREIGN_VMWARE_CURSOR, u8(0) + u8(0) + any(2 * 27 * 4));
    ends(9, 3, FOREIGN_VMWARE_CURSOR, u8(0) + u8(0) + any(2 * 27), rgb332, false);
    ends_pseudo(9, 3, FOREIGN_VMWARE_CURSOR, u8(1) + u8(0) + any(27 * 4));
    ends_pseudo(0, 0, FOREIGN_VMWARE_CURSOR_STATE, any(2));
    ends_pseudo(0, 0, FOREIGN_VMWARE_CURSOR_POSITION, {});
    ends_pseudo(0, 0, FOREIGN_VMWARE_KEY_REPEAT, any(10));
    ends_pseudo(0, 0, FOREIGN_VMWARE_LEDS, any(4));
    ends_pseudo(0, 0, FOREIGN_POINTER_POSITION, {});
    ends_pseudo(0, 0, PSEUDO_POINTER_STEPS, {});
    ends_pseudo(0, 0, PSEUDO_QEMU_AUDIO, {});
    ends_pseudo(0, 0, PSEUDO_LEDS, any(1));
    ends_pseudo(0, 0, PSEUDO_DESKTOP_NAME, u32(4) + text("desk"));
    ends_pseudo(0, 0, PSEUDO_TIMESTAMP, any(8));
    ends_pseudo(5, 0, PSEUDO_SERVER_IDENTITY, any(5));
    ends_pseudo(7, 0, PSEUDO_ACCELERATOR, any(7));
    ends_pseudo(64, 0, FOREIGN_SUPPORTED_MESSAGES, any(64));
    ends_pseudo(8, 2, FOREIGN_SUPPORTED_ENCODINGS, any(8));
    ends_pseudo(0, 0, FOREIGN_KEYBOARD_LEDS, {});
}

TEST_CASE("server framing: what a client may do from now on", "[framing]")
{
    server_framing f;

    events(update(1) + rectangle(0, 0, PSEUDO_KEY_CODES), pixel_format_xrgb, &f);
    CHECK(f.key_codes);
    CHECK_FALSE(f.extended_buttons);
    events(update(1) + rectangle(0, 0, PSEUDO_EXTENDED_BUTTONS), pixel_format_xrgb, &f);
    CHECK(f.extended_buttons);
    CHECK_FALSE(f.key_codes);
}

TEST_CASE("server framing: the size of the screen", "[framing]")
{
    server_framing f;
    auto screens = [](unsigned x, unsigned y, unsigned w, unsigned h) {
        return u16(x) + u16(y) + u16(w) + u16(h) + u32(uint32_t(-308)) + u8(2) + any(3) + any(32);
    };

    CHECK(events(update(1) + rectangle(80, 60, PSEUDO_DESKTOP_SIZE), pixel_format_xrgb, &f) ==
          "begins 1 @4; ends 1/0 resized @16; ");
    CHECK((f.width == 80 && f.height == 60));
    CHECK(events(update(1) + rectangle(64, 48, PSEUDO_DESKTOP_SIZE)) ==
          "begins 1 @4; ends 1/0 @16; ");
    CHECK(events(update(1) + screens(0, 0, 80, 60) + bell, pixel_format_xrgb, &f) ==
          "begins 1 @4; ends 1/0 resized @52; message 2 @53; ");
    CHECK((f.width == 80 && f.height == 60));
    // what the client asked for, and did not get
    CHECK(events(update(1) + screens(1, 3, 80, 60), pixel_format_xrgb, &f) ==
          "begins 1 @4; ends 1/0 @52; ");
    CHECK((f.width == 64 && f.height == 48));
    CHECK(events(update(1) + screens(1, 0, 80, 60)) == "begins 1 @4; ends 1/0 resized @52; ");
}

TEST_CASE("server framing: another pixel format", "[framing]")
{
    server_framing f;
    server_frame found;
    Bytes one = update(1) + rectangle(5, 3, 0, any(60)),
          two = update(1) + rectangle(5, 3, 0, any(30));

    server_framing_begin(&f, &pixel_format_xrgb, 64, 48);
    CHECK(server_framing_read(&f, one.data(), one.size(), &found) == 4);
    CHECK(server_framing_read(&f, one.data() + 4, one.size() - 4, &found) == one.size() - 4);
    CHECK(found.event == SERVER_FRAME_UPDATE_ENDS);
    REQUIRE(server_framing_between(&f));
    server_framing_set_format(&f, &rgb565);
    CHECK(server_framing_read(&f, two.data(), two.size(), &found) == 4);
    CHECK(server_framing_read(&f, two.data() + 4, two.size() - 4, &found) == two.size() - 4);
    CHECK(found.event == SERVER_FRAME_UPDATE_ENDS);
}

TEST_CASE("server framing: what is not known ends the boundaries", "[framing]")
{
    CHECK(events(bell + u8(4) + any(5)) == "message 2 @1; unknown @2; ");
    CHECK(events(u8(255) + u8(0) + u16(1) + bell) == "unknown @4; ");
    CHECK(events(u8(255) + u8(1) + u16(3) + bell) == "unknown @4; ");
    CHECK(events(update(2) + rectangle(5, 3, 21, any(40))) == "begins 2 @4; unknown @16; ");
    CHECK(events(update(1) + rectangle(5, 3, 0x574d5669, any(40))) == "begins 1 @4; unknown @16; ");
    CHECK(events(update(1) + rectangle(5, 3, PSEUDO_ALPHA_CURSOR, u32(16) + any(9))) ==
          "begins 1 @4; unknown @20; ");
    CHECK(events(update(1) + rectangle(5, 3, FOREIGN_VMWARE_CURSOR, u8(2) + any(9))) ==
          "begins 1 @4; unknown @18; ");
    for (unsigned control : {0xb0, 0xc0, 0xd0, 0xf0})
        CHECK(events(update(1) + rectangle(5, 3, 7, u8(control) + any(9))) ==
              "begins 1 @4; unknown @17; ");
    CHECK(events(update(1) + rectangle(5, 3, FOREIGN_TIGHT_PNG, u8(0xe0) + any(9))) ==
          "begins 1 @4; unknown @17; ");
    CHECK(events(update(1) + rectangle(5, 3, 7, u8(0x40) + u8(3) + any(9))) ==
          "begins 1 @4; unknown @18; ");
    CHECK(events(update(1) + rectangle(5, 3, PSEUDO_QUALITY_0)) == "begins 1 @4; unknown @16; ");
}

TEST_CASE("server framing: what no server may send", "[framing]")
{
    CHECK(events(u8(248) + any(3) + u32(0) + u8(65) + any(65)) == "hostile @9; ");
    // TRLE: a palette that is not there, one too large to be packed, a run out of its tile
    CHECK(events(update(1) + rectangle(16, 16, 15, u8(127) + any(9))) ==
          "begins 1 @4; hostile @17; ");
    CHECK(events(update(1) + rectangle(16, 16, 15, u8(129) + any(9))) ==
          "begins 1 @4; hostile @17; ");
    CHECK(events(update(1) + rectangle(16, 16, 15, u8(17) + any(9))) ==
          "begins 1 @4; hostile @17; ");
    CHECK(events(update(1) + rectangle(4, 1, 15, u8(128) + any(3) + u8(4))) ==
          "begins 1 @4; hostile @21; ");
    // the palette of one rectangle is not that of the next
    CHECK(events(update(2) + rectangle(4, 1, 15, u8(2) + any(6) + any(1)) +
                 rectangle(4, 1, 15, u8(127) + any(9))) == "begins 2 @4; hostile @37; ");
}

TEST_CASE("server framing: encodings that are known", "[framing]")
{
    for (int32_t e : {0,    1,    2,    4,    5,    6,    7,    8,    15,   16,   17,   50,
                      -23,  -32,  -223, -224, -239, -247, -256, -258, -260, -307, -308, -309,
                      -312, -313, -314, -316, -317, -412, -512, -763, -768, -1000})
        CHECK(server_framing_knows(e));
    CHECK(server_framing_knows(int32_t(0xc0a1e5ce)));
    CHECK(server_framing_knows(0x574d5664));
    CHECK(server_framing_knows(int32_t(0xfffe0003)));
    for (int32_t e : {3, 20, 21, 22, -22, -33, -246, -257 - 15, -413 + 2, 0x574d5669})
        CHECK_FALSE(server_framing_knows(e));
}
