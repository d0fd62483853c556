// A film from its pictures to H.264 in parts, and back, also where some of it is lost or damaged.
#include "tests/catch.hpp"

#include <cmath>
#include <memory>
#include <vector>

#include "rfb/film/coded_frames.h"
#include "rfb/film/decoder.h"
#include "rfb/film/encoder.h"
#include "rfb/film/frame_part.h"
#include "tests/seed.hpp"

namespace
{

struct Image {
    int w, h;
    std::vector<uint32_t> pixels;
};

// Soft shades that move, and a square.
Image picture(int n, int w = 320, int h = 180)
{
    Image i{w, h, std::vector<uint32_t>(size_t(w) * size_t(h))};
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            bool in = x > 20 + 3 * n % 200 && x < 60 + 3 * n % 200 && y > 40 && y < 90;
            uint32_t r = uint32_t(128 + 100 * std::sin((x + 2 * n) / 30.0));
            uint32_t g = uint32_t(128 + 100 * std::sin((y - n) / 20.0));
            i.pixels[size_t(y) * size_t(w) + size_t(x)] = in ? 0xf0e020 : r << 16 | g << 8 | 90;
        }
    return i;
}

double psnr(const Image &a, const Image &b)
{
    double sum = 0;
    for (size_t i = 0; i < a.pixels.size(); i++)
        for (int k = 0; k < 24; k += 8) {
            double d = double(a.pixels[i] >> k & 255) - double(b.pixels[i] >> k & 255);
            sum += d * d;
        }
    return 10 * std::log10(255 * 255 * 3 * double(a.pixels.size()) / std::max(sum, 1.0));
}

struct Coder {
    film_encoder *e = film_encoder_create();
    film_picture p{};
    int64_t number = 0;
    size_t most = 3000; // bytes that a picture is to take
    int qp = 0;
    bool was_key = false;

    ~Coder()
    {
        film_encoder_destroy(e);
        film_picture_deinit(&p);
    }
    std::vector<uint8_t> code(const Image &i, bool key = false, int64_t forget_from = -1)
    {
        film_demand d{};
        film_coded out{};
        d.number = number++;
        d.key = key || d.number == 0;
        d.forgets = forget_from >= 0;
        d.forget_from = forget_from;
        d.bytes = most;
        d.fps = 30;
        REQUIRE(film_picture_take(&p, i.pixels.data(), i.w, i.w, i.h));
        REQUIRE(film_encode(e, &p, &d, &out));
        was_key = out.key;
        qp = out.qp;
        return {out.bytes, out.bytes + out.size};
    }
};

struct Reader {
    film_decoder *d = film_decoder_create();
    Image seen;

    ~Reader()
    {
        film_decoder_destroy(d);
    }
    bool read(const std::vector<uint8_t> &bytes, bool key, int w = 320, int h = 180)
    {
        film_planes planes{};
        if (!film_decode(d, bytes.data(), bytes.size(), key, w, h, &planes))
            return false;
        seen = {w, h, std::vector<uint32_t>(size_t(w) * size_t(h))};
        film_picture_draw(&planes, 0, 0, seen.pixels.data(), w, w, h);
        return true;
    }
};

#define NEEDS_BOTH()                                                                               \
    film_decoder_load();                                                                           \
    if (!film_encoder_works() || !film_decoder_works()) {                                          \
        WARN("built without an encoder or decoder of H.264");                                      \
        return;                                                                                    \
    }

frame_part part_of(const std::vector<uint8_t> &frame, uint32_t id, unsigned before, unsigned index)
{
    frame_part p{};
    p.id = id;
    p.before = before;
    p.frame = frame.size();
    p.index = index;
    p.count = frame_parts(frame.size());
    p.bytes = frame.data() + frame_part_at(&p);
    return p;
}

} // namespace

TEST_CASE("film: colours are as they were, at any size")
{
    film_picture p{};
    int w = GENERATE(1, 17, 64), h = GENERATE(1, 16, 33);
    uint32_t colour = GENERATE(0x000000u, 0xffffffu, 0xff0000u, 0x00ff00u, 0x0000ffu, 0x123456u);
    std::vector<uint32_t> in(size_t(w * h), colour), out(in.size());
    REQUIRE(film_picture_take(&p, in.data(), w, w, h));
    film_planes planes = film_picture_planes(&p);
    film_picture_draw(&planes, 0, 0, out.data(), w, w, h);
    for (uint32_t c : out)
        for (int k = 0; k < 24; k += 8)
            CHECK(std::abs(int(c >> k & 255) - int(colour >> k & 255)) <= 2);
    film_picture_deinit(&p);
}

TEST_CASE("film: each picture comes out when it went in")
{
    NEEDS_BOTH();
    Coder c;
    Reader r;
    for (int i = 0; i < 40; i++) {
        Image image = picture(i);
        std::vector<uint8_t> bytes = c.code(image);
        REQUIRE(r.read(bytes, i == 0));
        CHECK(c.was_key == (i == 0));
        CHECK(psnr(image, r.seen) > (i < 3 ? 28 : 32));
    }
}

TEST_CASE("film: frames that are lost are left out, also where H.264's numbers begin anew")
{
    NEEDS_BOTH();
    Coder c;
    Reader r;
    int64_t lost = -1;
    unsigned late = GENERATE(1u, 4u, 12u);
    for (int i = 0; i < 150; i++) {
        // what was lost is known some frames later
        bool known = lost >= 0 && i - lost == late;
        Image image = picture(i);
        std::vector<uint8_t> bytes = c.code(image, false, known ? lost : -1);
        if (known)
            lost = -1;
        else if (lost < 0 && i % 17 == 16)
            lost = i;
        if (lost >= 0)
            continue;
        INFO("picture " << i);
        CHECK(c.was_key == (i == 0));
        REQUIRE(r.read(bytes, i == 0));
        CHECK(psnr(image, r.seen) > (i < 3 ? 28 : 30));
    }
}

TEST_CASE("film: what is damaged is refused or decoded, and a key frame makes all good again")
{
    NEEDS_BOTH();
    Coder c;
    Reader r;
    std::mt19937 random(any_seed());
    int refused = 0;
    for (int i = 0; i < 300; i++) {
        bool key = i % 5 == 0;
        Image image = picture(i);
        std::vector<uint8_t> bytes = c.code(image, key);
        if (i % 5 == 2)
            for (int k = 0; k < 4; k++)
                bytes[random() % bytes.size()] ^= uint8_t(1 + random() % 255);
        if (i % 5 == 3)
            bytes.resize(random() % bytes.size());
        bool ok = r.read(bytes, key);
        refused += !ok;
        if (key) {
            REQUIRE(ok);
            CHECK(psnr(image, r.seen) > 28);
        }
    }
    CHECK(refused > 0);
}

TEST_CASE("film: a picture of another size than it has to have is refused")
{
    NEEDS_BOTH();
    Coder c;
    Reader r;
    std::vector<uint8_t> bytes = c.code(picture(0, 64, 48));
    CHECK_FALSE(r.read(bytes, true, 64, 64));
    CHECK_FALSE(r.read(bytes, true, 48, 48));
    CHECK(r.read(bytes, true, 64, 48));
    CHECK(r.read(bytes, true, 60, 40)); // its sides end inside of a cell
    CHECK_FALSE(r.read({}, true, 64, 48));
}

TEST_CASE("film: parts say what they are, and nothing else is one")
{
    std::vector<uint8_t> frame(3000);
    uint8_t wire[BLOCK_PAYLOAD_MAX];
    size_t bytes = 0;
    for (unsigned i = 0; i < 3; i++) {
        frame_part p = part_of(frame, 0x12345678, 300, i), q{};
        REQUIRE(p.count == 3);
        size_t size = frame_part_write(wire, &p);
        REQUIRE(frame_part_read(&q, wire, size));
        CHECK((q.id == p.id && q.before == 300 && q.index == i && q.count == 3 && q.frame == 3000));
        CHECK(frame_part_at(&q) == bytes);
        bytes += frame_part_size(&q);
        CHECK_FALSE(frame_part_read(&q, wire, size - 1));
        CHECK_FALSE(frame_part_read(&q, wire, FRAME_PART_HEAD));
        for (size_t at = 6; at < FRAME_PART_HEAD; at++)
            for (int other = 0; other < 256; other++) { // of another frame, or no part
                uint8_t was = wire[at];
                wire[at] = uint8_t(other);
                if (frame_part_read(&q, wire, size))
                    CHECK(frame_part_at(&q) + frame_part_size(&q) <= q.frame);
                wire[at] = was;
            }
    }
    CHECK(bytes == 3000);
}

TEST_CASE("film: which cells a frame shows is said in runs")
{
    std::mt19937 random(any_seed());
    unsigned cells = GENERATE(1u, 255u, 256u, 3600u);
    unsigned shown = GENERATE(0u, 50u, 97u, 100u);
    std::vector<uint8_t> bits(cells / 8 + 1), back(bits.size()),
        runs(2 * cells + 2); // of a cell more
    for (unsigned i = 0; i < cells; i++)
        if (random() % 100 < shown)
            bits[i / 8] |= uint8_t(1u << i % 8);
    size_t size = frame_shows_write(runs.data(), bits.data(), cells);
    REQUIRE(size <= runs.size());
    CHECK(frame_shows_read(back.data(), cells, runs.data(), size) == size);
    CHECK(back == bits);
    CHECK(frame_shows_read(back.data(), cells, runs.data(), size - 1) == 0);
    CHECK(frame_shows_read(back.data(), cells + 1, runs.data(), size) == 0);
}

TEST_CASE("film: frames are decoded in their order, and on what they stand on only")
{
    std::unique_ptr<coded_frames, void (*)(coded_frames *)> f(coded_frames_create(),
                                                              coded_frames_destroy);
    std::vector<uint8_t> frame(2500, 7);
    coded_frame next{};
    rect area = {0, 0, 64, 64};
    auto add = [&](uint32_t id, unsigned before, unsigned index) {
        frame_part p = part_of(frame, id, before, index);
        return coded_frames_add(f.get(), &p, area);
    };
    auto all = [&](uint32_t id, unsigned before) {
        for (unsigned i = 0; i < 3; i++)
            REQUIRE(add(id, before, i));
    };
    auto decodes = [&](uint32_t id) {
        REQUIRE(coded_frames_next(f.get(), &next));
        CHECK(next.id == id);
        CHECK(next.size == frame.size());
        coded_frames_decoded(f.get(), id);
    };
    auto decodes_nothing = [&] { CHECK_FALSE(coded_frames_next(f.get(), &next)); };

    all(10, 0);
    decodes(10);
    add(20, 10, 2); // in any order, twice
    add(20, 10, 0);
    add(20, 10, 0);
    all(30, 10); // it stands on one that is not whole
    decodes_nothing();
    add(20, 10, 1);
    decodes(20);
    decodes(30);
    all(40, 20); // on one before the newest
    decodes(40);
    all(35, 5); // older than what was decoded
    decodes_nothing();
    all(60, 10); // on one that never came
    decodes_nothing();
    all(70, 0);
    decodes(70);
    decodes_nothing(); // and the one before is gone
    for (uint32_t id = 80; id < 80 + 2 * CODED_FRAMES; id++)
        add(id, 1, 0); // never whole: the oldest ones give way
    all(100, 30);
    decodes(100);
    CHECK(add(110, 10, 0));
    frame.resize(2400);
    CHECK_FALSE(add(110, 10, 1)); // of another frame with the same name
    coded_frames_forget(f.get());
    all(120, 20);
    decodes_nothing();
    uint32_t id = 121;
    for (; id < 120 + CODED_FRAMES_STUCK; id++) {
        CHECK_FALSE(coded_frames_take_stuck(f.get()));
        all(id, 1);
        decodes_nothing(); // the first one stands on what never came
    }
    CHECK(coded_frames_take_stuck(f.get()));
    CHECK_FALSE(coded_frames_take_stuck(f.get()));
    all(id, 0);
    decodes(id);
}

TEST_CASE("film: the quantiser says how coarse a picture is")
{
    NEEDS_BOTH();
    int before = 51;
    for (size_t bytes : {400, 1500, 12000}) {
        Coder c;
        Reader r;
        c.most = bytes;
        for (int n = 0; n < 40; n++) {
            std::vector<uint8_t> frame = c.code(picture(n));
            REQUIRE(r.read(frame, c.was_key));
            CHECK(c.qp >= 1);
            CHECK(c.qp <= 51);
        }
        INFO(bytes << " bytes: " << c.qp);
        CHECK(c.qp < before);
        before = c.qp;
    }
}

TEST_CASE("film: the rate may become another one at any time, and with it how much is tried")
{
    NEEDS_BOTH();
    Coder c;
    Reader r;
    for (int n = 0; n < 60; n++) {
        c.most = n / 10 % 2 ? 300 : 8000;
        std::vector<uint8_t> frame = c.code(picture(n));
        REQUIRE(r.read(frame, c.was_key));
        CHECK(psnr(picture(n), r.seen) > 20);
    }
}
