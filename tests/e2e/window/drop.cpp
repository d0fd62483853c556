#include "drop.hpp"

#include <X11/Xatom.h>
#include <X11/Xlib.h>

namespace e2e
{

namespace
{

class Source
{
  public:
    Source(Display *x, Window target, const std::string &type, const std::string &data)
        : x_(x), target_(target), type_(atom(type)), data_(data),
          window_(XCreateSimpleWindow(x, DefaultRootWindow(x), 0, 0, 1, 1, 0, 0, 0))
    {
        XSetSelectionOwner(x, atom("XdndSelection"), window_, CurrentTime);
    }
    ~Source()
    {
        XDestroyWindow(x_, window_);
        XFlush(x_);
    }

    void drop()
    {
        send("XdndEnter", 5L << 24, static_cast<long>(type_), 0);
        send("XdndPosition", 0, 0, CurrentTime, static_cast<long>(atom("XdndActionCopy")));
        send("XdndDrop", 0, CurrentTime, 0);
    }
    /* Hands over the data when they are asked for. True: the window is done. */
    bool answer()
    {
        XEvent e;

        while (XCheckTypedWindowEvent(x_, window_, SelectionRequest, &e))
            hand_over(e.xselectionrequest);
        while (XCheckTypedWindowEvent(x_, window_, ClientMessage, &e))
            if (e.xclient.message_type == atom("XdndFinished"))
                return true;
        return false;
    }

  private:
    Atom atom(const std::string &name)
    {
        return XInternAtom(x_, name.c_str(), False);
    }
    void send(const char *name, long a, long b, long c, long d = 0)
    {
        XEvent e = {};

        e.xclient.type = ClientMessage;
        e.xclient.window = target_;
        e.xclient.message_type = atom(name);
        e.xclient.format = 32;
        e.xclient.data.l[0] = static_cast<long>(window_);
        e.xclient.data.l[1] = a;
        e.xclient.data.l[2] = b;
        e.xclient.data.l[3] = c;
        e.xclient.data.l[4] = d;
        XSendEvent(x_, target_, False, NoEventMask, &e);
        XFlush(x_);
    }
    void hand_over(const XSelectionRequestEvent &r)
    {
        XEvent e = {};

        XChangeProperty(x_, r.requestor, r.property, type_, 8, PropModeReplace,
                        reinterpret_cast<const unsigned char *>(data_.data()),
                        static_cast<int>(data_.size()));
        e.xselection.type = SelectionNotify;
        e.xselection.requestor = r.requestor;
        e.xselection.selection = r.selection;
        e.xselection.target = r.target;
        e.xselection.property = r.property;
        e.xselection.time = r.time;
        XSendEvent(x_, r.requestor, False, NoEventMask, &e);
        XFlush(x_);
    }

    Display *x_;
    Window target_;
    Atom type_;
    std::string data_;
    Window window_;
};

} // namespace

bool drop_on(Desk &desk, Desk::Window target, const std::string &type, const std::string &data)
{
    Source source(desk.x(), target, type, data);

    source.drop();
    return wait_until(PATIENCE, [&] { return source.answer(); });
}

} // namespace e2e
