#include "xscreen.hpp"

#include <X11/XKBlib.h>
#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <X11/keysym.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <random>
#include <stdexcept>
#include <thread>

namespace e2e
{

static int ignore_error(Display *, XErrorEvent *)
{
    return 0;
}

XScreen::XScreen(const std::string &display) : name_(display)
{
    XSetErrorHandler(ignore_error);
    /* a server's socket is there a little before it can be connected to */
    if (!wait_until(PATIENCE, [&] { return (x_ = XOpenDisplay(display.c_str())) != nullptr; }))
        throw std::runtime_error("cannot open display " + display);
    /* Xlib reads the keyboard's map with the first look-up, and asks to be told of changes only
     * then: one that falls in between would never be seen. Nothing changes it now. */
    XKeysymToKeycode(x_, XK_a);
    cover();
}

XScreen::~XScreen()
{
    XFreeGC(x_, static_cast<GC>(gc_));
    XCloseDisplay(x_);
}

void XScreen::cover()
{
    Window root = DefaultRootWindow(x_);
    XWindowAttributes a;
    XGetWindowAttributes(x_, root, &a);
    width_ = a.width;
    height_ = a.height;
    if (window_)
        XDestroyWindow(x_, window_);
    XSetWindowAttributes set = {};
    set.override_redirect = True;
    set.background_pixel = 0;
    set.event_mask = KeyPressMask | KeyReleaseMask | ButtonPressMask | ButtonReleaseMask |
                     PointerMotionMask | StructureNotifyMask | PropertyChangeMask;
    window_ = XCreateWindow(x_, root, 0, 0, static_cast<unsigned>(width_),
                            static_cast<unsigned>(height_), 0, CopyFromParent, InputOutput,
                            CopyFromParent, CWOverrideRedirect | CWBackPixel | CWEventMask, &set);
    XMapRaised(x_, window_);
    XEvent e;
    do
        XWindowEvent(x_, window_, StructureNotifyMask, &e);
    while (e.type != MapNotify);
    XSetInputFocus(x_, window_, RevertToPointerRoot, CurrentTime);
    if (gc_)
        XFreeGC(x_, static_cast<GC>(gc_));
    XGCValues values = {};
    values.graphics_exposures = False;
    gc_ = XCreateGC(x_, window_, GCGraphicsExposures, &values);
    XSync(x_, False);
}

static int shift_of(unsigned long mask)
{
    int n = 0;
    while (mask && !(mask & 1)) {
        mask >>= 1;
        n++;
    }
    return n;
}

unsigned long XScreen::pixel(uint32_t c) const
{
    const Visual *v = DefaultVisual(x_, DefaultScreen(x_));
    return static_cast<unsigned long>(c >> 16 & 255) << shift_of(v->red_mask) |
           static_cast<unsigned long>(c >> 8 & 255) << shift_of(v->green_mask) |
           static_cast<unsigned long>(c & 255) << shift_of(v->blue_mask);
}

void XScreen::put(const Image &image, int x, int y)
{
    XImage *i = XCreateImage(x_, DefaultVisual(x_, DefaultScreen(x_)),
                             static_cast<unsigned>(DefaultDepth(x_, DefaultScreen(x_))), ZPixmap, 0,
                             nullptr, static_cast<unsigned>(image.width),
                             static_cast<unsigned>(image.height), 32, 0);
    i->data = static_cast<char *>(calloc(static_cast<size_t>(i->bytes_per_line), image.height));
    for (int r = 0; r < image.height; r++)
        for (int c = 0; c < image.width; c++)
            XPutPixel(i, c, r, pixel(image.at(c, r)));
    XPutImage(x_, window_, static_cast<GC>(gc_), i, 0, 0, x, y, static_cast<unsigned>(image.width),
              static_cast<unsigned>(image.height));
    XDestroyImage(i);
}

void XScreen::draw(int step)
{
    GC gc = static_cast<GC>(gc_);
    std::mt19937 random(static_cast<unsigned>(step) + 1);
    auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    if (step == 0) { /* a ground with many colours in it */
        Image ground(width_, height_);
        for (int y = 0; y < height_; y++)
            for (int x = 0; x < width_; x++)
                ground.pixels[static_cast<size_t>(y) * width_ + x] = static_cast<uint32_t>(
                    (x * 255 / width_) << 16 | (y * 255 / height_) << 8 | ((x ^ y) & 255));
        put(ground, 0, 0);
    }
    /* Few colours: one solid area, stripes, a grid of two colours. */
    XSetForeground(x_, gc, pixel(random() & 0xffffff));
    XFillRectangle(x_, window_, gc, step * 13 % (width_ - 90), step * 7 % (height_ - 70), 90, 70);
    int sx = below(width_ - 120), sy = below(height_ - 60);
    for (int i = 0; i < 6; i++) {
        XSetForeground(x_, gc, pixel(static_cast<uint32_t>(i * 0x2a1f13)));
        XFillRectangle(x_, window_, gc, sx, sy + i * 10, 120, 10);
    }
    int gx = below(width_ - 64), gy = below(height_ - 48);
    XSetForeground(x_, gc, pixel(0xffffff));
    XFillRectangle(x_, window_, gc, gx, gy, 64, 48);
    XSetForeground(x_, gc, pixel(random() & 0x7f7f7f));
    for (int i = 0; i < 64; i += 4)
        XDrawLine(x_, window_, gc, gx + i, gy, gx + 63 - i, gy + 47);
    /* Many colours: noise and a gradient. */
    Image noise(33, 29), gradient(70, 41);
    for (auto &p : noise.pixels)
        p = random() & 0xffffff;
    for (int y = 0; y < 41; y++)
        for (int x = 0; x < 70; x++)
            gradient.pixels[static_cast<size_t>(y) * 70 + x] = static_cast<uint32_t>(
                (255 - x * 3) << 16 | (y * 6) << 8 | ((x + y + step * 9) & 255));
    put(noise, below(width_ - 33), below(height_ - 29));
    put(gradient, below(width_ - 70), below(height_ - 41));
    /* Text, where the server has a font. */
    char text[40];
    snprintf(text, sizeof text, "frame %d: The quick brown fox", step);
    XSetForeground(x_, gc, pixel(step & 1 ? 0x00ff00 : 0x101010));
    XDrawString(x_, window_, gc, below(width_ - 100), 20 + below(height_ - 20), text,
                static_cast<int>(strlen(text)));
    /* Something that was there already, elsewhere. */
    XCopyArea(x_, window_, window_, gc, below(width_ - 150), below(height_ - 110), 150, 110,
              below(width_ - 150), below(height_ - 110));
    XCopyArea(x_, window_, window_, gc, 0, 3, static_cast<unsigned>(width_ / 2), 90, 0, 0);
    XFlush(x_);
}

void XScreen::animate(int frames, milliseconds between)
{
    auto next = Clock::now();
    for (int i = 0; i < frames; i++) {
        draw(i);
        next += between;
        std::this_thread::sleep_until(next); /* the content's own pace */
    }
    settle();
}

void XScreen::film(int first, int frames, milliseconds between)
{
    auto next = Clock::now();
    for (int f = first; f < first + frames; f++) {
        Image image(width_, height_);
        for (int y = 0; y < height_; y++)
            for (int x = 0; x < width_; x++) {
                auto wave = [&](int a, int b) {
                    return static_cast<uint32_t>(127 + 60 * sin((x * a + f * 9) / 70.0) +
                                                 60 * cos((y * b - f * 5) / 50.0));
                };
                image.pixels[static_cast<size_t>(y) * width_ + x] =
                    wave(1, 2) << 16 | wave(2, 1) << 8 | wave(3, 3);
            }
        put(image, 0, 0);
        XFlush(x_);
        next += between;
        std::this_thread::sleep_until(next); /* the content's own pace */
    }
    settle();
}

void XScreen::draw_text(int x, int y, const std::string &text)
{
    GC gc = static_cast<GC>(gc_);
    XSetForeground(x_, gc, pixel(0));
    XFillRectangle(x_, window_, gc, x, y - 12, static_cast<unsigned>(8 * text.size()), 16);
    XSetForeground(x_, gc, pixel(0xffffff));
    XDrawString(x_, window_, gc, x, y, text.data(), static_cast<int>(text.size()));
}

void XScreen::scroll(int pixels)
{
    GC gc = static_cast<GC>(gc_);
    auto w = static_cast<unsigned>(width_), h = static_cast<unsigned>(height_ - pixels);
    XCopyArea(x_, window_, window_, gc, 0, pixels, w, h, 0, 0);
    XSetForeground(x_, gc, pixel(0x303030));
    XFillRectangle(x_, window_, gc, 0, height_ - pixels, w, static_cast<unsigned>(pixels));
    draw_text(4, height_ - 4, "a line that has come from below");
    settle();
}

void XScreen::move_window(int x, int y)
{
    if (x < 0 && other_) {
        XDestroyWindow(x_, other_);
        other_ = 0;
    } else if (x >= 0 && !other_) {
        XSetWindowAttributes a = {};
        a.override_redirect = True;
        a.background_pixel = pixel(0x3070b0);
        other_ = XCreateWindow(x_, DefaultRootWindow(x_), x, y, 160, 110, 2, CopyFromParent,
                               InputOutput, CopyFromParent, CWOverrideRedirect | CWBackPixel, &a);
        XMapRaised(x_, other_);
    } else if (x >= 0) {
        XMoveWindow(x_, other_, x, y);
    }
    settle();
}

void XScreen::cover_again()
{
    cover();
}

void XScreen::settle()
{
    XSync(x_, False);
}

void XScreen::fill(uint32_t colour)
{
    XSetForeground(x_, static_cast<GC>(gc_), pixel(colour));
    XFillRectangle(x_, window_, static_cast<GC>(gc_), 0, 0, static_cast<unsigned>(width_),
                   static_cast<unsigned>(height_));
    XSync(x_, False);
}

Image XScreen::capture()
{
    XImage *i = XGetImage(x_, DefaultRootWindow(x_), 0, 0, static_cast<unsigned>(width_),
                          static_cast<unsigned>(height_), AllPlanes, ZPixmap);
    Image image;
    if (!i)
        return image;
    const Visual *v = DefaultVisual(x_, DefaultScreen(x_));
    int r = shift_of(v->red_mask), g = shift_of(v->green_mask), b = shift_of(v->blue_mask);
    image = Image(width_, height_);
    for (int y = 0; y < height_; y++)
        for (int x = 0; x < width_; x++) {
            unsigned long p = XGetPixel(i, x, y);
            image.pixels[static_cast<size_t>(y) * width_ + x] =
                static_cast<uint32_t>((p >> r & 255) << 16 | (p >> g & 255) << 8 | (p >> b & 255));
        }
    XDestroyImage(i);
    return image;
}

void XScreen::take_events()
{
    XSync(x_, False);
    while (XPending(x_)) {
        XEvent e;
        XNextEvent(x_, &e);
        Input in = {e.type, 0, 0, 0, 0};
        switch (e.type) {
        case MappingNotify:
            XRefreshKeyboardMapping(&e.xmapping);
            break;
        case KeyPress:
        case KeyRelease: {
            KeySym sym = NoSymbol;
            char text[16];
            XLookupString(&e.xkey, text, sizeof text, &sym, nullptr);
            in.keysym = sym;
            in.x = e.xkey.x_root;
            in.y = e.xkey.y_root;
            inputs_.push_back(in);
            break;
        }
        case ButtonPress:
        case ButtonRelease:
            in.button = e.xbutton.button;
            in.x = e.xbutton.x_root;
            in.y = e.xbutton.y_root;
            inputs_.push_back(in);
            break;
        case MotionNotify:
            in.x = e.xmotion.x_root;
            in.y = e.xmotion.y_root;
            inputs_.push_back(in);
            break;
        default:
            answer(&e);
        }
    }
}

bool XScreen::wait_input(milliseconds limit, const std::function<bool(const Input &)> &match)
{
    return wait_until(limit, [&] {
        take_events();
        auto at = std::find_if(inputs_.begin(), inputs_.end(), match);
        if (at == inputs_.end())
            return false;
        inputs_.erase(inputs_.begin(), at + 1); /* order counts */
        return true;
    });
}

bool XScreen::wait_key(unsigned long keysym, bool press, milliseconds limit)
{
    return wait_input(limit, [&](const Input &i) {
        return i.type == (press ? KeyPress : KeyRelease) && i.keysym == keysym;
    });
}

std::vector<unsigned long> XScreen::keys_until(unsigned long keysym, milliseconds limit)
{
    std::vector<unsigned long> keys;
    auto is_last = [&](const Input &i) { return i.type == KeyPress && i.keysym == keysym; };
    bool came = wait_until(limit, [&] {
        take_events();
        return std::any_of(inputs_.begin(), inputs_.end(), is_last);
    });
    while (came && (keys.empty() || keys.back() != keysym)) {
        if (inputs_.front().type == KeyPress)
            keys.push_back(inputs_.front().keysym);
        inputs_.erase(inputs_.begin());
    }
    return keys;
}

unsigned XScreen::locks()
{
    XkbStateRec state;
    XkbGetState(x_, XkbUseCoreKbd, &state);
    return state.locked_mods;
}

bool XScreen::nothing_held()
{
    char keys[32];
    Window root, child;
    int x, y;
    unsigned buttons = 0;
    XQueryKeymap(x_, keys);
    XQueryPointer(x_, window_, &root, &child, &x, &y, &x, &y, &buttons);
    return std::all_of(keys, keys + sizeof keys, [](char eight) { return eight == 0; }) &&
           !(buttons & (Button1Mask | Button2Mask | Button3Mask));
}

bool XScreen::wait_button(unsigned button, bool press, int x, int y, milliseconds limit)
{
    return wait_input(limit, [&](const Input &i) {
        return i.type == (press ? ButtonPress : ButtonRelease) && i.button == button && i.x == x &&
               i.y == y;
    });
}

bool XScreen::wait_pointer(int x, int y, milliseconds limit)
{
    return wait_input(
        limit, [&](const Input &i) { return i.type == MotionNotify && i.x == x && i.y == y; });
}

void XScreen::bell()
{
    XBell(x_, 100);
    XFlush(x_);
}

void XScreen::define_cursor(int width, int height, int hot_x, int hot_y)
{
    auto w = static_cast<unsigned>(width), h = static_cast<unsigned>(height);
    Pixmap shape = XCreatePixmap(x_, window_, w, h, 1);
    Pixmap mask = XCreatePixmap(x_, window_, w, h, 1);
    GC gc = XCreateGC(x_, shape, 0, nullptr);
    XSetForeground(x_, gc, 1);
    XFillRectangle(x_, mask, gc, 0, 0, w, h);
    XFillRectangle(x_, shape, gc, 0, 0, w, h);
    XSetForeground(x_, gc, 0);
    XFillRectangle(x_, shape, gc, 1, 1, w - 2, h - 2);
    XColor frame = {}, inside = {};
    inside.red = inside.green = inside.blue = 0xffff;
    Cursor cursor = XCreatePixmapCursor(x_, shape, mask, &frame, &inside,
                                        static_cast<unsigned>(hot_x), static_cast<unsigned>(hot_y));
    XDefineCursor(x_, window_, cursor);
    XFreeCursor(x_, cursor);
    XFreeGC(x_, gc);
    XFreePixmap(x_, shape);
    XFreePixmap(x_, mask);
    XSync(x_, False);
}

void XScreen::own_clipboard(const std::string &utf8)
{
    clipboard_ = utf8;
    XSetSelectionOwner(x_, XInternAtom(x_, "CLIPBOARD", False), window_, CurrentTime);
    XSetSelectionOwner(x_, XA_PRIMARY, window_, CurrentTime);
    XFlush(x_);
}

bool XScreen::owns_clipboard()
{
    return XGetSelectionOwner(x_, XInternAtom(x_, "CLIPBOARD", False)) == window_;
}

static std::string latin1(const std::string &utf8)
{
    std::string out;
    for (size_t i = 0; i < utf8.size(); i++) {
        auto c = static_cast<unsigned char>(utf8[i]);
        if (c < 0x80)
            out += static_cast<char>(c);
        else if ((c & 0xfc) == 0xc0 && i + 1 < utf8.size())
            out += static_cast<char>((c & 3) << 6 | (utf8[++i] & 0x3f));
        else if ((c & 0xc0) != 0x80)
            out += '?';
    }
    return out;
}

void XScreen::answer(XEvent *event)
{
    if (event->type == SelectionNotify) {
        if (event->xselection.property != None && event->xselection.property != paste_at_) {
            XDeleteProperty(x_, window_, event->xselection.property);
            return; /* an answer that was not waited for any more */
        }
        paste_done_ = true;
        if (event->xselection.property == None)
            return;
        Atom type;
        int format;
        unsigned long count, rest;
        unsigned char *data = nullptr;
        XGetWindowProperty(x_, window_, event->xselection.property, 0, 4 << 20, True,
                           AnyPropertyType, &type, &format, &count, &rest, &data);
        if (data)
            pasted_.assign(reinterpret_cast<char *>(data), count);
        XFree(data);
        return;
    }
    if (event->type != SelectionRequest)
        return;
    const XSelectionRequestEvent &q = event->xselectionrequest;
    Atom utf8 = XInternAtom(x_, "UTF8_STRING", False), targets = XInternAtom(x_, "TARGETS", False);
    XEvent reply = {};
    reply.xselection.type = SelectionNotify;
    reply.xselection.requestor = q.requestor;
    reply.xselection.selection = q.selection;
    reply.xselection.target = q.target;
    reply.xselection.time = q.time;
    reply.xselection.property = q.property ? q.property : q.target;
    if (q.target == targets) {
        Atom list[] = {targets, utf8, XA_STRING};
        XChangeProperty(x_, q.requestor, reply.xselection.property, XA_ATOM, 32, PropModeReplace,
                        reinterpret_cast<unsigned char *>(list), 3);
    } else if (q.target == utf8 || q.target == XA_STRING) {
        std::string text = q.target == utf8 ? clipboard_ : latin1(clipboard_);
        given_++;
        XChangeProperty(x_, q.requestor, reply.xselection.property, q.target, 8, PropModeReplace,
                        reinterpret_cast<const unsigned char *>(text.data()),
                        static_cast<int>(text.size()));
    } else {
        reply.xselection.property = None;
    }
    XSendEvent(x_, q.requestor, False, 0, &reply);
    XFlush(x_);
}

bool XScreen::serve_until(milliseconds limit, const std::function<bool()> &done)
{
    return wait_until(limit, [&] {
        take_events();
        return done();
    });
}

std::string XScreen::ask_clipboard(milliseconds limit)
{
    const std::string place = "VNCHL_TEST_" + std::to_string(asked_++ % 1000);
    pasted_.clear();
    paste_done_ = false;
    paste_at_ = XInternAtom(x_, place.c_str(), False);
    XConvertSelection(x_, XInternAtom(x_, "CLIPBOARD", False),
                      XInternAtom(x_, "UTF8_STRING", False), paste_at_, window_, CurrentTime);
    serve_until(limit, [&] { return paste_done_; });
    return pasted_;
}

void XScreen::set_cut_buffer(const std::string &text)
{
    XStoreBytes(x_, text.data(), static_cast<int>(text.size()));
    XFlush(x_);
}

std::string XScreen::cut_buffer()
{
    int size = 0;
    char *data = XFetchBytes(x_, &size);
    std::string text(data ? data : "", static_cast<size_t>(size));
    XFree(data);
    return text;
}

bool XScreen::resize(int width, int height)
{
    Command c;
    c.argv = {"xrandr", "-display", name_, "--fb",
              std::to_string(width) + "x" + std::to_string(height)};
    if (run(c).status != 0)
        return false;
    cover();
    return width_ == width && height_ == height;
}

} // namespace e2e
