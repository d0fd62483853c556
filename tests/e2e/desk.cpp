#include "desk.hpp"

#include <cstdlib>
#include <map>
#include <stdexcept>
#include <thread>

#include "servers.hpp"
#include "tests/catch.hpp"
#include "x_server.hpp"

/* after Catch2, which has names that are macros there */
#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <X11/extensions/XTest.h>
#include <X11/keysym.h>
#include <xkbcommon/xkbcommon.h>

namespace e2e
{

/* SDL takes a press for a repeat when the same key was released less than 2 ms before. These are
 * the times at which the X server handles the two, and a slow server may handle both at once. */
const milliseconds REPEAT_ENDS(3);

/* A window may go away while we look at it. */
static int ignore_error(Display *, XErrorEvent *)
{
    return 0;
}

bool can_run()
{
    return installed("Xvfb") && installed("setxkbmap");
}

std::string keysym_name(unsigned long keysym)
{
    char name[64];
    return xkb_keysym_get_name(static_cast<xkb_keysym_t>(keysym), name, sizeof name) > 0
               ? name
               : std::to_string(keysym);
}

Desk::Desk(bool window_manager, const std::vector<std::string> &more)
    : Desk(DeskOptions{window_manager ? "openbox" : "", 0, 1200, 900, {}, more})
{
}

Desk::Desk(const DeskOptions &options)
{
    XSetErrorHandler(ignore_error);
    Command c;
    c.argv = {
        "Xvfb",     "-screen",
        "0",        std::to_string(options.width) + "x" + std::to_string(options.height) + "x24",
        "-noreset", "-nolisten",
        "tcp"};
    if (options.dpi)
        c.argv.insert(c.argv.end(), {"-dpi", std::to_string(options.dpi)});
    c.argv.insert(c.argv.end(), options.more.begin(), options.more.end());
    xvfb_ = start_x_server(c, name_);
    x_ = XOpenDisplay(name_.c_str());
    if (!x_)
        throw std::runtime_error("cannot open display " + name_);
    XAutoRepeatOff(x_); /* a slow machine holds keys down for long */
    divide(options);
    if (!options.manager.empty())
        start_window_manager(options.manager);
}

/* Into monitors, as a user does with a wide one. */
void Desk::divide(const DeskOptions &options)
{
    int x = 0;
    for (size_t i = 0; i < options.monitors.size(); i++) {
        const int width = options.monitors[i];
        Command c;
        c.argv = {"xrandr",
                  "-display",
                  name_,
                  "--setmonitor",
                  "part-" + std::to_string(i),
                  std::to_string(width) + "/300x" + std::to_string(options.height) + "/300+" +
                      std::to_string(x) + "+0",
                  i == 0 ? "screen" : "none"};
        if (run(c).status != 0)
            throw std::runtime_error("xrandr makes no monitors");
        x += width;
    }
}

Desk::~Desk()
{
    XCloseDisplay(x_);
}

bool Desk::layout(const std::string &layout, const std::string &option)
{
    Command c;
    c.argv = {"setxkbmap", "-display", name_, "-layout", layout, "-option", option};
    return run(c).status == 0;
}

void Desk::key(KeySym keysym, bool down)
{
    sync();
    key_at(XKeysymToKeycode(x_, keysym), down);
    if (down)
        return;
    sync(); /* the server has handled the release */
    std::this_thread::sleep_for(REPEAT_ENDS);
}

void Desk::key_at(unsigned code, bool down)
{
    XTestFakeKeyEvent(x_, code, down, CurrentTime);
    XFlush(x_);
}

void Desk::tap(KeySym keysym)
{
    key(keysym, true);
    key(keysym, false);
}

void Desk::type(const std::string &text)
{
    static const std::map<char, KeySym> below_shift = {
        {':', XK_semicolon}, {'?', XK_slash}, {'_', XK_minus}};

    for (char c : text) {
        const auto sign = below_shift.find(c);
        const bool shift = sign != below_shift.end() || (c >= 'A' && c <= 'Z');
        const KeySym letter = static_cast<KeySym>(static_cast<unsigned char>(c));

        if (shift)
            key(XK_Shift_L, true);
        if (sign != below_shift.end())
            tap(sign->second);
        else
            tap(shift ? letter - 'A' + 'a' : letter);
        if (shift)
            key(XK_Shift_L, false);
    }
}

void Desk::move(int x, int y)
{
    XTestFakeMotionEvent(x_, -1, x, y, CurrentTime);
    XFlush(x_);
}

void Desk::button(unsigned number, bool down)
{
    XTestFakeButtonEvent(x_, number, down, CurrentTime);
    XFlush(x_);
}

Desk::Window Desk::find(const std::string &title_end)
{
    return search(DefaultRootWindow(x_), title_end);
}

Desk::Window Desk::find_desktop()
{
    const Window w = find("- vnchl");
    return w && is_desktop_title(title(w)) ? w : 0;
}

std::string Desk::title(Window w)
{
    Atom type;
    int format;
    unsigned long count, left;
    unsigned char *bytes = nullptr;
    XGetWindowProperty(x_, w, XInternAtom(x_, "_NET_WM_NAME", False), 0, 1024, False,
                       AnyPropertyType, &type, &format, &count, &left, &bytes);
    std::string out(reinterpret_cast<char *>(bytes), bytes ? count : 0);
    if (bytes)
        XFree(bytes);
    return out;
}

Image Desk::capture(Window w)
{
    Image image;
    XWindowAttributes a;
    if (!XGetWindowAttributes(x_, w, &a) || a.map_state != IsViewable)
        return image;
    XImage *i = XGetImage(x_, w, 0, 0, static_cast<unsigned>(a.width),
                          static_cast<unsigned>(a.height), AllPlanes, ZPixmap);
    if (!i)
        return image;
    image = Image(a.width, a.height);
    for (int y = 0; y < a.height; y++)
        for (int x = 0; x < a.width; x++)
            image.pixels[static_cast<size_t>(y) * a.width + x] =
                static_cast<uint32_t>(XGetPixel(i, x, y) & 0xffffff);
    XDestroyImage(i);
    return image;
}

struct rect Desk::place(Window w)
{
    XWindowAttributes a = {};
    Window child;
    int x = 0, y = 0;
    sync();
    XGetWindowAttributes(x_, w, &a);
    XTranslateCoordinates(x_, w, DefaultRootWindow(x_), 0, 0, &x, &y, &child);
    return {x, y, a.width, a.height};
}

void Desk::wait_for_window_manager(Window w)
{
    struct rect before = place(w);
    XMoveWindow(x_, w, before.x + 1, before.y);
    sync();
    if (!wait_until(PATIENCE, [&] { return place(w).x != before.x; }))
        throw std::runtime_error("the window manager does not move a window");
}

void Desk::send_protocol(Window w, const char *protocol)
{
    XEvent e = {};
    e.xclient.type = ClientMessage;
    e.xclient.window = w;
    e.xclient.message_type = XInternAtom(x_, "WM_PROTOCOLS", False);
    e.xclient.format = 32;
    e.xclient.data.l[0] = static_cast<long>(XInternAtom(x_, protocol, False));
    e.xclient.data.l[2] = static_cast<long>(w);
    XSendEvent(x_, w, False, NoEventMask, &e);
    XFlush(x_);
}

void Desk::close_window(Window w)
{
    send_protocol(w, "WM_DELETE_WINDOW");
}

void Desk::wait_for_pong(Window w)
{
    const Window root = DefaultRootWindow(x_);
    XSelectInput(x_, root, SubstructureNotifyMask); /* where the answer goes to */
    send_protocol(w, "_NET_WM_PING");
    const bool answered = wait_until(PATIENCE, [&] {
        XEvent e;
        return XCheckTypedWindowEvent(x_, root, ClientMessage, &e) &&
               e.xclient.data.l[0] == static_cast<long>(XInternAtom(x_, "_NET_WM_PING", False));
    });
    XSelectInput(x_, root, NoEventMask);
    sync();
    if (!answered)
        throw std::runtime_error("the program does not take its window's events");
}

/* SDL answers when it reads the events, before the program has them. It reads the next ones only
 * when the program has had all of these. */
void Desk::wait_for_program(Window w)
{
    wait_for_pong(w);
    wait_for_pong(w);
}

/* No other program can be between the two: its own attempt would fail. */
bool Desk::wait_for_grab()
{
    return wait_until(PATIENCE, [&] {
        XGrabServer(x_);
        const int got = XGrabKeyboard(x_, DefaultRootWindow(x_), False, GrabModeAsync,
                                      GrabModeAsync, CurrentTime);
        if (got == GrabSuccess)
            XUngrabKeyboard(x_, CurrentTime);
        XUngrabServer(x_);
        sync();
        return got == AlreadyGrabbed;
    });
}

void Desk::sync()
{
    XSync(x_, False);
    while (XPending(x_)) {
        XEvent e;
        XNextEvent(x_, &e);
        if (e.type == MappingNotify)
            XRefreshKeyboardMapping(&e.xmapping);
    }
}

Desk::Window Desk::search(Window w, const std::string &end)
{
    XTextProperty name = {};
    XWindowAttributes a;
    if (XGetWindowAttributes(x_, w, &a) && a.map_state == IsViewable && XGetWMName(x_, w, &name) &&
        name.value) {
        std::string title(reinterpret_cast<char *>(name.value), name.nitems);
        XFree(name.value);
        if (title.size() >= end.size() &&
            title.compare(title.size() - end.size(), end.size(), end) == 0)
            return w;
    }
    Window root, parent, *children = nullptr, found = 0;
    unsigned count = 0;
    if (XQueryTree(x_, w, &root, &parent, &children, &count))
        for (unsigned i = 0; i < count && !found; i++)
            found = search(children[i], end);
    if (children)
        XFree(children);
    return found;
}

void Desk::start_window_manager(const std::string &program)
{
    Command c;
    c.argv = {program};
    if (program == "openbox")
        c.argv.push_back("--sm-disable");
    c.env = {{"DISPLAY", name_}};
    manager_ = std::make_unique<Process>(c);
    Atom check = XInternAtom(x_, "_NET_SUPPORTING_WM_CHECK", False);
    bool up = wait_until(PATIENCE, [&] {
        Atom type;
        int format;
        unsigned long count = 0, rest;
        unsigned char *data = nullptr;
        XGetWindowProperty(x_, DefaultRootWindow(x_), check, 0, 1, False, XA_WINDOW, &type, &format,
                           &count, &rest, &data);
        if (data)
            XFree(data);
        return count == 1;
    });
    /* it claims the screen before it listens: a window mapped in between is never shown */
    up = up && wait_until(PATIENCE, [&] { return shows_windows(); });
    if (!up)
        throw std::runtime_error(program + " did not come up: " + manager_->err());
}

/* Whether the window manager takes care of a window that is mapped now. */
bool Desk::shows_windows()
{
    Window probe = XCreateSimpleWindow(x_, DefaultRootWindow(x_), 0, 0, 50, 50, 0, 0, 0);
    XMapWindow(x_, probe);
    bool shown = wait_until(seconds(1), [&] {
        XWindowAttributes a;
        return XGetWindowAttributes(x_, probe, &a) && a.map_state == IsViewable;
    });
    XDestroyWindow(x_, probe);
    XSync(x_, False);
    return shown;
}

Desk::Window Desk::focus()
{
    Window focus = 0;
    int revert;
    XGetInputFocus(x_, &focus, &revert);
    return focus;
}

void Desk::give_focus(Window w)
{
    XSetInputFocus(x_, w, RevertToParent, CurrentTime);
    XSync(x_, False);
}

Desk::Window Desk::other_window()
{
    Window w = XCreateSimpleWindow(x_, DefaultRootWindow(x_), 0, 0, 50, 50, 0, 0, 0);
    XMapWindow(x_, w);
    wait_until(PATIENCE, [&] {
        XWindowAttributes a;
        return XGetWindowAttributes(x_, w, &a) && a.map_state == IsViewable;
    });
    return w;
}

bool Desk::minimise(Window w, bool on)
{
    if (on)
        XIconifyWindow(x_, w, DefaultScreen(x_));
    else
        XMapWindow(x_, w);
    return wait_until(PATIENCE, [&] {
        XWindowAttributes a;
        return XGetWindowAttributes(x_, w, &a) && (a.map_state == IsViewable) != on;
    });
}

} // namespace e2e
