// Open H.264 (encoding 50) from a server's bytes to pixels: contexts, cropping, colours, and what
// is broken.
#include "tests/h264_stream.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <random>
#include <thread>

#include "rfb/decode/decoder.h"
#include "rfb/film/access_unit.h"
#include "rfb/film/h264_contexts.h"
#include "rfb/net/sockets/socket.h"
#include "tests/seed.hpp"

using namespace h264;

namespace
{

// A viewer's decoder, and the server that it reads from.
class Viewer
{
  public:
    explicit Viewer(int w = 320, int h = 240) : w_(w), h_(h)
    {
        film_decoder_load();
        REQUIRE(film_decoder_works());
        REQUIRE(encoding_list_parse(&offered_, "h264,raw", &why_));
        REQUIRE(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends_) == 0);
        stream_ = stream_create(socket_adopt(ends_[0]));
        decoder_ = decoder_create(stream_, fb_, &offered_);
        REQUIRE(framebuffer_resize(fb_, w, h));
        decoder_use_picture(decoder_, w, h);
    }
    ~Viewer()
    {
        decoder_destroy(decoder_);
        stream_destroy(stream_);
        close(ends_[1]);
        framebuffer_destroy(fb_);
    }
    Viewer(const Viewer &) = delete;
    Viewer &operator=(const Viewer &) = delete;

    void take(rect r, int32_t encoding, const std::string &body)
    {
        std::thread server([&] {
            for (size_t at = 0; at < body.size();)
                at += size_t(
                    std::max<ssize_t>(0, write(ends_[1], body.data() + at, body.size() - at)));
        });
        bool ok = decoder_decode(decoder_, r, encoding, &why_);
        server.join();
        INFO(why_.text);
        REQUIRE(ok);
        CHECK(decoder_bytes(decoder_) == body.size());
    }
    void h264(rect r, const std::string &stream, uint32_t flags = 0)
    {
        take(r, ENCODING_H264, body(stream, flags));
    }
    void fill(rect r, uint32_t colour)
    {
        std::string row;
        for (int i = 0; i < r.w * r.h; i++)
            row.append(reinterpret_cast<char *>(&colour), sizeof colour);
        take(r, ENCODING_RAW, row);
    }
    Image seen(rect r)
    {
        const uint32_t *p = framebuffer_private(fb_);
        Image i(r.w, r.h);
        for (int y = 0; y < r.h; y++)
            for (int x = 0; x < r.w; x++)
                i.at(x, y) = p[(r.y + y) * w_ + r.x + x] & 0xffffff;
        return i;
    }
    bool wants_again() const
    {
        return decoder_wants_again(decoder_);
    }
    std::string unread() const
    {
        const char *why = decoder_unread(decoder_);
        return why ? why : "";
    }
    bool was_lossy() const
    {
        return decoder_was_lossy(decoder_);
    }

  private:
    int w_, h_, ends_[2] = {-1, -1};
    framebuffer *fb_ = framebuffer_create(-1);
    encoding_list offered_ = {};
    stream *stream_ = nullptr;
    decoder *decoder_ = nullptr;
    reason why_ = {};
};

bool same(const Image &a, const Image &b)
{
    return a.pixels == b.pixels;
}

const rect WHOLE = {0, 0, 320, 240};
const double GOOD = 33; // dB; colour has half the places of brightness

// A picture, then `bad` is done to the bytes of the next one's slices.
template <typename Bad> std::string spoilt(Coder &c, const Image &i, Bad bad)
{
    std::string bytes = c.code(i);
    bad(bytes);
    return bytes;
}

} // namespace

TEST_CASE("h264: a stream shows each of its pictures, at once")
{
    Viewer v;
    Look look;
    look.slices = GENERATE(1, 4);
    look.delimiters = GENERATE(false, true);
    Coder c(320, 240, look);
    for (int i = 0; i < 40; i++) {
        v.h264(WHOLE, c.code(picture(i, 320, 240)), i == 0 ? H264_RESET : 0);
        INFO("picture " << i);
        CHECK(psnr(v.seen(WHOLE), picture(i, 320, 240)) > GOOD);
        CHECK(v.was_lossy());
        CHECK_FALSE(v.wants_again());
    }
}

TEST_CASE("h264: colours are those that the stream says")
{
    Look look;
    look.matrix = GENERATE(Matrix::UNSAID, Matrix::BT601, Matrix::BT709, Matrix::BT2020);
    look.full = GENERATE(false, true);
    look.csp = GENERATE(X264_CSP_I420, X264_CSP_I422, X264_CSP_I444);
    look.qp = 4;
    INFO("matrix " << int(look.matrix) << ", full " << look.full << ", csp " << look.csp);
    Viewer v;
    Coder c(64, 48, look);
    for (uint32_t colour : {0xffffffu, 0x000000u, 0xe01010u, 0x10e010u, 0x1010e0u, 0x808080u}) {
        v.h264({16, 32, 64, 48}, c.code(Image(64, 48, colour)));
        uint32_t seen = v.seen({40, 50, 1, 1}).pixels[0];
        for (int k = 0; k < 24; k += 8)
            CHECK(std::abs(int(seen >> k & 255) - int(colour >> k & 255)) <= 4);
    }
}

TEST_CASE("h264: rectangles have contexts of their own, and what is drawn over one changes none")
{
    Viewer v;
    const rect left = {0, 0, 160, 240}, right = {160, 0, 160, 240};
    Coder a(160, 240), b(160, 240);
    for (int i = 0; i < 10; i++) {
        v.h264(left, a.code(picture(i, 160, 240)));
        if (i % 3 == 0)
            v.fill({100, 100, 120, 60}, 0xff00ff);
        v.h264(right, b.code(picture(50 - i, 160, 240)));
        CHECK(psnr(v.seen(right), picture(50 - i, 160, 240)) > GOOD);
        if (i % 3 == 0)
            CHECK(v.seen({100, 100, 60, 60}).at(30, 30) == 0xff00ff);
        else
            CHECK(psnr(v.seen(left), picture(i, 160, 240)) > GOOD);
    }
}

TEST_CASE("h264: a context belongs to the size, too")
{
    Viewer v;
    const rect large = {0, 0, 320, 240}, small = {0, 0, 160, 240};
    Coder a(320, 240), b(160, 240);
    v.h264(large, a.code(picture(0, 320, 240)));
    v.h264(small, b.code(picture(9, 160, 240)));
    v.h264(large, a.code(picture(1, 320, 240)));
    CHECK(psnr(v.seen(large), picture(1, 320, 240)) > GOOD);
    v.h264(small, b.code(picture(10, 160, 240)));
    CHECK(psnr(v.seen(small), picture(10, 160, 240)) > GOOD);
}

TEST_CASE("h264: flags begin contexts anew, one or all, also where nothing else is sent")
{
    const rect left = {0, 0, 160, 240}, right = {160, 0, 160, 240};
    const uint32_t flags = GENERATE(H264_RESET, H264_RESET_ALL);
    const bool alone = GENERATE(false, true);
    INFO("flags " << flags << ", alone " << alone);
    Viewer v;
    Coder a(160, 240), b(160, 240);
    v.h264(left, a.code(picture(0, 160, 240)));
    v.h264(right, b.code(picture(0, 160, 240)));
    const Image before = v.seen(left);
    if (alone)
        v.h264(left, "", flags);
    CHECK_FALSE(v.wants_again());
    v.h264(left, a.code(picture(5, 160, 240)), alone ? 0 : flags);
    CHECK(v.wants_again()); // it stands on what was forgotten
    CHECK(same(v.seen(left), before));
    v.h264(right, b.code(picture(5, 160, 240)));
    CHECK(v.wants_again() == (flags == H264_RESET_ALL));
    CHECK((psnr(v.seen(right), picture(5, 160, 240)) > GOOD) == (flags == H264_RESET));
    v.h264(left, a.code(picture(6, 160, 240), true));
    CHECK(psnr(v.seen(left), picture(6, 160, 240)) > GOOD);
    CHECK_FALSE(v.wants_again());
    v.h264(left, a.code(picture(7, 160, 240)), 0xfffffffc); // flags that nobody knows
    CHECK(psnr(v.seen(left), picture(7, 160, 240)) > GOOD);
}

TEST_CASE("h264: no flag is needed, neither for a new context nor for a new stream in it")
{
    Viewer v;
    Coder first(320, 240), second(336, 256, {Matrix::BT709, true});
    v.h264(WHOLE, first.code(picture(0, 320, 240)));
    CHECK(psnr(v.seen(WHOLE), picture(0, 320, 240)) > GOOD);
    for (int i = 0; i < 3; i++) { // another encoder, another size
        v.h264(WHOLE, second.code(picture(i, 336, 256)));
        CHECK(psnr(v.seen(WHOLE), picture(i, 336, 256).part(0, 0, 320, 240)) > GOOD);
    }
}

TEST_CASE("h264: of several pictures in a message the last one is shown")
{
    Viewer v;
    Look look;
    look.delimiters = GENERATE(false, true);
    look.slices = GENERATE(1, 3);
    Coder c(320, 240, look);
    std::string all;
    for (int i = 0; i < 5; i++)
        all += c.code(picture(i, 320, 240), i == 2);
    v.h264(WHOLE, all);
    CHECK(psnr(v.seen(WHOLE), picture(4, 320, 240)) > GOOD);
}

TEST_CASE("h264: a message of too many pictures is broken")
{
    const int count = GENERATE(H264_PICTURES_MOST, H264_PICTURES_MOST + 1);
    Viewer v;
    Coder c(32, 32);
    std::string all;
    for (int i = 0; i < count; i++)
        all += c.code(picture(i, 32, 32));
    v.h264({0, 0, 32, 32}, all);
    CHECK(v.wants_again() == (count > H264_PICTURES_MOST));
    CHECK((psnr(v.seen({0, 0, 32, 32}), picture(count - 1, 32, 32)) > 25) ==
          (count <= H264_PICTURES_MOST));
}

TEST_CASE("h264: a picture larger than its rectangle is cut off at the right and at the bottom")
{
    const int w = GENERATE(100, 101, 112), h = GENERATE(60, 61, 64);
    Viewer v;
    Coder c(112, 64);
    v.fill(WHOLE, 0x123456);
    v.h264({8, 9, w, h}, c.code(picture(3, 112, 64)));
    CHECK(psnr(v.seen({8, 9, w, h}), picture(3, 112, 64).part(0, 0, w, h)) > GOOD);
    CHECK(same(v.seen({8 + w, 9, 1, h}), Image(1, h, 0x123456)));
    CHECK(same(v.seen({8, 9 + h, w, 1}), Image(w, 1, 0x123456)));
}

TEST_CASE("h264: a size that is no multiple of sixteen, and one that is too small")
{
    Viewer v;
    Coder c(150, 90), small(100, 80);
    v.h264({1, 1, 150, 90}, c.code(picture(3, 150, 90))); // the stream itself cuts it off
    CHECK(psnr(v.seen({1, 1, 150, 90}), picture(3, 150, 90)) > GOOD);
    v.fill(WHOLE, 0x123456);
    v.h264({0, 0, 200, 200}, small.code(picture(3, 100, 80))); // what there is
    CHECK(psnr(v.seen({0, 0, 100, 80}), picture(3, 100, 80)) > GOOD);
    CHECK(same(v.seen({100, 0, 100, 200}), Image(100, 200, 0x123456)));
}

TEST_CASE("h264: a picture far larger than its rectangle takes no memory")
{
    Viewer v;
    Coder c(512, 512);
    v.h264({0, 0, 32, 32}, c.code(picture(3, 512, 512)));
    CHECK(v.unread() == "its pictures are too large");
    CHECK_FALSE(v.wants_again());
    CHECK(same(v.seen({0, 0, 32, 32}), Image(32, 32)));
    v.h264({0, 0, 300, 200}, Coder(300, 200).code(picture(3, 300, 200)));
    CHECK(v.unread().empty());
}

TEST_CASE("h264: pixels of more than 8 bits, and RGB, are named and not drawn")
{
    Viewer v;
    v.fill(WHOLE, 0x123456);
    for (const auto &[csp, bits] :
         {std::pair(X264_CSP_I420, 10), std::pair(X264_CSP_I444, 10), std::pair(X264_CSP_RGB, 8)}) {
        INFO(csp << " " << bits);
        for (const std::string &stream : grey(320, 240, csp, bits, 1, 3)) {
            v.h264(WHOLE, stream);
            CHECK(v.unread() == "its pixels have more than 8 bits, or are RGB");
            CHECK_FALSE(v.wants_again());
        }
        CHECK(same(v.seen(WHOLE), Image(320, 240, 0x123456)));
    }
    v.h264(WHOLE, Coder(320, 240).code(picture(0, 320, 240))); // in the same context
    CHECK(v.unread().empty());
    CHECK(psnr(v.seen(WHOLE), picture(0, 320, 240)) > GOOD);
}

TEST_CASE("h264: how often contexts begin is bounded by what has come")
{
    film_decoder_load();
    h264_contexts *c = h264_contexts_create();
    film_view view;
    const uint8_t slice[] = {0, 0, 1, 0x65, 0x88, 0x84};
    const rect area = {0, 0, 16, 16};
    unsigned begun = 0, bytes = 0;
    bool refused = false;
    for (int i = 0; i < 5000; i++) {
        h264_contexts_reset(c, area, H264_RESET);
        refused = h264_contexts_decode(c, area, slice, sizeof slice, &view) == H264_TOO_OFTEN;
        begun += !refused;
        bytes += sizeof slice;
    }
    CHECK(refused);
    CHECK(begun == H264_BEGINNINGS + bytes / H264_BEGINNING_BYTES);
    // a server that begins anew with each picture sends far more
    const std::string whole = Coder(320, 240).code(picture(0, 320, 240), true);
    for (int i = 0; i < 1000; i++) {
        h264_contexts_reset(c, area, H264_RESET_ALL);
        CHECK(h264_contexts_decode(c, WHOLE, reinterpret_cast<const uint8_t *>(whole.data()),
                                   whole.size(), &view) == H264_SHOWN);
    }
    h264_contexts_destroy(c);
}

TEST_CASE("h264: 64 contexts are kept, and the one that was not used for longest gives way")
{
    Viewer v(640, 480);
    std::vector<std::unique_ptr<Coder>> coders;
    auto at = [](int i) { return rect{i % 13 * 48, i / 13 * 48, 48, 48}; };
    for (int i = 0; i < H264_CONTEXTS; i++) {
        coders.push_back(std::make_unique<Coder>(48, 48));
        v.h264(at(i), coders.back()->code(picture(i, 48, 48)));
    }
    for (int i = H264_CONTEXTS - 1; i >= 0; i--) { // number 0 is the newest then
        v.h264(at(i), coders[size_t(i)]->code(picture(i + 1, 48, 48)));
        REQUIRE(psnr(v.seen(at(i)), picture(i + 1, 48, 48)) > GOOD);
    }
    Coder one_more(48, 48);
    v.h264(at(H264_CONTEXTS), one_more.code(picture(0, 48, 48)));
    for (int i : {0, 1, H264_CONTEXTS - 2}) {
        v.h264(at(i), coders[size_t(i)]->code(picture(i + 2, 48, 48)));
        CHECK_FALSE(v.wants_again());
    }
    v.h264(at(H264_CONTEXTS - 1), coders.back()->code(picture(9, 48, 48)));
    CHECK(v.wants_again());
}

TEST_CASE("h264: contexts give way where all of them are too large together")
{
    film_decoder_load();
    h264_contexts *c = h264_contexts_create();
    film_view view;
    for (int i = 0; i < 6; i++) {
        h264_contexts_decode(c, {i, 0, 3000, 2000}, reinterpret_cast<const uint8_t *>("x"), 1,
                             &view);
        CHECK(h264_contexts_count(c) == std::min(i + 1, 2));
    }
    CHECK(h264_contexts_decode(c, {0, 0, 5000, 5000}, reinterpret_cast<const uint8_t *>("x"), 1,
                               &view) == H264_TOO_LARGE);
    CHECK(h264_contexts_count(c) == 2);
    h264_contexts_destroy(c);
}

TEST_CASE("h264: what is broken is not drawn, is asked for once, and waits for a good picture")
{
    Viewer v;
    Coder c(320, 240);
    v.h264(WHOLE, c.code(picture(0, 320, 240)));
    v.h264(WHOLE, c.code(picture(1, 320, 240)));
    const Image before = v.seen(WHOLE);
    const int how = GENERATE(0, 1, 2, 3);
    INFO("broken in way " << how);
    v.h264(WHOLE, spoilt(c, picture(40, 320, 240), [&](std::string &s) {
               if (how == 0)
                   s.resize(s.size() / 2);
               else if (how == 1)
                   s.resize(8);
               else if (how == 2)
                   for (size_t i = s.size() / 3; i < s.size() / 2; i++)
                       s[i] = char(i * i * 31);
               else
                   s = std::string(500, '\x5a') + std::string("\0\0\1\x65", 4) +
                       std::string(99, '\x11');
           }));
    CHECK(v.wants_again());
    CHECK(same(v.seen(WHOLE), before));
    for (int i = 41; i < 50; i++) {
        v.h264(WHOLE, c.code(picture(i, 320, 240)));
        CHECK_FALSE(v.wants_again()); // once
        CHECK(same(v.seen(WHOLE), before));
    }
    v.h264(WHOLE, c.code(picture(50, 320, 240), true));
    CHECK(psnr(v.seen(WHOLE), picture(50, 320, 240)) > GOOD);
    v.h264(WHOLE, c.code(picture(51, 320, 240)));
    CHECK(psnr(v.seen(WHOLE), picture(51, 320, 240)) > GOOD);
    v.h264(WHOLE, spoilt(c, picture(52, 320, 240), [](std::string &s) { s.resize(8); }));
    CHECK(v.wants_again()); // once each time
}

TEST_CASE("h264: without a picture that stands alone a context shows again in the end")
{
    Viewer v;
    Coder c(320, 240);
    v.h264(WHOLE, c.code(picture(0, 320, 240)));
    const Image before = v.seen(WHOLE);
    c.code(picture(1, 320, 240));
    v.h264(WHOLE, spoilt(c, picture(2, 320, 240), [](std::string &s) { s.resize(s.size() / 2); }));
    int shown = 0;
    for (int i = 0; i < H264_PATIENCE + 5 && !shown; i++) {
        v.h264(WHOLE, c.code(picture(3 + i, 320, 240)));
        if (v.seen(WHOLE).pixels != before.pixels)
            shown = i + 1;
    }
    CHECK(shown == H264_PATIENCE);
}

TEST_CASE("h264: random damage never ends the session, and a good picture makes all good again")
{
    Viewer v;
    Coder c(320, 240,
            {Matrix::BT709, false, X264_CSP_I420, 2, false, 24, GENERATE("baseline", "high")});
    std::mt19937 random(any_seed());
    for (int i = 0; i < 200; i++) {
        std::string bytes = c.code(picture(i, 320, 240), i % 10 == 0);
        for (int k = 0; i % 10 != 0 && k < i % 4; k++)
            bytes[random() % bytes.size()] ^= char(1 + random() % 255);
        if (i % 10 == 7)
            bytes.resize(random() % bytes.size());
        v.h264(WHOLE, bytes, i % 10 == 5 ? uint32_t(random() % 8) : 0);
        if (i % 10 != 0)
            continue;
        // After some damage, one in a thousand, the decoder needs a second good one.
        if (psnr(v.seen(WHOLE), picture(i, 320, 240)) <= 30)
            v.h264(WHOLE, c.code(picture(i, 320, 240), true));
        CHECK(psnr(v.seen(WHOLE), picture(i, 320, 240)) > 30);
    }
}

TEST_CASE("h264: a message that is too long is passed over, and what stands on it is not drawn")
{
    Viewer v;
    Coder c(320, 240);
    v.h264(WHOLE, c.code(picture(0, 320, 240)));
    const Image before = v.seen(WHOLE);
    v.h264(WHOLE, std::string((16u << 20) + 1, '\0'));
    CHECK(v.unread() == "a message of it has more than 16 MiB");
    v.h264(WHOLE, c.code(picture(1, 320, 240)));
    CHECK(v.wants_again());
    CHECK(same(v.seen(WHOLE), before));
    v.h264(WHOLE, c.code(picture(2, 320, 240), true));
    CHECK(psnr(v.seen(WHOLE), picture(2, 320, 240)) > GOOD);
    v.h264({5, 5, 0, 0}, "", H264_RESET_ALL); // neatvnc says it so
    v.h264({5, 5, 0, 7}, "xyz");
    v.h264(WHOLE, std::string("\0", 1));
    CHECK_FALSE(v.wants_again());
}

TEST_CASE("h264: pictures are found in a stream, and whether they stand alone")
{
    Look look;
    look.slices = GENERATE(1, 2, 5);
    look.delimiters = GENERATE(false, true);
    Coder c(320, 240, look);
    std::vector<std::string> each;
    std::string all;
    for (int i = 0; i < 6; i++)
        all += each.emplace_back(c.code(picture(i, 320, 240), i == 3));
    const auto *at = reinterpret_cast<const uint8_t *>(all.data());
    size_t left = all.size(), ends = 0;
    access_unit u;
    for (size_t i = 0; i < each.size(); i++) {
        REQUIRE(access_unit_next(at, left, &u));
        ends += each[i].size();
        size_t until = size_t(at - reinterpret_cast<const uint8_t *>(all.data())) + u.size;
        // the zero byte before a start code may be of either
        CHECK((until == ends || until == ends + 1));
        CHECK(u.picture);
        CHECK(u.alone == (i == 0 || i == 3));
        at += u.size;
        left -= u.size;
    }
    CHECK_FALSE(access_unit_next(at, left, &u));
}

TEST_CASE("h264: any bytes are cut into units that are not empty")
{
    std::mt19937 random(any_seed());
    for (int i = 0; i < 2000; i++) {
        std::vector<uint8_t> bytes(random() % 60);
        for (auto &b : bytes)
            b = random() % 3 ? uint8_t(random() % 4) : uint8_t(random());
        size_t at = 0;
        access_unit u;
        while (access_unit_next(bytes.data() + at, bytes.size() - at, &u)) {
            REQUIRE(u.size > 0);
            at += u.size;
            REQUIRE(at <= bytes.size());
        }
        CHECK(at == bytes.size());
    }
}
