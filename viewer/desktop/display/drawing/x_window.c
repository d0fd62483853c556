#include "viewer/desktop/display/drawing/x_window.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <SDL.h>
#include <SDL_syswm.h>
#include <xcb/shm.h>
#include <xcb/xcb.h>

#include "rfb/system/log.h"

#define DEPTH 24 /* of the pixels that a picture has */

struct x_window {
    xcb_connection_t *x;
    xcb_window_t window;
    xcb_gcontext_t gc;
    /* The canvas. */
    SDL_Surface *surface; /* NULL: none */
    void *memory;
    size_t bytes;
    uint32_t segment;
};

uint32_t x_window_id(SDL_Window *window)
{
    SDL_SysWMinfo info;

    SDL_VERSION(&info.version);
    if (!window || !SDL_GetWindowWMInfo(window, &info) || info.subsystem != SDL_SYSWM_X11)
        return 0;
    XSync(info.info.x11.display, False); /* what others send may be read before */
    return (uint32_t)info.info.x11.window;
}

/* A server on another machine may say so as well, but then refuses the first descriptor. */
static bool has_descriptors(xcb_connection_t *x)
{
    const xcb_query_extension_reply_t *shm = xcb_get_extension_data(x, &xcb_shm_id);
    xcb_shm_query_version_reply_t *version;
    bool has;

    if (!shm || !shm->present)
        return false;
    version = xcb_shm_query_version_reply(x, xcb_shm_query_version(x), NULL);
    has = version && (version->major_version > 1 || version->minor_version >= 2);
    free(version);
    return has;
}

static bool has_depth(const struct x_window *w)
{
    xcb_get_geometry_reply_t *g =
        xcb_get_geometry_reply(w->x, xcb_get_geometry(w->x, w->window), NULL);
    bool has = g && g->depth == DEPTH;

    free(g);
    return has;
}

static bool x_window_connect_to(struct x_window *w, SDL_Window *window)
{
    w->window = x_window_id(window);
    if (!w->window || SDL_GetWindowPixelFormat(window) != SDL_PIXELFORMAT_RGB888)
        return false;
    w->x = xcb_connect(NULL, NULL);
    if (xcb_connection_has_error(w->x) || !has_descriptors(w->x) || !has_depth(w))
        return false;
    w->gc = xcb_generate_id(w->x);
    xcb_create_gc(w->x, w->gc, w->window, XCB_GC_FOREGROUND, &(uint32_t){0});
    return true;
}

struct x_window *x_window_open(SDL_Window *window)
{
    struct x_window *w = calloc(1, sizeof *w);

    if (w && x_window_connect_to(w, window))
        return w;
    x_window_close(w);
    return NULL;
}

void x_window_close(struct x_window *w)
{
    if (!w)
        return;
    x_window_drop_canvas(w);
    if (w->x)
        xcb_disconnect(w->x);
    free(w);
}

/* Waits until all that was asked for is done. False: the server complains. What else comes over
 * this connection is for every client: that the keyboard has another layout, for example. */
static bool x_window_done(struct x_window *w)
{
    xcb_generic_event_t *e;
    bool ok = true;

    free(xcb_get_input_focus_reply(w->x, xcb_get_input_focus(w->x), NULL));
    while ((e = xcb_poll_for_event(w->x))) {
        if (e->response_type == 0) {
            log_debug("X11: memory is not shown: error %d", ((xcb_generic_error_t *)e)->error_code);
            ok = false;
        }
        free(e);
    }
    return ok && !xcb_connection_has_error(w->x);
}

uint32_t x_window_attach(struct x_window *w, int fd)
{
    uint32_t segment = xcb_generate_id(w->x);
    int theirs = fcntl(fd, F_DUPFD_CLOEXEC, 0); /* xcb closes it */

    if (theirs < 0)
        return 0;
    xcb_shm_attach_fd(w->x, segment, theirs, true);
    return x_window_done(w) ? segment : 0;
}

void x_window_detach(struct x_window *w, uint32_t segment)
{
    if (w && segment)
        xcb_shm_detach(w->x, segment);
}

static void x_window_put(struct x_window *w, const struct x_picture *p, struct rect r, int left,
                         int top)
{
    xcb_shm_put_image(w->x, w->window, w->gc, (uint16_t)p->width, (uint16_t)p->height,
                      (uint16_t)r.x, (uint16_t)r.y, (uint16_t)r.w, (uint16_t)r.h,
                      (int16_t)(left + r.x), (int16_t)(top + r.y), DEPTH, XCB_IMAGE_FORMAT_Z_PIXMAP,
                      false, p->segment, (uint32_t)p->offset);
}

bool x_window_show(struct x_window *w, const struct x_picture *p, const struct rect *parts,
                   int count, int left, int top)
{
    const struct rect all = {0, 0, p->width, p->height};

    for (int i = 0; i < count; i++) {
        struct rect r = rect_intersect(parts[i], all);

        if (r.w > 0 && r.h > 0)
            x_window_put(w, p, r, left, top);
    }
    return x_window_done(w);
}

void x_window_blacken(struct x_window *w, int width, int height, struct rect in)
{
    const struct rect all = {0, 0, width, height};
    const struct rect around[] = {
        {0, 0, width, in.y},
        {0, in.y + in.h, width, height - in.y - in.h},
        {0, in.y, in.x, in.h},
        {in.x + in.w, in.y, width - in.x - in.w, in.h},
    };
    xcb_rectangle_t black[4];
    uint32_t count = 0;

    for (int i = 0; i < 4; i++) {
        struct rect r =
            around[i].w > 0 && around[i].h > 0 ? rect_intersect(around[i], all) : (struct rect){0};
        if (r.w > 0 && r.h > 0)
            black[count++] =
                (xcb_rectangle_t){(int16_t)r.x, (int16_t)r.y, (uint16_t)r.w, (uint16_t)r.h};
    }
    if (count > 0)
        xcb_poly_fill_rectangle(w->x, w->window, w->gc, count, black);
    xcb_flush(w->x);
}

/* ---- the canvas ---- */

void x_window_drop_canvas(struct x_window *w)
{
    SDL_FreeSurface(w->surface);
    x_window_detach(w, w->segment);
    if (w->memory)
        munmap(w->memory, w->bytes);
    w->surface = NULL;
    w->memory = NULL;
    w->segment = 0;
}

static bool map_canvas(struct x_window *w, int fd, size_t bytes)
{
    void *p = MAP_FAILED;

    if (ftruncate(fd, (off_t)bytes) == 0)
        p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (p == MAP_FAILED)
        return false;
    w->memory = p;
    w->bytes = bytes;
    w->segment = x_window_attach(w, fd);
    return w->segment;
}

SDL_Surface *x_window_canvas(struct x_window *w, int width, int height)
{
    int fd;

    if (w->surface && w->surface->w == width && w->surface->h == height)
        return w->surface;
    x_window_drop_canvas(w);
    fd = memfd_create("vnchl-window", MFD_CLOEXEC);
    if (fd < 0)
        return NULL;
    if (map_canvas(w, fd, (size_t)width * (size_t)height * 4))
        w->surface = SDL_CreateRGBSurfaceWithFormatFrom(w->memory, width, height, 32, width * 4,
                                                        SDL_PIXELFORMAT_RGB888);
    close(fd);
    if (!w->surface)
        x_window_drop_canvas(w);
    return w->surface;
}

bool x_window_show_canvas(struct x_window *w, const SDL_Rect *parts, int count)
{
    const struct x_picture canvas = {w->segment, 0, w->surface->w, w->surface->h};
    struct rect rects[REGION_MAX];

    for (int i = 0; i < count; i++)
        rects[i] = (struct rect){parts[i].x, parts[i].y, parts[i].w, parts[i].h};
    return x_window_show(w, &canvas, rects, count, 0, 0);
}
