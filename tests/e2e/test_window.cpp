/* The real program in a real window: vnchl (path in the environment variable VNCHL) on an Xvfb of
 * the test's own, connected to TigerVNC's Xvnc. A user sits at the Xvfb (XTest), the harness's X
 * client at the Xvnc. */
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "check.hpp"

/* after Catch2, which has names that are macros there */
#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <X11/extensions/XTest.h>
#include <X11/keysym.h>

using namespace e2e;

namespace
{

constexpr auto LIMIT = seconds(10);

std::string program()
{
    const char *path = getenv("VNCHL");
    if (!path)
        throw std::runtime_error("the environment variable VNCHL names no viewer to test");
    return path;
}

/* The display in front of the user. */
class Desk
{
  public:
    explicit Desk(bool window_manager = false)
    {
        int pipes[2];
        if (pipe2(pipes, O_CLOEXEC) != 0)
            throw std::runtime_error("pipe failed");
        Command c;
        c.argv = {"Xvfb",     "-displayfd", std::to_string(pipes[1]),
                  "-screen",  "0",          "1200x900x24",
                  "-noreset", "-nolisten",  "tcp"};
        c.display_fd = pipes[1];
        xvfb_ = std::make_unique<Process>(c);
        close(pipes[1]);
        std::string number;
        char byte;
        while (read(pipes[0], &byte, 1) == 1 && byte != '\n')
            number += byte;
        close(pipes[0]);
        if (number.empty())
            throw std::runtime_error("Xvfb did not come up: " + xvfb_->err());
        name_ = ":" + number;
        x_ = XOpenDisplay(name_.c_str());
        if (!x_)
            throw std::runtime_error("cannot open display " + name_);
        if (window_manager)
            start_window_manager();
    }
    ~Desk()
    {
        XCloseDisplay(x_);
    }
    Desk(const Desk &) = delete;
    Desk &operator=(const Desk &) = delete;

    const std::string &name() const
    {
        return name_;
    }
    Display *x()
    {
        return x_;
    }
    bool layout(const std::string &layout)
    {
        Command c;
        c.argv = {"setxkbmap", "-display", name_, "-layout", layout};
        return run(c).status == 0;
    }
    void key(KeySym keysym, bool down)
    {
        sync();
        XTestFakeKeyEvent(x_, XKeysymToKeycode(x_, keysym), down, CurrentTime);
        XFlush(x_);
    }
    void tap(KeySym keysym)
    {
        key(keysym, true);
        key(keysym, false);
    }
    void move(int x, int y)
    {
        XTestFakeMotionEvent(x_, -1, x, y, CurrentTime);
        XFlush(x_);
    }
    void button(unsigned number, bool down)
    {
        XTestFakeButtonEvent(x_, number, down, CurrentTime);
        XFlush(x_);
    }
    /* A shown window whose title ends so; 0 when there is none. */
    Window find(const std::string &title_end)
    {
        return search(DefaultRootWindow(x_), title_end);
    }
    Image capture(Window w)
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
    struct rect place(Window w)
    {
        XWindowAttributes a = {};
        Window child;
        int x = 0, y = 0;
        sync();
        XGetWindowAttributes(x_, w, &a);
        XTranslateCoordinates(x_, w, DefaultRootWindow(x_), 0, 0, &x, &y, &child);
        return {x, y, a.width, a.height};
    }
    void close_window(Window w)
    {
        XEvent e = {};
        e.xclient.type = ClientMessage;
        e.xclient.window = w;
        e.xclient.message_type = XInternAtom(x_, "WM_PROTOCOLS", False);
        e.xclient.format = 32;
        e.xclient.data.l[0] = static_cast<long>(XInternAtom(x_, "WM_DELETE_WINDOW", False));
        XSendEvent(x_, w, False, NoEventMask, &e);
        XFlush(x_);
    }

  private:
    void sync()
    {
        XSync(x_, False);
        while (XPending(x_)) {
            XEvent e;
            XNextEvent(x_, &e);
            if (e.type == MappingNotify)
                XRefreshKeyboardMapping(&e.xmapping);
        }
    }
    Window search(Window w, const std::string &end)
    {
        XTextProperty name = {};
        XWindowAttributes a;
        if (XGetWindowAttributes(x_, w, &a) && a.map_state == IsViewable &&
            XGetWMName(x_, w, &name) && name.value) {
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
    void start_window_manager()
    {
        Command c;
        c.argv = {"openbox", "--sm-disable"};
        c.env = {{"DISPLAY", name_}};
        manager_ = std::make_unique<Process>(c);
        Atom check = XInternAtom(x_, "_NET_SUPPORTING_WM_CHECK", False);
        bool up = wait_until(LIMIT, [&] {
            Atom type;
            int format;
            unsigned long count = 0, rest;
            unsigned char *data = nullptr;
            XGetWindowProperty(x_, DefaultRootWindow(x_), check, 0, 1, False, XA_WINDOW, &type,
                               &format, &count, &rest, &data);
            if (data)
                XFree(data);
            return count == 1;
        });
        if (!up)
            throw std::runtime_error("openbox did not come up: " + manager_->err());
    }

    std::string name_;
    std::unique_ptr<Process> xvfb_, manager_;
    Display *x_ = nullptr;
};

/* The viewer, connected and shown. */
class Shown
{
  public:
    Shown(Desk &desk, Server &server, const std::vector<std::string> &more = {}) : desk_(desk)
    {
        process_ = start(desk.name(), server.address, more);
        bool up = wait_until(LIMIT, [&] {
            window_ = desk_.find("- vnchl");
            return window_ || !process_->running();
        });
        INFO(process_->err());
        REQUIRE(up);
        REQUIRE(window_);
    }
    static std::unique_ptr<Process> start(const std::string &display, const std::string &address,
                                          const std::vector<std::string> &more = {})
    {
        Command c;
        c.argv = {program(), "--encodings", "zrle,copyrect,hextile,raw"};
        c.argv.insert(c.argv.end(), more.begin(), more.end());
        c.argv.push_back(address);
        c.env = {{"DISPLAY", display}, {"LC_ALL", "C.UTF-8"}, {"XMODIFIERS", "@im=none"}};
        c.unset = {"WAYLAND_DISPLAY", "SDL_VIDEODRIVER"};
        return std::make_unique<Process>(c);
    }
    Process &process()
    {
        return *process_;
    }
    Window window() const
    {
        return window_;
    }
    struct rect place()
    {
        return desk_.place(window_);
    }
    bool wait_size(int w, int h)
    {
        return wait_until(LIMIT, [&] {
            auto r = place();
            return r.w == w && r.h == h;
        });
    }
    bool wait_shows(const Image &expected)
    {
        bool same = wait_until(LIMIT, [&] { return desk_.capture(window_) == expected; });
        if (!same)
            UNSCOPED_INFO(difference(desk_.capture(window_), expected));
        return same;
    }

  private:
    Desk &desk_;
    std::unique_ptr<Process> process_;
    Window window_ = 0;
};

bool can_run()
{
    return !find_program("Xvfb").empty() && !find_program("setxkbmap").empty();
}

/* CPU time of a process in seconds. */
double cpu_seconds(pid_t pid)
{
    std::ifstream f("/proc/" + std::to_string(pid) + "/stat");
    std::string all((std::istreambuf_iterator<char>(f)), std::istreambuf_iterator<char>());
    std::istringstream rest(all.substr(all.rfind(')') + 2));
    std::string skip;
    double user = 0, system = 0;
    for (int i = 0; i < 11; i++)
        rest >> skip;
    rest >> user >> system;
    return (user + system) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

void arrives(Server &server, KeySym keysym)
{
    char text[24];
    snprintf(text, sizeof text, "keysym 0x%lx", keysym);
    INFO(text);
    CHECK(server.screen->wait_key(keysym, true, LIMIT));
    CHECK(server.screen->wait_key(keysym, false, LIMIT));
}

/* For keysyms that are not on the server's US keyboard: Xvnc adds them to its map when they come
 * first, and X clients learn of that too late for that very press. */
bool arrives_in_the_end(Server &server, const std::function<void()> &type, KeySym keysym)
{
    return wait_until(LIMIT, [&] {
        type();
        return server.screen->wait_key(keysym, true, milliseconds(200));
    });
}

} // namespace

TEST_CASE("window: it shows the server's screen, pixel for pixel", "[window]")
{
    auto server = can_run() ? start_tigervnc() : nullptr;
    if (!server)
        return;
    Desk desk;
    server->screen->draw(0);
    server->screen->settle();
    Shown viewer(desk, *server);
    CHECK(viewer.wait_size(516, 388));
    CHECK(colours(server->screen->capture()) > 20);
    CHECK(viewer.wait_shows(server->screen->capture()));
    server->screen->animate(40, milliseconds(15));
    CHECK(viewer.wait_shows(server->screen->capture()));

    /* something covers a part of it and goes away */
    Window cover = XCreateSimpleWindow(desk.x(), viewer.window(), 20, 30, 200, 100, 0, 0, 0xff00ff);
    XMapRaised(desk.x(), cover);
    XSync(desk.x(), False);
    XDestroyWindow(desk.x(), cover);
    CHECK(viewer.wait_shows(server->screen->capture()));
}

TEST_CASE("window: another size scales the picture and keeps its shape", "[window]")
{
    auto server = can_run() ? start_tigervnc({400, 300, {}, true}) : nullptr;
    if (!server)
        return;
    Desk desk;
    server->screen->fill(0x3060c0);
    Shown viewer(desk, *server);
    Image plain(400, 300, 0x3060c0);
    CHECK(viewer.wait_shows(plain));

    Image wide(1000, 600, 0); /* twice as large, bars of 100 left and right */
    for (int y = 0; y < 600; y++)
        for (int x = 100; x < 900; x++)
            wide.pixels[static_cast<size_t>(y) * 1000 + x] = 0x3060c0;
    XMoveResizeWindow(desk.x(), viewer.window(), 0, 0, 1000, 600);
    XFlush(desk.x());
    CHECK(viewer.wait_size(1000, 600));
    CHECK(viewer.wait_shows(wide));
    desk.move(100 + 2 * 77, 2 * 55);
    CHECK(server->screen->wait_pointer(77, 55, LIMIT));
    desk.move(30, 598); /* on the bar */
    CHECK(server->screen->wait_pointer(0, 299, LIMIT));
}

TEST_CASE("window: clicks and the wheel arrive where they were made", "[window]")
{
    auto server = can_run() ? start_tigervnc() : nullptr;
    if (!server)
        return;
    Desk desk;
    Shown viewer(desk, *server);
    auto at = viewer.place();
    for (unsigned button = 1; button <= 7; button++) {
        INFO("button " << button);
        int x = 20 + static_cast<int>(button) * 50, y = 300 - static_cast<int>(button) * 30;
        desk.move(at.x + x, at.y + y);
        desk.button(button, true);
        desk.button(button, false);
        CHECK(server->screen->wait_button(button, true, x, y, LIMIT));
        CHECK(server->screen->wait_button(button, false, x, y, LIMIT));
    }
    desk.move(at.x + 10, at.y + 10);
    desk.button(1, true);
    desk.move(at.x + 200, at.y + 100);
    desk.button(1, false);
    CHECK(server->screen->wait_button(1, true, 10, 10, LIMIT));
    CHECK(server->screen->wait_button(1, false, 200, 100, LIMIT));
}

TEST_CASE("window: keys arrive as they were typed", "[window]")
{
    auto server = can_run() ? start_tigervnc() : nullptr;
    if (!server)
        return;
    Desk desk;
    SECTION("US layout")
    {
        Shown viewer(desk, *server);
        const KeySym plain[] = {XK_a,      XK_7,      XK_space, XK_slash,  XK_Return,
                                XK_Escape, XK_Tab,    XK_F1,    XK_F12,    XK_Left,
                                XK_Prior,  XK_Delete, XK_Home,  XK_Insert, XK_BackSpace};
        for (KeySym k : plain) {
            desk.tap(k);
            arrives(*server, k);
        }
        const std::pair<KeySym, KeySym> shifted[] = {{XK_a, XK_A}, {XK_1, XK_exclam}};
        for (auto [key, typed] : shifted) {
            desk.key(XK_Shift_L, true);
            desk.tap(key);
            CHECK(server->screen->wait_key(XK_Shift_L, true, LIMIT));
            arrives(*server, typed);
            desk.key(XK_Shift_L, false);
            CHECK(server->screen->wait_key(XK_Shift_L, false, LIMIT));
        }
        const std::pair<KeySym, KeySym> shortcuts[] = {
            {XK_Control_L, XK_c}, {XK_Alt_L, XK_x}, {XK_Super_L, XK_d}, {XK_Alt_R, XK_x}};
        for (auto [modifier, key] : shortcuts) {
            INFO("modifier " << modifier);
            desk.key(modifier, true);
            desk.tap(key);
            CHECK(server->screen->wait_key(modifier, true, LIMIT));
            arrives(*server, key);
            desk.key(modifier, false);
            CHECK(server->screen->wait_key(modifier, false, LIMIT));
        }
    }
    SECTION("German layout: umlauts, AltGr, dead keys")
    {
        REQUIRE(desk.layout("de"));
        Shown viewer(desk, *server);
        desk.tap(XK_z);
        arrives(*server, XK_z);
        CHECK(arrives_in_the_end(
            *server, [&] { desk.tap(XK_adiaeresis); }, XK_adiaeresis));
        desk.key(XK_ISO_Level3_Shift, true);
        desk.tap(XK_q);
        CHECK(server->screen->wait_key(XK_ISO_Level3_Shift, true, LIMIT));
        CHECK(server->screen->wait_key(XK_at, true, LIMIT));
        CHECK(arrives_in_the_end(
            *server, [&] { desk.tap(XK_e); }, XK_EuroSign));
        desk.key(XK_ISO_Level3_Shift, false);
        CHECK(server->screen->wait_key(XK_ISO_Level3_Shift, false, LIMIT));
        auto compose = [&] {
            desk.tap(XK_dead_acute);
            desk.tap(XK_e);
        };
        CHECK(arrives_in_the_end(*server, compose, XK_eacute));
    }
    SECTION("Russian layout: its letters, Latin shortcuts")
    {
        REQUIRE(desk.layout("ru"));
        Shown viewer(desk, *server);
        CHECK(arrives_in_the_end(
            *server, [&] { desk.tap(XK_Cyrillic_ef); }, XK_Cyrillic_ef));
        desk.key(XK_Control_L, true);
        desk.tap(XK_Cyrillic_es); /* where C is */
        CHECK(server->screen->wait_key(XK_Control_L, true, LIMIT));
        arrives(*server, XK_c);
        desk.key(XK_Control_L, false);
        CHECK(server->screen->wait_key(XK_Control_L, false, LIMIT));
    }
    SECTION("the layout changes while the viewer runs")
    {
        Shown viewer(desk, *server);
        desk.tap(XK_y);
        arrives(*server, XK_y);
        REQUIRE(desk.layout("fr"));
        CHECK(arrives_in_the_end(
            *server, [&] { desk.tap(XK_eacute); }, XK_eacute));
    }
}

TEST_CASE("window: all keys go up when the focus is lost", "[window]")
{
    auto server = can_run() ? start_tigervnc() : nullptr;
    if (!server)
        return;
    Desk desk;
    Shown viewer(desk, *server);
    desk.key(XK_Control_L, true);
    desk.key(XK_a, true);
    CHECK(server->screen->wait_key(XK_Control_L, true, LIMIT));
    CHECK(server->screen->wait_key(XK_a, true, LIMIT));
    Window other =
        XCreateSimpleWindow(desk.x(), DefaultRootWindow(desk.x()), 0, 0, 50, 50, 0, 0, 0);
    XSelectInput(desk.x(), other, StructureNotifyMask);
    XMapWindow(desk.x(), other);
    XEvent e;
    do
        XWindowEvent(desk.x(), other, StructureNotifyMask, &e);
    while (e.type != MapNotify);
    XSetInputFocus(desk.x(), other, RevertToParent, CurrentTime);
    XFlush(desk.x());
    CHECK(server->screen->wait_key(XK_a, false, LIMIT));
    CHECK(server->screen->wait_key(XK_Control_L, false, LIMIT));
    desk.key(XK_a, false);
    desk.key(XK_Control_L, false);
}

TEST_CASE("window: it follows the size of the server's screen", "[window]")
{
    auto server = can_run() && !find_program("xrandr").empty() ? start_tigervnc() : nullptr;
    if (!server)
        return;
    Desk desk;
    Shown viewer(desk, *server);
    CHECK(viewer.wait_size(516, 388));
    for (auto [w, h] : {std::pair(800, 600), std::pair(640, 480), std::pair(1024, 768)}) {
        INFO(w << " x " << h);
        Command smaller; /* the part of the screen that is shown, before the screen itself */
        smaller.argv = {"xrandr",
                        "-display",
                        server->display,
                        "--output",
                        "VNC-0",
                        "--mode",
                        std::to_string(w) + "x" + std::to_string(h)};
        run(smaller);
        REQUIRE(server->screen->resize(w, h));
        server->screen->draw(0);
        server->screen->settle();
        CHECK(viewer.wait_size(w, h));
        CHECK(viewer.wait_shows(server->screen->capture()));
    }
}

TEST_CASE("window: a screen larger than the display is shown smaller", "[window]")
{
    auto server = can_run() ? start_tigervnc({2400, 900, {}, true}) : nullptr;
    if (!server)
        return;
    Desk desk;
    server->screen->fill(0x208040);
    Shown viewer(desk, *server);
    CHECK(viewer.wait_size(1200, 450));
    CHECK(viewer.wait_shows(Image(1200, 450, 0x208040)));
}

TEST_CASE("window: Ctrl+Alt+Enter goes to full screen and back", "[window]")
{
    if (find_program("openbox").empty()) {
        fprintf(stderr, "skipped: openbox is not installed\n");
        return;
    }
    auto server = can_run() ? start_tigervnc({400, 300, {}, true}) : nullptr;
    if (!server)
        return;
    Desk desk(true);
    server->screen->fill(0x804020);
    Shown viewer(desk, *server);
    CHECK(viewer.wait_size(400, 300));
    /* the window manager gives the focus when it is done */
    REQUIRE(wait_until(LIMIT, [&] {
        Window focus;
        int revert;
        XGetInputFocus(desk.x(), &focus, &revert);
        return focus == viewer.window();
    }));
    auto toggle = [&] {
        desk.key(XK_Control_L, true);
        desk.key(XK_Alt_L, true);
        desk.tap(XK_Return);
        CHECK(server->screen->wait_key(XK_Alt_L, true, LIMIT));
        /* released there while they are still held here */
        CHECK(server->screen->wait_key(XK_Control_L, false, LIMIT));
        desk.key(XK_Alt_L, false);
        desk.key(XK_Control_L, false);
    };
    toggle();
    CHECK(viewer.wait_size(1200, 900));
    CHECK(viewer.wait_shows(Image(1200, 900, 0x804020)));
    desk.tap(XK_b); /* the grab works, nothing is stuck */
    arrives(*server, XK_b);
    toggle();
    CHECK(viewer.wait_size(400, 300));
    CHECK(viewer.wait_shows(Image(400, 300, 0x804020)));
}

TEST_CASE("window: --full-screen starts that way", "[window]")
{
    if (find_program("openbox").empty())
        return;
    auto server = can_run() ? start_tigervnc({400, 300, {}, true}) : nullptr;
    if (!server)
        return;
    Desk desk(true);
    server->screen->fill(0x402080);
    Shown viewer(desk, *server, {"--full-screen"});
    CHECK(viewer.wait_size(1200, 900));
    CHECK(viewer.wait_shows(Image(1200, 900, 0x402080)));
}

TEST_CASE("window: how it ends and what it says then", "[window]")
{
    auto server = can_run() ? start_tigervnc() : nullptr;
    if (!server)
        return;
    Desk desk;
    SECTION("the user closes the window")
    {
        Shown viewer(desk, *server);
        desk.close_window(viewer.window());
        CHECK(viewer.process().wait(LIMIT) == 0);
        CHECK(viewer.process().err() == "");
    }
    SECTION("signals")
    {
        for (int number : {SIGINT, SIGTERM}) {
            Shown viewer(desk, *server);
            viewer.process().signal(number);
            CHECK(viewer.process().wait(LIMIT) == 0);
            CHECK(viewer.process().err() == "");
        }
    }
    SECTION("the server goes away")
    {
        Shown viewer(desk, *server);
        server->stop();
        CHECK(viewer.process().wait(LIMIT) == 1);
        std::string said = viewer.process().err();
        CHECK(said.rfind("vnchl: ", 0) == 0);
        CHECK(said.find('\n') == said.size() - 1);
    }
    SECTION("nobody listens")
    {
        auto p = Shown::start(desk.name(), "127.0.0.1::" + std::to_string(free_port()));
        CHECK(p->wait(LIMIT) == 1);
        CHECK(p->err().rfind("vnchl: ", 0) == 0);
        CHECK_FALSE(desk.find("vnchl"));
    }
    SECTION("no display")
    {
        auto p = Shown::start(":97531", server->address);
        CHECK(p->wait(LIMIT) == 1);
        CHECK(p->err().find("vnchl: cannot open a display") != std::string::npos);
    }
}

/* No measurement, only a guard against a loop that never sleeps. */
TEST_CASE("window: an idle viewer sleeps", "[window]")
{
    auto server = can_run() ? start_tigervnc() : nullptr;
    if (!server)
        return;
    Desk desk;
    server->screen->draw(0);
    server->screen->settle();
    Shown viewer(desk, *server);
    CHECK(viewer.wait_shows(server->screen->capture()));
    double before = cpu_seconds(viewer.process().pid());
    auto exited = viewer.process().wait(seconds(3)); /* the time to measure */
    CHECK_FALSE(exited);
    CHECK(cpu_seconds(viewer.process().pid()) - before < 0.3);
}
