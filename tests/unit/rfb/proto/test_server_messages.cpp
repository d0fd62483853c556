// The heads of messages from server to client. Their forms are checked against bytes written down
// by hand from RFB 3.8 (RFC 6143, sections 7.6 to 7.8) and from the community specification.
#include "tests/catch.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "rfb/proto/encodings/encodings.h"
#include "rfb/proto/server_messages.h"
#include "tests/seed.hpp"

namespace
{

using Bytes = std::vector<uint8_t>;

// What a function writes, into memory that has just this size: ASan sees more.
template <typename Write> Bytes written(size_t size, Write write)
{
    std::unique_ptr<uint8_t[]> out(new uint8_t[size]);
    REQUIRE(write(out.get()) == size);
    return Bytes(out.get(), out.get() + size);
}

Bytes update(unsigned rectangles)
{
    return written(SERVER_UPDATE_HEAD,
                   [=](uint8_t *o) { return server_write_update(o, rectangles); });
}

Bytes rectangle(rect r, int32_t encoding)
{
    return written(RECTANGLE_HEAD,
                   [=](uint8_t *o) { return server_write_rectangle(o, r, encoding); });
}

Bytes screens(unsigned count)
{
    return written(SCREENS_HEAD, [=](uint8_t *o) { return server_write_screens(o, count); });
}

Bytes desktop_name(uint32_t length)
{
    return written(DESKTOP_NAME_HEAD,
                   [=](uint8_t *o) { return server_write_desktop_name(o, length); });
}

Bytes colour_map(unsigned first, unsigned colours)
{
    return written(SERVER_COLOUR_MAP_HEAD,
                   [=](uint8_t *o) { return server_write_colour_map(o, first, colours); });
}

Bytes cut_text(uint32_t length)
{
    return written(SERVER_CUT_TEXT_HEAD,
                   [=](uint8_t *o) { return server_write_cut_text(o, length); });
}

Bytes fence(uint32_t flags, size_t size)
{
    return written(FENCE_HEAD, [=](uint8_t *o) { return server_write_fence(o, flags, size); });
}

// A rectangle's head as it is read.
struct Rectangle {
    rect r;
    int32_t encoding;

    explicit Rectangle(const Bytes &head) : encoding(server_read_rectangle(head.data(), &r)) {}
    bool is(rect other, int32_t number) const
    {
        return r.x == other.x && r.y == other.y && r.w == other.w && r.h == other.h &&
               encoding == number;
    }
};

} // namespace

TEST_CASE("server messages are laid out as RFB says")
{
    CHECK(update(0x0102) == Bytes{0, 0, 1, 2});
    CHECK(rectangle({1, 2, 0x0304, 0x0506}, 16) == Bytes{0, 1, 0, 2, 3, 4, 5, 6, 0, 0, 0, 16});
    CHECK(rectangle({0, 0, 65535, 65535}, -308) ==
          Bytes{0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe, 0xcc});
    CHECK(screens(3) == Bytes{3, 0, 0, 0});
    CHECK(desktop_name(0x01020304) == Bytes{1, 2, 3, 4});
    CHECK(colour_map(0x0102, 0x0304) == Bytes{1, 0, 1, 2, 3, 4});
    CHECK(cut_text(0x01020304) == Bytes{3, 0, 0, 0, 1, 2, 3, 4});
    CHECK(fence(0x80000005, 7) == Bytes{248, 0, 0, 0, 0x80, 0, 0, 5, 7});
    CHECK(written(LEDS_BYTES,
                  [](uint8_t *o) { return server_write_leds(o, LED_CAPS | LED_NUM); }) == Bytes{6});
    CHECK(written(ALPHA_CURSOR_HEAD, [](uint8_t *o) { return server_write_alpha_cursor(o, 16); }) ==
          Bytes{0, 0, 0, 16});
    CHECK(SERVER_BELL == 2);
    CHECK(SERVER_END_OF_CONTINUOUS_UPDATES == 150);
}

TEST_CASE("server messages are read as RFB says, whatever the padding")
{
    CHECK(server_read_update(Bytes{0, 9, 0xff, 0xfe}.data()) == 65534);
    CHECK(Rectangle({0, 1, 0, 2, 3, 4, 5, 6, 0, 0, 0, 16}).is({1, 2, 0x0304, 0x0506}, 16));
    CHECK(Rectangle({0xff, 0xff, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0x21})
              .is({65535, 0, 0, 65535}, -223));
    CHECK(server_read_screens(Bytes{255, 1, 2, 3}.data()) == 255);
    CHECK(server_read_desktop_name(Bytes{0xff, 0, 0, 1}.data()) == 0xff000001);
    CHECK(server_read_colour_map(Bytes{1, 9, 0, 1, 0x80, 2}.data()) == 0x8002);
    CHECK(server_read_cut_text(Bytes{3, 7, 8, 9, 0xff, 0xff, 0xff, 0xff}.data()) == 0xffffffff);
    CHECK(server_read_leds(Bytes{0xfd}.data()) == (LED_CAPS | LED_SCROLL));
    CHECK(server_read_alpha_cursor(Bytes{0xff, 0xff, 0xff, 0xfe}.data()) == -2);
    uint32_t flags;
    CHECK(server_read_fence(Bytes{248, 7, 8, 9, 0x80, 0, 0, 1, 255}.data(), &flags) == 255);
    CHECK(flags == 0x80000001);
}

TEST_CASE("server messages come back as they were written")
{
    std::mt19937 random(any_seed());
    auto below = [&](unsigned n) { return unsigned(random()) % n; };

    for (int round = 0; round < 2000; round++) {
        unsigned count = below(65536);
        uint32_t number = uint32_t(random()), flags;
        rect r = {int(below(65536)), int(below(65536)), int(below(65536)), int(below(65536))};

        CHECK(server_read_update(update(count).data()) == count);
        CHECK(Rectangle(rectangle(r, int32_t(number))).is(r, int32_t(number)));
        CHECK(server_read_screens(screens(count & 255).data()) == (count & 255));
        CHECK(server_read_desktop_name(desktop_name(number).data()) == number);
        CHECK(server_read_colour_map(colour_map(below(65536), count).data()) == count);
        CHECK(server_read_cut_text(cut_text(number).data()) == number);
        CHECK(server_read_fence(fence(number, count & 255).data(), &flags) == (count & 255));
        CHECK(flags == number);
    }
}

TEST_CASE("an accelerator shows itself by an update of its own")
{
    uint8_t out[ACCELERATOR_UPDATE_MAX];
    accelerator_shown shown = {"bbr", 0, 0, false, false, 0, {}, {}, false, {}, 0, {}};
    size_t size = server_write_accelerator(out, &shown);

    CHECK(server_read_update(out) == 1);
    CHECK(Rectangle(Bytes(out + SERVER_UPDATE_HEAD, out + SERVER_UPDATE_HEAD + RECTANGLE_HEAD))
              .is({0, 0, 14, 0}, PSEUDO_ACCELERATOR));
    CHECK(std::string(out + SERVER_UPDATE_HEAD + RECTANGLE_HEAD, out + size) == "congestion=bbr");
    shown.blocks_oldest = 1;
    shown.blocks_newest = 255;
    size = server_write_accelerator(out, &shown);
    CHECK(std::string(out + SERVER_UPDATE_HEAD + RECTANGLE_HEAD, out + size) ==
          "congestion=bbr blocks=1-255");
    const std::string digests = " digests=0102030405060708090a0b0c0d0e0f10";
    shown.digests = true;
    for (unsigned i = 0; i < BLOCKS_KEY_BYTES; i++)
        shown.digest_key[i] = uint8_t(1 + i);
    size = server_write_accelerator(out, &shown);
    CHECK(std::string(out + SERVER_UPDATE_HEAD + RECTANGLE_HEAD, out + size) ==
          "congestion=bbr blocks=1-255" + digests);
    shown.goodbye = true;
    size = server_write_accelerator(out, &shown);
    CHECK(std::string(out + SERVER_UPDATE_HEAD + RECTANGLE_HEAD, out + size) ==
          "congestion=bbr blocks=1-255" + digests + " goodbye");
    shown.datagrams_port = 60001;
    for (unsigned i = 0; i < ACCELERATOR_SECRET; i++)
        shown.datagrams_secret[i] = uint8_t(0xf0 + i);
    size = server_write_accelerator(out, &shown);
    CHECK(std::string(out + SERVER_UPDATE_HEAD + RECTANGLE_HEAD, out + size) ==
          "congestion=bbr blocks=1-255" + digests +
              " goodbye datagrams=60001:"
              "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff000102030405060708090a0b0c0d0e0f");
    shown.blocks_oldest = 255;
    shown.datagrams_port = 65535;
    memset(shown.congestion, 'x', sizeof shown.congestion - 1);
    size = server_write_accelerator(out, &shown);
    CHECK(size <= sizeof out);
    const std::string whole(out + SERVER_UPDATE_HEAD + RECTANGLE_HEAD, out + size);
    CHECK(whole.substr(whole.size() - 4) == "0e0f"); // nothing is cut off
}

TEST_CASE("where an accelerator awaits datagrams is read in one form only")
{
    auto read = [](const std::string &text) {
        accelerator_shown out;
        server_read_accelerator(text.c_str(), &out);
        return out;
    };
    const std::string before = "congestion=bbr blocks=1-1 ", hex = std::string(62, '0') + "9a";
    for (const std::string &text :
         {before + "datagrams=65535:" + hex, "datagrams=65535:" + hex + " later=1 blocks=1-1"}) {
        accelerator_shown shown = read(text);
        CHECK(shown.datagrams_port == 65535);
        CHECK(shown.datagrams_secret[0] == 0);
        CHECK(shown.datagrams_secret[ACCELERATOR_SECRET - 1] == 0x9a);
    }
    const std::vector<std::string> all_wrong = {"",
                                                "0:" + hex,
                                                "65536:" + hex,
                                                "4294967297:" + hex,
                                                "00001:" + hex,
                                                "-1:" + hex,
                                                "+1:" + hex,
                                                " 1:" + hex,
                                                "1" + hex,
                                                ":" + hex,
                                                "1:",
                                                "1",
                                                "1:" + hex.substr(1),
                                                "1:" + hex.substr(2),
                                                "1:" + hex + "0",
                                                "1:" + hex + "00",
                                                "1:" + hex + ":",
                                                "1:" + std::string(62, '0') + "9A",
                                                "1:" + std::string(62, '0') + "9g",
                                                "1:" + std::string(32, '0') + " " +
                                                    std::string(31, '0'),
                                                "1::" + hex,
                                                "1:" + std::string(5000, '0'),
                                                std::string(5000, '1') + ":" + hex};
    for (const std::string &wrong : all_wrong) {
        INFO(wrong);
        const accelerator_shown shown = read(before + "datagrams=" + wrong);
        CHECK(shown.datagrams_port == 0);
        CHECK(std::count(shown.datagrams_secret, shown.datagrams_secret + ACCELERATOR_SECRET, 0) ==
              ACCELERATOR_SECRET);
        CHECK(shown.blocks_newest == 1);
    }
    CHECK(read("datagrams=1:" + hex).datagrams_port == 0); // it pushes nothing
}

TEST_CASE("what an accelerator says of itself is read word by word, and unknown words are skipped")
{
    auto read = [](const std::string &text) {
        accelerator_shown out;
        server_read_accelerator(text.c_str(), &out);
        return out;
    };
    auto congestion = [&](const std::string &text) { return std::string(read(text).congestion); };
    CHECK(congestion("congestion=bbr") == "bbr");
    CHECK(congestion("port=5 congestion=cubic key=7") == "cubic");
    CHECK(congestion("incongestion=bbr congestion=reno") == "reno");
    CHECK(congestion("congestion=") == "");
    CHECK(congestion("congestion= bbr") == "");
    CHECK(congestion("") == "");
    CHECK(congestion("congestion=" + std::string(5000, 'x')) == std::string(15, 'x'));
    auto blocks = [&](const std::string &text) {
        accelerator_shown shown = read(text);
        return std::make_pair(shown.blocks_oldest, shown.blocks_newest);
    };
    CHECK(blocks("congestion=bbr blocks=2-7") == std::make_pair(2u, 7u));
    const std::string key = "000102030405060708090a0b0c0d0e0f", pushes = "blocks=1-1 ";
    for (const std::string &yes : {pushes + "digests=" + key, "digests=" + key + " blocks=1-1",
                                   pushes + "digests digests=" + key + " x=1"}) {
        CHECK(read(yes).digests);
        CHECK(read(yes).digest_key[15] == 15);
    }
    for (const std::string &no :
         {std::string(), "digests=" + key, pushes + "digests", pushes + "xdigests=" + key,
          pushes + "digests=" + key + "0", pushes + "digests=" + key.substr(1),
          pushes + "digests=" + key.substr(1) + "F", pushes + "digests=" + key + "10",
          pushes + "digests=", pushes + "digests=" + std::string(5000, '0')})
        CHECK_FALSE(read(no).digests);
    CHECK(read("blocks=1-1 goodbye").goodbye);
    CHECK(read("goodbye congestion=bbr blocks=1-1").goodbye);
    for (const char *none : {"goodbye", "blocks=1-1 goodbyes", "blocks=1-1 xgoodbye",
                             "blocks=1-1 goodbye=1", "blocks=1-1"})
        CHECK_FALSE(read(none).goodbye);
    for (const char *none : {"", "blocks=", "blocks=1", "blocks=0-3", "blocks=3-2", "blocks=a-b",
                             "xblocks=1-2", "blocks=1-"})
        CHECK(blocks(none) == std::make_pair(0u, 0u));
}

TEST_CASE("how an accelerator pushes is read whole, or not at all")
{
    const std::string before = "congestion=bbr blocks=1-1 ";
    auto read = [&](const std::string &words) {
        accelerator_shown out;
        server_read_accelerator((before + words).c_str(), &out);
        return out;
    };
    accelerator_shown shown = read("push=octopus:900:858:110:60 acks=each");

    CHECK(shown.each);
    CHECK(shown.pushing.policy == std::string("octopus"));
    CHECK(shown.pushing.rate_kbit == 900);
    CHECK(shown.pushing.sent_kbit == 858);
    CHECK(shown.pushing.fps10 == 110);
    CHECK(shown.pushing.jpeg == 60);
    CHECK(shown.pushing.film_qp == 0);
    CHECK(read("push=auto:900:858:300:10:28 acks=each").pushing.film_qp == 28);
    CHECK(read("push=auto:900:858:300:10:28 acks=each").each);
    for (const char *none :
         {"push=", "push=octopus", "push=octopus:1:2:3", "push=octopus:1:2:3:101", "push=:1:2:3:4",
          "push=auto:1:2:3:4:52", "push=Octopus:1:2:3:4", "push=octopusoctopus:1:2:3:4",
          "push=auto:x:2:3:4", "xpush=a:1:2:3:4"}) {
        INFO(none);
        CHECK(read(none).pushing.policy == std::string());
        CHECK_FALSE(read(none).each);
    }

    uint8_t bytes[ACCELERATOR_UPDATE_MAX];
    shown.digests = shown.goodbye = true;
    shown.datagrams_port = 65535;
    shown.ticket_port = 65534;
    memset(shown.ticket_secret, 0xa5, sizeof shown.ticket_secret);
    strcpy(shown.congestion, "fifteenletters!");
    strcpy(shown.pushing.policy, "elevenchars");
    shown.pushing.rate_kbit = shown.pushing.sent_kbit = shown.pushing.fps10 = 8000000;
    shown.pushing.jpeg = 100;
    shown.pushing.film_qp = 51;
    size_t size = server_write_accelerator(bytes, &shown);
    accelerator_shown again;
    server_read_accelerator(
        std::string(bytes + SERVER_UPDATE_HEAD + RECTANGLE_HEAD, bytes + size).c_str(), &again);
    CHECK(again.datagrams_port == 65535);
    CHECK(again.ticket_port == 65534); // it is the last word, and all of it is there
    CHECK(memcmp(again.ticket_secret, shown.ticket_secret, sizeof shown.ticket_secret) == 0);
    CHECK(again.pushing.fps10 == 8000000);
    CHECK(again.pushing.film_qp == 51);
}
