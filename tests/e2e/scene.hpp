/* The program in front of a person, from its first moment: a window on an Xvfb of its own, and
 * files in a folder of its own. What is in the window is judged by its colours. */
#pragma once

#include <sys/stat.h>

#include <algorithm>
#include <map>

#include "check.hpp"
#include "shown_viewer.hpp"

namespace e2e
{

/* Of viewer/ui/widgets/look.cpp, dark; and the light theme's ground. */
inline constexpr uint32_t PANEL = 0x21262d, WARNING = 0xff8a80, GROUND = 0x15181d, BAR = 0x4a3b0a,
                          FIELD = 0x171b20, ACCENT = 0x2f74d8;
inline constexpr uint32_t LIGHT_GROUND = 0xe9ebef;

/* The program in front of the person, from its first moment. */
class Scene
{
  public:
    explicit Scene(const std::string &address, const std::vector<std::string> &more = {},
                   const std::map<std::string, std::string> &env = {}, bool window_manager = false)
        : Scene(address, more, env, {}, window_manager)
    {
    }
    /* `before`: words that start the program. */
    Scene(const std::string &address, const std::vector<std::string> &more,
          const std::map<std::string, std::string> &env, const std::vector<std::string> &before,
          bool window_manager = false)
        : desk(window_manager)
    {
        /* not the first use: no hint covers the picture */
        mkdir(home.file("state").c_str(), 0700);
        mkdir(home.file("state/vnchl").c_str(), 0700);
        write_file(home.file("state/vnchl/menu-hint"), "");
        again(address, more, env, before);
    }

    /* Another run on the same display. */
    void again(const std::string &address, const std::vector<std::string> &more = {},
               const std::map<std::string, std::string> &env = {},
               const std::vector<std::string> &before = {})
    {
        Command c = ShownViewer::command(desk.name(), address, more);
        c.argv.insert(c.argv.begin(), before.begin(), before.end());
        for (const auto &[name, value] :
             {std::pair("XDG_DATA_HOME", "data"), std::pair("XDG_STATE_HOME", "state"),
              std::pair("XDG_CONFIG_HOME", "config")})
            c.env[name] = home.file(value);
        c.unset.insert(c.unset.end(), {"GTK_THEME"});
        for (const auto &[name, value] : env)
            c.env[name] = value;
        viewer.reset(); /* the window before goes first */
        viewer = std::make_unique<Process>(c);
        INFO(viewer->err());
        REQUIRE(wait_until(PATIENCE, [&] { return window() || !viewer->running(); }));
    }

    Desk::Window window()
    {
        return desk.find("vnchl");
    }
    std::string title()
    {
        return desk.title(window());
    }
    Image see()
    {
        return desk.capture(window());
    }
    bool wait(const std::function<bool(const Image &)> &seen)
    {
        return wait_until(PATIENCE, [&] { return seen(see()); });
    }
    /* A page that says what went wrong, or one that does not. */
    bool wait_page(bool warning)
    {
        return wait([&](const Image &i) {
            return i.count(PANEL) > 1000 && (i.count(WARNING) > 0) == warning;
        });
    }
    /* The page that asks for something is larger than the one before, which only waits. */
    bool wait_question(bool warning)
    {
        return wait([&](const Image &i) {
            return i.count(PANEL) > QUESTION && (i.count(WARNING) > 0) == warning;
        });
    }
    bool wait_shows(const Image &picture)
    {
        bool same = wait([&](const Image &i) { return i == picture; });
        if (!same)
            UNSCOPED_INFO(difference(see(), picture));
        return same;
    }
    bool wait_desktop() /* connected: the title names it */
    {
        return wait_until(PATIENCE, [&] { return desk.find_desktop() != 0; });
    }

    /* Pixels of the panel: only a page with a field or many words has more. */
    static constexpr long QUESTION = 60000;

    TempDir home;
    Desk desk;
    std::unique_ptr<Process> viewer;
};

} // namespace e2e
