/* The form of options of a profile in the real program's window: what it writes is read from the
 * files, and judged by what the window then connects to. */
#include "form_scene.hpp"

using namespace e2e;

TEST_CASE("form: the profile of a session is duplicated under another name", "[form]")
{
    auto server = form_server();
    if (!server)
        return;
    Scene s("");
    const std::string first = s.home.file("config/vnchl/desk.conf"),
                      copy = s.home.file("config/vnchl/copy.conf");
    const std::string lines = "server = " + server->address + "\nquality = 3\n";

    REQUIRE(s.wait_question(false));
    s.home.write("config/vnchl/desk.conf", lines);
    s.again("", {"--profile", "desk", "--theme", "dark"});
    REQUIRE(s.wait_desktop());
    s.desk.tap(XK_F8);
    s.desk.tap(XK_o);
    REQUIRE(wait_form(s));
    tap(s, XK_Up, 5); /* Use, the other, Cancel, Save, the name */
    replace_text(s, "copy");
    s.desk.tap(XK_Return);
    REQUIRE(wait_until(PATIENCE, [&] { return file_exists(copy); }));
    INFO(read_file(copy));
    CHECK(has_line(copy, "server = " + server->address));
    CHECK(has_line(copy, "quality = 3"));
    CHECK(read_file(first) == lines);
    REQUIRE(wait_form(s));
    tap(s, XK_Up, 4); /* from Use to the name */
    replace_text(s, "desk");
    s.desk.tap(XK_Return);
    REQUIRE(wait_form(s, true)); /* it asks */
    CHECK(read_file(first) == lines);
}

TEST_CASE("form: the profile of a session is saved under its own name, after a question", "[form]")
{
    auto server = form_server();
    if (!server)
        return;
    Scene s("");
    const std::string file = s.home.file("config/vnchl/desk.conf");
    const std::string lines = "server = " + server->address + "\nquality = 3\n";

    REQUIRE(s.wait_question(false));
    s.home.write("config/vnchl/desk.conf", lines);
    SECTION("of the command line")
    {
        s.again("", {"--profile", "desk", "--theme", "dark"});
    }
    SECTION("of the start window")
    {
        s.again("", {"--theme", "dark"});
        REQUIRE(s.wait_question(false));
        s.desk.tap(XK_Down);
        s.desk.tap(XK_Return);
    }
    REQUIRE(s.wait_desktop());
    s.desk.tap(XK_F8);
    s.desk.tap(XK_o);
    REQUIRE(wait_form(s));
    s.desk.tap(XK_Tab); /* from "connect again by itself" to view only */
    s.desk.tap(XK_space);
    tap(s, XK_Up, 6); /* the first one, Use, the other, Cancel, Save, the name */
    save_in_place_of(s, file, lines);
    CHECK(has_line(file, "server = " + server->address));
    CHECK(has_line(file, "quality = 3"));
    CHECK(has_line(file, "view-only = on"));
    CHECK_FALSE(file_exists(s.home.file("config/vnchl/127.0.0.1.conf")));
}

TEST_CASE("form: the options of a profile are opened from its card, without connecting", "[form]")
{
    auto server = form_server();
    if (!server)
        return;
    Scene s("");
    const std::string file = s.home.file("config/vnchl/desk.conf");
    const auto open = [&](const std::string &lines) {
        REQUIRE(s.wait_question(false));
        s.home.write("config/vnchl/desk.conf", lines);
        s.again("", {"--theme", "dark"});
        REQUIRE(s.wait_question(false));
        s.desk.type("elsewhere");
        s.desk.tap(XK_Down);
        s.desk.tap(XK_F2);
        REQUIRE(wait_form(s));
        tap(s, XK_Up, 13); /* to view only, see the first test */
        s.desk.tap(XK_space);
    };

    SECTION("which has a server, and is saved")
    {
        const std::string lines = "server = " + server->address + "\nquality = 3\nview-only = on\n";
        open(lines);
        tap(s, XK_Down, 9); /* to the name */
        save_in_place_of(s, file, lines);
        CHECK(has_line(file, "server = " + server->address));
        CHECK(has_line(file, "quality = 3"));
        CHECK(has_line(file, "view-only = off"));
    }
    SECTION("which has none, and gets none")
    {
        open("quality = 3\n");
        tap(s, XK_Down, 9);
        replace_text(s, "copy");
        s.desk.tap(XK_Return);
        const std::string copy = s.home.file("config/vnchl/copy.conf");
        REQUIRE(wait_until(PATIENCE, [&] { return file_exists(copy); }));
        CHECK(has_line(copy, "quality = 3"));
        CHECK(has_line(copy, "view-only = on"));
        CHECK(read_file(copy).find("server") == std::string::npos);
        CHECK(read_file(file) == "quality = 3\n");
    }
    SECTION("and used for the next connection")
    {
        const std::string lines = "server = " + server->address + "\nview-only = on\n";
        open(lines);
        tap(s, XK_Down, 12); /* the name, Save, Back, Use */
        s.desk.tap(XK_Return);
        REQUIRE(wait_no_form(s));
        s.desk.tap(XK_Down);
        s.desk.tap(XK_Return);
        REQUIRE(s.wait_desktop());
        CHECK(s.title().find("view only") == std::string::npos);
        CHECK(read_file(file) == lines);
    }
    SECTION("and used, which is not for another profile")
    {
        const std::string lines = "server = " + server->address + "\nview-only = on\n";
        open(lines);
        s.home.write("config/vnchl/next.conf", lines);
        tap(s, XK_Down, 12); /* the name, Save, Back, Use */
        s.desk.tap(XK_Return);
        REQUIRE(wait_no_form(s));
        tap(s, XK_Down, 2);
        s.desk.tap(XK_Return);
        REQUIRE(s.wait_desktop());
        CHECK(wait_title(s, "view only"));
    }
}

TEST_CASE("form: a profile gets another server at its card", "[form]")
{
    auto server = form_server();
    if (!server)
        return;
    Scene s("");
    const std::string lines = "server = nowhere:1\nquality = 3\n";
    std::string file;
    const auto open = [&](const std::string &content) {
        REQUIRE(s.wait_question(false));
        file = s.home.write("config/vnchl/desk.conf", content);
        s.again("", {"--theme", "dark"});
        REQUIRE(s.wait_question(false));
        s.desk.tap(XK_Down);
        s.desk.tap(XK_F2);
        REQUIRE(wait_form(s));
    };
    const auto go_to_name = [&] { tap(s, XK_Up, 4); }; /* from the first field: Use, Back, Save */

    SECTION("which is saved")
    {
        open(lines);
        replace_text(s, "far:x");
        go_to_name();
        s.desk.tap(XK_Return);
        REQUIRE(wait_form(s, true));
        CHECK(read_file(file) == lines);
        replace_text(s, server->address); /* what is wrong has the keyboard */
        go_to_name();
        save_in_place_of(s, file, lines);
        CHECK(has_line(file, "server = " + server->address));
        CHECK(has_line(file, "quality = 3"));
        s.desk.tap(XK_Escape);
        REQUIRE(wait_no_form(s));
        s.desk.tap(XK_Down);
        s.desk.tap(XK_Return);
        CHECK(s.wait_desktop());
    }
    SECTION("which is not used before that")
    {
        open(lines);
        replace_text(s, server->address);
        s.desk.tap(XK_Return);
        REQUIRE(wait_form(s, true));
        replace_text(s, "nowhere:1");
        s.desk.tap(XK_Return);
        CHECK(wait_no_form(s));
        CHECK(read_file(file) == lines);
    }
    SECTION("but not in place of one that the field would cut")
    {
        std::string line = "server = vnc://nowhere:1/?ViewOnly=1";
        for (int i = 0; i < 60; i++)
            line += "&ViewOnly=1";
        open(line + "\n");
        replace_text(s, "gate"); /* the first field is that for the gateway */
        go_to_name();
        replace_text(s, "copy");
        s.desk.tap(XK_Return);
        const std::string copy = s.home.file("config/vnchl/copy.conf");
        REQUIRE(wait_until(PATIENCE, [&] { return file_exists(copy); }));
        CHECK(has_line(copy, line));
        CHECK(has_line(copy, "via = gate"));
    }
}
