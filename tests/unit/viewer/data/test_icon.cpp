/* The pixels of the window's icon (viewer/data/icon.h): the drawing has come through the PNG. */
#include "tests/catch.hpp"
#include "viewer/data/icon.h"

namespace
{

const uint8_t *pixel(int x, int y)
{
    return &icon_rgba[(y * ICON_SIDE + x) * 4];
}

} // namespace

TEST_CASE("icon: transparent around the screen, white signs on blue")
{
    CHECK(pixel(0, 0)[3] == 0);
    CHECK(pixel(ICON_SIDE - 1, ICON_SIDE - 1)[3] == 0);

    const uint8_t *screen = pixel(8, 28), *sign = pixel(29, 28);
    CHECK(screen[3] == 255);
    CHECK(screen[2] > screen[0] + 100);
    CHECK((sign[0] == 255 && sign[1] == 255 && sign[2] == 255 && sign[3] == 255));

    int seen = 0;
    for (int i = 0; i < ICON_SIDE * ICON_SIDE; i++)
        seen += icon_rgba[i * 4 + 3] == 255;
    CHECK(seen > ICON_SIDE * ICON_SIDE / 2);
}
