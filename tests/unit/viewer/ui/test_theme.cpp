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
    CHECK(theme_of_desktop(nullptr, SCHEME_UNKNOWN, nullptr) == UI_THEME_AUTO);
    CHECK(theme_of_desktop("", SCHEME_UNKNOWN, "") == UI_THEME_AUTO);
    CHECK(theme_of_desktop("Adwaita:dark", SCHEME_UNKNOWN, nullptr) == UI_THEME_DARK);
    CHECK(theme_of_desktop("Adwaita", SCHEME_UNKNOWN, nullptr) == UI_THEME_LIGHT);
    /* GTK_THEME counts more than the file */
    CHECK(theme_of_desktop("Adwaita", SCHEME_UNKNOWN, "gtk-theme-name=Breeze-Dark\n") ==
          UI_THEME_LIGHT);
    CHECK(theme_of_desktop(nullptr, SCHEME_UNKNOWN,
                           "[Settings]\ngtk-theme-name = Breeze-Dark\r\n") == UI_THEME_DARK);
    CHECK(theme_of_desktop(nullptr, SCHEME_UNKNOWN,
                           "[Settings]\ngtk-theme-name=Breeze\nx=dark\n") == UI_THEME_LIGHT);
    CHECK(theme_of_desktop(nullptr, SCHEME_UNKNOWN,
                           "gtk-theme-name=A\n gtk-application-prefer-dark-theme=1") ==
          UI_THEME_DARK);
    CHECK(theme_of_desktop(nullptr, SCHEME_UNKNOWN, "gtk-application-prefer-dark-theme=true\n") ==
          UI_THEME_DARK);
    CHECK(theme_of_desktop(nullptr, SCHEME_UNKNOWN, "gtk-application-prefer-dark-theme=false\n") ==
          UI_THEME_LIGHT);
    CHECK(theme_of_desktop(nullptr, SCHEME_UNKNOWN, "gtk-theme-name\n=dark") == UI_THEME_AUTO);
    CHECK(theme_of_desktop(nullptr, SCHEME_UNKNOWN, "gtk-theme-name=") == UI_THEME_AUTO);
}

TEST_CASE("theme: what the settings portal says")
{
    const char *dark = "gtk-theme-name=A-dark\n", *light = "gtk-theme-name=A\n";
    CHECK(theme_of_desktop(nullptr, SCHEME_DARK, light) == UI_THEME_DARK);
    CHECK(theme_of_desktop(nullptr, SCHEME_LIGHT, dark) == UI_THEME_LIGHT);
    CHECK(theme_of_desktop("Adwaita", SCHEME_DARK, nullptr) == UI_THEME_LIGHT);
    CHECK(theme_of_desktop("Adwaita:dark", SCHEME_LIGHT, nullptr) == UI_THEME_DARK);
    /* what was set before there were portals counts where there is no wish */
    CHECK(theme_of_desktop(nullptr, SCHEME_NO_WISH, dark) == UI_THEME_DARK);
    CHECK(theme_of_desktop(nullptr, SCHEME_NO_WISH, light) == UI_THEME_LIGHT);
    CHECK(theme_of_desktop(nullptr, SCHEME_NO_WISH, nullptr) == UI_THEME_LIGHT);
    CHECK(theme_find(UI_THEME_DARK, SCHEME_LIGHT) == UI_THEME_DARK);
    CHECK(theme_find(UI_THEME_LIGHT, SCHEME_DARK) == UI_THEME_LIGHT);
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
