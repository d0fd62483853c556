// What the viewer still has of an earlier connection: the far end sends what is different, whatever
// the viewer says, and whenever.
#include "far_end_sides.hpp"
#include "rfb/blocks/tile_digest.h"
#include "tests/seed.hpp"

using namespace far_end;
using blocks_test::mosaic;
using blocks_test::noise;
using blocks_test::Random;

namespace
{

constexpr int W = 400, H = 300; // tiles: 7 x 5, the outer ones not whole

std::string digests(const Picture &p, uint32_t first, unsigned count)
{
    std::string all(size_t(count) * BLOCKS_DIGEST_BYTES, '\0');
    for (unsigned i = 0; i < count; i++)
        tile_digest(p.pixels.data(), p.w, tile_at(p.w, p.h, first + i),
                    reinterpret_cast<uint8_t *>(&all[size_t(i) * BLOCKS_DIGEST_BYTES]));
    blocks_message m = {};
    m.kind = BLOCKS_DIGESTS;
    m.digests = {p.w, p.h, first, count, reinterpret_cast<const uint8_t *>(all.data())};
    return written([&](uint8_t *o) { return blocks_write(o, &m); });
}

std::string digests(const Picture &p)
{
    return digests(p, 0, blocks_tiles(p.w, p.h));
}

// The viewer acknowledges nothing: so little is sent before it has said what it has.
struct Slow : Scene {
    explicit Slow(const Picture &p) : Scene(p, NEVER)
    {
        CHECK(far.comes_to_rest());
        REQUIRE(viewer.await([&] { return viewer.digests; }));
    }
    uint64_t bytes()
    {
        return viewer.with([&] { return viewer.bytes; });
    }
    // The viewer acknowledges until it has all.
    void finish()
    {
        const Picture p = picture();
        while (!viewer.with([&] { return viewer.seen() == p; })) {
            viewer.say(acknowledge(viewer.with([&] { return viewer.newest; })));
            pass_by();
        }
        check();
    }
};

// Other pixels in some tiles.
Picture partly(const Picture &p, Random &random, unsigned one_of)
{
    Picture other = p;
    for (uint32_t tile = 0; tile < blocks_tiles(p.w, p.h); tile++) {
        const rect r = tile_at(p.w, p.h, tile);
        if (random() % one_of == 0)
            other.at(r.x + int(random() % unsigned(r.w)), r.y + int(random() % unsigned(r.h))) ^=
                1u << random() % 24;
    }
    return other;
}

} // namespace

TEST_CASE("had: tiles are numbered row by row, and cut off at the edges")
{
    CHECK(blocks_tiles(W, H) == 35);
    CHECK(blocks_tiles(64, 64) == 1);
    CHECK(blocks_tiles(65, 1) == 2);
    CHECK(blocks_tiles(8192, 8192) == 128 * 128);
    auto is = [](rect a, rect b) { return a.x == b.x && a.y == b.y && a.w == b.w && a.h == b.h; };
    CHECK(is(tile_at(W, H, 0), {0, 0, 64, 64}));
    CHECK(is(tile_at(W, H, 6), {384, 0, 16, 64}));
    CHECK(is(tile_at(W, H, 7), {0, 64, 64, 64}));
    CHECK(is(tile_at(W, H, 34), {384, 256, 16, 44}));
}

TEST_CASE("had: a digest is the beginning of SHA-256 over red, green, blue, row by row")
{
    // printf '\x11\x22\x33\x44\x55\x66\x77\x88\x99\xaa\xbb\xcc' | sha256sum
    Picture p(3, 3, 0xffffff);
    p.at(1, 1) = 0xee112233; // the highest byte means nothing
    p.at(2, 1) = 0x445566;
    p.at(1, 2) = 0x778899;
    p.at(2, 2) = 0xaabbcc;
    uint8_t out[BLOCKS_DIGEST_BYTES];
    tile_digest(p.pixels.data(), 3, {1, 1, 2, 2}, out);
    const uint8_t known[] = {0x1e, 0xff, 0xda, 0xc3, 0x2b, 0x0a, 0x36, 0xbf};
    CHECK(memcmp(out, known, sizeof known) == 0);
}

TEST_CASE("had: of a picture that is as it was nothing more is sent, and it is whole")
{
    Random random(any_seed());
    const Picture p = noise(W, H, random);
    Slow s(p);
    const uint64_t before = s.bytes();
    unsigned frames = s.viewer.with([&] { return s.viewer.frames; });
    s.viewer.has(p);
    s.check();
    CHECK(s.far.comes_to_rest());
    CHECK(s.bytes() - before < 200); // five rows of tiles, and the end
    CHECK(s.viewer.with([&] { return s.viewer.frames; }) == frames + 1);
    // and it goes on
    s.server.draw([](Picture &now) {
        now.at(200, 100) ^= 0xffffff;
        return rect{200, 100, 1, 1};
    });
    s.finish();
}

TEST_CASE("had: what is different is sent, and only that")
{
    Random random(any_seed());
    const Picture p = noise(W, H, random);
    Slow s(p);
    Picture old = p;
    old.at(399, 299) ^= 1;
    old.at(130, 290) ^= 0x010000;
    const uint64_t before = s.bytes();
    s.viewer.has(old);
    s.finish();
    CHECK(s.bytes() - before < 64 * 64 * 3 * 2); // two tiles, of them one is cut off
}

TEST_CASE("had: whatever it was, and whatever changes meanwhile, the viewer ends with our picture")
{
    Random random(any_seed());
    for (int round = 0; round < 25; round++) {
        const int w = 1 + int(random() % 300), h = 1 + int(random() % 200);
        const Picture p = mosaic(w, h, random);
        const Picture old = partly(p, random, 1 + unsigned(random() % 4));
        const Acks acks = random() % 2 ? IN_TIME : LATE;
        Scene s(p, acks, random() % 2);
        auto change = [&] {
            s.server.draw([&](Picture &now) {
                rect r = {int(random() % unsigned(w)), int(random() % unsigned(h)), 0, 0};
                r.w = 1 + int(random() % unsigned(w - r.x));
                r.h = 1 + int(random() % unsigned(h - r.y));
                const Picture piece = mosaic(r.w, r.h, random);
                const bool back = random() % 2; // to what it was
                for (int y = r.y; y < r.y + r.h; y++)
                    for (int x = r.x; x < r.x + r.w; x++)
                        now.at(x, y) = back ? old.at(x, y) : piece.at(x - r.x, y - r.y);
                return r;
            });
        };
        for (unsigned i = random() % 3; i > 0; i--)
            change();
        s.viewer.has(old);
        for (unsigned i = random() % 3; i > 0; i--)
            change();
        s.check();
    }
}

TEST_CASE("had: copies after it are of what the viewer has by then")
{
    Random random(any_seed());
    const Picture p = noise(W, H, random);
    Slow s(p);
    s.viewer.has(p);
    s.check();
    const uint64_t before = s.bytes();
    Picture next = p; // the server scrolls by 13 lines, over cells that were never sent
    for (int y = 0; y + 13 < H; y++)
        for (int x = 0; x < W; x++)
            next.at(x, y) = p.at(x, y + 13);
    const char from[] = {0, 0, 0, 13};
    s.server.with([&] { s.server.answers = false; });
    s.server.say(update(1) + rectangle({0, 0, W, H - 13}, ENCODING_COPYRECT) +
                 std::string(from, sizeof from));
    CHECK(s.viewer.await_picture(next));
    CHECK(s.far.comes_to_rest());
    CHECK(s.bytes() - before < 100);
}

TEST_CASE("had: it may be said before the server has shown anything")
{
    Random random(any_seed());
    const Picture p = noise(W, H, random);
    Far far(W, H);
    Server server(far.server, W, H);
    server.with([&] { server.answers = false; });
    Viewer viewer(far.viewer, W, H, NEVER);
    viewer.has(p);
    CHECK(far.comes_to_rest());
    CHECK(viewer.with([&] { return viewer.blocks; }) == 0);
    server.say(raw_update(p, {0, 0, W, H}));
    CHECK(viewer.await_picture(p));
    CHECK(far.comes_to_rest());
    CHECK(viewer.with([&] { return viewer.bytes; }) < 200); // not one cell was sent
    CHECK(viewer.with([&] { return viewer.first == p; }));
}

TEST_CASE("had: of another size nothing is the same, and the viewer need not keep it")
{
    Random random(any_seed());
    const Picture p = noise(W, H, random), other = noise(W + 1, H, random);
    Slow s(p);
    s.viewer.has(other);
    s.finish();
    // there was one, and it is over: another one is not heard
    CHECK(s.viewer.with([&] { return s.viewer.ended; }) == false);
}

TEST_CASE("had: a picture of another size comes, and the one before comes back")
{
    Random random(any_seed());
    const Picture p = noise(W, H, random);
    Slow s(p);
    s.viewer.hold(true);
    s.viewer.has(p);
    s.server.resize(rectangle({0, 0, 100, 90}, PSEUDO_DESKTOP_SIZE), noise(100, 90, random));
    s.server.resize(rectangle({0, 0, W, H}, PSEUDO_DESKTOP_SIZE), p);
    s.viewer.hold(false);
    // what it sees until then is the first one, which may be the same already
    REQUIRE(s.viewer.await_told("resized 400x300"));
    s.finish();
}

TEST_CASE("had: what cannot be ends it")
{
    const Picture p(W, H, 0x123456), small(W, 64, 0x123456), large(9000, 64, 0x123456);
    const std::string all = digests(p), first = digests(p, 0, 10);
    std::string none = all, beyond = digests(p, 0, 35);
    none[2] = 0;
    beyond[11] = 1;
    for (const std::string &wrong :
         {none, beyond, digests(p, 1, 5), first + digests(p, 9, 5), first + first,
          first + digests(p, 11, 5), first + digests(small), all + all, all + digests(p, 34, 1),
          all + digests(small), digests(large)}) {
        Scene s(W, H);
        s.check();
        s.viewer.say(wrong);
        CHECK(s.viewer.await([&] { return s.viewer.ended; }));
        s.far.join();
        CHECK(s.far.why().find("the viewer says what it may not") == 0);
    }
}

TEST_CASE("had: it may be said in parts, and never to its end")
{
    Random random(any_seed());
    const Picture p = noise(W, H, random);
    Far far(W, H);
    Server server(far.server, p);
    send_all(far.viewer, encodings());
    CHECK(far.comes_to_rest());
    for (uint32_t tile = 0; tile < 30; tile++)
        send_all(far.viewer, digests(p, tile, 1));
    CHECK(far.comes_to_rest());
    CHECK_FALSE(far.ended());
}
