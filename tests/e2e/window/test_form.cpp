/* The form of options in the real program's window: walked through by keys and by the pointer. What
 * it does is judged by what the server gets, by the window's title, and by the profile that it
 * saves, which the command line reads. */
#include <sys/stat.h>

#include <algorithm>
#include <optional>

#include "form_scene.hpp"
#include "tests/e2e/breaking.hpp"

/* after Catch2, which has names that are macros there */
#include <X11/Xlib.h>
#include <X11/keysym.h>

using namespace e2e;

namespace
{

/* Of viewer/ui/widgets/look.cpp, dark. */
const uint32_t BUTTON = 0x343c47;

std::pair<int, int> size_of(const Server &server)
{
    Display *d = XOpenDisplay(server.display.c_str());
    std::pair<int, int> size(0, 0);

    if (d) {
        size = {DisplayWidth(d, DefaultScreen(d)), DisplayHeight(d, DefaultScreen(d))};
        XCloseDisplay(d);
    }
    return size;
}

/* ---- where to click ---- */

struct Spot {
    int left, right, y; /* of a run of pixels of one colour */
};

/* The runs of this colour in a row, at least so wide. */
std::vector<Spot> runs(const Image &i, int y, uint32_t colour, int least)
{
    std::vector<Spot> found;

    for (int x = 0; x < i.width; x++) {
        const int from = x;
        while (x < i.width && i.at(x, y) == colour)
            x++;
        if (x - from >= least)
            found.push_back({from, x - 1, y});
    }
    return found;
}

void click(Scene &s, int x, int y)
{
    const struct rect at = s.desk.place(s.window());

    s.desk.move(at.x + x, at.y + y);
    s.desk.button(1, true);
    s.desk.button(1, false);
}

/* The button in colour is the lowest that there is of its colour. */
Spot default_button(const Image &i)
{
    for (int y = i.height - 1; y > 0; y--)
        for (const Spot &spot : runs(i, y, ACCENT, 60))
            return spot;
    return {0, 0, 0};
}

/* The lowest row of chips of which one is chosen, above this row of pixels; the one that is
 * chosen. */
Spot chosen_chip(const Image &i, int above)
{
    for (int y = above; y > 0; y--)
        if (!runs(i, y, ACCENT, 20).empty()) /* its corners are round: above them it is wider */
            return runs(i, y - 6, ACCENT, 6).front();
    return {0, 0, 0};
}

} // namespace

TEST_CASE("form: by the keyboard it is filled in, saved, and read by the command line", "[form]")
{
    auto server = form_server();
    if (!server)
        return;
    Scene s("");
    const std::string file = s.home.file("config/vnchl/desk.conf");

    REQUIRE(s.wait_question(false));
    s.desk.type(server->address);
    open_form(s);
    tap(s, XK_Up, 6); /* Use, Back, Save, the name, compression, quality */
    tap(s, XK_Right, 5);
    s.desk.tap(XK_Left);
    /* follows, first size, the scale's text and choice, sound, clipboard, view only */
    tap(s, XK_Up, 7);
    s.desk.tap(XK_space);
    tap(s, XK_Down, 9); /* to the name */
    replace_text(s, "desk");
    s.desk.tap(XK_Return);
    REQUIRE(wait_until(PATIENCE, [&] { return file_exists(file); }));
    INFO(read_file(file));
    CHECK(has_line(file, "server = " + server->address));
    CHECK(has_line(file, "quality = 3"));
    CHECK(has_line(file, "view-only = on"));
    struct stat st = {};
    REQUIRE(stat(file.c_str(), &st) == 0);
    CHECK((st.st_mode & 0777) == 0600);

    SECTION("the connection that begins next has it, too")
    {
        REQUIRE(wait_form(s));
        s.desk.tap(XK_Return);
        REQUIRE(wait_no_form(s));
        s.desk.tap(XK_Return);
        REQUIRE(s.wait_desktop());
        CHECK(wait_title(s, "view only"));
    }
    SECTION("a profile is not replaced without a question")
    {
        write_file(file, "quality 9\n");
        tap(s, XK_Up, 3); /* from Use to the name */
        save_in_place_of(s, file, "quality 9\n");
        CHECK(has_line(file, "quality = 3"));
    }
    SECTION("the command line reads it")
    {
        s.again("", {"--profile", "desk"});
        REQUIRE(s.wait_desktop());
        CHECK(wait_title(s, "view only"));
    }
}

TEST_CASE("form: what the command line refuses is refused with a line, and nothing is lost",
          "[form]")
{
    if (!can_run())
        return;
    Scene s("");

    REQUIRE(s.wait_question(false));
    open_form(s);
    s.desk.type("gate");
    s.desk.tap(XK_space);
    s.desk.type("way");
    s.desk.tap(XK_Return);
    REQUIRE(wait_form(s, true));
    replace_text(s, "gate");
    tap(s, XK_Up, 4); /* to the name */
    replace_text(s, "far");
    s.desk.tap(XK_Return);
    REQUIRE(wait_form(s, false));
    CHECK(has_line(s.home.file("config/vnchl/far.conf"), "via = gate"));
    CHECK(read_file(s.home.file("config/vnchl/far.conf")).find("server") == std::string::npos);
    s.desk.tap(XK_Escape); /* back to the start window, and away */
    REQUIRE(wait_no_form(s));
    s.desk.tap(XK_Escape);
    CHECK(s.viewer->wait(PATIENCE) == 0);
}

TEST_CASE("form: in a small window some fields are seen at once, and the buttons", "[form]")
{
    if (!can_run())
        return;
    Scene s("");

    REQUIRE(s.wait_question(false));
    REQUIRE((s.see().width == 640 && s.see().height == 480));
    open_form(s);
    const Image i = s.see();
    const Spot use = default_button(i);
    CHECK(use.y < 480 - 12);
    /* what stands at the left edge of the fields: three of them, boxes, and the name */
    int fields = 0;
    for (int y = 0, from = 0; y < i.height; y++) {
        const bool panel = i.at(20 + 24 + 200 + 6, y) == PANEL;
        if (panel && y - from > 20)
            fields++;
        from = panel ? y + 1 : from;
    }
    CHECK(fields >= 5);
    s.desk.tap(XK_Escape);
    REQUIRE(wait_no_form(s));
}

TEST_CASE("form: what was typed beside choices has the keyboard when it is refused", "[form]")
{
    auto server = form_server();
    if (!server)
        return;
    Scene s(server->address, {"--theme", "dark"}, {}, true);

    REQUIRE(s.wait_shows(server->screen->capture()));
    s.desk.tap(XK_F8);
    s.desk.tap(XK_o);
    REQUIRE(wait_form(s));
    tap(s, XK_Tab, 4); /* view only, the clipboard, the picture's sizes, the field beside them */
    replace_text(s, "foo");
    s.desk.tap(XK_Return);
    REQUIRE(wait_form(s, true));
    replace_text(s, "0.75"); /* no key has moved the focus */
    s.desk.tap(XK_Return);
    CHECK(wait_no_form(s));
}

TEST_CASE("form: by the pointer, in a session: quality counts at once, and is saved", "[form]")
{
    auto server = form_server(640);
    if (!server)
        return;
    Scene s(server->address, {"--theme", "dark"});
    const std::string file = s.home.file("config/vnchl/127.0.0.1.conf");

    REQUIRE(s.wait_shows(server->screen->capture()));
    s.desk.tap(XK_F8);
    s.desk.tap(XK_o);
    REQUIRE(wait_form(s));
    const Image form = s.see();
    const Spot use = default_button(form), chosen = chosen_chip(form, use.y - 100);
    REQUIRE(chosen.right > chosen.left);
    click(s, chosen.right + 14, chosen.y); /* beside "auto": the next one */
    REQUIRE(s.wait([&](const Image &i) {
        return i.at(chosen.left + 3, chosen.y) == BUTTON &&
               i.at(chosen.right + 8, chosen.y) == ACCENT;
    }));
    s.desk.button(5, true); /* the wheel */
    s.desk.button(5, false);
    REQUIRE(s.wait([&](const Image &i) { return i.at(chosen.right + 8, chosen.y) != ACCENT; }));
    /* Save stands above Use, as far to the right */
    int y = use.y;
    const Image now = s.see();
    while (y > 0 && now.at(use.right, y) != BUTTON)
        y--;
    click(s, use.right - 10, y - 6); /* one click is enough, wherever the focus is */
    REQUIRE(wait_until(PATIENCE, [&] { return file_exists(file); }));
    INFO(read_file(file));
    CHECK(has_line(file, "quality = 0"));
    click(s, (use.left + use.right) / 2, use.y);
    CHECK(s.wait_shows(server->screen->capture()));
    s.desk.close_window(s.window());
    CHECK(s.viewer->wait(PATIENCE) == 0);
    s.again("", {"--profile", "127.0.0.1"});
    CHECK(s.wait_shows(server->screen->capture()));
}

TEST_CASE("form: in a session some options count at once, the others when it is connected again",
          "[form]")
{
    auto server = form_server();
    if (!server)
        return;
    Scene s(server->address, {"--theme", "dark"}, {}, true);

    REQUIRE(s.wait_shows(server->screen->capture()));
    CHECK(s.title().find("view only") == std::string::npos);
    s.desk.tap(XK_F8);
    s.desk.tap(XK_o);
    REQUIRE(wait_form(s));
    SECTION("view only")
    {
        s.desk.tap(XK_Tab); /* from "connect again by itself" */
        s.desk.tap(XK_space);
        tap(s, XK_Up, 2); /* to Use */
        s.desk.tap(XK_Return);
        CHECK(wait_title(s, "view only"));
        CHECK(s.wait_shows(server->screen->capture()));
    }
    SECTION("the size of the server's screen, which is still the old one when it is only used")
    {
        tap(s, XK_Up, 6); /* Use, the other, Cancel, Save, the name, compression */
        s.desk.tap(XK_Up);
        s.desk.type("500x400");
        SECTION("used")
        {
            s.desk.tap(XK_Return);
            CHECK(s.wait_shows(server->screen->capture()));
            s.desk.tap(XK_F8);
            s.desk.tap(XK_n); /* connect again */
        }
        SECTION("used at once")
        {
            tap(s, XK_Down, 5); /* to "Use and connect again" */
            s.desk.tap(XK_Return);
        }
        CHECK(wait_until(PATIENCE, [&] { return size_of(*server) == std::pair(500, 400); }));
    }
    SECTION("nothing, when it is left")
    {
        s.desk.tap(XK_Tab);
        s.desk.tap(XK_space);
        s.desk.tap(XK_Escape);
        CHECK(s.wait_shows(server->screen->capture()));
        CHECK(s.title().find("view only") == std::string::npos);
    }
}

TEST_CASE("form: a size that was chosen in the menu before is not said by the form", "[form]")
{
    auto server = form_server();
    if (!server)
        return;
    Scene s("");
    const std::string file = s.home.file("config/vnchl/127.0.0.1.conf");

    REQUIRE(s.wait_question(false));
    s.home.write("state/vnchl/system-scale", std::to_string(server->port) + " 127.0.0.1\n");
    s.again(server->address, {"--theme", "dark"});
    REQUIRE(s.wait_desktop());
    s.desk.tap(XK_F8);
    s.desk.tap(XK_o);
    REQUIRE(wait_form(s));
    tap(s, XK_Up, 5); /* Use, the other, Cancel, Save, the name */
    s.desk.tap(XK_Return);
    REQUIRE(wait_until(PATIENCE, [&] { return file_exists(file); }));
    INFO(read_file(file));
    CHECK(read_file(file).find("scale") == std::string::npos);
}

TEST_CASE("form: what is typed there outlives the connection", "[form]")
{
    auto server = form_server();
    if (!server)
        return;
    Relay relay;
    relay.start(*server);
    const auto open = [](Scene &s) {
        s.desk.tap(XK_F8);
        s.desk.tap(XK_o);
        REQUIRE(wait_form(s));
        tap(s, XK_Up, 7); /* to the size of the server's screen */
        s.desk.type("500x4");
        s.desk.wait_for_program(s.window());
    };
    const auto use = [&](Scene &s) {
        tap(s, XK_Down, 5); /* to "Use and connect again" */
        s.desk.tap(XK_Return);
        CHECK(wait_until(PATIENCE, [&] { return size_of(*server) == std::pair(500, 400); }));
    };

    SECTION("it stays while the connection is made again")
    {
        Scene s(relay.address(), {"--theme", "dark"}, {}, true);
        REQUIRE(s.wait_shows(server->screen->capture()));
        open(s);
        relay.stop();
        REQUIRE(wait_title(s, "connecting again"));
        CHECK(wait_form(s));
        s.desk.type("0");
        s.desk.wait_for_program(s.window());
        relay.start(*server);
        REQUIRE(wait_until(
            PATIENCE, [&] { return s.title().find("connecting again") == std::string::npos; }));
        CHECK(wait_form(s));
        s.desk.type("0");
        use(s);
    }
    SECTION("it comes back when the error has taken its place")
    {
        Scene s(relay.address(), {"--theme", "dark", "--reconnect", "off"}, {}, true);
        REQUIRE(s.wait_shows(server->screen->capture()));
        open(s);
        s.desk.type("00");
        s.desk.wait_for_program(s.window());
        relay.stop();
        REQUIRE(wait_no_form(s));
        relay.start(*server);
        s.desk.tap(XK_Return); /* try again */
        REQUIRE(wait_form(s));
        tap(s, XK_Up, 7);
        use(s);
    }
}
