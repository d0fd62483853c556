/* The bar at the top edge of full screen, in the real program's window. */
#include <tuple>

#include "menu_scene.hpp"

using namespace e2e;

namespace
{

/* Of viewer/ui/widgets/look.cpp, dark: a button. */
const uint32_t BUTTON = 0x343c47;

/* A viewer in full screen, whose picture is as large as the display. */
struct FullScene {
    std::unique_ptr<Server> server;
    std::unique_ptr<Desk> desk;
    std::unique_ptr<ShownViewer> viewer;

    explicit FullScene(bool full = true)
    {
        server =
            can_run() && installed("openbox") ? start_tigervnc({1200, 900, {}, true}) : nullptr;
        if (!server)
            return;
        server->screen->fill(GREEN);
        server->screen->settle();
        desk = std::make_unique<Desk>(true);
        std::vector<std::string> options = {"--theme", "dark"};
        if (full)
            options.push_back("--full-screen");
        viewer = std::make_unique<ShownViewer>(*desk, *server, options);
        REQUIRE((!full || viewer->wait_size(1200, 900)));
        desk->move(310, 320); /* not where it is at first */
        REQUIRE((!full || server->screen->wait_pointer(310, 320, PATIENCE)));
        desk->give_focus(viewer->window());
    }
    explicit operator bool() const
    {
        return server != nullptr;
    }
    Image see()
    {
        return desk->capture(viewer->window());
    }
    bool wait_bar(bool there)
    {
        return wait_until(PATIENCE, [&] {
            Image i = see();
            return (i.count(BUTTON) > 2000) == there;
        });
    }
    void open_bar()
    {
        desk->move(600, 450);
        desk->move(600, 0);
        REQUIRE(wait_bar(true));
    }
    /* The middle of a button, from the left; 0, 0: it is not there. */
    std::pair<int, int> button(int number)
    {
        Image i = see();
        int y = 0, x = 0, seen = -1, from = 0;
        while (y < 60 && i.count(BUTTON, y, y + 1) < 100)
            y++;
        y += 3; /* above the letters */
        for (bool in = false; x < i.width; x++) {
            const bool is = i.at(x, y) == BUTTON;
            if (is && !in && ++seen == number)
                from = x;
            if (!is && in && seen == number)
                return {(from + x) / 2, y + 8};
            in = is;
        }
        return {0, 0};
    }
    /* Opens the bar, and goes to a button. Once that is marked, a click is the bar's. */
    bool reach(int number, int &x, int &y)
    {
        open_bar();
        std::tie(x, y) = button(number);
        desk->move(x, y);
        return x > 0 && wait_until(seconds(2), [&] { return see().at(x, y - 8) == FOCUS; });
    }
    void click(int x, int y)
    {
        desk->move(x, y);
        desk->button(1, true);
        desk->button(1, false);
    }
    /* The server gets both halves of a click there. */
    bool server_gets(int x, int y)
    {
        return server->screen->wait_button(1, true, x, y, PATIENCE) &&
               server->screen->wait_button(1, false, x, y, PATIENCE);
    }
};

} // namespace

TEST_CASE("top bar: the pointer at the edge finds it, and it goes again", "[menu]")
{
    FullScene s;
    if (!s)
        return;
    int x, y;
    REQUIRE(wait_until(PATIENCE, [&] { return s.reach(1, x, y); }));
    CHECK(s.wait_bar(true));
    s.desk->move(600, 300);
    CHECK(s.wait_bar(false));
}

TEST_CASE("top bar: a click at the edge is the server's, and the next one, too", "[menu]")
{
    FullScene s;
    if (!s)
        return;
    s.open_bar();
    s.click(600, 0);
    CHECK(s.server_gets(600, 0));
    CHECK(s.wait_bar(false));
    s.click(600, 0);
    CHECK(s.server_gets(600, 0));
    s.open_bar(); /* beside it, too */
    s.click(100, 20);
    CHECK(s.server_gets(100, 20));
    CHECK(s.wait_bar(false));
}

TEST_CASE("top bar: its buttons", "[menu]")
{
    FullScene s;
    if (!s)
        return;
    auto press = [&](int number) {
        int x, y;
        REQUIRE(wait_until(PATIENCE, [&] { return s.reach(number, x, y); }));
        s.click(x, y);
    };
    SECTION("menu")
    {
        press(0);
        CHECK(wait_until(PATIENCE, [&] {
            Image i = s.see();
            return i.count(PANEL) > 100000;
        }));
        CHECK(s.wait_bar(false));
    }
    SECTION("leave full screen")
    {
        press(1);
        CHECK(wait_until(PATIENCE, [&] { return s.viewer->place().h < 900; }));
        s.desk->wait_for_window_manager(s.viewer->window());
        CHECK(s.wait_bar(false));
    }
    SECTION("minimise")
    {
        press(2);
        CHECK(wait_until(PATIENCE, [&] {
            XWindowAttributes a;
            return XGetWindowAttributes(s.desk->x(), s.viewer->window(), &a) &&
                   a.map_state != IsViewable;
        }));
    }
    SECTION("disconnect")
    {
        press(3);
        CHECK(wait_until(PATIENCE, [&] { return s.desk->find_desktop() == 0; }));
        /* the start window is an ordinary one, and can go to full screen again */
        CHECK(wait_until(PATIENCE, [&] { return s.viewer->place().h < 900; }));
        s.desk->wait_for_window_manager(s.viewer->window());
        s.desk->give_focus(s.viewer->window());
        s.desk->tap(XK_Return);
        CHECK(s.viewer->wait_size(1200, 900));
    }
    /* none of these clicks was the server's */
    if (s.viewer->process().running() && s.desk->find_desktop()) {
        bool clicked = false;
        s.server->screen->wait_input(milliseconds(0), [&](const XScreen::Input &in) {
            clicked = clicked || in.type == ButtonPress;
            return false;
        });
        CHECK_FALSE(clicked);
    }
}

TEST_CASE("top bar: there is none in a window", "[menu]")
{
    FullScene s(false);
    if (!s)
        return;
    struct rect at = s.viewer->place();
    s.desk->move(at.x + at.w / 2, at.y + 100);
    s.desk->move(at.x + at.w / 2, at.y);
    s.click(at.x + at.w / 2, at.y); /* the server's, whether there is a bar or not */
    CHECK(s.server->screen->wait_input(
        PATIENCE, [](const XScreen::Input &in) { return in.type == ButtonRelease && in.y == 0; }));
    s.desk->move(at.x + at.w / 2, at.y + 100);
    s.desk->move(at.x + at.w / 2, at.y);
    /* as long as it would take in full screen */
    CHECK_FALSE(wait_until(seconds(1), [&] {
        Image i = s.see();
        return i.count(BUTTON) > 2000;
    }));
}
