#include "tools/lab/eye/hand.h"

#include <stdlib.h>

#include <X11/Xlib.h>
#include <X11/extensions/XTest.h>
#include <X11/keysym.h>

#include "tools/lab/eye/options.h"

struct hand {
    Display *display;
    KeyCode key;
};

/* A window may go away while it gets the focus. */
static int ignore_error(Display *display, XErrorEvent *error)
{
    return 0;
}

static int display_gone(Display *display)
{
    eye_error("--display: the X server of %.80s has gone away", DisplayString(display));
    exit(EXIT_FAILURE);
}

static struct hand *hand_fail(struct hand *h)
{
    hand_close(h);
    return NULL;
}

struct hand *hand_open(const char *display)
{
    struct hand *h = calloc(1, sizeof *h);
    int event, error, major, minor;

    if (!h) {
        eye_error("out of memory");
        return NULL;
    }
    XSetErrorHandler(ignore_error);
    XSetIOErrorHandler(display_gone);
    h->display = XOpenDisplay(display);
    if (!h->display) {
        eye_error("--display: cannot open %.80s; is the X server running, and may you use it?",
                  display);
        return hand_fail(h);
    }
    if (!XTestQueryExtension(h->display, &event, &error, &major, &minor)) {
        eye_error("--display: the X server of %.80s has no XTEST extension, which presses need",
                  display);
        return hand_fail(h);
    }
    h->key = XKeysymToKeycode(h->display, XK_a);
    if (!h->key) {
        eye_error("--display: the keyboard of %.80s has no key 'a'", display);
        return hand_fail(h);
    }
    return h;
}

void hand_close(struct hand *h)
{
    if (h && h->display)
        XCloseDisplay(h->display);
    free(h);
}

void hand_place(struct hand *h, int x, int y)
{
    Window root = DefaultRootWindow(h->display), same, top = None;
    int root_x, root_y, window_x, window_y;
    unsigned mask;

    XTestFakeMotionEvent(h->display, -1, x, y, CurrentTime);
    if (XQueryPointer(h->display, root, &same, &top, &root_x, &root_y, &window_x, &window_y,
                      &mask) &&
        top != None)
        XSetInputFocus(h->display, top, RevertToPointerRoot, CurrentTime);
    XSync(h->display, False);
}

void hand_press(struct hand *h, enum hand_press press)
{
    if (press == HAND_KEY) {
        XTestFakeKeyEvent(h->display, h->key, True, CurrentTime);
        XTestFakeKeyEvent(h->display, h->key, False, CurrentTime);
    } else {
        XTestFakeButtonEvent(h->display, Button1, True, CurrentTime);
        XTestFakeButtonEvent(h->display, Button1, False, CurrentTime);
    }
    XFlush(h->display);
}
