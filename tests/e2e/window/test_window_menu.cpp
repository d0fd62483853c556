/* The menu, the statistics and the screenshot in the real program's window. What is chosen there is
 * judged by what the server gets, and by the window's picture. */
#include <dirent.h>
#include <png.h>
#include <sys/stat.h>

#include <algorithm>

#include "menu_scene.hpp"
#include "tests/e2e/shown_viewer.hpp"

using namespace e2e;

namespace
{

Image read_png(const std::string &path)
{
    png_image p = {};
    Image image;

    p.version = PNG_IMAGE_VERSION;
    if (!png_image_begin_read_from_file(&p, path.c_str()))
        return image;
    p.format = PNG_FORMAT_BGRA;
    image = Image(static_cast<int>(p.width), static_cast<int>(p.height));
    png_image_finish_read(&p, nullptr, image.pixels.data(), 0, nullptr);
    for (uint32_t &pixel : image.pixels)
        pixel &= 0xffffff;
    return image;
}

std::vector<std::string> pictures(const std::string &folder)
{
    std::vector<std::string> found;
    DIR *d = opendir(folder.c_str());

    for (struct dirent *e = d ? readdir(d) : nullptr; e; e = readdir(d)) {
        std::string name = e->d_name;
        if (name.size() > 4 && name.substr(name.size() - 4) == ".png")
            found.push_back(folder + "/" + name);
    }
    if (d)
        closedir(d);
    return found;
}

} // namespace

TEST_CASE("menu: what is chosen arrives, and nothing else while it is open", "[menu]")
{
    MenuScene s;
    if (!s)
        return;
    REQUIRE(s.wait_plain());
    s.desk->tap(XK_a);
    CHECK(s.keys_until(XK_a) == Keys{XK_a});

    /* by its letter; y and j mean nothing */
    s.open_menu();
    for (unsigned long k : {XK_y, XK_j, XK_Tab, XK_F5})
        s.desk->tap(k);
    s.desk->move(300, 250);
    s.desk->tap(XK_d);
    CHECK(s.keys_until(XK_Delete) == Keys{XK_Control_L, XK_Alt_L, XK_Delete});
    for (unsigned long k : {XK_Delete, XK_Alt_L, XK_Control_L})
        CHECK(s.released(k));
    CHECK(s.wait_plain());

    /* by arrows and Enter: the fifth entry */
    s.open_menu();
    for (int i = 0; i < 4; i++)
        s.desk->tap(XK_Down);
    s.desk->tap(XK_Return);
    CHECK(s.keys_until(XK_Delete) == Keys{XK_Control_L, XK_Alt_L, XK_Delete});

    /* End: the last entry; Home: the first one */
    s.open_menu();
    Image first = s.see();
    s.desk->tap(XK_End);
    CHECK(wait_until(PATIENCE, [&] { return s.see() != first; }));
    s.desk->tap(XK_Home);
    s.desk->tap(XK_Down);
    s.desk->tap(XK_Down);
    s.desk->tap(XK_Down);
    s.desk->tap(XK_Down);
    s.desk->tap(XK_Return);
    CHECK(s.keys_until(XK_Delete) == Keys{XK_Control_L, XK_Alt_L, XK_Delete});

    /* Escape leaves it, and the next key is the server's */
    s.open_menu();
    s.desk->tap(XK_Escape);
    CHECK(s.wait_no_menu());
    s.desk->tap(XK_b);
    CHECK(s.keys_until(XK_b) == Keys{XK_b});
}

TEST_CASE("menu: the key itself, and keys that are held", "[menu]")
{
    MenuScene s({"-MenuKey=f9"});
    if (!s)
        return;
    REQUIRE(s.wait_plain());
    SECTION("pressed twice it goes to the server; F8 is the server's")
    {
        s.open_menu(XK_F9);
        s.desk->tap(XK_F9);
        CHECK(s.keys_until(XK_F9) == Keys{XK_F9});
        CHECK(s.released(XK_F9));
        CHECK(s.wait_no_menu());
        s.desk->tap(XK_F8);
        CHECK(s.keys_until(XK_F8) == Keys{XK_F8});
        CHECK(s.wait_no_menu());
    }
    SECTION("Ctrl+Alt+M opens it, too")
    {
        s.desk->key(XK_Control_L, true);
        s.desk->key(XK_Alt_L, true);
        s.desk->tap(XK_m);
        REQUIRE(s.wait_menu());
        /* they are up on the server although they are down here */
        CHECK(s.released(XK_Control_L));
        CHECK(s.released(XK_Alt_L));
        s.desk->key(XK_Alt_L, false);
        s.desk->key(XK_Control_L, false);
        s.desk->tap(XK_e);
        CHECK(s.keys_until(XK_F9) == Keys{XK_F9});
    }
    SECTION("a key that is held here is let go there")
    {
        s.desk->key(XK_x, true);
        CHECK(s.keys_until(XK_x) == Keys{XK_x});
        s.open_menu(XK_F9);
        CHECK(s.released(XK_x));
        s.desk->key(XK_x, false);
        CHECK(s.wait_menu()); /* a release chooses nothing */
    }
    SECTION("Ctrl and Super are held down for what is typed")
    {
        s.open_menu(XK_F9);
        for (unsigned long k : {XK_h, XK_c, XK_w, XK_Escape})
            s.desk->tap(k);
        CHECK(s.wait_count(PANEL, 120000)); /* back on the main page, which is the largest */
        s.desk->tap(XK_Escape);
        CHECK(s.wait_no_menu());
        s.desk->tap(XK_l);
        CHECK(s.keys_until(XK_l) == Keys{XK_Control_L, XK_Super_L, XK_l});
        CHECK(s.released(XK_l));
        CHECK(s.title().find("keys held down") != std::string::npos);
        /* with the focus they go */
        s.desk->give_focus(s.desk->other_window());
        CHECK(s.released(XK_Control_L));
        CHECK(s.released(XK_Super_L));
        CHECK(wait_until(PATIENCE,
                         [&] { return s.title().find("keys held down") == std::string::npos; }));
    }
}

TEST_CASE("menu: the pointer chooses, and leaves it", "[menu]")
{
    MenuScene s;
    if (!s)
        return;
    REQUIRE(s.wait_plain());
    struct rect at = s.desk->place(s.window);
    s.open_menu();
    /* the entry with the focus is where its colour is: the first one; View only is the third */
    Image i = s.see();
    int x = 300, first = 0, last = 0;
    for (int y = 0; y < i.height; y++)
        if (i.at(x + 150, y) == FOCUS) {
            first = first ? first : y;
            last = y;
        }
    REQUIRE(last > first + 10);
    s.desk->move(at.x + x, at.y + (first + last) / 2 + 2 * (last - first + 1));
    s.desk->button(1, true);
    s.desk->button(1, false);
    CHECK(wait_until(PATIENCE, [&] { return s.title().find("view only") != std::string::npos; }));
    CHECK(s.wait_no_menu());

    s.choose(XK_v); /* and back */
    CHECK(wait_until(PATIENCE, [&] { return s.title().find("view only") == std::string::npos; }));
    s.open_menu();
    s.desk->move(at.x + 5, at.y + 5);
    s.desk->button(1, true);
    s.desk->button(1, false);
    CHECK(s.wait_no_menu());
    /* neither click has come to the server: this one is the first */
    s.desk->move(at.x + 33, at.y + 44);
    s.desk->button(3, true);
    s.desk->button(3, false);
    bool other = false;
    CHECK(s.server->screen->wait_input(PATIENCE, [&](const XScreen::Input &in) {
        other = other || in.button == 1;
        return in.type == ButtonPress && in.button == 3 && in.x == 33 && in.y == 44;
    }));
    CHECK_FALSE(other);
}

TEST_CASE("menu: in a small window all of it is reached", "[menu]")
{
    MenuScene s({"--scale", "fit"});
    if (!s)
        return;
    REQUIRE(s.wait_plain());
    auto give_size = [&](int w, int h) {
        XMoveResizeWindow(s.desk->x(), s.window, 10, 10, static_cast<unsigned>(w),
                          static_cast<unsigned>(h));
        XFlush(s.desk->x());
        REQUIRE(wait_until(PATIENCE, [&] { return s.see().width == w; }));
    };
    /* the rows of pixels of the entry that has the focus, beside its texts: the first, how many */
    auto focus = [&](const Image &i) {
        int first = 0, rows = 0;
        for (int y = 0; y < i.height; y++)
            if (i.at(i.width / 2 - 200, y) == FOCUS) {
                first = rows ? first : y;
                rows++;
            }
        return std::pair(first, rows);
    };
    auto wait_focus = [&](auto is) {
        return wait_until(PATIENCE, [&] { return is(focus(s.see())); });
    };

    SECTION("1024x700 has room for all")
    {
        give_size(1024, 700);
        s.open_menu();
        std::pair<int, int> home, end;
        REQUIRE(wait_focus([&](auto f) { return (home = f).second > 10; }));
        const Image before = s.see();
        s.desk->tap(XK_End);
        REQUIRE(wait_focus([&](auto f) { return (end = f).first > 600; }));
        CHECK(end.second == home.second);
        /* what stands above the first entry, and its soft edge, has not moved */
        const Image after = s.see();
        const int above = (home.first - 1) * before.width;
        CHECK(
            std::equal(before.pixels.begin(), before.pixels.begin() + above, after.pixels.begin()));
    }
    SECTION("640x480: by keys")
    {
        give_size(640, 480);
        s.open_menu();
        std::pair<int, int> home, end;
        REQUIRE(wait_focus([&](auto f) { return (home = f).second > 10; }));
        s.desk->tap(XK_End);
        REQUIRE(wait_focus([&](auto f) { return (end = f).first > 400; }));
        CHECK(end.second == home.second);
        s.desk->tap(XK_Return); /* Close vnchl */
        CHECK(s.viewer->wait(PATIENCE) == 0);
    }
    SECTION("640x480: by the pointer")
    {
        give_size(640, 480);
        const struct rect at = s.desk->place(s.window);
        s.open_menu();
        const Image before = s.see();
        s.desk->move(at.x + 564, at.y + 420); /* on the bar beside the entries */
        s.desk->button(1, true);
        s.desk->button(1, false);
        CHECK(wait_until(PATIENCE, [&] { return s.see() != before; }));
        s.desk->wait_for_program(s.window);
        CHECK(s.wait_menu());
        s.desk->move(at.x + 320, at.y + 240);
        for (int i = 0; i < 30; i++) {
            s.desk->button(5, true); /* the wheel */
            s.desk->button(5, false);
        }
        s.desk->wait_for_program(s.window);
        s.desk->move(at.x + 320, at.y + 480 - 12 - 22 - 9); /* Close vnchl is the last one */
        s.desk->button(1, true);
        s.desk->button(1, false);
        CHECK(s.viewer->wait(PATIENCE) == 0);
    }
}

TEST_CASE("menu: view only stops keys and pointer at once, and gives them back", "[menu]")
{
    MenuScene s;
    if (!s)
        return;
    REQUIRE(s.wait_plain());
    struct rect at = s.desk->place(s.window);
    s.desk->key(XK_x, true);
    CHECK(s.keys_until(XK_x) == Keys{XK_x});
    s.choose(XK_v);
    CHECK(s.released(XK_x));
    s.desk->key(XK_x, false);
    CHECK(s.wait_no_menu());
    CHECK(s.title().find("view only - vnchl") != std::string::npos);
    s.desk->tap(XK_q);
    s.desk->move(at.x + 77, at.y + 88);
    s.desk->button(1, true);
    s.desk->button(1, false);
    s.choose(XK_d); /* cannot be chosen now */
    s.desk->tap(XK_v);
    CHECK(s.wait_no_menu());
    s.desk->tap(XK_e);
    CHECK(s.keys_until(XK_e) == Keys{XK_e});
    CHECK(s.title().find("view only") == std::string::npos);
}

TEST_CASE("menu: the picture is drawn at another size, and again as it was", "[menu]")
{
    MenuScene s({"--remote-resize", "off"});
    if (!s)
        return;
    REQUIRE(s.wait_plain());
    s.choose(XK_z);
    s.desk->tap(XK_h); /* half as large */
    CHECK(s.wait_count(GREEN, 300 * 250, 300 * 250));
    struct rect at = s.desk->place(s.window);
    /* 50 and 75 pixels into the picture, of which each shows 2 x 2 */
    s.desk->move(at.x + 200, at.y + 200);
    CHECK(s.server->screen->wait_pointer(101, 151, PATIENCE));
    s.choose(XK_z);
    s.desk->tap(XK_a);
    CHECK(s.wait_plain());
}

TEST_CASE("menu: started with --view-only, it can be switched off", "[menu]")
{
    MenuScene s({"--view-only"});
    if (!s)
        return;
    REQUIRE(s.wait_plain());
    s.desk->tap(XK_q);
    s.choose(XK_v);
    CHECK(s.wait_no_menu());
    s.desk->tap(XK_e);
    CHECK(s.keys_until(XK_e) == Keys{XK_e});
}

TEST_CASE("menu: a screenshot is the server's picture, pixel for pixel", "[menu]")
{
    MenuScene s;
    if (!s)
        return;
    s.server->screen->draw(0);
    s.server->screen->settle();
    const Image screen = s.server->screen->capture();
    const std::string folder = s.home.path();
    REQUIRE(colours(screen) > 20);
    REQUIRE(wait_until(PATIENCE, [&] { return s.see() == screen; }));
    XResizeWindow(s.desk->x(), s.window, 400, 300); /* scaled; the file is not */
    XFlush(s.desk->x());
    REQUIRE(wait_until(PATIENCE, [&] { return s.see().width == 400; }));
    s.desk->key(XK_Control_L, true);
    s.desk->key(XK_Alt_L, true);
    s.desk->tap(XK_p);
    s.desk->key(XK_Alt_L, false);
    s.desk->key(XK_Control_L, false);
    CHECK(s.wait_count(BAR, 500)); /* a notice says so, when the file is whole */
    REQUIRE(pictures(folder).size() == 1);
    CHECK(difference(read_png(pictures(folder)[0]), screen) == "equal");
    s.choose(XK_s);
    CHECK(wait_until(PATIENCE, [&] { return pictures(folder).size() == 2; }));
    for (const std::string &f : pictures(folder)) {
        struct stat st;
        REQUIRE(stat(f.c_str(), &st) == 0);
        CHECK((st.st_mode & 0777) == 0600);
        CHECK(f.find("/vnchl-") != std::string::npos);
        CHECK(wait_until(PATIENCE, [&] {
            return s.viewer->err().find("picture saved as " + f) != std::string::npos;
        }));
    }
}

TEST_CASE("menu: statistics are there when they are asked for, and go", "[menu]")
{
    MenuScene s({"--verbose"});
    if (!s)
        return;
    REQUIRE(s.wait_plain());
    auto shortcut = [&] {
        s.desk->key(XK_Control_L, true);
        s.desk->key(XK_Alt_L, true);
        s.desk->tap(XK_s);
        s.desk->key(XK_Alt_L, false);
        s.desk->key(XK_Control_L, false);
    };
    s.choose(XK_t);
    CHECK(s.wait_count(GRAPH, 5000));
    CHECK(s.see().at(15, 15) == GREEN); /* the upper right corner, and no more */
    /* each time the next corner: the place that it covers, and the one that it has left */
    const int left = 15, right = 585, top = 15, bottom = 485;
    const int ways[][4] = {
        {left, top, right, top}, {left, bottom, left, top}, {right, bottom, left, bottom}};
    for (const auto &way : ways) {
        shortcut();
        CHECK(wait_until(PATIENCE, [&] {
            Image i = s.see();
            return i.at(way[0], way[1]) != GREEN && i.at(way[2], way[3]) == GREEN;
        }));
    }
    shortcut();
    CHECK(s.wait_plain());
    s.desk->close_window(s.window);
    CHECK(s.viewer->wait(PATIENCE) == 0);
    CHECK(s.viewer->err().find(" pictures received (") != std::string::npos);
}

TEST_CASE("menu: what changes below the statistics is drawn, and they stay whole", "[menu]")
{
    MenuScene s({"--statistics", "on", "--remote-resize", "off"});
    if (!s)
        return;
    REQUIRE(s.wait_count(GRAPH, 5000));
    /* how much of the upper right corner is theirs */
    auto panel = [](const Image &i) {
        long n = 0;
        for (int y = 10; y < 100; y++)
            for (int x = 450; x < 590; x++)
                n += i.at(x, y) != GREEN && i.at(x, y) != 0x804020;
        return n;
    };
    const long whole = panel(s.see());
    REQUIRE(whole == 90 * 140);
    for (bool scaled : {false, true}) {
        if (scaled) { /* it is drawn in memory of the window's size first */
            XMoveResizeWindow(s.desk->x(), s.window, 10, 10, 900, 750);
            XFlush(s.desk->x());
            REQUIRE(wait_until(PATIENCE, [&] { return s.see().width == 900; }));
            REQUIRE(s.wait_count(GRAPH, 5000));
        }
        for (uint32_t colour : {0x804020u, GREEN, 0x804020u, GREEN}) {
            s.server->screen->fill(colour);
            s.server->screen->settle();
            Image i;
            /* all that they do not hide */
            CHECK(wait_until(PATIENCE, [&] {
                i = s.see();
                return i.at(15, 15) == colour && i.at(i.width - 5, i.height - 5) == colour &&
                       i.at(i.width - 5, 5) == colour;
            }));
            if (!scaled)
                CHECK(panel(i) == whole);
            CHECK(i.count(GRAPH) > 5000);
        }
    }
}

TEST_CASE("menu: what moves below it is drawn, and what it ends with", "[menu]")
{
    MenuScene s;
    if (!s)
        return;
    REQUIRE(s.wait_plain());
    s.open_menu();
    const uint32_t green = s.see().at(5, 5); /* darker below a page */
    REQUIRE(green != GREEN);
    for (int i = 0; i < 50; i++) {
        s.server->screen->fill(i % 2 ? 0x204080 : GREEN);
        s.server->screen->settle();
    }
    CHECK(wait_until(PATIENCE, [&] {
        const uint32_t p = s.see().at(5, 5);
        return (p & 0xff) > (p >> 8 & 0xff);
    }));
    s.server->screen->fill(GREEN);
    s.server->screen->settle();
    CHECK(wait_until(PATIENCE, [&] { return s.see().at(5, 5) == green; }));
    s.desk->tap(XK_Escape);
    CHECK(s.wait_plain());
}

TEST_CASE("menu: connect again, disconnect, close", "[menu]")
{
    MenuScene s({"--statistics", "on"});
    if (!s)
        return;
    REQUIRE(s.wait_count(GRAPH, 5000));
    SECTION("close")
    {
        s.choose(XK_c);
        CHECK(s.viewer->wait(PATIENCE) == 0);
        CHECK(s.viewer->err().empty());
    }
    SECTION("disconnect leads to the start window")
    {
        s.choose(XK_i);
        CHECK(wait_until(PATIENCE, [&] { return s.count(GREEN) < 100 && s.count(PANEL) > 9000; }));
        CHECK(s.wait_count(GRAPH, 0, 500)); /* the statistics are a session's */
        SECTION("Escape")
        {
            s.desk->tap(XK_Escape);
            CHECK(s.viewer->wait(PATIENCE) == 0);
        }
        SECTION("Enter: the same server again, with its statistics")
        {
            s.desk->tap(XK_Return);
            CHECK(s.wait_count(GRAPH, 5000));
        }
    }
    SECTION("connect again: another session has the screen and the keys")
    {
        s.server->screen->fill(0x804020);
        s.server->screen->settle();
        s.choose(XK_n);
        CHECK(s.wait_count(0x804020, 100000));
        s.desk->tap(XK_e);
        CHECK(s.keys_until(XK_e) == Keys{XK_e});
    }
}

TEST_CASE("menu: the hint comes once", "[menu]")
{
    MenuScene s({}, true);
    if (!s)
        return;
    CHECK(s.wait_count(BAR, 500));
    CHECK(s.wait_plain()); /* it goes by itself */
    struct stat st;
    CHECK(stat(s.home.file("state/vnchl/menu-hint").c_str(), &st) == 0);
    s.desk->close_window(s.window);
    CHECK(s.viewer->wait(PATIENCE) == 0);
    Command c = ShownViewer::command(s.desk->name(), s.server->address, {"--theme", "dark"});
    c.env["HOME"] = s.home.path();
    c.env["XDG_STATE_HOME"] = s.home.file("state");
    s.start(c);
    CHECK(s.wait_plain());
    s.open_menu(); /* had there been a hint, it would be seen now */
    CHECK(s.count(BAR) == 0);
}
