#include "viewer/desktop/display/screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <SDL.h>

#include "rfb/system/thread.h"
#include "viewer/data/icon.h"
#include "viewer/desktop/display/drawing/screen_memory.h"
#include "viewer/desktop/display/drawing/screen_renderer.h"
#include "viewer/desktop/display/pan.h"
#include "viewer/desktop/display/throttle.h"
#include "viewer/desktop/display/window/display.h"
#include "viewer/desktop/display/window/window_full.h"
#include "viewer/desktop/display/window/window_size.h"

/* In units of an ordinary display. */
#define EMPTY_WIDTH  640
#define EMPTY_HEIGHT 480

/* How often all is drawn again after the window got another size: OpenGL may still draw for the old
 * one the first time. */
#define DRAWS_AFTER_RESIZE 2

struct screen {
    struct ui *ui;
    SDL_Window *window;
    bool shown; /* it is on the display by now */
    struct window_size size;
    struct window_full full;
    bool grab;      /* the window takes the window manager's keys: screen_set_grab(), */
    bool full_grab; /* in full screen, too */
    /* Where the picture is in the window, and why there. */
    struct screen_map map;
    struct scale scale;
    struct pan pan;
    /* One of both draws. */
    struct screen_renderer renderer;
    struct screen_memory memory;
    struct throttle below; /* of a picture that a page lies above */
    uint64_t pictures;     /* how many came to the display */
    bool take_all;         /* nothing of this picture was taken yet */
    bool dim;
    bool dirty;     /* what is on the display is old */
    int draw_again; /* so many times, whether it is old or not */
};

static bool screen_has_picture(const struct screen *s)
{
    return s->map.picture_w > 0;
}

/* ---- where the picture is ---- */

/* What the window's pixels are: on a high-density display more than its units. */
static void screen_output_size(struct screen *s, int *w, int *h)
{
    if (screen_renderer_size(&s->renderer, w, h) ||
        (s->shown && !s->renderer.renderer && screen_memory_size(&s->memory, w, h)))
        return;
    SDL_GetWindowSize(s->window, w, h);
}

double screen_system_scale(const struct screen *s)
{
    return theme_scale(window_dpi(s->window), s->map.window_w, s->map.output_w);
}

/* On an ordinary display the system's scale is that of AUTO. */
static struct scale screen_wished_scale(const struct screen *s)
{
    struct scale scale = s->scale;

    if (scale.kind == SCALE_SYSTEM) {
        scale.ratio = screen_system_scale(s);
        scale.kind = scale.ratio > 1 ? SCALE_SYSTEM : SCALE_AUTO;
    }
    return scale;
}

/* A maximised window has no more room to give: there a picture that nearly fits is drawn at its own
 * size, and what has no room is reached by panning. */
static struct scale screen_scale_now(const struct screen *s)
{
    const struct scale wished = screen_wished_scale(s);
    bool maximized = SDL_GetWindowFlags(s->window) & SDL_WINDOW_MAXIMIZED;

    return wished.kind == SCALE_AUTO && maximized && !screen_is_full_screen(s) &&
                   screen_map_nearly_fits(&s->map)
               ? (struct scale){.kind = SCALE_RATIO, .ratio = 1}
               : wished;
}

/* Of a picture of this size, 0 x 0: none. */
static void screen_map_picture(struct screen *s, int width, int height)
{
    int window_w = 0, window_h = 0, output_w = 0, output_h = 0;
    struct scale scale;

    SDL_GetWindowSize(s->window, &window_w, &window_h);
    screen_output_size(s, &output_w, &output_h);
    s->map = screen_map_make(width, height, window_w, window_h, output_w, output_h);
    scale = screen_scale_now(s);
    screen_map_zoom(&s->map, &scale, &s->pan.x, &s->pan.y);
    screen_renderer_set_map(&s->renderer, &s->map);
    s->dirty = true;
}

/* The window has another size, or the picture another place. */
static void screen_update_map(struct screen *s)
{
    screen_map_picture(s, s->map.picture_w, s->map.picture_h);
}

/* ---- a window, from its beginning to its end ---- */

void screen_destroy(struct screen *s)
{
    if (!s)
        return;
    /* SDL wakes this thread by an X event to the window, over a second connection to the display. A
     * wake-up that comes after the window is destroyed would end the program with an X error.
     * Hiding waits for the display, which has taken what was sent before. */
    SDL_HideWindow(s->window);
    screen_memory_close(&s->memory);
    ui_forget_renderer(s->ui);
    screen_renderer_close(&s->renderer);
    SDL_DestroyWindow(s->window);
    free(s);
}

/* As large as is well on a display of this density. */
static void screen_give_first_size(struct screen *s)
{
    /* in units: those of a high-density display are larger than its pixels */
    float scale = theme_scale(window_dpi(s->window), s->map.window_w, s->map.output_w) *
                  (float)s->map.window_w / (float)s->map.output_w;
    SDL_Rect area = window_size_area(&s->size, false);

    window_size_give(&s->size, SDL_min((int)(EMPTY_WIDTH * scale), area.w),
                     SDL_min((int)(EMPTY_HEIGHT * scale), area.h));
    SDL_SetWindowPosition(s->window, SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED);
}

static bool screen_open(struct screen *s, bool vsync, bool full_screen, struct reason *why)
{
    /* first: it may make the window anew */
    if (!screen_renderer_open(&s->renderer, s->window, vsync))
        screen_memory_open(&s->memory, s->window);
    window_size_init(&s->size, s->window);
    window_full_init(&s->full, s->window);
    screen_update_map(s);
    screen_give_first_size(s);
    if (full_screen)
        screen_set_full_screen(s, true, false);
    SDL_ShowWindow(s->window);
    s->shown = true;
    screen_update_map(s);
    return s->renderer.renderer || screen_memory_works(&s->memory) ||
           reason_set(why, "cannot draw in a window: %s", SDL_GetError());
}

/* Of the title bar and the list of windows. */
static void screen_set_icon(SDL_Window *window)
{
    SDL_Surface *icon =
        SDL_CreateRGBSurfaceWithFormatFrom((void *)(uintptr_t)icon_rgba, ICON_SIDE, ICON_SIDE, 32,
                                           ICON_SIDE * 4, SDL_PIXELFORMAT_RGBA32);

    if (icon)
        SDL_SetWindowIcon(window, icon);
    SDL_FreeSurface(icon);
}

struct screen *screen_create(struct ui *ui, bool vsync, bool full_screen, struct reason *why)
{
    struct screen *s = calloc(1, sizeof *s);

    if (!s) {
        reason_set(why, "out of memory");
        return NULL;
    }
    s->ui = ui;
    pan_init(&s->pan);
    s->window = SDL_CreateWindow(
        "vnchl", SDL_WINDOWPOS_UNDEFINED, SDL_WINDOWPOS_UNDEFINED, EMPTY_WIDTH, EMPTY_HEIGHT,
        SDL_WINDOW_HIDDEN | SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI);
    if (!s->window) {
        reason_set(why, "cannot open a window: %s", SDL_GetError());
    } else {
        screen_set_icon(s->window);
        if (screen_open(s, vsync, full_screen, why))
            return s;
    }
    screen_destroy(s);
    return NULL;
}

SDL_Window *screen_get_window(struct screen *s)
{
    return s->window;
}

void screen_set_title(struct screen *s, const char *title)
{
    SDL_SetWindowTitle(s->window, title);
}

void screen_bell(struct screen *s)
{
    SDL_FlashWindow(s->window, SDL_FLASH_BRIEFLY);
    if (isatty(STDERR_FILENO))
        fputc('\a', stderr);
}

bool screen_is_seen(const struct screen *s)
{
    return !(SDL_GetWindowFlags(s->window) & (SDL_WINDOW_HIDDEN | SDL_WINDOW_MINIMIZED));
}

/* ---- the keys that it takes ---- */

static void screen_take_keys(struct screen *s, bool in_full_screen)
{
    s->full_grab = in_full_screen;
    SDL_SetWindowKeyboardGrab(s->window, s->grab || s->full_grab);
}

bool screen_set_grab(struct screen *s, bool on)
{
    bool can = !on || !display_is_wayland() || display_gives_keys();

    s->grab = on && can;
    screen_take_keys(s, s->full_grab);
    return can;
}

/* ---- its place and size ---- */

void screen_place(struct screen *s, const struct window_place *place, bool maximize)
{
    window_size_place(&s->size, place, maximize);
    screen_update_map(s);
}

bool screen_users_size(struct screen *s, int *w, int *h)
{
    if (!window_size_is_users(&s->size, screen_is_full_screen(s)))
        return false;
    *w = s->map.output_w;
    *h = s->map.output_h;
    return true;
}

void screen_show(struct screen *s, int width, int height, bool grab)
{
    const struct window_picture p = {width, height, &s->map, screen_wished_scale(s)};

    screen_take_keys(s, grab && screen_is_full_screen(s));
    window_size_show(&s->size, &p, screen_is_full_screen(s));
    screen_update_map(s);
}

void screen_show_late(struct screen *s, int width, int height, bool asks)
{
    const struct window_picture p = {width, height, &s->map, screen_wished_scale(s)};

    if (window_size_show_late(&s->size, &p, screen_is_full_screen(s), asks))
        screen_update_map(s);
}

void screen_follow(struct screen *s, int width, int height)
{
    const struct window_picture p = {width, height, &s->map, screen_wished_scale(s)};

    if (window_size_follow(&s->size, &p, screen_is_full_screen(s)))
        screen_update_map(s);
}

void screen_set_scale(struct screen *s, const struct scale *scale)
{
    s->scale = *scale;
    screen_update_map(s);
}

bool screen_is_full_screen(const struct screen *s)
{
    return window_full_is_on(&s->full);
}

void screen_set_full_screen(struct screen *s, bool on, bool grab)
{
    if (on)
        window_full_enter(&s->full, s->shown);
    else
        window_full_leave(&s->full);
    screen_take_keys(s, on && grab);
    screen_update_map(s);
}

void screen_set_monitors(struct screen *s, const struct full_screen *wish)
{
    if (!window_full_set_monitors(&s->full, wish, s->shown))
        return;
    screen_take_keys(s, s->full_grab);
    screen_update_map(s);
}

int screen_monitors(const struct screen *s)
{
    return window_full_monitors(&s->full);
}

const char *screen_full_screen_shortage(const struct screen *s)
{
    return s->full.shortage;
}

/* ---- events ---- */

static void screen_window_event(struct screen *s, const SDL_WindowEvent *e)
{
    switch (e->event) {
    case SDL_WINDOWEVENT_SIZE_CHANGED:
    case SDL_WINDOWEVENT_MAXIMIZED:
    case SDL_WINDOWEVENT_RESTORED:
    case SDL_WINDOWEVENT_DISPLAY_CHANGED: /* it may have another scale */
        window_size_changed(&s->size, screen_is_full_screen(s));
        screen_update_map(s);
        s->draw_again = DRAWS_AFTER_RESIZE;
        break;
    case SDL_WINDOWEVENT_EXPOSED:
    case SDL_WINDOWEVENT_SHOWN:
        s->dirty = true;
        break;
    case SDL_WINDOWEVENT_LEAVE:
        pan_stop(&s->pan);
        break;
    default:
        break;
    }
}

void screen_event(struct screen *s, const SDL_Event *event)
{
    switch (event->type) {
    case SDL_WINDOWEVENT:
        screen_window_event(s, &event->window);
        break;
    case SDL_MOUSEMOTION:
        pan_pointer(&s->pan, &s->map, event->motion.x, event->motion.y, tick_now());
        break;
    case SDL_RENDER_TARGETS_RESET:
    case SDL_RENDER_DEVICE_RESET:
        screen_renderer_drop_picture(&s->renderer);
        ui_forget_renderer(s->ui);
        s->dirty = true;
        break;
    default:
        break;
    }
}

/* ---- a picture larger than the window ---- */

tick_t screen_wait(const struct screen *s)
{
    return tick_sooner(s->pan.due, throttle_wait(&s->below));
}

bool screen_time(struct screen *s, tick_t now)
{
    if (!pan_move(&s->pan, &s->map, now))
        return false;
    screen_update_map(s);
    return true;
}

bool screen_drag(struct screen *s, const SDL_Event *e, bool keys)
{
    bool moved = false, taken = pan_event(&s->pan, &s->map, e, keys, &moved);

    if (moved)
        screen_update_map(s);
    return taken;
}

void screen_drag_ends(struct screen *s)
{
    pan_let_go(&s->pan);
}

const struct screen_map *screen_get_map(const struct screen *s)
{
    return &s->map;
}

/* ---- the picture ---- */

/* It has another size from now on, 0 x 0: there is none; or comes from somewhere else. */
static void screen_note_picture(struct screen *s, int width, int height)
{
    screen_memory_new_picture(&s->memory);
    s->take_all = true;
    screen_map_picture(s, width, height);
}

void screen_new_picture(struct screen *s)
{
    screen_note_picture(s, s->map.picture_w, s->map.picture_h);
}

void screen_set_dim(struct screen *s, bool dim)
{
    if (dim == s->dim)
        return;
    s->dim = dim;
    s->dirty = true;
    screen_renderer_set_dim(&s->renderer, dim);
}

/* The picture has changed in these parts. */
static void screen_note_damage(struct screen *s, const struct region *damage)
{
    struct rect where;

    if (damage->count == 0)
        return;
    s->pictures++;
    if (!screen_has_picture(s))
        return;
    where = screen_map_part(&s->map, region_bounds(damage));
    ui_picture_changed(s->ui, &where);
}

/* ---- drawing ---- */

/* What is there to be drawn. */
static struct screen_frame screen_frame_now(struct screen *s)
{
    const bool above = !screen_has_picture(s) || ui_is_visible(s->ui);

    return (struct screen_frame){
        .map = &s->map,
        .dim = s->dim,
        .all = s->dirty || s->take_all,
        .above = above ? s->ui : NULL,
        .view = {.window_w = s->map.window_w,
                 .window_h = s->map.window_h,
                 .dpi = above ? window_dpi(s->window) : 0,
                 .picture = screen_has_picture(s),
                 .at = s->map.target},
    };
}

static void screen_leave_card(struct screen *s)
{
    ui_forget_renderer(s->ui);
    screen_renderer_close(&s->renderer);
    if (!screen_renderer_open_without_card(&s->renderer, s->window))
        screen_memory_open(&s->memory, s->window);
}

/* The picture has another size, or the texture was lost, or is to hold something else. A picture
 * may be larger than the graphics card can hold: then none draws. */
static bool screen_make_renderer_ready(struct screen *s, int width, int height)
{
    screen_note_picture(s, width, height);
    if (screen_renderer_make_ready(&s->renderer, &s->map, s->dim))
        return true;
    screen_leave_card(s);
    screen_note_picture(s, width, height);
    return !s->renderer.renderer || screen_renderer_make_ready(&s->renderer, &s->map, s->dim);
}

static bool screen_is_ready(const struct screen *s, const struct framebuffer_view *view)
{
    return s->map.picture_w == view->width && s->map.picture_h == view->height &&
           screen_renderer_is_ready(&s->renderer, &s->map);
}

static bool screen_upload(struct screen *s, struct framebuffer_view *view)
{
    bool changed = false, ok;

    if (s->take_all) {
        region_clear(&view->damage);
        region_add(&view->damage, (struct rect){0, 0, view->width, view->height});
    }
    s->take_all = false;
    screen_note_damage(s, &view->damage);
    ok = screen_renderer_take(&s->renderer, view, &s->map, &changed);
    s->dirty = s->dirty || changed;
    return ok;
}

/* Copies what changed to the texture that it is drawn from. A picture whose size changes meanwhile
 * comes with the next wake-up. False when that fails for good. */
static bool screen_take_picture(struct screen *s, struct framebuffer_reader *picture)
{
    struct framebuffer_view view;
    bool ok;

    for (int tries = 0; tries < 2 && s->renderer.renderer && framebuffer_lock(picture, &view, true);
         tries++) {
        if (screen_is_ready(s, &view)) {
            ok = screen_upload(s, &view);
            framebuffer_unlock(picture);
            return ok;
        }
        framebuffer_unlock(picture); /* making a texture may take long */
        if (!screen_make_renderer_ready(s, view.width, view.height))
            return false;
    }
    return true;
}

/* `view` NULL: there is no picture. */
static bool screen_draw_view(struct screen *s, const struct framebuffer_view *view, int fd,
                             struct screen_frame *frame)
{
    if (view && (view->width != s->map.picture_w || view->height != s->map.picture_h))
        screen_note_picture(s, view->width, view->height);
    if (view)
        screen_note_damage(s, &view->damage);
    *frame = screen_frame_now(s);
    s->take_all = false;
    return screen_memory_draw(&s->memory, frame, view, fd);
}

static bool screen_draw_in_memory(struct screen *s, struct framebuffer_reader *picture)
{
    struct framebuffer_view view;
    struct screen_frame frame;
    bool ok;

    if (picture && framebuffer_lock(picture, &view, true)) {
        ok = screen_draw_view(s, &view, framebuffer_reader_fd(picture), &frame);
        framebuffer_unlock(picture);
    } else {
        ok = screen_draw_view(s, NULL, -1, &frame);
    }
    if (!ok || screen_memory_show(&s->memory, &frame))
        return ok;
    s->take_all = true;
    return screen_draw_in_memory(s, picture);
}

/* The session that had it is gone. */
static void screen_forget_picture(struct screen *s)
{
    screen_renderer_drop_picture(&s->renderer);
    screen_note_picture(s, 0, 0);
}

/* Brings to the display what is there. */
static bool screen_draw_now(struct screen *s, struct framebuffer_reader *picture,
                            struct reason *why)
{
    if ((s->renderer.renderer && picture && !screen_take_picture(s, picture)) ||
        (!s->renderer.renderer && !screen_draw_in_memory(s, picture)))
        return reason_set(why, "cannot draw the picture: %s", SDL_GetError());
    if (s->renderer.renderer && s->dirty) {
        const struct screen_frame frame = screen_frame_now(s);
        screen_renderer_show(&s->renderer, &frame);
    }
    s->dirty = false;
    return true;
}

bool screen_draw(struct screen *s, struct framebuffer_reader *picture, struct reason *why)
{
    const bool waits = throttle_holds(&s->below, tick_now()) && ui_is_open(s->ui);
    const double work = cpu_seconds(CLOCK_THREAD_CPUTIME_ID);
    const uint64_t pictures = s->pictures;
    bool ok;

    if (!screen_is_seen(s))
        return true;
    if (ui_take_changed(s->ui) || s->draw_again > 0)
        s->dirty = true;
    if (s->draw_again > 0)
        s->draw_again--;
    if (!picture && screen_has_picture(s))
        screen_forget_picture(s);
    if (waits && !s->dirty && !s->take_all)
        return true;
    ok = screen_draw_now(s, picture, why);
    if (s->pictures > pictures && ui_is_open(s->ui))
        throttle_drew(&s->below, tick_now(), cpu_seconds(CLOCK_THREAD_CPUTIME_ID) - work);
    return ok;
}

uint64_t screen_pictures(const struct screen *s)
{
    return s->pictures;
}
