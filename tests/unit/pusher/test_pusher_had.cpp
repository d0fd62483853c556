// What the viewer still has of an earlier connection: the far end sends what is different, whatever
// the viewer says, and whenever.
#include <iomanip>
#include <sstream>

#include "far_end_sides.hpp"
#include "rfb/blocks/references/tile_digest.h"
#include "rfb/pusher/viewer/viewer_side.h"
#include "tests/seed.hpp"

using namespace far_end;
using blocks_test::mosaic;
using blocks_test::noise;
using blocks_test::Random;

namespace
{

constexpr int W = 400, H = 300; // tiles: 7 x 5, the outer ones not whole

constexpr int SIDE = 64;

std::string said(const blocks_digests &d)
{
    blocks_message m = {};
    m.kind = BLOCKS_DIGESTS;
    m.digests = d;
    return written([&](uint8_t *o) { return blocks_write(o, &m); });
}

// Of which picture and which tiles there are digests, each with so many bytes.
std::string begins(int width, int height, int side = SIDE, unsigned bytes = 8)
{
    return said({bytes, 0, nullptr, width, height, side, {}});
}

// So many digests, which are of no picture.
std::string digests(unsigned count, unsigned bytes = 8)
{
    const std::vector<uint8_t> any(size_t(count) * bytes, 7);
    return said({bytes, count, any.data(), 0, 0, 0, {}});
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
    for (uint32_t tile = 0; tile < blocks_tiles(p.w, p.h, SIDE); tile++) {
        const rect r = tile_at(p.w, p.h, SIDE, tile);
        if (random() % one_of == 0)
            other.at(r.x + int(random() % unsigned(r.w)), r.y + int(random() % unsigned(r.h))) ^=
                1u << random() % 24;
    }
    return other;
}

} // namespace

TEST_CASE("had: tiles are numbered row by row, and cut off at the edges")
{
    CHECK(blocks_tiles(W, H, 64) == 35);
    CHECK(blocks_tiles(64, 64, 64) == 1);
    CHECK(blocks_tiles(65, 1, 64) == 2);
    CHECK(blocks_tiles(W, H, 16) == 25 * 19);
    CHECK(blocks_tiles(8192, 8192, 64) == 128 * 128);
    auto is = [](rect a, rect b) { return a.x == b.x && a.y == b.y && a.w == b.w && a.h == b.h; };
    CHECK(is(tile_at(W, H, 64, 0), {0, 0, 64, 64}));
    CHECK(is(tile_at(W, H, 64, 6), {384, 0, 16, 64}));
    CHECK(is(tile_at(W, H, 64, 7), {0, 64, 64, 64}));
    CHECK(is(tile_at(W, H, 64, 34), {384, 256, 16, 44}));
    CHECK(is(tile_at(W, H, 128, 11), {384, 256, 16, 44}));
    CHECK(is(tile_at(W, H, 16, 26), {16, 16, 16, 16}));
}

TEST_CASE("had: a digest is HMAC-SHA256 of the tile's number and red, green, blue, row by row")
{
    // printf '\0\0\0\5\x11\x22\x33\x44\x55\x66\x77\x88\x99\xaa\xbb\xcc' |
    //     openssl dgst -sha256 -mac hmac -macopt hexkey:KEY, KEY is 16 times 01, then 16 times 02
    uint8_t ours[BLOCKS_KEY_BYTES], theirs[BLOCKS_KEY_BYTES];
    memset(ours, 1, sizeof ours);
    memset(theirs, 2, sizeof theirs);
    Picture p(3, 3, 0xffffff);
    p.at(1, 1) = 0xee112233; // the highest byte means nothing
    p.at(2, 1) = 0x445566;
    p.at(1, 2) = 0x778899;
    p.at(2, 2) = 0xaabbcc;
    auto digest = [&](tile_digest &d, uint32_t tile) {
        std::string out(TILE_DIGEST_BYTES, '\0');
        tile_digest_make(&d, p.pixels.data(), 3, {1, 1, 2, 2}, tile,
                         reinterpret_cast<uint8_t *>(&out[0]));
        return out;
    };
    tile_digest d, other;
    tile_digest_begin(&d, ours, theirs);
    tile_digest_begin(&other, theirs, ours);
    const std::string five = digest(d, 5);
    std::ostringstream hex;
    for (char c : five)
        hex << std::hex << std::setw(2) << std::setfill('0') << unsigned(uint8_t(c));
    CHECK(hex.str() == "9c603b1a0af8788fe6180fcee37703a5f1f3f6bdf7a0e69ffc4e064b89b8864f");
    CHECK(digest(d, 5) == five);
    CHECK(digest(d, 6) != five);
    CHECK(digest(other, 5) != five);
    p.at(2, 2) ^= 1;
    CHECK(digest(d, 5) != five);
}

TEST_CASE("had: each viewer gets a key of its own")
{
    std::vector<std::string> keys;
    for (int i = 0; i < 3; i++) {
        Scene s(64, 48);
        s.check();
        REQUIRE(s.viewer.with([&] { return s.viewer.digests; }));
        keys.push_back(s.viewer.with([&] { return s.viewer.key; }));
    }
    CHECK((keys[0] != keys[1] && keys[1] != keys[2] && keys[0] != keys[2]));
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
    CHECK(s.bytes() - before < 300); // ten rows of tiles, and the end
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
        const old_picture_grain grain = {16 << random() % 4, 1 + unsigned(random() % 8)};
        s.viewer.has(old, &grain);
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
    CHECK(viewer.with([&] { return viewer.bytes; }) < 300); // not one cell was sent
    CHECK(viewer.with([&] { return viewer.first == p; }));
}

TEST_CASE("had: it may be said while the far end begins")
{
    framebuffer *fb = framebuffer_create(-1);
    REQUIRE(framebuffer_resize(fb, W, H));
    viewer_side *v = viewer_side_create(fb, -1);
    const std::vector<uint8_t> any(35 * 8, 7);
    blocks_message m = {};
    m.kind = BLOCKS_DIGESTS;
    m.digests = {8, 0, nullptr, W, H, SIDE, {}};
    CHECK(viewer_side_hear(v, &m));
    m.digests = {8, 35, any.data(), 0, 0, 0, {}};
    CHECK(viewer_side_hear(v, &m));
    bytes_held out = {};
    CHECK(viewer_side_take(v, &out, BLOCK_MAX, tick_now()));
    CHECK(out.size == 0);
    bytes_deinit(&out);
    viewer_side_destroy(v);
    framebuffer_destroy(fb);
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
    const std::string begin = begins(W, H), all = begin + digests(35);
    std::string no_bytes = begin, many_bytes = begin;
    no_bytes[3] = 0;
    many_bytes[3] = 9;
    for (const std::string &wrong : {digests(1),
                                     begin + begin,
                                     begin + digests(36),
                                     begin + digests(35) + digests(1),
                                     begin + digests(34) + digests(2),
                                     begin + digests(10) + begin,
                                     begin + digests(10, 7),
                                     all + all,
                                     all + digests(1),
                                     all + begins(W, 64),
                                     begins(9000, 64),
                                     begins(64, 8193),
                                     begins(0, H),
                                     begins(W, 0),
                                     begins(W, H, 8),
                                     begins(W, H, 48),
                                     begins(W, H, 256),
                                     begins(W, H, 0),
                                     no_bytes,
                                     many_bytes,
                                     begins(W, H, SIDE, 9)}) {
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
    send_all(far.viewer, begins(W, H));
    for (int tile = 0; tile < 30; tile++)
        send_all(far.viewer, digests(1));
    CHECK(far.comes_to_rest());
    CHECK_FALSE(far.ended());
}

TEST_CASE("had: tiles may be of any side, and digests of any length")
{
    Random random(any_seed());
    const Picture p = noise(W, H, random);
    for (int side = BLOCKS_SIDE_LEAST; side <= BLOCKS_SIDE_MAX; side *= 2) {
        const old_picture_grain grain = {side, side == 64 ? 4u : unsigned(BLOCKS_DIGEST_MAX)};
        Slow s(p);
        Picture old = p;
        old.at(399, 299) ^= 1; // in a tile of 16x12, 16x12, 16x44 or 16x44
        const uint64_t before = s.bytes();
        s.viewer.has(old, &grain);
        s.finish();
        CHECK(s.bytes() - before < uint64_t(16 * 44 * 3 + 60 * (H / side + 2)));
        CHECK(s.viewer.with([&] { return s.viewer.asked; }) == 0);
    }
}

TEST_CASE("had: a tile with the same digest by chance is put right")
{
    Random random(any_seed());
    const Picture p = noise(W, H, random), old = noise(W, H, random);
    const old_picture_grain grain = {16, 1}; // 475 tiles: nearly two of them, on average
    unsigned wrong = 0;
    for (int round = 0; round < 8; round++) {
        Slow s(p);
        s.viewer.has(old, &grain);
        s.finish();
        wrong += s.viewer.with([&] { return s.viewer.asked; });
    }
    CHECK(wrong > 0); // all by chance without one: (255/256)^3800, less than 1e-6
}
