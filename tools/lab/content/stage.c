#include "tools/lab/content/stage.h"

#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <X11/extensions/XShm.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <unistd.h>

#include "rfb/system/clock.h"
#include "tools/demo/demo_common.h"

/* A signal between the look at its flag and the wait is noticed this much later at the latest. */
#define WAIT_MAX (100 * TICK_MS)

struct stage {
    Display *x;
    Window window, input;
    Cursor nothing;
    GC gc;
    XImage *image;
    XShmSegmentInfo shm;
    bool shared, sync;
    struct scene *scene;
    uint32_t *own_pixels; /* the scene's, while it uses the shared ones */
};

static bool attach_failed;

static int on_attach_error(Display *x, XErrorEvent *e)
{
    (void)x;
    (void)e;
    attach_failed = true;
    return 0;
}

static int stage_on_error(Display *x, XErrorEvent *e)
{
    char text[128];

    XGetErrorText(x, e->error_code, text, sizeof text);
    demo_error("the X server refused request %d: %s", e->request_code, text);
    exit(EXIT_FAILURE);
}

static int on_io_error(Display *x)
{
    demo_error("the X server '%s' has gone away", DisplayString(x));
    exit(EXIT_FAILURE);
}

/* Whether the screen can show 0x00RRGGBB as it is, and has room. */
static bool check_screen(Display *x, const struct scene *s)
{
    int screen = DefaultScreen(x);
    const Visual *v = DefaultVisual(x, screen);
    int width = s->window.x + s->window.w, height = s->window.y + s->window.h;

    if (DefaultDepth(x, screen) < 24 || v->red_mask != 0xff0000 || v->green_mask != 0xff00 ||
        v->blue_mask != 0xff) {
        demo_error("the screen of '%s' has not 24 bits RGB: start its server with depth 24",
                   DisplayString(x));
        return false;
    }
    if (DisplayWidth(x, screen) < width || DisplayHeight(x, screen) < height) {
        demo_error("the screen of '%s' is %dx%d, but %s needs %dx%d: use a larger screen or "
                   "another --size",
                   DisplayString(x), DisplayWidth(x, screen), DisplayHeight(x, screen),
                   s->kind->name, width, height);
        return false;
    }
    return true;
}

/* Puts the scene's picture into memory that the server shares; false: it does not. */
static bool stage_share(struct stage *t)
{
    int screen = DefaultScreen(t->x);
    size_t size = (size_t)t->scene->window.w * (size_t)t->scene->window.h * sizeof(uint32_t);

    if (!XShmQueryExtension(t->x))
        return false;
    t->image = XShmCreateImage(t->x, DefaultVisual(t->x, screen),
                               (unsigned)DefaultDepth(t->x, screen), ZPixmap, NULL, &t->shm,
                               (unsigned)t->scene->window.w, (unsigned)t->scene->window.h);
    if (!t->image)
        return false;
    t->shm.shmid = (size_t)t->image->bytes_per_line * (size_t)t->image->height == size
                       ? shmget(IPC_PRIVATE, size, IPC_CREAT | 0600)
                       : -1;
    t->shm.shmaddr = t->shm.shmid < 0 ? (void *)-1 : shmat(t->shm.shmid, NULL, 0);
    attach_failed = t->shm.shmaddr == (void *)-1;
    if (!attach_failed) {
        XErrorHandler before = XSetErrorHandler(on_attach_error);

        XShmAttach(t->x, &t->shm);
        XSync(t->x, False);
        XSetErrorHandler(before);
    }
    if (t->shm.shmid >= 0)
        shmctl(t->shm.shmid, IPC_RMID, NULL); /* goes away with the last of us two */
    if (attach_failed) {
        if (t->shm.shmaddr != (void *)-1)
            shmdt(t->shm.shmaddr);
        XDestroyImage(t->image);
        t->image = NULL;
        return false;
    }
    t->image->data = t->shm.shmaddr;
    memcpy(t->shm.shmaddr, t->scene->canvas.pixels, size);
    t->own_pixels = t->scene->canvas.pixels;
    t->scene->canvas.pixels = (uint32_t *)(void *)t->shm.shmaddr;
    return true;
}

static bool make_image(struct stage *t)
{
    const struct scene *s = t->scene;
    int screen = DefaultScreen(t->x);

    t->shared = stage_share(t);
    if (!t->shared)
        t->image =
            XCreateImage(t->x, DefaultVisual(t->x, screen), (unsigned)DefaultDepth(t->x, screen),
                         ZPixmap, 0, (char *)s->canvas.pixels, (unsigned)s->window.w,
                         (unsigned)s->window.h, 32, s->window.w * (int)sizeof(uint32_t));
    if (!t->image || t->image->bits_per_pixel != 32) {
        demo_error("cannot make an image of 32 bits a pixel for '%s'", DisplayString(t->x));
        return false;
    }
    return true;
}

static Cursor empty_cursor(Display *x)
{
    static const char bit;
    XColor black = {0};
    Pixmap none = XCreateBitmapFromData(x, DefaultRootWindow(x), &bit, 1, 1);
    Cursor c = XCreatePixmapCursor(x, none, none, &black, &black, 0, 0);

    XFreePixmap(x, none);
    return c;
}

/* On top, with the focus: also after somebody else (a player) has shown a window. */
static void take_input(struct stage *t)
{
    XRaiseWindow(t->x, t->input);
    XSetInputFocus(t->x, t->input, RevertToPointerRoot, CurrentTime);
}

static void open_windows(struct stage *t)
{
    const struct rect *r = &t->scene->window;
    int screen = DefaultScreen(t->x);
    Window root = RootWindow(t->x, screen);
    XSetWindowAttributes set = {.override_redirect = True, .background_pixel = 0x808080};
    XGCValues values = {.graphics_exposures = False};
    XEvent e;

    t->nothing = empty_cursor(t->x);
    set.cursor = t->nothing;
    set.event_mask = KeyPressMask | ButtonPressMask | StructureNotifyMask;
    t->window = XCreateWindow(t->x, root, r->x, r->y, (unsigned)r->w, (unsigned)r->h, 0,
                              CopyFromParent, InputOutput, CopyFromParent,
                              CWOverrideRedirect | CWBackPixel | CWCursor, &set);
    t->input = XCreateWindow(t->x, root, 0, 0, (unsigned)DisplayWidth(t->x, screen),
                             (unsigned)DisplayHeight(t->x, screen), 0, 0, InputOnly, CopyFromParent,
                             CWOverrideRedirect | CWCursor | CWEventMask, &set);
    t->gc = XCreateGC(t->x, t->window, GCGraphicsExposures, &values);
    XStoreName(t->x, t->window, "vnchl-lab-content");
    XMapRaised(t->x, t->window);
    XMapRaised(t->x, t->input);
    do
        XWindowEvent(t->x, t->input, StructureNotifyMask, &e);
    while (e.type != MapNotify);
    XSelectInput(t->x, root, SubstructureNotifyMask);
    take_input(t);
}

struct stage *stage_open(struct scene *s, bool sync)
{
    struct stage *t = calloc(1, sizeof *t);
    const struct scene_change all = {
        .ops = {{.kind = SCENE_PUT, .area = {0, 0, s->window.w, s->window.h}}}, .count = 1};

    if (!t) {
        demo_error("out of memory");
        return NULL;
    }
    t->scene = s;
    t->sync = sync;
    XSetErrorHandler(stage_on_error);
    XSetIOErrorHandler(on_io_error);
    t->x = XOpenDisplay(NULL);
    if (!t->x) {
        const char *name = getenv("DISPLAY");

        demo_error(name ? "cannot open the X display '%.80s'"
                        : "no X display: set DISPLAY to where the content is to be shown",
                   name);
    }
    if (!t->x || !check_screen(t->x, s) || !make_image(t)) {
        stage_close(t);
        return NULL;
    }
    open_windows(t);
    stage_send(t, &all);
    stage_finish(t);
    return t;
}

void stage_close(struct stage *t)
{
    if (!t)
        return;
    if (t->x) {
        if (t->window) {
            XFreeGC(t->x, t->gc);
            XDestroyWindow(t->x, t->input);
            XDestroyWindow(t->x, t->window);
            XFreeCursor(t->x, t->nothing);
        }
        if (t->shared)
            XShmDetach(t->x, &t->shm);
        XSync(t->x, False);
    }
    if (t->image) {
        t->image->data = NULL; /* ours */
        XDestroyImage(t->image);
    }
    if (t->shared) {
        t->scene->canvas.pixels = t->own_pixels;
        shmdt(t->shm.shmaddr);
    }
    if (t->x)
        XCloseDisplay(t->x);
    free(t);
}

static void stage_put(struct stage *t, struct rect r)
{
    if (t->shared)
        XShmPutImage(t->x, t->window, t->gc, t->image, r.x, r.y, r.x, r.y, (unsigned)r.w,
                     (unsigned)r.h, False);
    else
        XPutImage(t->x, t->window, t->gc, t->image, r.x, r.y, r.x, r.y, (unsigned)r.w,
                  (unsigned)r.h);
}

void stage_send(struct stage *t, const struct scene_change *change)
{
    for (int i = 0; i < change->count; i++) {
        const struct scene_op *op = &change->ops[i];

        switch (op->kind) {
        case SCENE_COPY:
            XCopyArea(t->x, t->window, t->window, t->gc, op->from_x, op->from_y,
                      (unsigned)op->area.w, (unsigned)op->area.h, op->area.x, op->area.y);
            break;
        case SCENE_FILL:
            XSetForeground(t->x, t->gc, op->colour);
            XFillRectangle(t->x, t->window, t->gc, op->area.x, op->area.y, (unsigned)op->area.w,
                           (unsigned)op->area.h);
            break;
        case SCENE_PUT:
            stage_put(t, op->area);
            break;
        }
    }
    XFlush(t->x);
}

void stage_finish(struct stage *t)
{
    if (t->sync || t->shared) /* a server that shares the picture reads it until then */
        XSync(t->x, False);
}

static int stage_take_events(struct stage *t)
{
    int presses = 0;

    while (XPending(t->x)) {
        XEvent e;

        XNextEvent(t->x, &e);
        if (e.type == KeyPress || e.type == ButtonPress)
            presses++;
        else if (e.type == MapNotify && e.xmap.window != t->input)
            take_input(t);
    }
    return presses;
}

int stage_presses(struct stage *t, tick_t when)
{
    struct pollfd fd = {.fd = ConnectionNumber(t->x), .events = POLLIN};
    int presses = stage_take_events(t);
    tick_t wait = when == TICK_NEVER ? WAIT_MAX : when - tick_now();
    struct timespec ts = tick_to_timespec(wait < WAIT_MAX ? wait : WAIT_MAX);

    if (!presses && ppoll(&fd, 1, &ts, NULL) > 0)
        presses = stage_take_events(t);
    return presses;
}
