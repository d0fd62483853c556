// The far end refers to what its viewer has: text that scrolls, windows that move or come back,
// letters that are typed. Whatever is lost or refused, the viewer ends with the server's picture.
#include "datagram_end.hpp"
#include "rfb/pusher/references/kept_tiles.h"
#include "rfb/pusher/references/references.h"
#include "tests/seed.hpp"

using namespace far_end;
using blocks_test::mixed;
using blocks_test::noise;
using blocks_test::Random;
using blocks_test::text;

namespace
{

constexpr int W = 640, H = 400;

// Within `pane` the content moves; what comes in is text.
rect scroll(Picture &p, rect pane, int dx, int dy, Random &random)
{
    const Picture then = p, more = text(pane.w, pane.h, false, random);
    for (int y = 0; y < pane.h; y++)
        for (int x = 0; x < pane.w; x++) {
            const bool inside = x - dx >= 0 && x - dx < pane.w && y - dy >= 0 && y - dy < pane.h;
            p.at(pane.x + x, pane.y + y) =
                inside ? then.at(pane.x + x - dx, pane.y + y - dy) : more.at(x, y);
        }
    return pane;
}

rect put(Picture &p, const Picture &piece, int x, int y)
{
    for (int i = 0; i < piece.h; i++)
        for (int j = 0; j < piece.w; j++)
            p.at(x + j, y + i) = piece.at(j, i);
    return {x, y, piece.w, piece.h};
}

// With a viewer of the stream; it takes foretold text, or not.
struct Stream {
    Far far;
    Server server;
    Viewer viewer;

    explicit Stream(const Picture &p, bool foretold = true, unsigned kept_mib = KEPT_MIB_USUAL)
        : far(p.w, p.h), server(far.server, p),
          viewer(far.viewer, p.w, p.h, IN_TIME, false, also(foretold, kept_mib))
    {
        check();
    }
    static Also also(bool foretold, unsigned kept_mib)
    {
        Also also;
        also.kept_mib = kept_mib;
        also.no_foretold = !foretold;
        return also;
    }
    Picture picture()
    {
        return server.with([&] { return server.picture; });
    }
    void check()
    {
        CHECK(viewer.await_picture(picture()));
    }
    // Bytes that a change takes.
    uint64_t takes(const std::function<rect(Picture &)> &f)
    {
        const uint64_t before = viewer.with([&] { return viewer.bytes; });
        server.draw(f);
        REQUIRE(viewer.await_picture(picture()));
        return viewer.with([&] { return viewer.bytes; }) - before;
    }
    struct resolver_counts counts()
    {
        CHECK(far.comes_to_rest());
        return viewer.with([&] { return viewer.references; });
    }
};

} // namespace

TEST_CASE("references: text that scrolls is moved, up, down and sideways")
{
    Random random(any_seed());
    Stream s(text(W, H, false, random));
    const rect pane = {40, 20, 560, 360};
    const uint64_t all =
        s.takes([&](Picture &p) { return put(p, text(W, H, false, random), 0, 0); });
    // Nothing comes back to where it was: what stood there long enough is kept, and not moved.
    for (auto [dx, dy] : {std::pair{0, -14}, {0, 22}, {0, -100}, {-30, 0}, {7, 3}}) {
        const uint64_t bytes = s.takes([&](Picture &p) { return scroll(p, pane, dx, dy, random); });
        INFO(dx << "," << dy << ": " << bytes << " of " << all);
        CHECK(2 * bytes < all);
    }
    CHECK(s.counts().moved >= 5);
    CHECK(s.counts().refused == 0);
}

TEST_CASE("references: a window that comes back is what was kept")
{
    Random random(any_seed());
    const Picture desk = mixed(W, H, random), window = text(560, 360, true, random);
    Stream s(desk);
    const uint64_t first = s.takes([&](Picture &p) { return put(p, window, 40, 20); });
    std::this_thread::sleep_for(std::chrono::nanoseconds(KEPT_TILES_STOOD));
    s.takes([&](Picture &p) { return put(p, desk, 0, 0); });
    const uint64_t again = s.takes([&](Picture &p) { return put(p, window, 40, 20); });
    INFO(again << " bytes, the first time " << first);
    CHECK(s.counts().kept > 0);
    CHECK(2 * again < first);
    CHECK(s.counts().refused == 0);
}

TEST_CASE("references: both ends keep as many tiles as the viewer has memory for")
{
    Random random(any_seed());
    const unsigned mib = GENERATE(0u, 1u); // 0 or 85 tiles; the window has 54
    const Picture desk = mixed(W, H, random), one = text(560, 360, true, random),
                  other = text(560, 360, true, random);
    Stream s(desk, true, mib);
    for (int i = 0; i < 3; i++) {
        s.takes([&](Picture &p) { return put(p, i % 2 ? other : one, 40, 20); });
        std::this_thread::sleep_for(std::chrono::nanoseconds(KEPT_TILES_STOOD));
        s.takes([&](Picture &p) { return put(p, desk, 0, 0); });
    }
    CHECK((mib == 0) == (s.counts().kept == 0));
    CHECK(s.counts().refused == 0);
}

TEST_CASE("references: letters that are typed have a prefix, or are foretold")
{
    Random random(any_seed());
    const bool foretold = GENERATE(false, true);
    Picture line = text(W, 16, true, random), empty(W, 16, blocks_test::RGB);
    Stream s(text(W, H, true, random), foretold);
    s.takes([&](Picture &p) { return put(p, empty, 0, 160); });
    for (int x = 2; x < 600; x += 7)
        s.takes([&](Picture &p) {
            for (int y = 0; y < 16; y++)
                for (int i = 0; i < 7; i++)
                    p.at(x + i, 160 + y) = line.at(x + i, y);
            return rect{x, 160, 7, 16};
        });
    CHECK((foretold ? s.counts().foretold : s.counts().prefixed) > 40);
    CHECK((foretold || s.counts().foretold == 0));
    CHECK(s.counts().refused == 0);
}

TEST_CASE("references: after a refusal text is foretold anew")
{
    Random random(any_seed());
    Stream s(text(W, H, true, random));
    auto types = [&](int times) {
        for (int i = 0; i < times; i++)
            s.takes([&](Picture &p) {
                return put(p, text(16, 16, true, random), 16 * int(random() % 30), 160);
            });
    };
    types(20);
    const struct resolver_counts before = s.counts();
    CHECK(before.foretold > 10);
    s.viewer.say(refused({16, 160, 16, 16}));
    types(20);
    CHECK(s.counts().foretold > before.foretold + 10);
    CHECK(s.counts().refused == 0);
}

TEST_CASE("references: a viewer that does not take them gets none")
{
    Random random(any_seed());
    const Picture first = text(W, H, false, random);
    unsigned blocks = 0, references = 0;
    Also also;
    also.no_references = true;
    also.block = [&](const block &b) {
        blocks++;
        references += block_is_reference(&b);
    };
    {
        Far far(W, H);
        Server server(far.server, first);
        Viewer viewer(far.viewer, W, H, IN_TIME, false, also);
        for (int i = 0; i < 10; i++) {
            CHECK(viewer.await_picture(server.with([&] { return server.picture; })));
            server.draw([&](Picture &p) { return scroll(p, {32, 32, 560, 320}, 0, -14, random); });
        }
    }
    CHECK(blocks > 0);
    CHECK(references == 0);
}

TEST_CASE("references: whatever datagrams are lost, the picture becomes the server's")
{
    Random random(any_seed());
    const unsigned percent = GENERATE(0, 5, 30);
    INFO(percent);
    Linked s(IN_TIME, W, H);
    s.begin();
    Random dice(random());
    s.server.draw([&](Picture &p) { return put(p, mixed(W, H, random), 0, 0); });
    s.check();
    s.way.with([&] { s.way.loses = [&](const block &) { return dice() % 100 < percent; }; });
    for (int i = 0; i < 40; i++) {
        s.server.draw([&](Picture &p) {
            return scroll(p, {40, 20, 560, 360}, int(random() % 9) - 4, int(random() % 61) - 30,
                          random);
        });
        if (random() % 2)
            s.check();
    }
    s.check();
    CHECK(s.way.with([&] { return s.way.references; }) > 0);
    s.way.with([&] { s.way.loses = [](const block &) { return false; }; });
}

TEST_CASE("references: what is refused comes again, and stands alone")
{
    Random random(any_seed());
    Stream s(text(W, H, false, random));
    const rect pane = {32, 32, 320, 320};
    s.takes([&](Picture &p) { return scroll(p, pane, 0, -14, random); });
    const struct resolver_counts before = s.counts();
    const uint64_t bytes = s.viewer.with([&] { return s.viewer.bytes; });
    s.viewer.say(refused({0, 0, W, H}));
    const uint64_t all = 2000;
    CHECK(s.viewer.await([&] { return s.viewer.bytes > bytes + all; }));
    CHECK(s.counts().moved == before.moved);
    CHECK(s.counts().kept == before.kept);
    CHECK(s.counts().prefixed == before.prefixed);
    s.check();
    s.takes([&](Picture &p) { return scroll(p, pane, 0, -14, random); });
    CHECK(s.counts().moved == before.moved + 1); // it is known again
}

TEST_CASE("references: a viewer that refuses everything still gets the picture")
{
    Random random(any_seed());
    Stream s(text(W, H, false, random));
    for (int i = 0; i < 30; i++) {
        s.server.draw([&](Picture &p) { return scroll(p, {32, 32, 320, 320}, 0, -14, random); });
        s.viewer.say(
            refused({int(random() % W), int(random() % H), 1 + int(random() % 70000) % W, 65535}));
    }
    s.check();
}

TEST_CASE("references: two tiles of one name are referred to by none")
{
    kept_tiles *k = kept_tiles_create(KEPT_MIB_USUAL);
    uint8_t one[RGB_DIGEST], other[RGB_DIGEST];
    Random random(any_seed());
    for (uint8_t &byte : one)
        byte = uint8_t(random());
    memcpy(other, one, sizeof other);
    other[RGB_DIGEST - 1 - random() % (RGB_DIGEST - REFERENCE_DIGEST)] ^= 4; // behind the name
    const kept_tiles_how how = {nullptr, false, 0};
    CHECK(kept_tiles_has(k, one, &how) < 0);
    CHECK(kept_tiles_add(k, one, {0, 0, 64, 64}, 1));
    CHECK(kept_tiles_has(k, one, &how) >= 0);
    CHECK(kept_tiles_has(k, other, &how) < 0); // the viewer would draw the first one
    CHECK_FALSE(kept_tiles_add(k, one, {0, 0, 64, 64}, 2));
    CHECK(kept_tiles_has(k, one, &how) >= 0);
    CHECK_FALSE(kept_tiles_add(k, other, {64, 0, 64, 64}, 3));
    CHECK(kept_tiles_has(k, one, &how) < 0);
    CHECK(kept_tiles_has(k, other, &how) < 0);
    kept_tiles_refused(k, {0, 0, 1, 1});
    CHECK(kept_tiles_add(k, other, {64, 0, 64, 64}, 4)); // its name is free again
    CHECK(kept_tiles_has(k, other, &how) >= 0);
    kept_tiles_destroy(k);
}
