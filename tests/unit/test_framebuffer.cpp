// The two pictures.
#include "tests/catch.hpp"

#include "rfb/decode/framebuffer.h"

namespace
{

uint32_t shown(framebuffer *fb, int x, int y)
{
    framebuffer_view view;

    framebuffer_lock(fb, &view, false);
    uint32_t pixel = view.pixels[y * view.width + x];
    framebuffer_unlock(fb);
    return pixel;
}

int damage(framebuffer *fb, bool take)
{
    framebuffer_view view;

    framebuffer_lock(fb, &view, take);
    framebuffer_unlock(fb);
    return view.damage.count;
}

} // namespace

TEST_CASE("nothing is shown before it is published")
{
    framebuffer *fb = framebuffer_create();

    REQUIRE(framebuffer_resize(fb, 20, 10));
    CHECK(damage(fb, true) == 1); // all of a new picture
    CHECK(damage(fb, false) == 0);

    framebuffer_private(fb)[3 * 20 + 5] = 0x123456;
    framebuffer_drawn(fb, {5, 3, 1, 1});
    CHECK(shown(fb, 5, 3) == 0);
    CHECK(framebuffer_publish(fb)); // wakes
    CHECK(shown(fb, 5, 3) == 0x123456);

    framebuffer_drawn(fb, {6, 3, 1, 1});
    CHECK_FALSE(framebuffer_publish(fb)); // a wake-up is pending
    CHECK(damage(fb, true) == 2);
    CHECK_FALSE(framebuffer_publish(fb)); // nothing drawn
    framebuffer_destroy(fb);
}

TEST_CASE("what was drawn outside the picture is not copied")
{
    framebuffer *fb = framebuffer_create();

    REQUIRE(framebuffer_resize(fb, 4, 4));
    framebuffer_drawn(fb, {2, 2, 100, 100});
    framebuffer_publish(fb);
    framebuffer_destroy(fb);
}

TEST_CASE("sizes no server may have")
{
    framebuffer *fb = framebuffer_create();

    CHECK_FALSE(framebuffer_resize(fb, 0, 10));
    CHECK_FALSE(framebuffer_resize(fb, 10, -1));
    CHECK_FALSE(framebuffer_resize(fb, FRAMEBUFFER_MAX_SIDE + 1, 10));
    CHECK(framebuffer_resize(fb, FRAMEBUFFER_MAX_SIDE, 1));
    framebuffer_destroy(fb);
    framebuffer_destroy(nullptr);
}
