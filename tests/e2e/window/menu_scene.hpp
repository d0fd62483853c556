/* A viewer of a plain green screen, whose menu is used: what is in the window is judged by its
 * colours. */
#pragma once

#include <algorithm>

#include "tests/e2e/check.hpp"
#include "tests/e2e/shown_viewer.hpp"

/* after Catch2, which has names that are macros there */
#include <X11/Xlib.h>
#include <X11/keysym.h>

namespace e2e
{

/* Of viewer/ui/widgets/look.cpp, dark: a page's ground, the entry with the focus, notices; and the
 * ground of the graphs in the statistics. */
inline constexpr uint32_t PANEL = 0x21262d, FOCUS = 0x2f74d8, BAR = 0x4a3b0a, GRAPH = 0x262d36;
inline constexpr uint32_t GREEN = 0x208040;

using Keys = std::vector<unsigned long>;

struct MenuScene {
    TempDir home;
    std::unique_ptr<Server> server;
    std::unique_ptr<Desk> desk;
    std::unique_ptr<Process> viewer;
    Desk::Window window = 0;

    explicit MenuScene(
        const std::vector<std::string> &more = {}, bool recent = false,
        std::unique_ptr<Server> (*start_server)(const XvncOptions &) = start_tigervnc)
    {
        server = can_run() ? start_server({600, 500, {}, true}) : nullptr;
        if (!server)
            return;
        server->screen->fill(GREEN);
        server->screen->settle();
        desk = std::make_unique<Desk>();
        std::vector<std::string> options = {"--theme", "dark"};
        if (!recent)
            options.insert(options.end(), {"--recent", "off"});
        options.insert(options.end(), more.begin(), more.end());
        Command c = ShownViewer::command(desk->name(), server->address, options);
        c.env["HOME"] = home.path();
        c.env["XDG_STATE_HOME"] = home.file("state");
        c.unset.insert(c.unset.end(), {"XDG_PICTURES_DIR"});
        start(c);
    }
    void start(const Command &c)
    {
        viewer.reset();
        viewer = std::make_unique<Process>(c);
        INFO(viewer->err());
        REQUIRE(wait_until(PATIENCE, [&] {
            window = desk->find_desktop();
            return window || !viewer->running();
        }));
        REQUIRE(window);
        desk->give_focus(window);
    }
    explicit operator bool() const
    {
        return server != nullptr;
    }
    Image see()
    {
        return desk->capture(window);
    }
    long count(uint32_t colour)
    {
        Image i = see();
        return i.count(colour);
    }
    bool wait_count(uint32_t colour, long least, long most = 1000000)
    {
        return wait_until(PATIENCE, [&] {
            long n = count(colour);
            return n >= least && n <= most;
        });
    }
    bool wait_plain()
    {
        return wait_until(PATIENCE, [&] { return see() == Image(600, 500, GREEN); });
    }
    bool wait_menu()
    {
        return wait_count(PANEL, 20000);
    }
    bool wait_no_menu()
    {
        return wait_count(PANEL, 0, 0);
    }
    void open_menu(unsigned long key = XK_F8)
    {
        desk->tap(key);
        REQUIRE(wait_menu());
    }
    /* Opens the menu and takes the entry with this letter. */
    void choose(unsigned long letter)
    {
        open_menu();
        desk->tap(letter);
    }
    /* All keys that the server has got when it gets this one. */
    Keys keys_until(unsigned long keysym)
    {
        return server->screen->keys_until(keysym, PATIENCE);
    }
    bool released(unsigned long keysym)
    {
        return server->screen->wait_key(keysym, false, PATIENCE);
    }
    std::string title()
    {
        return desk->title(window);
    }
};

} // namespace e2e
