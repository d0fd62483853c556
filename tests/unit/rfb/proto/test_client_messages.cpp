// Messages from client to server. Their forms are checked against bytes written down by hand from
// RFB 3.8 (RFC 6143, section 7.5) and from the community specification.
#include "tests/catch.hpp"

#include <cstring>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "rfb/proto/client_messages.h"
#include "tests/seed.hpp"

namespace
{

using Bytes = std::vector<uint8_t>;

// What a function writes.
template <typename Write> Bytes written(Write write)
{
    uint8_t out[CLIENT_WRITE_MAX];
    size_t size = write(out);
    REQUIRE(size <= sizeof out);
    return Bytes(out, out + size);
}

// All that a message says, as text.
std::string said(const client_message &m)
{
    std::ostringstream s;
    auto place = [&] { s << m.rect.w << "x" << m.rect.h << "+" << m.rect.x << "+" << m.rect.y; };

    switch (m.type) {
    case CLIENT_SET_PIXEL_FORMAT:
        s << "format " << int(m.format.bits) << " " << int(m.format.depth)
          << (m.format.big_endian ? " big" : " little")
          << (m.format.true_colour ? " true" : " map");
        for (int i = 0; i < 3; i++)
            s << " " << m.format.max[i] << "<<" << int(m.format.shift[i]);
        break;
    case CLIENT_SET_ENCODINGS:
        s << "encodings";
        CHECK(m.payload_size == 4 * size_t(m.encodings));
        for (unsigned i = 0; i < m.encodings; i++)
            s << " " << client_message_encoding(&m, i);
        return s.str();
    case CLIENT_UPDATE_REQUEST:
        s << (m.incremental ? "incremental " : "whole ");
        place();
        break;
    case CLIENT_KEY:
        s << (m.down ? "down " : "up ") << m.keysym;
        break;
    case CLIENT_POINTER:
        s << "pointer " << m.x << "," << m.y << " " << m.buttons;
        break;
    case CLIENT_CUT_TEXT:
        s << "text " << m.dropped << " ";
        break;
    case CLIENT_ENABLE_CONTINUOUS_UPDATES:
        s << (m.enable ? "enable " : "disable ");
        place();
        break;
    case CLIENT_FENCE:
        s << "fence " << m.flags << " ";
        break;
    case CLIENT_BLOCKS:           // test_proto_blocks.cpp
    case CLIENT_QEMU:             // test_input_messages.cpp
    case CLIENT_SET_DESKTOP_SIZE: // test_screen_layout.cpp
        break;
    }
    s.write(reinterpret_cast<const char *>(m.payload), std::streamsize(m.payload_size));
    return s.str();
}

struct Reading {
    message_read result;
    size_t count;
    std::string said, why;
};

// Reads from memory that ends with the bytes: ASan sees a look behind them.
Reading read(const uint8_t *bytes, size_t size)
{
    std::unique_ptr<uint8_t[]> copy(new uint8_t[size]);
    client_message m;
    reason why{};
    Reading r{};

    if (size > 0)
        memcpy(copy.get(), bytes, size);
    r.result = client_message_read(copy.get(), size, false, &m, &r.count, &why);
    if (r.result == MESSAGE_WHOLE)
        r.said = said(m);
    r.why = why.text;
    return r;
}

Reading read(const Bytes &bytes)
{
    return read(bytes.data(), bytes.size());
}

void check_said(const Bytes &bytes, const std::string &expected)
{
    Reading r = read(bytes);
    INFO(r.why);
    CHECK(r.result == MESSAGE_WHOLE);
    CHECK(r.count == bytes.size());
    CHECK(r.said == expected);
}

// What is refused is refused by its first `needed` bytes, and not before.
void check_refused(const Bytes &bytes, size_t needed, const std::string &word)
{
    INFO(word);
    for (size_t size = 0; size <= bytes.size(); size++) {
        Reading r = read(bytes.data(), size);
        INFO(size << " bytes: " << r.why);
        CHECK(r.result == (size < needed ? MESSAGE_PARTIAL : MESSAGE_REFUSED));
        CHECK((size < needed || r.why.find(word) != std::string::npos));
    }
}

Bytes joined(Bytes a, const Bytes &b)
{
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

Bytes of_text(const char *text)
{
    return Bytes(text, text + strlen(text));
}

encoding_options tight_and_raw()
{
    encoding_options o{};
    o.list = {{ENCODING_TIGHT, ENCODING_RAW}, 2};
    o.compress = 3;
    o.quality = 6;
    return o;
}

// Each message as we write it, the bytes that it must be, and what they say.
struct Sample {
    Bytes written, bytes;
    std::string said;
};

std::vector<Sample> samples()
{
    encoding_options few = tight_and_raw(), all = few;
    all.jpeg = all.local_cursor = all.push = all.clipboard = all.key_codes = true;
    const uint8_t payload[] = {'a', 'b'};
    const rect r = {1, 2, 0x0304, 0x0506};
    const Bytes always = {0xff, 0xff, 0xff, 0x21,  // DesktopSize, -223
                          0xff, 0xff, 0xfe, 0xcc,  // ExtendedDesktopSize, -308
                          0xff, 0xff, 0xfe, 0xcd,  // DesktopName, -307
                          0xff, 0xff, 0xfe, 0xfb,  // LEDs, -261
                          0xff, 0xff, 0xfe, 0xc4,  // extended mouse buttons, -316
                          0xff, 0xff, 0xfc, 0x18,  // neatvnc's timestamp, -1000
                          0xff, 0xfe, 0x00, 0x03,  // libvncserver's identity
                          0x56, 0x48, 0x4c, 0x41}; // an accelerator of ours

    return {
        {written([](uint8_t *o) { return client_write_set_pixel_format(o, &pixel_format_xrgb); }),
         {0, 0, 0, 0, 32, 24, 0, 1, 0, 255, 0, 255, 0, 255, 16, 8, 0, 0, 0, 0},
         "format 32 24 little true 255<<16 255<<8 255<<0"},
        {written([&](uint8_t *o) { return client_write_set_encodings(o, &few); }),
         joined(
             {2, 0, 0, 12, 0xff, 0xff, 0xff, 0x03, 0, 0, 0, 7, 0xff, 0xff, 0xff, 0x20, 0, 0, 0, 0},
             always),
         "encodings -253 7 -224 0 -223 -308 -307 -261 -316 -1000 -131069 1447578689"},
        {written([&](uint8_t *o) { return client_write_set_encodings(o, &all); }),
         joined({2,    0,    0,    20,   0xff, 0xff, 0xff, 0x03, 0,    0,    0,    7,    0xff,
                 0xff, 0xff, 0x20, 0xff, 0xff, 0xff, 0xe6, 0,    0,    0,    0,    0xff, 0xff,
                 0xfe, 0xc6, 0xff, 0xff, 0xff, 0x11, 0xff, 0xff, 0xff, 0x10, 0xff, 0xff, 0xfe,
                 0xc8, 0xff, 0xff, 0xfe, 0xc7, 0xc0, 0xa1, 0xe5, 0xce, 0xff, 0xff, 0xfe, 0xfe},
                always),
         "encodings -253 7 -224 -26 0 -314 -239 -240 -312 -313 -1063131698 -258 -223 -308 -307 "
         "-261 -316 -1000 -131069 1447578689"},
        {written([=](uint8_t *o) { return client_write_update_request(o, true, r); }),
         {3, 1, 0, 1, 0, 2, 3, 4, 5, 6},
         "incremental 772x1286+1+2"},
        {written([=](uint8_t *o) {
             return client_write_update_request(o, false, {0, 0xffff, 1, 0xffff});
         }),
         {3, 0, 0, 0, 0xff, 0xff, 0, 1, 0xff, 0xff},
         "whole 1x65535+0+65535"},
        {written([](uint8_t *o) { return client_write_key(o, 0xff0d, true); }),
         {4, 1, 0, 0, 0, 0, 0xff, 0x0d},
         "down 65293"},
        {written([](uint8_t *o) { return client_write_key(o, 0x010020ac, false); }),
         {4, 0, 0, 0, 1, 0, 0x20, 0xac},
         "up 16785580"},
        {written([](uint8_t *o) { return client_write_step(o, 1, -2, 1, false); }),
         {5, 1, 0x80, 0, 0x7f, 0xfd},
         "pointer 32768,32765 1"},
        {written([](uint8_t *o) { return client_write_pointer(o, 258, 772, 0x181, false); }),
         {5, 0x81, 1, 2, 3, 4},
         "pointer 258,772 129"},
        {written([](uint8_t *o) { return client_write_pointer(o, 70000, -5, 3, true); }),
         {5, 3, 0xff, 0xff, 0, 0},
         "pointer 65535,0 3"},
        {joined(written([](uint8_t *o) { return client_write_cut_text(o, 5); }), of_text("hello")),
         {6, 0, 0, 0, 0, 0, 0, 5, 'h', 'e', 'l', 'l', 'o'},
         "text 0 hello"},
        {written([](uint8_t *o) { return client_write_cut_text(o, 0); }),
         {6, 0, 0, 0, 0, 0, 0, 0},
         "text 0 "},
        {written([=](uint8_t *o) { return client_write_enable_continuous_updates(o, r); }),
         {150, 1, 0, 1, 0, 2, 3, 4, 5, 6},
         "enable 772x1286+1+2"},
        {written([&](uint8_t *o) { return client_write_fence(o, 0x80000005, payload, 2); }),
         {248, 0, 0, 0, 0x80, 0, 0, 5, 2, 'a', 'b'},
         "fence 2147483653 ab"},
        {written([](uint8_t *o) { return client_write_fence(o, 0, nullptr, 0); }),
         {248, 0, 0, 0, 0, 0, 0, 0, 0},
         "fence 0 "},
    };
}

} // namespace

TEST_CASE("client messages are laid out as RFB says, and read back")
{
    for (const Sample &s : samples()) {
        INFO(s.said);
        CHECK(s.written == s.bytes);
        check_said(s.bytes, s.said);
    }
}

TEST_CASE("client messages of forms that we do not write")
{
    // every other byte than 0 is true, and padding has no meaning
    check_said({3, 0xff, 0, 0, 0, 0, 0, 0, 0, 0}, "incremental 0x0+0+0");
    check_said({4, 0x80, 9, 9, 0, 0, 0, 0x61}, "down 97");
    check_said({150, 2, 0, 0, 0, 0, 0, 1, 0, 1}, "enable 1x1+0+0");
    check_said({150, 0, 0, 1, 0, 2, 0, 3, 0, 4}, "disable 3x4+1+2");
    check_said({6, 1, 2, 3, 0, 0, 0, 1, 0xfc}, "text 0 \xfc");
    check_said({248, 1, 2, 3, 0xff, 0xff, 0xff, 0xff, 1, 0},
               std::string("fence 4294967295 \0", 18));
    check_said({2, 7, 0, 0}, "encodings");
    check_said({2, 0, 0, 2, 0x7f, 0xff, 0xff, 0xff, 0x80, 0, 0, 0},
               "encodings 2147483647 -2147483648");
    // 16 bits with 5, 6 and 5
    check_said({0, 1, 2, 3, 16, 16, 1, 1, 0, 31, 0, 63, 0, 31, 11, 5, 0, 4, 5, 6},
               "format 16 16 big true 31<<11 63<<5 31<<0");
}

TEST_CASE("the beginning of a client message asks for what it needs, and for no more")
{
    for (const Sample &s : samples()) {
        INFO(s.said);
        for (size_t size = 0; size < s.bytes.size(); size++) {
            Reading r = read(s.bytes.data(), size);
            INFO(size << " bytes");
            CHECK(r.result == MESSAGE_PARTIAL);
            CHECK(r.count > 0);
            CHECK(size + r.count <= s.bytes.size());
        }
        // whoever reads as many as are asked for comes to the end
        size_t size = 0;
        for (Reading r = read(s.bytes.data(), 0); r.result == MESSAGE_PARTIAL;
             r = read(s.bytes.data(), size))
            size += r.count;
        CHECK(size == s.bytes.size());
        // what follows is the next message
        Reading followed = read(joined(s.bytes, {99, 0, 0}));
        CHECK(followed.result == MESSAGE_WHOLE);
        CHECK(followed.count == s.bytes.size());
        CHECK(followed.said == s.said);
    }
}

TEST_CASE("client messages of unknown types are refused")
{
    for (unsigned type = 0; type < 256; type++) {
        bool known = type == 0 || (type >= 2 && type <= 6) || type == 150 || type == 200 ||
                     type == 248 || type == 251 || type == 255;
        Reading r = read({uint8_t(type)});
        INFO("type " << type);
        CHECK(r.result == (known ? MESSAGE_PARTIAL : MESSAGE_REFUSED));
        CHECK((known || r.why.find("type " + std::to_string(type)) != std::string::npos));
    }
}

TEST_CASE("client messages that nobody can mean are refused as soon as that is seen")
{
    auto encodings = [](unsigned count) {
        return Bytes{2, 0, uint8_t(count >> 8), uint8_t(count & 255)};
    };
    Reading most = read(encodings(CLIENT_ENCODINGS_MAX));
    CHECK(most.result == MESSAGE_PARTIAL);
    CHECK(most.count == 4 * CLIENT_ENCODINGS_MAX);
    check_refused(encodings(CLIENT_ENCODINGS_MAX + 1), 4, "1025 encodings");
    check_refused(encodings(65535), 4, "65535 encodings");
    check_refused({0, 0, 0, 0, 24, 24, 0, 1, 0, 255, 0, 255, 0, 255, 16, 8, 0, 0, 0, 0}, 20,
                  "24 bits");
    for (unsigned size : {65u, 66u, 128u, 255u})
        check_refused({248, 0, 0, 0, 0, 0, 0, 0, uint8_t(size), 1, 2, 3}, 9,
                      "fence of " + std::to_string(size));
    check_said(joined({248, 0, 0, 0, 0, 0, 0, 0, 64}, Bytes(64, 'f')),
               "fence 0 " + std::string(64, 'f'));
}

TEST_CASE("a text that is too long is no part of its message")
{
    auto head = [](uint32_t size) {
        Bytes bytes = {6, 0, 0, 0};
        for (int shift = 24; shift >= 0; shift -= 8)
            bytes.push_back(uint8_t(size >> shift));
        return bytes;
    };
    Reading most = read(head(1 << 20));
    CHECK(most.result == MESSAGE_PARTIAL);
    CHECK(most.count == 1 << 20);
    check_said(joined(head(1 << 20), Bytes(1 << 20, 't')), "text 0 " + std::string(1 << 20, 't'));
    for (uint32_t size : {(1u << 20) + 1, 0x7fffffffu, 0x80000000u, 0xffffffffu}) {
        std::string dropped = "text " + std::to_string(size) + " ";
        check_said(head(size), dropped);
        Reading some = read(joined(head(size), of_text("some of it")));
        CHECK(some.count == 8);
        CHECK(some.said == dropped);
    }
}

TEST_CASE("client messages come back as they were written")
{
    std::mt19937 random(any_seed());
    auto below = [&](unsigned n) { return unsigned(random()) % n; };
    auto same = [](const Bytes &bytes, const client_message &expected) {
        check_said(bytes, said(expected));
    };

    for (int round = 0; round < 2000; round++) {
        client_message m{};
        bool flag = below(2);
        rect r = {int(below(65536)), int(below(65536)), int(below(65536)), int(below(65536))};
        Bytes payload(below(FENCE_MAX + 1));
        for (uint8_t &b : payload)
            b = uint8_t(random());

        m.type = CLIENT_UPDATE_REQUEST;
        m.incremental = flag;
        m.rect = r;
        same(written([=](uint8_t *o) { return client_write_update_request(o, flag, r); }), m);

        m.type = CLIENT_ENABLE_CONTINUOUS_UPDATES;
        m.enable = true;
        same(written([=](uint8_t *o) { return client_write_enable_continuous_updates(o, r); }), m);

        m.type = CLIENT_KEY;
        m.keysym = uint32_t(random());
        m.down = flag;
        same(written([=](uint8_t *o) { return client_write_key(o, m.keysym, flag); }), m);

        m.type = CLIENT_POINTER;
        m.x = r.x;
        m.y = r.y;
        m.buttons = below(256);
        same(written(
                 [=](uint8_t *o) { return client_write_pointer(o, m.x, m.y, m.buttons, false); }),
             m);

        m.type = CLIENT_FENCE;
        m.flags = uint32_t(random());
        m.payload = payload.data();
        m.payload_size = payload.size();
        same(written([=](uint8_t *o) {
                 return client_write_fence(o, m.flags, m.payload, m.payload_size);
             }),
             m);
    }
}

TEST_CASE("SetEncodings carries what was chosen")
{
    encoding_options jpeg = tight_and_raw(), cursor = jpeg, push = jpeg, bare = jpeg;
    auto numbers = [](const encoding_options &o) {
        return read(written([&](uint8_t *out) { return client_write_set_encodings(out, &o); }))
            .said;
    };

    jpeg.jpeg = true;
    jpeg.quality = 0;
    CHECK(numbers(jpeg) ==
          "encodings -253 7 -224 -32 0 -223 -308 -307 -261 -316 -1000 -131069 1447578689");
    cursor.local_cursor = true;
    cursor.compress = 9;
    CHECK(
        numbers(cursor) ==
        "encodings -247 7 -224 0 -314 -239 -240 -223 -308 -307 -261 -316 -1000 -131069 1447578689");
    bare.no_screens = true;
    CHECK(numbers(bare) == "encodings -253 7 -224 0 -223 -307 -261 -316 -1000 -131069 1447578689");
    encoding_options steps = bare;
    steps.steps = true;
    CHECK(numbers(steps).find(" -257 ") != std::string::npos);
    encoding_options sound = bare;
    sound.sound = true;
    CHECK(numbers(sound).find(" -259 ") != std::string::npos);
    push.push = true;
    CHECK(numbers(push) ==
          "encodings -253 7 -224 0 -312 -313 -223 -308 -307 -261 -316 -1000 -131069 1447578689");
}

TEST_CASE("the longest messages that we write fit")
{
    encoding_options o{};
    uint8_t payload[FENCE_MAX] = {};

    o.list.count = ENCODINGS_MAX;
    o.jpeg = o.local_cursor = o.push = o.clipboard = o.key_codes = o.steps = o.sound = true;
    o.blocks = o.pushing = o.film = true;
    CHECK(written([&](uint8_t *out) { return client_write_set_encodings(out, &o); }).size() ==
          CLIENT_WRITE_MAX - 12);
    CHECK(written([&](uint8_t *out) {
              return client_write_fence(out, 0, payload, sizeof payload);
          }).size() == FENCE_HEAD + FENCE_MAX);
}
