// An encoding is added by a decoder and a row (one_more_encoding.c): it is offered, decoded, and
// its rectangles are passed on. What other rows do not have is unknown.
#include <sys/socket.h>
#include <unistd.h>

#include "rfb/decode/decoder.h"
#include "rfb/framing/server_framing.h"
#include "rfb/net/sockets/socket.h"
#include "rfb/proto/encodings/pixel_format.h"
#include "tests/catch.hpp"
#include "tests/unit/framed.hpp"

using namespace framed;

namespace
{

const int32_t STRIPES = 51;

// A decoder that has offered it, and the server's end.
struct Decoding {
    int ends[2] = {-1, -1};
    framebuffer *fb = framebuffer_create(-1);
    encoding_list offered = {};
    stream *s = nullptr;
    decoder *d = nullptr;
    reason why = {};

    explicit Decoding(const Bytes &sent)
    {
        REQUIRE(encoding_list_parse(&offered, "stripes", &why));
        REQUIRE(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
        REQUIRE(write(ends[1], sent.data(), sent.size()) == static_cast<ssize_t>(sent.size()));
        shutdown(ends[1], SHUT_WR);
        s = stream_create(socket_adopt(ends[0]));
        d = decoder_create(s, fb, &offered);
        REQUIRE(framebuffer_resize(fb, 4, 3));
        decoder_use_picture(d, 4, 3);
    }
    ~Decoding()
    {
        decoder_destroy(d);
        stream_destroy(s);
        close(ends[1]);
        framebuffer_destroy(fb);
    }
    Decoding(const Decoding &) = delete;
    Decoding &operator=(const Decoding &) = delete;
};

} // namespace

TEST_CASE("one more encoding has a name, and is decoded where it was offered")
{
    Decoding one(u32(2) + Bytes{7, 9});
    CHECK(one.offered.number[0] == STRIPES);
    REQUIRE(decoder_decode(one.d, {1, 1, 2, 2}, STRIPES, &one.why));
    CHECK(decoder_was_lossy(one.d));
    const uint32_t *p = framebuffer_private(one.fb);
    CHECK(std::vector<uint32_t>(p, p + 12) ==
          std::vector<uint32_t>{0, 0, 0, 0, 0, 7, 7, 0, 0, 9, 9, 0});
    CHECK_FALSE(decoder_decode(one.d, {3, 1, 2, 2}, STRIPES, &one.why));
    CHECK(std::string(one.why.text).find("outside the screen") != std::string::npos);

    Decoding bad(u32(3) + Bytes{7, 9});
    CHECK_FALSE(decoder_decode(bad.d, {1, 1, 2, 2}, STRIPES, &bad.why));
    CHECK(std::string(bad.why.text) == "the server sent a bad stripes rectangle");

    Decoding cut(u32(2) + Bytes{7});
    CHECK_FALSE(decoder_decode(cut.d, {1, 1, 2, 2}, STRIPES, &cut.why));
    CHECK(std::string(cut.why.text).find("in the middle of an update") != std::string::npos);
}

TEST_CASE("rows that are not there are no encodings")
{
    encoding_list list;
    reason why = {};
    CHECK_FALSE(encoding_list_parse(&list, "tight", &why));
    CHECK(std::string(why.text).find("choose from stripes, h264, copyrect, zlib, zrle, raw") !=
          std::string::npos);
    CHECK(encoding_name(7) == nullptr);
    Decoding none(u32(0));
    CHECK_FALSE(decoder_decode(none.d, {0, 0, 1, 1}, 7, &none.why));
    CHECK(std::string(none.why.text).find("not offered") != std::string::npos);
}

TEST_CASE("whoever passes a connection on finds the end of a rectangle of one more encoding")
{
    const Bytes head = u8(0) + u8(0) + u16(1) + u16(0) + u16(0) + u16(8) + u16(2) + u32(STRIPES);
    const Bytes update = head + u32(5) + any(5);
    server_framing f;
    server_frame found;
    server_framing_begin(&f, &pixel_format_xrgb, 64, 48);
    size_t at = server_framing_read(&f, update.data(), update.size(), &found);
    CHECK(found.event == SERVER_FRAME_UPDATE_BEGINS);
    at += server_framing_read(&f, update.data() + at, update.size() - at, &found);
    CHECK(found.event == SERVER_FRAME_UPDATE_ENDS);
    CHECK(found.pictures == 1);
    CHECK(at == update.size());
    CHECK_FALSE(server_framing_knows(7));
}
