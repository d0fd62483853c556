// The extended clipboard as bytes: what we write, and what a server may write.
#include "tests/catch.hpp"

#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>
#include <zlib.h>

#include "rfb/proto/extensions/clipboard_text.h"
#include "rfb/proto/extensions/extended_clipboard.h"

namespace
{

using Bytes = std::vector<uint8_t>;

std::string u32(uint32_t n)
{
    return {char(n >> 24), char(n >> 16), char(n >> 8), char(n)};
}

// As a server packs it: the stream need not end.
std::string packed(const std::string &plain, int flush = Z_FINISH)
{
    std::string out(plain.size() + plain.size() / 100 + 1000, '\0');
    z_stream z = {};
    deflateInit(&z, 6);
    z.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(plain.data()));
    z.avail_in = uInt(plain.size());
    z.next_out = reinterpret_cast<Bytef *>(&out[0]);
    z.avail_out = uInt(out.size());
    deflate(&z, flush);
    out.resize(z.total_out);
    deflateEnd(&z);
    return out;
}

// All that a flushed stream holds, which has not ended.
std::string unpacked(const std::string &stream, size_t most = 10 << 20)
{
    std::string out(most, '\0');
    z_stream z = {};
    REQUIRE(inflateInit(&z) == Z_OK);
    z.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(stream.data()));
    z.avail_in = uInt(stream.size());
    z.next_out = reinterpret_cast<Bytef *>(&out[0]);
    z.avail_out = uInt(most);
    CHECK(inflate(&z, Z_SYNC_FLUSH) == Z_OK);
    CHECK(z.avail_in == 0);
    out.resize(z.total_out);
    inflateEnd(&z);
    return out;
}

// As LibVNCServer reads a text: the size, then exactly so much, and each time zlib has to say Z_OK.
std::string read_strictly(const std::string &stream)
{
    uint8_t head[4] = {};
    z_stream z = {};
    REQUIRE(inflateInit(&z) == Z_OK);
    z.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(stream.data()));
    z.avail_in = uInt(stream.size());
    z.next_out = head;
    z.avail_out = sizeof head;
    CHECK(inflate(&z, Z_NO_FLUSH) == Z_OK);
    const size_t size = size_t(head[0]) << 24 | head[1] << 16 | head[2] << 8 | head[3];
    REQUIRE(size <= 10 << 20);
    std::string out(size, 'x');
    z.next_out = reinterpret_cast<Bytef *>(&out[0]);
    z.avail_out = uInt(size);
    CHECK(inflate(&z, Z_NO_FLUSH) == Z_OK);
    CHECK(z.avail_out == 0);
    inflateEnd(&z);
    return out;
}

// As QEMU reads one: all of it, into memory that doubles, and as if the stream ended.
std::string read_doubling(const std::string &stream)
{
    std::string out(8, '\0');
    z_stream z = {};
    REQUIRE(inflateInit(&z) == Z_OK);
    z.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(stream.data()));
    z.avail_in = uInt(stream.size());
    z.next_out = reinterpret_cast<Bytef *>(&out[0]);
    z.avail_out = uInt(out.size());
    for (int turns = 0; z.avail_in > 0; turns++) {
        REQUIRE(turns < 100); // what it does behind the end of a stream never ends
        const int result = inflate(&z, Z_FINISH);
        if (result == Z_BUF_ERROR) {
            out.resize(2 * out.size());
            REQUIRE(out.size() <= 1 << 20);
            z.next_out = reinterpret_cast<Bytef *>(&out[z.total_out]);
            z.avail_out = uInt(out.size() - z.total_out);
        } else {
            REQUIRE((result == Z_OK || result == Z_STREAM_END));
        }
    }
    out.resize(z.total_out);
    inflateEnd(&z);
    return out;
}

// A provide with one text; the size is what the stream says of it.
std::string provide(const std::string &text, uint32_t size)
{
    return u32(EXTENDED_PROVIDE | EXTENDED_TEXT) + packed(u32(size) + text);
}

std::string provide(const std::string &text)
{
    return provide(text + '\0', uint32_t(text.size() + 1));
}

struct Read {
    bool ok;
    extended_clipboard m{};
    reason why{};
    std::string text;

    // The bytes end with their memory: a look behind them is seen.
    explicit Read(const std::string &body)
    {
        Bytes exact(body.begin(), body.end());
        ok = extended_clipboard_read(exact.data(), exact.size(), &m, &why);
        text = m.provided ? m.provided : "";
    }
    ~Read()
    {
        free(m.provided);
    }
    Read(const Read &) = delete;
    Read &operator=(const Read &) = delete;
};

std::string ours(const char *text)
{
    size_t size = 0;
    uint8_t *bytes = extended_clipboard_provide(text, &size);
    REQUIRE(bytes);
    std::string out(reinterpret_cast<char *>(bytes), size);
    free(bytes);
    return out;
}

std::string to_lf(std::string text)
{
    line_ends_to_lf(&text[0]);
    return text.c_str();
}

std::string to_crlf(const char *text)
{
    std::string out(line_ends_crlf_length(text) + 1, 'x');
    line_ends_to_crlf(text, &out[0]);
    CHECK(out.back() == '\0');
    out.pop_back();
    return out;
}

} // namespace

TEST_CASE("line ends")
{
    CHECK(to_lf("") == "");
    CHECK(to_lf("a\r\nb\rc\nd\r\r\n\n") == "a\nb\nc\nd\n\n\n");
    CHECK(to_crlf("") == "");
    CHECK(to_crlf("a\r\nb\rc\nd\r\r\n\n") == "a\r\nb\r\nc\r\nd\r\n\r\n\r\n");
}

TEST_CASE("what we say of our clipboard")
{
    uint8_t out[EXTENDED_CAPS_MESSAGE] = {};

    REQUIRE(extended_clipboard_write(out, EXTENDED_NOTIFY, true) == EXTENDED_MESSAGE);
    CHECK(Bytes(out, out + 12) == Bytes{6, 0, 0, 0, 0xff, 0xff, 0xff, 0xfc, 8, 0, 0, 1});
    REQUIRE(extended_clipboard_write(out, EXTENDED_NOTIFY, false) == EXTENDED_MESSAGE);
    CHECK(Bytes(out, out + 12) == Bytes{6, 0, 0, 0, 0xff, 0xff, 0xff, 0xfc, 8, 0, 0, 0});
    REQUIRE(extended_clipboard_write(out, EXTENDED_REQUEST, true) == EXTENDED_MESSAGE);
    CHECK(Bytes(out, out + 12) == Bytes{6, 0, 0, 0, 0xff, 0xff, 0xff, 0xfc, 2, 0, 0, 1});
    REQUIRE(extended_clipboard_write_caps(out, EXTENDED_REQUEST | EXTENDED_NOTIFY, 0x01020304) ==
            EXTENDED_CAPS_MESSAGE);
    CHECK(Bytes(out, out + 16) ==
          Bytes{6, 0, 0, 0, 0xff, 0xff, 0xff, 0xf8, 0x0b, 0, 0, 1, 1, 2, 3, 4});
}

TEST_CASE("our text goes with CR LF and a NUL, packed")
{
    const char *text = "\xe2\x82\xac \xd0\x9f\xd1\x80\n\xe6\x97\xa5\n";
    std::string message = ours(text);

    CHECK(message.substr(0, 4) == std::string("\6\0\0\0", 4));
    CHECK(message.substr(4, 4) == u32(0u - uint32_t(message.size() - 8)));
    CHECK(message.substr(8, 4) == u32(EXTENDED_PROVIDE | EXTENDED_TEXT));
    const std::string wire = "\xe2\x82\xac \xd0\x9f\xd1\x80\r\n\xe6\x97\xa5\r\n";
    CHECK(unpacked(message.substr(12)) ==
          u32(uint32_t(wire.size() + 1)) + wire + std::string(1, '\0'));
    CHECK(unpacked(ours("").substr(12)) == u32(1) + std::string(1, '\0'));

    // what we write can be read, up to the longest
    for (const std::string &any : {std::string("x"), std::string(EXTENDED_TEXT_MAX, 'x')}) {
        Read r(ours(any.c_str()).substr(8));
        REQUIRE(r.ok);
        CHECK(r.m.action == EXTENDED_PROVIDE);
        CHECK(r.text == any);
    }
}

TEST_CASE("our text is packed as every server reads it")
{
    std::string noise;
    for (unsigned n = 1; noise.size() < 300000;) {
        n = n * 1664525 + 1013904223;
        noise += char('!' + (n >> 24) % 90);
    }
    for (const std::string &text : {std::string(), std::string("x"), std::string("abcabcabcabc"),
                                    std::string(500000, 'x'), noise}) {
        INFO(text.size() << " bytes");
        const std::string stream = ours(text.c_str()).substr(12);
        const std::string wire = text + '\0';
        CHECK((read_strictly(stream) == wire));
        CHECK((read_doubling(stream) == u32(uint32_t(wire.size())) + wire));
        CHECK((unpacked(stream) == u32(uint32_t(wire.size())) + wire));
    }
}

TEST_CASE("a server's text")
{
    const std::string text = "\xe2\x82\xac\r\ntwo\rthree\nfour";
    const std::string lf = "\xe2\x82\xac\ntwo\nthree\nfour";
    CHECK(Read(provide(text)).text == lf);
    CHECK(Read(provide(text, uint32_t(text.size()))).text == lf); // without a NUL
    CHECK(Read(provide("")).text == "");
    CHECK(Read(provide("ab" + std::string("\0cd", 3))).text == "ab");
    CHECK(Read(provide("\xc3(\xff \xed\xa0\x80 \xf8")).text == "?(? ? ?"); // no UTF-8
    // a stream that goes on, and other formats behind the text
    CHECK(Read(u32(EXTENDED_PROVIDE | 7) + packed(u32(3) + "ab" + '\0' + u32(9), Z_SYNC_FLUSH))
              .text == "ab");
    // others only
    Read html(u32(EXTENDED_PROVIDE | 4) + packed(u32(3) + "<b>"));
    CHECK(html.ok);
    CHECK_FALSE(html.m.text);
    CHECK_FALSE(html.m.provided);
}

TEST_CASE("a text that is too long is neither unpacked nor kept")
{
    for (uint32_t size : {uint32_t(EXTENDED_TEXT_MAX) + 2, 0x7fffffffu, 0xffffffffu}) {
        Read r(provide("the beginning", size));
        CHECK(r.ok);
        CHECK(r.m.too_long == size - 1);
        CHECK_FALSE(r.m.provided);
    }
    Read exact(provide(std::string(EXTENDED_TEXT_MAX, 'x')));
    CHECK(exact.text.size() == EXTENDED_TEXT_MAX);
    Read without_nul(provide(std::string(EXTENDED_TEXT_MAX + 1, 'x'), EXTENDED_TEXT_MAX + 1));
    CHECK(without_nul.m.too_long == EXTENDED_TEXT_MAX + 1);
    CHECK_FALSE(without_nul.m.provided);
    // behind the text there may be as much as there wants to be
    Read bomb(u32(EXTENDED_PROVIDE | 3) +
              packed(u32(2) + "a" + '\0' + u32(64u << 20) + std::string(64u << 20, '\0')));
    CHECK(bomb.text == "a");
    CHECK_FALSE(Read(u32(EXTENDED_NOTIFY) + std::string(EXTENDED_BODY_MAX, 'x')).ok);
}

TEST_CASE("what a server says without a text")
{
    Read caps(u32(EXTENDED_CAPS | EXTENDED_REQUEST | EXTENDED_NOTIFY | EXTENDED_TEXT) + u32(77));
    REQUIRE(caps.ok);
    CHECK(caps.m.action == EXTENDED_CAPS);
    CHECK(caps.m.text);
    CHECK(caps.m.unasked == 77);
    CHECK(caps.m.accepts == (EXTENDED_CAPS | EXTENDED_REQUEST | EXTENDED_NOTIFY));
    // other formats only: their sizes are not ours
    Read html(u32(EXTENDED_CAPS | EXTENDED_NOTIFY | 4) + u32(77));
    CHECK(html.ok);
    CHECK_FALSE(html.m.text);
    CHECK(html.m.unasked == 0);
    for (uint32_t action : {EXTENDED_REQUEST, EXTENDED_PEEK, EXTENDED_NOTIFY}) {
        Read r(u32(action | EXTENDED_TEXT));
        CHECK(r.ok);
        CHECK(r.m.action == action);
        CHECK(r.m.text);
        CHECK_FALSE(Read(u32(action)).m.text);
    }
}

TEST_CASE("what no server may say is refused, with a reason")
{
    const std::string text = provide("a text");
    std::vector<std::string> wrong = {
        "",
        std::string("\x10\0\0", 3),
        u32(0),
        u32(EXTENDED_TEXT),
        u32(EXTENDED_NOTIFY | EXTENDED_REQUEST | EXTENDED_TEXT),
        u32(1u << 29),
        u32(EXTENDED_CAPS | EXTENDED_TEXT),
        u32(EXTENDED_CAPS | 3) + u32(1),
        u32(EXTENDED_CAPS | 0xffff) + std::string(63, '\0'),
        u32(EXTENDED_PROVIDE | EXTENDED_TEXT),
        u32(EXTENDED_PROVIDE | EXTENDED_TEXT) + "no zlib stream",
        u32(EXTENDED_PROVIDE | EXTENDED_TEXT) + packed("abc"),
        provide("shorter than it says", 4 << 20),
    };
    for (size_t size = 5; size < text.size() - 6; size++) // the end holds a checksum only
        wrong.push_back(text.substr(0, size));
    for (const std::string &body : wrong) {
        INFO(body.size() << " bytes");
        Read r(body);
        CHECK_FALSE(r.ok);
        CHECK(strlen(r.why.text) > 0);
        CHECK_FALSE(r.m.provided);
    }
}
