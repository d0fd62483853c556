/* The window connects again, and the far end sends only what is not as it was: a real server, the
 * accelerator, a thin link. */
#include <random>

#include "counted.hpp"
#include "pushing.hpp"
#include "tests/e2e/program.hpp"
#include "tests/e2e/shown_viewer.hpp"

/* after Catch2, which has names that are macros there */
#include <X11/Xlib.h>
#include <X11/Xutil.h>

using namespace e2e;
using namespace accelerator;

namespace
{

Image noise(int width, int height, unsigned seed)
{
    std::mt19937 random(seed);
    Image out(width, height);
    for (uint32_t &pixel : out.pixels)
        pixel = random() & 0xffffff;
    return out;
}

/* Draws it on the server's screen, over all windows. */
void put(Server &server, const Image &image, int x, int y)
{
    Display *d = XOpenDisplay(server.display.c_str());
    REQUIRE(d);
    std::vector<uint32_t> pixels = image.pixels;
    XImage *i = XCreateImage(
        d, DefaultVisual(d, 0), 24, ZPixmap, 0, reinterpret_cast<char *>(pixels.data()),
        static_cast<unsigned>(image.width), static_cast<unsigned>(image.height), 32, 0);
    XGCValues values = {};
    values.subwindow_mode = IncludeInferiors;
    GC gc = XCreateGC(d, DefaultRootWindow(d), GCSubwindowMode, &values);
    XPutImage(d, DefaultRootWindow(d), gc, i, 0, 0, x, y, static_cast<unsigned>(image.width),
              static_cast<unsigned>(image.height));
    XFreeGC(d, gc);
    XSync(d, False);
    i->data = nullptr;
    XDestroyImage(i);
    XCloseDisplay(d);
}

/* The program's window, as a user has it: pictures may come with loss, and are exact at rest. */
class InWindow
{
  public:
    InWindow(Desk &desk, const std::string &address, const std::vector<std::string> &more = {})
        : desk_(desk)
    {
        Command c = ShownViewer::command(desk.name(), address, more);
        c.argv.erase(c.argv.begin() + 1, c.argv.begin() + 3); /* the list of encodings */
        c.argv.insert(c.argv.begin() + 1, {"--alert-on-fatal-error=off", "--recent", "off",
                                           "--datagrams", "off"}); /* they pass by who counts */
        process = std::make_unique<Process>(c);
        wait_until(PATIENCE, [&] {
            window = desk.find_desktop();
            return window || !process->running();
        });
        INFO(process->err());
        REQUIRE(window);
    }
    Image capture()
    {
        return desk_.capture(window);
    }
    void require_shows(const Image &expected)
    {
        bool same = wait_until(PATIENCE, [&] { return desk_.capture(window) == expected; });
        INFO(process->err());
        INFO(difference(desk_.capture(window), expected));
        REQUIRE(same);
    }

    std::unique_ptr<Process> process;
    Desk::Window window = 0;

  private:
    Desk &desk_;
};

/* A server, an accelerator, and a thin link. */
struct Again {
    std::unique_ptr<Server> server;
    Accelerator accelerator;
    Demo link;
    Counted &counted;

    Again(std::unique_ptr<Server> behind, Counted &c)
        : server(std::move(behind)), accelerator(server->address),
          link(start_demo_link(accelerator.port, {"--rtt", "100", "--rate", "2M"})), counted(c)
    {
        counted.lead_to(link.port);
    }
};

/* Bytes until the window shows the server's screen again, after a break in which `meanwhile`
 * happens. It leads to `to` from then on. */
template <typename F> uint64_t again(InWindow &shown, Counted &counted, Again &to, F meanwhile)
{
    const Image before = shown.capture();
    uint64_t bytes = counted.bytes();
    size_t pushed = to.accelerator.count("event=pushed");
    counted.cut();
    REQUIRE(wait_until(PATIENCE, [&] { return shown.capture() != before; })); /* it is dimmed */
    meanwhile();
    counted.lead_to(to.link.port);
    to.accelerator.await("event=pushed", pushed + 1);
    shown.require_shows(to.server->screen->capture());
    return counted.bytes() - bytes;
}

} // namespace

TEST_CASE("pushed again: a still desktop of noise comes back for next to nothing", "[push]")
{
    auto behind = can_run() ? start_tigervnc({1024, 768, {}, true}) : nullptr;
    if (!behind)
        return;
    Counted counted;
    Again a(std::move(behind), counted);
    put(*a.server, noise(1024, 768, 1), 0, 0);
    Desk desk;
    InWindow shown(desk, counted.address());
    shown.require_shows(a.server->screen->capture());
    uint64_t first = counted.bytes();

    uint64_t still = again(shown, counted, a, [] {});
    INFO(still << " of " << first << " bytes");
    CHECK(still < first / 10);
    uint64_t changed =
        again(shown, counted, a, [&] { put(*a.server, noise(200, 150, 2), 300, 200); });
    INFO(changed << " of " << first << " bytes");
    CHECK(changed < first / 4);
    put(*a.server, noise(64, 64, 3), 777, 555); /* and all goes on */
    shown.require_shows(a.server->screen->capture());
}

TEST_CASE("pushed again: another size comes whole", "[push]")
{
    auto behind = can_run() ? start_tigervnc({320, 240, {}, true}) : nullptr;
    if (!behind)
        return;
    Counted counted;
    Again a(std::move(behind), counted);
    put(*a.server, noise(320, 240, 1), 0, 0);
    Desk desk;
    InWindow shown(desk, counted.address());
    shown.require_shows(a.server->screen->capture());
    again(shown, counted, a, [&] {
        REQUIRE(a.server->screen->resize(400, 300));
        put(*a.server, noise(400, 300, 1), 0, 0);
    });
    again(shown, counted, a, [&] {
        REQUIRE(a.server->screen->resize(401, 303)); /* no whole cells and tiles */
        put(*a.server, noise(401, 303, 2), 0, 0);
    });
    again(shown, counted, a, [&] { put(*a.server, noise(30, 30, 3), 371, 273); });
}

TEST_CASE("pushed again: nothing is said over a way that protects less", "[push]")
{
    XvncOptions encrypted = {300, 200, {"-SecurityTypes", "TLSNone,None"}, true};
    auto one = can_run() ? start_tigervnc(encrypted) : nullptr;
    if (!one)
        return;
    Counted counted;
    Again clear(start_tigervnc({300, 200, {}, true}), counted);
    Again tls(std::move(one), counted);
    for (Again *each : {&clear, &tls})
        put(*each->server, noise(300, 200, 1), 0, 0);
    Desk desk;
    InWindow shown(desk, counted.address());
    shown.require_shows(tls.server->screen->capture());
    again(shown, counted, tls, [] {}); /* the first one may have found out that there is a way */
    uint64_t same = again(shown, counted, tls, [] {});
    uint64_t less = again(shown, counted, clear, [] {});
    uint64_t more = again(shown, counted, tls, [] {});
    INFO(same << ", " << less << ", " << more << " bytes");
    CHECK(same < less / 2);
    CHECK(more < less / 2);
}
