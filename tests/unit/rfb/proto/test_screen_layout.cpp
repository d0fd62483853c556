// SetDesktopSize and the screens it names, checked against bytes written down by hand from the
// community specification; and what of it a session asks for.
#include "tests/catch.hpp"

#include <cstring>
#include <memory>
#include <random>
#include <vector>

#include "rfb/proto/client_messages.h"
#include "rfb/proto/server_messages.h"
#include "rfb/session/input/resize.h"
#include "tests/seed.hpp"

namespace
{

using Bytes = std::vector<uint8_t>;

screen_layout two_screens()
{
    screen_layout l{};
    l.count = 2;
    l.screens[0] = {7, {0, 0, 800, 600}, 1};
    l.screens[1] = {0xfffffffe, {800, 0, 400, 600}, 0x80000000};
    return l;
}

bool same(const rect &a, const rect &b)
{
    return a.x == b.x && a.y == b.y && a.w == b.w && a.h == b.h;
}

} // namespace

TEST_CASE("SetDesktopSize, written and read")
{
    const screen_layout l = two_screens();
    uint8_t out[CLIENT_WRITE_MAX];
    size_t size = client_write_set_desktop_size(out, 1200, 600, &l);
    const Bytes right = {251,  0,    0x04, 0xb0, 0x02, 0x58, 2, 0,                         //
                         0,    0,    0,    7,    0,    0,    0, 0, 0x03, 0x20, 0x02, 0x58, //
                         0,    0,    0,    1,                                              //
                         0xff, 0xff, 0xff, 0xfe, 0x03, 0x20, 0, 0, 0x01, 0x90, 0x02, 0x58, //
                         0x80, 0,    0,    0};
    CHECK(Bytes(out, out + size) == right);

    client_message m{};
    size_t count = 0;
    reason why{};
    for (size_t part = 0; part < size; part++) {
        std::unique_ptr<uint8_t[]> exact(new uint8_t[part]);
        memcpy(exact.get(), out, part);
        REQUIRE(client_message_read(exact.get(), part, false, &m, &count, &why) == MESSAGE_PARTIAL);
        REQUIRE(part + count <= size);
    }
    REQUIRE(client_message_read(out, size, false, &m, &count, &why) == MESSAGE_WHOLE);
    CHECK(count == size);
    CHECK(m.width == 1200);
    CHECK(m.height == 600);
    REQUIRE(m.payload_size == 2 * SCREEN_BYTES);
    server_screen s{};
    server_screen_read(m.payload + SCREEN_BYTES, &s);
    CHECK(s.id == 0xfffffffe);
    CHECK(s.flags == 0x80000000);
    CHECK(same(s.at, {800, 0, 400, 600}));
}

TEST_CASE("one screen takes all of the picture and keeps its id")
{
    screen_layout l{};
    screen_layout none = screen_layout_scaled(&l, 800, 600, 1024, 768);
    REQUIRE(none.count == 1);
    CHECK(none.screens[0].id == 0);
    CHECK(same(none.screens[0].at, {0, 0, 1024, 768}));

    l.count = 1;
    l.screens[0] = {42, {10, 10, 5, 5}, 3}; // wherever the server says that it is
    screen_layout one = screen_layout_scaled(&l, 800, 600, 1024, 768);
    REQUIRE(one.count == 1);
    CHECK(one.screens[0].id == 42);
    CHECK(one.screens[0].flags == 3);
    CHECK(same(one.screens[0].at, {0, 0, 1024, 768}));
}

TEST_CASE("several screens grow with the picture, side by side")
{
    const screen_layout l = two_screens();
    screen_layout more = screen_layout_scaled(&l, 1200, 600, 1800, 900);
    REQUIRE(more.count == 2);
    CHECK(same(more.screens[0].at, {0, 0, 1200, 900}));
    CHECK(same(more.screens[1].at, {1200, 0, 600, 900}));
    CHECK(more.screens[1].id == 0xfffffffe);

    screen_layout tiny = screen_layout_scaled(&l, 1200, 600, 1, 1);
    REQUIRE(tiny.count == 1); // the other has no pixel left
    CHECK(same(tiny.screens[0].at, {0, 0, 1, 1}));
}

TEST_CASE("whatever a server tells of its screens, what is asked for lies in the picture")
{
    unsigned seed = any_seed();
    CAPTURE(seed);
    std::mt19937 random(seed);
    for (int i = 0; i < 20000; i++) {
        screen_layout l{};
        l.count = int(random() % (SCREENS_MAX + 1));
        for (server_screen &s : l.screens) {
            uint8_t bytes[SCREEN_BYTES];
            for (uint8_t &b : bytes)
                b = uint8_t(random());
            server_screen_read(bytes, &s);
        }
        int from_w = int(random() % 65536), from_h = int(random() % 65536);
        int w = 1 + int(random() % 8192), h = 1 + int(random() % 8192);
        screen_layout out = screen_layout_scaled(&l, from_w, from_h, w, h);
        REQUIRE(out.count >= 1);
        REQUIRE(out.count <= std::max(1, l.count));
        for (int n = 0; n < out.count; n++) {
            const rect &r = out.screens[n].at;
            REQUIRE(r.x >= 0);
            REQUIRE(r.y >= 0);
            REQUIRE(r.w > 0);
            REQUIRE(r.h > 0);
            REQUIRE(r.x + r.w <= w);
            REQUIRE(r.y + r.h <= h);
        }
    }
}

TEST_CASE("a session asks only a server that can, and only for another size")
{
    struct resize r = {};
    screen_layout asked{}, l = two_screens();
    resize_want(&r, 1800, 900);
    CHECK_FALSE(resize_take(&r, 1200, 600, &asked)); // it has not said that it can
    CHECK(resize_learn(&r, &l));
    CHECK_FALSE(resize_learn(&r, &l)); // no news
    CHECK_FALSE(resize_take(&r, 1200, 600, &asked));
    resize_want(&r, 1500, 800);
    resize_want(&r, 1800, 900);
    REQUIRE(resize_take(&r, 1200, 600, &asked));
    CHECK(r.width == 1800);
    CHECK(asked.count == 2);
    CHECK_FALSE(resize_take(&r, 1200, 600, &asked)); // once
    resize_want(&r, 1800, 900);
    CHECK_FALSE(resize_take(&r, 1800, 900, &asked)); // it is so
}

TEST_CASE("why a server keeps its size")
{
    CHECK(resize_refusal(DESKTOP_SIZE_DONE) == nullptr);
    CHECK(resize_refusal(DESKTOP_SIZE_FORWARDED) == nullptr);
    for (unsigned result : {1u, 2u, 3u, 5u, 65535u})
        CHECK(resize_refusal(result) != nullptr);
}
