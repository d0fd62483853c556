/* Which monitors full screen covers, and how large the window's own pages are. */
#include "tests/catch.hpp"
#include "viewer/desktop/display/window/display.h"
#include "viewer/desktop/display/window/monitors.h"

static monitors_span choose(const monitors &m, full_screen_mode mode, uint32_t selected = 1)
{
    const full_screen wish = {mode, selected};

    return monitors_choose(&m, &wish);
}

static void check_area(const monitors_span &s, int x, int y, int w, int h)
{
    CHECK(s.area.x == x);
    CHECK(s.area.y == y);
    CHECK(s.area.w == w);
    CHECK(s.area.h == h);
}

TEST_CASE("monitors are numbered from the left, and of two above each other from the top")
{
    /* the display's own order is another one */
    const monitors m = {
        4,
        {{1920, 0, 1280, 1024}, {0, 1080, 1920, 1080}, {0, 0, 1920, 1080}, {3200, 100, 800, 600}}};

    for (auto [number, at] : {std::pair(1, 2), std::pair(2, 1), std::pair(3, 0), std::pair(4, 3)}) {
        auto s = choose(m, FULL_SCREEN_SELECTED, 1u << (number - 1));
        INFO(number);
        CHECK(s.count == 1);
        CHECK(s.left == at);
        CHECK(s.bottom == at);
        CHECK_FALSE(s.missing);
    }
    auto all = choose(m, FULL_SCREEN_ALL);
    CHECK(all.count == 4);
    check_area(all, 0, 0, 4000, 2160);
    CHECK((all.top == 0 || all.top == 2)); /* both begin there */
    CHECK(all.bottom == 1);
    CHECK((all.left == 1 || all.left == 2));
    CHECK(all.right == 3);
    auto two = choose(m, FULL_SCREEN_SELECTED, 0xc);
    check_area(two, 1920, 0, 2080, 1024);
    CHECK(two.right == 3);
    CHECK(two.left == 0);
}

TEST_CASE("one monitor is what is left where none is chosen")
{
    const monitors m = {2, {{0, 0, 800, 600}, {800, 0, 800, 600}}}, none = {0, {}};

    CHECK(choose(m, FULL_SCREEN_CURRENT).count == 0);
    CHECK_FALSE(choose(m, FULL_SCREEN_CURRENT).missing);
    CHECK(choose(m, FULL_SCREEN_SELECTED, 4).count == 0);
    CHECK(choose(m, FULL_SCREEN_SELECTED, 4).missing);
    CHECK(choose(m, FULL_SCREEN_SELECTED, 6).count == 1);
    CHECK(choose(m, FULL_SCREEN_SELECTED, 6).missing);
    CHECK(choose(none, FULL_SCREEN_ALL).count == 0);
    CHECK_FALSE(choose(none, FULL_SCREEN_ALL).missing);
}

TEST_CASE("the monitor with a point of the display")
{
    const monitors m = {2, {{800, 0, 640, 480}, {0, 0, 800, 600}}}, none = {0, {}};

    check_area(monitors_one(&m, 799, 599), 0, 0, 800, 600);
    CHECK(monitors_one(&m, 799, 599).left == 1);
    check_area(monitors_one(&m, 800, 0), 800, 0, 640, 480);
    check_area(monitors_one(&m, 900, 500), 800, 0, 640, 480); /* below it: the first */
    CHECK(monitors_one(&none, 0, 0).count == 0);
}

TEST_CASE("monitors are named as TigerVNC names them")
{
    enum full_screen_mode mode;
    uint32_t set = 0;

    REQUIRE(full_screen_mode_parse(&mode, "Selected"));
    CHECK(mode == FULL_SCREEN_SELECTED);
    REQUIRE(full_screen_mode_parse(&mode, "ALL"));
    CHECK(mode == FULL_SCREEN_ALL);
    CHECK_FALSE(full_screen_mode_parse(&mode, "both"));
    REQUIRE(full_screen_monitors_parse(&set, "1"));
    CHECK(set == 1);
    REQUIRE(full_screen_monitors_parse(&set, "2, 32,2"));
    CHECK(set == 0x80000002u);
    for (const char *bad :
         {"", "0", "33", "1,", ",1", "1;2", "-1", "one", "99999999999999999999"}) {
        INFO(bad);
        CHECK_FALSE(full_screen_monitors_parse(&set, bad));
    }
    CHECK(set == 0x80000002u);
}

TEST_CASE("the user's dots an inch are a line of the X resources")
{
    CHECK(window_dpi_of_resources("Xft.dpi:\t192\n") == 192);
    CHECK(window_dpi_of_resources("XTerm*font: x\nXft.dpi: 120.5\nXft.rgba: none\n") == 120.5f);
    for (const char *none : {"", "XTerm.Xft.dpi: 192\n", "Xft.dpi: many\n", "Xft.dpi: 1\n",
                             "Xft.dpi: 1e9\n", "Xft.dpi: nan\n", "Xft.dpiX: 192\n"}) {
        INFO(none);
        CHECK(window_dpi_of_resources(none) == 0);
    }
    CHECK(window_dpi_of_resources(nullptr) == 0);
}
