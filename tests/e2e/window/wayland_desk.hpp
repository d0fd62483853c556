/* The user's side of the window tests on Wayland: a sway without a screen, with virtual devices for
 * hands (hands.hpp) and grim for eyes, and the real viewer in a window on it. */
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "hands.hpp"
#include "rfb/region.h"
#include "tests/e2e/image.hpp"
#include "tests/e2e/process.hpp"
#include "tests/e2e/servers.hpp"

namespace e2e
{

/* Whether there are the programs that a WaylandDesk needs: see installed(). */
bool can_run_wayland();

/* A screen; its place is the right edge of the one before. */
struct Output {
    int width = 1200, height = 900; /* pixels */
    int scale = 1;                  /* pixels of a unit, each way */
};

class WaylandDesk
{
  public:
    /* Windows float. `config`: more lines of sway's configuration. */
    explicit WaylandDesk(const std::vector<Output> &outputs = {Output()},
                         const std::string &config = "");
    ~WaylandDesk();

    /* What a program needs to find it. */
    void add_to(Command &command) const;
    std::string file(const std::string &name) const
    {
        return dir_.file(name);
    }
    Hands &hands()
    {
        return *hands_;
    }
    /* Tells sway. False when it refuses. */
    bool say(const std::string &words);
    /* All that the screen of this number shows, in pixels. */
    Image see(int output = 0);
    /* What is in this part of the layout, in pixels; in units of one screen. */
    Image see(const struct rect &units);

    struct Window {
        std::string title;
        struct rect place = {0, 0, 0, 0}; /* its content, in units of the layout */
        bool focused = false, full_screen = false;
    };
    /* The window whose title ends so; without a title: there is none. */
    Window find(const std::string &title_end);

  private:
    std::string run_swaymsg(const std::vector<std::string> &words, bool *ok);

    TempDir dir_;
    std::vector<Output> outputs_;
    std::unique_ptr<Process> sway_;
    std::string socket_, control_;
    std::unique_ptr<Hands> hands_;
};

/* vnchl on Wayland, connected and shown. */
class WaylandViewer
{
  public:
    WaylandViewer(WaylandDesk &desk, const Server &server,
                  const std::vector<std::string> &more = {});
    WaylandViewer(WaylandDesk &desk, const std::string &address,
                  const std::vector<std::string> &more = {});
    Process &process()
    {
        return *process_;
    }
    WaylandDesk::Window window()
    {
        return desk_.find("vnchl");
    }
    bool wait_size(int w, int h); /* units */
    bool wait_shows(const Image &expected);
    bool wait_title(const std::string &end);

  private:
    WaylandDesk &desk_;
    std::unique_ptr<Process> process_;
};

} // namespace e2e
