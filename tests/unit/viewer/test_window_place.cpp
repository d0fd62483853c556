// --geometry.
#include "tests/catch.hpp"

#include <string>

#include "viewer/options/window_options.h"

namespace
{

std::string parsed(const char *text)
{
    window_place p;

    if (!window_place_parse(&p, text))
        return "bad";
    std::string said = std::to_string(p.width) + " " + std::to_string(p.height);
    if (p.placed)
        said += std::string(p.from_right ? " right " : " left ") + std::to_string(p.x) +
                (p.from_bottom ? " bottom " : " top ") + std::to_string(p.y);
    return said;
}

} // namespace

TEST_CASE("sizes and places of windows")
{
    CHECK(parsed("800x600") == "800 600");
    CHECK(parsed("800X600+10+20") == "800 600 left 10 top 20");
    CHECK(parsed("800x600-0-5") == "800 600 right 0 bottom 5");
    CHECK(parsed("+0-7") == "0 0 left 0 bottom 7");
    for (const char *bad : {"", "800", "800x", "x600", "0x600", "800x0", "800x600+", "800x600+1",
                            "800x600+1+2+3", "800x600+1+2 ", "-800x600", "800x99999", "+1+99999",
                            "++1+2", "+-1+2", "99999999999999999999x1", "full"}) {
        INFO(bad);
        CHECK(parsed(bad) == "bad");
    }
}

TEST_CASE("a place counts from the edges of the screen")
{
    CHECK(window_place_at(10, false, 800, 100, 1920) == 110);
    CHECK(window_place_at(10, true, 800, 100, 1920) == 100 + 1920 - 800 - 10);
    CHECK(window_place_at(0, true, 1920, 0, 1920) == 0);
}
