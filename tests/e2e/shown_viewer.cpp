#include "shown_viewer.hpp"

#include <cstdlib>
#include <stdexcept>

#include "tests/catch.hpp"

namespace e2e
{

static std::string program()
{
    const char *path = getenv("VNCHL");
    if (!path)
        throw std::runtime_error("the environment variable VNCHL names no viewer to test");
    return path;
}

ShownViewer::ShownViewer(Desk &desk, Server &server, const std::vector<std::string> &more)
    : desk_(desk)
{
    process_ = start(desk.name(), server.address, more);
    bool up = wait_until(PATIENCE, [&] {
        window_ = desk_.find_desktop();
        return window_ || !process_->running();
    });
    if (!up || !window_)
        throw std::runtime_error("no window: " + process_->err());
}

Command ShownViewer::command(const std::string &display, const std::string &address,
                             const std::vector<std::string> &more)
{
    Command c;
    c.argv = {program(), "--encodings", "zrle,copyrect,hextile,raw"};
    c.argv.insert(c.argv.end(), more.begin(), more.end());
    if (!address.empty())
        c.argv.push_back(address);
    c.env = {{"DISPLAY", display},
             {"LC_ALL", "C.UTF-8"},
             {"XMODIFIERS", "@im=none"},
             {"DBUS_SYSTEM_BUS_ADDRESS", "unix:path=/no/such/bus"}, /* nobody is nearby */
             {"XDG_CONFIG_HOME", "/no/such/folder"}};               /* nobody's own options */
    c.unset = {"WAYLAND_DISPLAY", "SDL_VIDEODRIVER", "VNC_PASSWORD", "VNC_USERNAME"};
    return c;
}

std::unique_ptr<Process> ShownViewer::start(const std::string &display, const std::string &address,
                                            const std::vector<std::string> &more)
{
    /* an error ends it, and nothing is kept in the tester's home */
    std::vector<std::string> all = {"--alert-on-fatal-error=off", "--recent", "off"};
    all.insert(all.end(), more.begin(), more.end());
    return std::make_unique<Process>(command(display, address, all));
}

bool ShownViewer::wait_size(int w, int h)
{
    struct rect r = {0, 0, 0, 0};
    const bool right = wait_until(PATIENCE, [&] {
        r = place();
        return r.w == w && r.h == h;
    });
    if (!right)
        UNSCOPED_INFO("its size is " << r.w << "x" << r.h << " at " << r.x << "," << r.y);
    return right;
}

bool ShownViewer::wait_shows(const Image &expected)
{
    bool same = wait_until(PATIENCE, [&] { return desk_.capture(window_) == expected; });
    if (!same)
        UNSCOPED_INFO(difference(desk_.capture(window_), expected));
    return same;
}

} // namespace e2e
