/* A server that takes steps of the pointer, in the real program's window: QEMU with a mouse. */
#include <sstream>

#include "menu_scene.hpp"

/* after Catch2, which has names that are macros there */
#include <X11/extensions/XTest.h>

using namespace e2e;

namespace
{

struct MouseScene {
    std::unique_ptr<Qemu> server;
    std::unique_ptr<Desk> desk;
    std::unique_ptr<ShownViewer> viewer;

    explicit MouseScene(const std::vector<std::string> &more = {})
    {
        server = can_run() ? start_qemu() : nullptr;
        if (!server)
            return;
        desk = std::make_unique<Desk>();
        std::vector<std::string> options = {"--theme", "dark", "--remote-resize", "off"};
        options.insert(options.end(), more.begin(), more.end());
        viewer = std::make_unique<ShownViewer>(*desk, *server, options);
        REQUIRE(wait_until(PATIENCE, [&] { return server->painted(); }));
        desk->give_focus(viewer->window());
    }
    explicit operator bool() const
    {
        return server != nullptr;
    }
    /* The sum of the machine's steps, which it has got in parts of any size. */
    int moved(const std::string &axis)
    {
        std::istringstream log(server->input_trace());
        const std::string value = ", axis " + axis + ", value ";
        int sum = 0;
        for (std::string line; std::getline(log, line);) {
            size_t at = line.find(value);
            if (line.find("input_event_rel") != std::string::npos && at != std::string::npos)
                sum += atoi(line.c_str() + at + value.size());
        }
        return sum;
    }
    bool wait_moved(int x, int y)
    {
        return wait_until(PATIENCE, [&] { return moved("x") == x && moved("y") == y; });
    }
    bool wait_button(const std::string &what)
    {
        return wait_until(PATIENCE, [&] {
            return server->input_trace().find("button " + what) != std::string::npos;
        });
    }
    void click(unsigned number)
    {
        desk->button(number, true);
        desk->button(number, false);
    }
    /* Whether the pointer stays in the window, unseen. */
    bool is_caught()
    {
        const int far_x = 1190, far_y = 890;
        desk->move(far_x, far_y);
        Window root, child;
        int x = 0, y = 0, in_x, in_y;
        unsigned mask;
        return !wait_until(milliseconds(300), [&] {
            desk->wait_for_program(viewer->window());
            XQueryPointer(desk->x(), DefaultRootWindow(desk->x()), &root, &child, &x, &y, &in_x,
                          &in_y, &mask);
            return x == far_x && y == far_y;
        });
    }
    /* The machine has read this key, and so all that was done before. */
    void settle()
    {
        const size_t before = server->keys().size();
        desk->tap(XK_z);
        REQUIRE(wait_until(PATIENCE, [&] { return server->keys().size() > before; }));
    }
};

} // namespace

TEST_CASE("steps: a click catches the pointer, and Ctrl+Alt+G gives it back", "[menu]")
{
    MouseScene s;
    if (!s)
        return;
    struct rect at = s.viewer->place();
    const int x = at.x + 100, y = at.y + 100;
    s.desk->move(x, y);
    s.desk->move(x + 50, y + 50);
    s.settle();
    CHECK(s.server->input_trace().find("input_event_rel") == std::string::npos);

    s.click(1); /* catches it, and is nobody else's */
    REQUIRE(wait_until(PATIENCE, [&] { return s.is_caught(); }));
    auto says_so = [&] {
        return s.desk->title(s.viewer->window()).find("gives the pointer back") !=
               std::string::npos;
    };
    CHECK(wait_until(PATIENCE, says_so));
    s.settle();
    CHECK(s.server->input_trace().find("button left") == std::string::npos);
    s.click(3);
    CHECK(s.wait_button("right, down 1"));
    CHECK(s.wait_button("right, down 0"));

    s.desk->key(XK_Control_L, true);
    s.desk->key(XK_Alt_L, true);
    s.desk->tap(XK_g);
    s.desk->key(XK_Alt_L, false);
    s.desk->key(XK_Control_L, false);
    CHECK(wait_until(PATIENCE, [&] { return !s.is_caught(); }));
    CHECK(wait_until(PATIENCE, [&] { return !says_so(); }));
    s.settle();
    const int moved_x = s.moved("x"), moved_y = s.moved("y");
    s.desk->move(x, y);
    s.desk->move(x + 30, y);
    s.settle();
    CHECK(s.moved("x") == moved_x);
    CHECK(s.moved("y") == moved_y);
    CHECK(s.desk->title(s.viewer->window()).find("keyboard grabbed") == std::string::npos);
}

TEST_CASE("steps: what the hand moves is what the machine gets", "[menu]")
{
    MouseScene s;
    if (!s)
        return;
    struct rect at = s.viewer->place();
    s.desk->move(at.x + 100, at.y + 100);
    s.click(1);
    auto nudge = [&](int dx, int dy) {
        XTestFakeRelativeMotionEvent(s.desk->x(), dx, dy, CurrentTime);
        XFlush(s.desk->x());
    };
    /* whatever it took to be caught: what is moved before that is no step */
    REQUIRE(wait_until(PATIENCE, [&] {
        nudge(1, 0);
        return s.moved("x") != 0;
    }));
    s.settle();
    const int x = s.moved("x"), y = s.moved("y");
    nudge(7, -3);
    CHECK(s.wait_moved(x + 7, y - 3));
    /* farther than any screen is wide; SDL drops one that is like the one before, of the same ms */
    for (int i = 0; i < 100; i++)
        nudge(20 + i % 2, 10 + i % 2);
    CHECK(s.wait_moved(x + 7 + 2050, y - 3 + 1050));
}

TEST_CASE("steps: the menu has the pointer, and view only catches none", "[menu]")
{
    MouseScene s;
    if (!s)
        return;
    struct rect at = s.viewer->place();
    s.desk->move(at.x + 100, at.y + 100);
    s.click(1);
    REQUIRE(wait_until(PATIENCE, [&] { return s.is_caught(); }));
    s.desk->tap(XK_F8);
    CHECK(wait_until(PATIENCE, [&] { return !s.is_caught(); }));
    s.desk->tap(XK_v);
    CHECK(wait_until(PATIENCE, [&] {
        return s.desk->title(s.viewer->window()).find("view only") != std::string::npos;
    }));
    s.desk->move(at.x + 100, at.y + 100);
    s.click(1);
    s.desk->wait_for_program(s.viewer->window());
    CHECK_FALSE(s.is_caught());
}
