/* Light or dark, and how large (viewer/ui/theme.h). */
#include "tests/catch.hpp"
#include "viewer/ui/theme.h"

TEST_CASE("theme: its name")
{
    enum ui_theme t = UI_THEME_AUTO;
    CHECK((theme_parse("light", &t) && t == UI_THEME_LIGHT));
    CHECK((theme_parse("DARK", &t) && t == UI_THEME_DARK));
    CHECK((theme_parse("auto", &t) && t == UI_THEME_AUTO));
    CHECK_FALSE(theme_parse("", &t));
    CHECK_FALSE(theme_parse("lights", &t));
}

TEST_CASE("theme: what the desktop says")
{
    CHECK(theme_of_desktop(nullptr, nullptr) == UI_THEME_AUTO);
    CHECK(theme_of_desktop("", "") == UI_THEME_AUTO);
    CHECK(theme_of_desktop("Adwaita:dark", nullptr) == UI_THEME_DARK);
    CHECK(theme_of_desktop("Adwaita", nullptr) == UI_THEME_LIGHT);
    /* GTK_THEME counts more than the file */
    CHECK(theme_of_desktop("Adwaita", "gtk-theme-name=Breeze-Dark\n") == UI_THEME_LIGHT);
    CHECK(theme_of_desktop(nullptr, "[Settings]\ngtk-theme-name = Breeze-Dark\r\n") ==
          UI_THEME_DARK);
    CHECK(theme_of_desktop(nullptr, "[Settings]\ngtk-theme-name=Breeze\nx=dark\n") ==
          UI_THEME_LIGHT);
    CHECK(theme_of_desktop(nullptr, "gtk-theme-name=A\n gtk-application-prefer-dark-theme=1") ==
          UI_THEME_DARK);
    CHECK(theme_of_desktop(nullptr, "gtk-application-prefer-dark-theme=true\n") == UI_THEME_DARK);
    CHECK(theme_of_desktop(nullptr, "gtk-application-prefer-dark-theme=false\n") == UI_THEME_LIGHT);
    CHECK(theme_of_desktop(nullptr, "gtk-theme-name\n=dark") == UI_THEME_AUTO);
    CHECK(theme_of_desktop(nullptr, "gtk-theme-name=") == UI_THEME_AUTO);
}

TEST_CASE("theme: how large")
{
    CHECK(theme_scale(0, 0, 0) == 1); /* nothing is known */
    CHECK(theme_scale(96, 800, 800) == 1);
    CHECK(theme_scale(110, 800, 800) == 1);
    CHECK(theme_scale(144, 800, 800) == 1.5f);
    CHECK(theme_scale(163, 800, 800) == 1.75f);
    CHECK(theme_scale(96, 800, 1600) == 2); /* twice the pixels */
    CHECK(theme_scale(5000, 800, 800) == 4);
    CHECK(theme_scale(-1, 800, 400) == 1);
}
