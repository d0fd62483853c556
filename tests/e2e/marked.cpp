#include "marked.hpp"

#include <poll.h>

#include <stdexcept>
#include <vector>

#include "rfb/system/clock.h"
#include "tools/marks/mark.h"
#include "x_server.hpp"

#include <X11/Xlib.h>
#include <X11/Xutil.h>

namespace e2e
{

namespace
{

constexpr int WIDTH = 320, HEIGHT = 200, WINDOW_WIDTH = WIDTH + MARK_WIDTH + 20;

/* Pixels and the X image that puts them on the screen. */
struct Sheet {
    std::vector<uint32_t> pixels;
    mark_picture picture;
    XImage *image;

    Sheet(Display *x, int width, int height)
        : pixels(static_cast<size_t>(width) * height), picture{pixels.data(), width, height, width}
    {
        image = XCreateImage(x, DefaultVisual(x, DefaultScreen(x)), 24, ZPixmap, 0,
                             reinterpret_cast<char *>(pixels.data()), static_cast<unsigned>(width),
                             static_cast<unsigned>(height), 32, 0);
    }
    ~Sheet()
    {
        image->data = nullptr; /* the vector's */
        XDestroyImage(image);
    }
    Sheet(const Sheet &) = delete;
    void put(Display *x, Window w, int left, int top)
    {
        XPutImage(x, w, DefaultGC(x, DefaultScreen(x)), image, 0, 0, left, top,
                  static_cast<unsigned>(picture.width), static_cast<unsigned>(picture.height));
        XFlush(x);
    }
};

void draw_frame(Sheet &sheet, uint32_t number)
{
    mark m{MARK_FRAME, number, mark_time(tick_now())};
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        sheet.pixels[static_cast<size_t>(i)] =
            (static_cast<uint32_t>(i % WIDTH) + number * 5) % 256 * 0x010201;
    mark_draw(&sheet.picture, 0, 0, &m);
    m.kind = MARK_FRAME_END;
    mark_draw(&sheet.picture, WIDTH - MARK_WIDTH, HEIGHT - MARK_HEIGHT, &m);
}

void draw_presses(Sheet &sheet, int presses)
{
    mark m{MARK_INPUT, static_cast<uint32_t>(presses), mark_time(tick_now())};
    mark_draw(&sheet.picture, 0, 0, &m);
}

Window open_window(Display *x)
{
    XSetWindowAttributes a = {};
    a.override_redirect = True;
    a.event_mask = KeyPressMask | ButtonPressMask;
    Window w = XCreateWindow(x, DefaultRootWindow(x), 0, 0, WINDOW_WIDTH, HEIGHT, 0, CopyFromParent,
                             InputOutput, CopyFromParent, CWOverrideRedirect | CWEventMask, &a);
    XMapWindow(x, w);
    XSync(x, False);
    XSetInputFocus(x, w, RevertToPointerRoot, CurrentTime);
    return w;
}

} // namespace

MarkedContent::MarkedContent(const std::string &display, double fps) : display_(display)
{
    thread_ = std::thread([this, fps] { play(fps); });
    if (!wait_until(PATIENCE, [this] { return ready_.load(); })) {
        stop_ = true;
        thread_.join();
        throw std::runtime_error("no content on display " + display);
    }
}

MarkedContent::~MarkedContent()
{
    stop_ = true;
    thread_.join();
}

void MarkedContent::play(double fps)
{
    Display *x = XOpenDisplay(display_.c_str());
    if (!x)
        return;
    {
        Window w = open_window(x);
        Sheet frame(x, WIDTH, HEIGHT), input(x, MARK_WIDTH, MARK_HEIGHT);
        auto show_presses = [&] {
            draw_presses(input, presses_);
            input.put(x, w, WIDTH + 10, 10);
        };
        show_presses();
        tick_t start = tick_now();
        for (uint32_t n = 0; !stop_;) {
            tick_t left = start + static_cast<tick_t>(n / fps * 1e9) - tick_now();
            timespec timeout = tick_to_timespec(left);
            pollfd p = {ConnectionNumber(x), POLLIN, 0};
            if (!XPending(x) && left > 0)
                ppoll(&p, 1, &timeout, nullptr);
            while (XPending(x)) {
                XEvent e;
                XNextEvent(x, &e);
                if (e.type == KeyPress || e.type == ButtonPress) {
                    presses_++;
                    show_presses();
                }
            }
            if (left <= 0) {
                draw_frame(frame, n++);
                frame.put(x, w, 0, 0);
                ready_ = true;
            }
        }
    }
    XCloseDisplay(x);
}

SeenDisplay::SeenDisplay()
{
    Command c;
    c.argv = {"Xvfb",     "-screen",  "0",         "800x600x24", "-fbdir",
              dir.path(), "-noreset", "-nolisten", "tcp"};
    xvfb = start_x_server(c, name);
}

} // namespace e2e
