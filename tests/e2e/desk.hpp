/* The user's side of the window tests: an Xvfb with XTest for hands and XGetImage for eyes. */
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "image.hpp"
#include "process.hpp"
#include "rfb/region.h"

struct _XDisplay;

namespace e2e
{

/* Whether there are the programs that a Desk needs: see installed(). */
bool can_run();

/* For messages: "eacute". libX11's own function keeps the memory of each name for ever. */
std::string keysym_name(unsigned long keysym);

/* Whether a title of the viewer names a desktop, and not the server that a page is about. */
inline bool is_desktop_title(const std::string &title)
{
    return title.find(": connecting - ") == std::string::npos &&
           title.find(": not connected - ") == std::string::npos;
}

struct DeskOptions {
    std::string manager; /* openbox or icewm; empty: no window manager */
    int dpi = 0;         /* 0: an ordinary display */
    int width = 1200, height = 900;
    std::vector<int> monitors;          /* their widths, side by side; empty: it is one */
    std::vector<std::string> more = {}; /* further arguments of Xvfb */
};

/* The display in front of the user: 1200 x 900, US keyboard. */
class Desk
{
  public:
    using Window = unsigned long;

    /* openbox, or no window manager at all; further arguments of Xvfb. */
    explicit Desk(bool window_manager = false, const std::vector<std::string> &more = {});
    explicit Desk(const DeskOptions &options);
    ~Desk();
    Desk(const Desk &) = delete;
    Desk &operator=(const Desk &) = delete;

    const std::string &name() const
    {
        return name_;
    }
    _XDisplay *x()
    {
        return x_;
    }
    /* A keyboard layout and an option, as setxkbmap names them. */
    bool layout(const std::string &layout, const std::string &option = "");
    /* The key that has this keysym, without modifiers. */
    void key(unsigned long keysym, bool down);
    void tap(unsigned long keysym);
    /* The key of this code, as X counts. */
    void key_at(unsigned code, bool down);
    /* Letters, digits and . : ? = / - _ of which addresses, links and passwords are made. */
    void type(const std::string &text);
    void move(int x, int y);
    void button(unsigned number, bool down);

    /* A shown window whose title ends so; 0 when there is none. */
    Window find(const std::string &title_end);
    /* The viewer's, connected; its title has the desktop's name then. */
    Window find_desktop();
    /* Its title as window managers take it, in UTF-8. */
    std::string title(Window w);
    /* Its content; an empty image when it is not shown or reaches over the display's edge. */
    Image capture(Window w);
    struct rect place(Window w);
    Window focus();
    void give_focus(Window w);
    /* A small window of somebody else, shown. */
    Window other_window();
    /* Asks the window manager to minimise a window, or shows it again; waits until it is so. */
    bool minimise(Window w, bool on);
    /* Waits until the window manager has done all that it was asked before: it has moved the window
     * by a pixel then. */
    void wait_for_window_manager(Window w);
    /* Waits until the program has taken all events that its window has got before. */
    void wait_for_program(Window w);
    /* Waits until a program has grabbed the keyboard, and so gets the window manager's keys. */
    bool wait_for_grab();
    /* What the window manager does when the user clicks the cross. */
    void close_window(Window w);

  private:
    void sync();
    void send_protocol(Window w, const char *protocol);
    void wait_for_pong(Window w);
    Window search(Window w, const std::string &end);
    void start_window_manager(const std::string &program);
    void divide(const DeskOptions &options);
    bool shows_windows();

    std::string name_;
    std::unique_ptr<Process> xvfb_, manager_;
    _XDisplay *x_ = nullptr;
};

} // namespace e2e
