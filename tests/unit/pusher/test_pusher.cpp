// The pusher as a whole: what the viewer gets draws the server's picture, whatever happens to both.
#include "far_end_sides.hpp"
#include "tests/seed.hpp"

using namespace far_end;
using blocks_test::kinds;
using blocks_test::Random;

namespace
{

// Puts a picture of some kind somewhere.
rect draw_some(Picture &p, Random &random)
{
    rect r = {int(random() % unsigned(p.w)), int(random() % unsigned(p.h)), 0, 0};
    r.w = 1 + int(random() % unsigned(p.w - r.x));
    r.h = 1 + int(random() % unsigned(p.h - r.y));
    const Picture piece = kinds()[random() % kinds().size()].make(r.w, r.h, random);
    for (int y = 0; y < r.h; y++)
        for (int x = 0; x < r.w; x++)
            p.at(r.x + x, r.y + y) = piece.at(x, y);
    return r;
}

rect draw_all(Picture &p, uint32_t colour)
{
    p = Picture(p.w, p.h, colour);
    return {0, 0, p.w, p.h};
}

} // namespace

TEST_CASE("pusher: the first picture is the server's, and no black one comes before it")
{
    Scene s;
    s.check();
    REQUIRE(s.viewer.await([&] { return s.viewer.frames > 0; }));
    CHECK(s.viewer.with([&] { return s.viewer.first == s.server.picture; }));
    CHECK(s.viewer.with([&] { return s.viewer.told; }) == "accelerated bbr 1-1\n");
}

TEST_CASE("pusher: bursts of updates end in the server's picture, however it is acknowledged")
{
    Acks acks = GENERATE(IN_TIME, LATE, FALSE_ONES);
    bool jpeg = GENERATE(false, true);
    INFO("acknowledgements " << acks << ", JPEG " << jpeg);
    Random random(any_seed());
    Scene s(317, 203, acks, jpeg);
    for (int i = 0; i < 5; i++) {
        for (int j = 0; j < 20; j++)
            s.server.draw([&](Picture &p) { return draw_some(p, random); });
        s.check(); // what came with loss has come again
    }
    CHECK(s.server.with([&] { return s.server.broken; }) == "");
}

TEST_CASE("pusher: a server of another machine is shown, too")
{
    Far far(64, 48, false);
    Server server(far.server, 64, 48);
    Viewer viewer(far.viewer, 64, 48);
    server.draw([&](Picture &p) { return draw_all(p, 0x336699); });
    CHECK(viewer.await_picture(Picture(64, 48, 0x336699)));
    CHECK(server.with([&] { return server.listed[1] == ENCODING_TIGHT; }));
}

TEST_CASE("pusher: what an update has drawn is sent when it is whole, not before and not instead")
{
    Scene s(64, 64);
    s.check();
    s.server.with([&] { s.server.answers = false; });
    Picture next(64, 64, 0xabcdef);
    const std::string all = update(2) + raw(next, {0, 0, 64, 32}) + raw(next, {0, 32, 64, 32});
    for (size_t at = 0; at < all.size(); at += 1000) {
        s.server.say(all.substr(at, 1000));
        s.pass_by(); // the loop looks at the picture, which is half an update
    }
    CHECK(s.viewer.await_picture(next));
    CHECK(s.viewer.with([&] { return s.viewer.frames; }) == 2); // none was half of it
}

TEST_CASE("pusher: a new size comes before its picture, in each form and again and again")
{
    Random random(any_seed());
    Scene s(64, 48);
    std::string told = "accelerated bbr 1-1\n";
    for (int i = 0; i < 30; i++) {
        int w = 1 + int(random() % 300), h = 1 + int(random() % 200);
        bool extended = random() % 2, same = random() % 4 == 0;
        if (same) {
            const Picture now = s.picture();
            w = now.w;
            h = now.h;
        }
        Picture next = blocks_test::mosaic(w, h, random);
        s.server.resize(
            extended ? screens(0, 0, w, h) : rectangle({0, 0, w, h}, PSEUDO_DESKTOP_SIZE), next);
        if (!extended || !same)
            told += "resized " + std::to_string(w) + "x" + std::to_string(h) + "\n";
        told += extended ? "screens 1\n" : "";
        s.server.draw([&](Picture &p) { return draw_some(p, random); });
        if (random() % 2)
            s.check();
    }
    s.check();
    CHECK(s.viewer.with([&] { return s.viewer.told; }) == told);
}

TEST_CASE("pusher: one update that draws, resizes and draws again")
{
    Scene s(64, 48);
    s.check();
    s.server.with([&] { s.server.answers = false; });
    Picture before(64, 48, 0x111111), after(100, 20, 0x222222);
    s.server.say(update(3) + raw(before, {0, 0, 64, 48}) +
                 rectangle({0, 0, 100, 20}, PSEUDO_DESKTOP_SIZE) + raw(after, {0, 0, 100, 20}));
    CHECK(s.viewer.await_picture(after));
    CHECK(s.viewer.with([&] { return s.viewer.blocks == s.viewer.drawn; }));
}

TEST_CASE("pusher: who never acknowledges gets a little, and all else; then the rest")
{
    Random random(any_seed());
    Scene s(400, 300, NEVER);
    s.server.draw([&](Picture &p) {
        p = blocks_test::noise(400, 300, random);
        return rect{0, 0, 400, 300};
    });
    CHECK(s.far.comes_to_rest());
    CHECK(s.viewer.with([&] { return s.viewer.blocks; }) < 40); // noise: a packet each
    CHECK_FALSE(s.viewer.with([&] { return s.viewer.seen() == s.picture(); }));
    s.server.say(std::string(1, '\2'));
    CHECK(s.viewer.await_told("bell"));
    s.pass_by();
    while (!s.viewer.with([&] { return s.viewer.seen() == s.server.picture; })) {
        s.viewer.say(acknowledge(s.viewer.with([&] { return s.viewer.newest; })));
        s.pass_by();
    }
    s.check();
}

TEST_CASE("pusher: acknowledgements of what was never sent allow nothing")
{
    Random random(any_seed());
    Scene s(400, 300, NEVER);
    s.server.draw([&](Picture &p) {
        p = blocks_test::noise(400, 300, random);
        return rect{0, 0, 400, 300};
    });
    s.server.say(std::string(1, '\2')); // behind what was drawn
    CHECK(s.viewer.await_told("bell"));
    CHECK(s.far.comes_to_rest());
    unsigned blocks = s.viewer.with([&] { return s.viewer.blocks; });
    for (uint32_t n : {0u, 100000u, 0x7fffffffu, 0x80000000u, 0x80000001u, 0xffffffffu})
        s.viewer.say(acknowledge(n));
    s.pass_by();
    CHECK(s.far.comes_to_rest());
    CHECK(s.viewer.with([&] { return s.viewer.blocks; }) == blocks);
}

TEST_CASE("pusher: a part that is asked for comes again, wherever it is said to lie")
{
    Scene s;
    s.server.draw([&](Picture &p) { return draw_all(p, 0x445566); });
    s.check();
    CHECK(s.far.comes_to_rest());
    unsigned drawn = s.viewer.with([&] { return s.viewer.drawn; });
    s.viewer.say(request(false, {192, 112, 65535, 65535}) + request(false, {65535, 65535, 5, 5}) +
                 request(false, {0, 0, 0, 0}) + request(true, {0, 0, 200, 120}));
    CHECK(s.viewer.await([&] { return s.viewer.drawn > drawn; }));
    CHECK(s.far.comes_to_rest());
    CHECK(s.viewer.with([&] { return s.viewer.drawn; }) == drawn + 1); // a cell's, one colour
    CHECK(s.server.with([&] { return s.server.full; }) == 1);
    s.check();
}

TEST_CASE("pusher: nothing is sent to who sees nothing, and all is when it looks again")
{
    Scene s;
    s.check();
    s.viewer.say(wishes(false, true));
    s.pass_by();
    unsigned drawn = s.viewer.with([&] { return s.viewer.drawn; });
    s.server.draw([&](Picture &p) { return draw_all(p, 0x999999); });
    s.server.say(std::string(1, '\2'));
    CHECK(s.viewer.await_told("bell"));
    CHECK(s.far.comes_to_rest());
    CHECK(s.viewer.with([&] { return s.viewer.drawn; }) == drawn);
    s.viewer.say(wishes(false, false));
    s.check();
}

TEST_CASE("pusher: with nothing to do none of its threads runs")
{
    Scene s(200, 120, IN_TIME, true);
    Random random(any_seed());
    CHECK(s.far.comes_to_rest());
    s.server.draw([&](Picture &p) { return draw_some(p, random); });
    s.check();
    CHECK(s.far.comes_to_rest());
    // a server that says it has another size, and no more
    s.server.with([&] { s.server.answers = false; });
    s.server.say(update(1) + rectangle({0, 0, 100, 300}, PSEUDO_DESKTOP_SIZE));
    CHECK(s.viewer.await_told("resized"));
    CHECK(s.far.comes_to_rest());
    // a server that stays in the middle of an update
    Picture next(100, 300, 1);
    s.server.say(raw_update(next, {0, 0, 100, 300}).substr(0, 5000));
    CHECK(s.far.comes_to_rest());
    // and a viewer in the middle of a text
    s.viewer.say(client_text("text").substr(0, 10));
    CHECK(s.far.comes_to_rest());
}
