/* A window that is shown a server's picture over a thin link, behind the accelerator, and comes
 * again. */
#pragma once

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "counted.hpp"
#include "tests/accelerator/pushing.hpp"
#include "tests/e2e/program.hpp"
#include "tests/e2e/shown_viewer.hpp"

/* after Catch2, which has names that are macros there */
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <X11/keysym.h>

namespace accelerator
{

using namespace e2e;

inline Image noise(int width, int height, unsigned seed)
{
    std::mt19937 random(seed);
    Image out(width, height);
    for (uint32_t &pixel : out.pixels)
        pixel = random() & 0xffffff;
    return out;
}

/* Draws it on the server's screen, over all windows. */
inline void put(Server &server, const Image &image, int x, int y)
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

/* Bytes of the server's for a handshake and the first word of the far end, with TLS in whole
 * records, and for a small part of a picture. */
constexpr uint64_t GREETING = 24576;

/* The program's window, as a user has it: pictures may come with loss, and are exact at rest.
 * `address` empty: the start window. `state`: the folder for what it keeps; empty: it keeps
 * nothing. `by_digests`: it has a picture, and what comes is held there until it has said so. Else,
 * on a busy machine, all might have come before.
 */
class InWindow
{
  public:
    InWindow(Desk &desk, const std::string &address, const std::vector<std::string> &more = {},
             const std::string &state = "", Counted *by_digests = nullptr)
        : desk_(desk)
    {
        if (by_digests)
            by_digests->hold_after(GREETING);
        Command c = ShownViewer::command(desk.name(), address, more);
        c.argv.erase(c.argv.begin() + 1, c.argv.begin() + 3); /* the list of encodings */
        c.argv.insert(c.argv.begin() + 1, {"--alert-on-fatal-error=off", "--verbose", "--datagrams",
                                           "off"}); /* they pass by who counts */
        if (state.empty())
            c.argv.insert(c.argv.begin() + 1, {"--recent", "off"});
        else
            c.env["XDG_STATE_HOME"] = c.env["XDG_DATA_HOME"] = state;
        process = std::make_unique<Process>(c);
        if (by_digests)
            require_digests(*by_digests, 1);
        wait_until(PATIENCE, [&] {
            window = address.empty() ? desk.find("vnchl") : desk.find_desktop();
            return window || !process->running();
        });
        INFO(process->err());
        REQUIRE(window);
    }
    Image capture()
    {
        return desk_.capture(window);
    }
    /* How often it has said digests of a picture. */
    size_t digests() const
    {
        const std::string all = process->err(), line = "is told digests of the picture of before";
        size_t n = 0;
        for (size_t at = 0; (at = all.find(line, at)) != std::string::npos; at += line.size())
            n++;
        return n;
    }
    /* It says them, and then all may come. */
    void require_digests(Counted &held, size_t times)
    {
        bool said = wait_until(PATIENCE, [&] { return digests() >= times; });
        INFO(process->err());
        REQUIRE(said);
        held.release();
    }
    void require_shows(const Image &expected)
    {
        bool same = wait_until(PATIENCE, [&] { return desk_.capture(window) == expected; });
        INFO(process->err());
        INFO(difference(desk_.capture(window), expected));
        REQUIRE(same);
    }

    /* The user closes it. */
    void close()
    {
        desk_.close_window(window);
        CHECK(process->wait(PATIENCE) == 0);
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

    Again(std::unique_ptr<Server> behind, Counted &c, const std::vector<std::string> &more = {})
        : server(std::move(behind)), accelerator(server->address, more),
          link(start_demo_link(accelerator.port, {"--rtt", "100", "--rate", "2M"})), counted(c)
    {
        counted.lead_to(link.port);
    }
};

} // namespace accelerator
