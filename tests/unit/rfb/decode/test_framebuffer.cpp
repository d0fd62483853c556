// The private and the shared picture, and what is damaged: writer and reader in one process.
#include "tests/catch.hpp"

#include "rfb/decode/framebuffer.h"
#include "rfb/decode/framebuffer_reader.h"

namespace
{

struct Picture {
    framebuffer *fb = framebuffer_create(-1);
    framebuffer_reader *reader = framebuffer_map(framebuffer_fd(fb));

    ~Picture()
    {
        framebuffer_unmap(reader);
        framebuffer_destroy(fb);
    }

    uint32_t shown(int x, int y)
    {
        framebuffer_view view;

        REQUIRE(framebuffer_lock(reader, &view, false));
        uint32_t pixel = view.pixels[y * view.width + x];
        framebuffer_unlock(reader);
        return pixel;
    }

    region damage(bool take)
    {
        framebuffer_view view;

        REQUIRE(framebuffer_lock(reader, &view, take));
        framebuffer_unlock(reader);
        return view.damage;
    }
};

} // namespace

TEST_CASE("the shared picture shows whole updates only")
{
    Picture p;

    REQUIRE(framebuffer_resize(p.fb, 20, 10));
    region all = p.damage(true);
    CHECK(all.count == 1);
    CHECK(all.rects[0].w == 20);
    CHECK(all.rects[0].h == 10);
    CHECK(p.damage(false).count == 0);
    framebuffer_private(p.fb)[3 * 20 + 5] = 0x123456;
    framebuffer_drawn(p.fb, {5, 3, 1, 1});
    CHECK(p.shown(5, 3) == 0);
    CHECK(framebuffer_publish(p.fb)); // wakes
    CHECK(p.shown(5, 3) == 0x123456);

    framebuffer_drawn(p.fb, {6, 3, 1, 1});
    CHECK_FALSE(framebuffer_publish(p.fb)); // a wake-up is pending
    CHECK(p.damage(false).count == 2);
    CHECK(p.damage(true).count == 2);
    CHECK_FALSE(framebuffer_publish(p.fb)); // nothing drawn
}

TEST_CASE("there is no picture before the first, and a new one is black")
{
    Picture p;
    framebuffer_view view;
    int width = -1, height = -1;

    framebuffer_size(p.fb, &width, &height);
    CHECK(width == 0);
    CHECK(height == 0);
    CHECK_FALSE(framebuffer_lock(p.reader, &view, true));
    REQUIRE(framebuffer_resize(p.fb, 3, 2));
    framebuffer_private(p.fb)[0] = 0x123456;
    framebuffer_drawn(p.fb, {0, 0, 1, 1});
    framebuffer_publish(p.fb);
    CHECK(p.shown(0, 0) == 0x123456);
    REQUIRE(framebuffer_resize(p.fb, 2, 3));
    framebuffer_size(p.fb, &width, &height);
    CHECK(width == 2);
    CHECK(height == 3);
    CHECK(p.shown(0, 0) == 0);
    CHECK(p.damage(true).rects[0].h == 3);
}

TEST_CASE("what was drawn outside the picture is not copied")
{
    Picture p;

    REQUIRE(framebuffer_resize(p.fb, 4, 4));
    p.damage(true);
    framebuffer_drawn(p.fb, {2, 2, 100, 100});
    framebuffer_publish(p.fb);
    region damage = p.damage(false);
    REQUIRE(damage.count == 1);
    CHECK(damage.rects[0].w == 2);
    CHECK(damage.rects[0].h == 2);
}

TEST_CASE("sizes no server may have leave the old picture")
{
    Picture p;
    int width, height;

    CHECK_FALSE(framebuffer_resize(p.fb, 0, 10));
    CHECK_FALSE(framebuffer_resize(p.fb, 10, -1));
    CHECK_FALSE(framebuffer_resize(p.fb, FRAMEBUFFER_MAX_SIDE + 1, 10));
    CHECK(framebuffer_resize(p.fb, FRAMEBUFFER_MAX_SIDE, 1));
    CHECK_FALSE(framebuffer_resize(p.fb, 1, FRAMEBUFFER_MAX_SIDE + 1));
    framebuffer_size(p.fb, &width, &height);
    CHECK(width == FRAMEBUFFER_MAX_SIDE);
    CHECK(p.shown(FRAMEBUFFER_MAX_SIDE - 1, 0) == 0);
    framebuffer_destroy(nullptr);
    framebuffer_unmap(nullptr);
}

TEST_CASE("the largest picture can be written and read to its last pixel")
{
    Picture p;
    const int side = FRAMEBUFFER_MAX_SIDE;

    REQUIRE(framebuffer_resize(p.fb, side, side));
    framebuffer_private(p.fb)[size_t(side) * side - 1] = 0x123456;
    framebuffer_drawn(p.fb, {side - 1, side - 1, 1, 1});
    framebuffer_publish(p.fb);
    CHECK(p.shown(side - 1, side - 1) == 0x123456);
}
