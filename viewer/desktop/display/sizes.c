#include "viewer/desktop/display/sizes.h"

#include "rfb/decode/picture_memory.h"
#include "rfb/system/clock.h"
#include "viewer/options/window_options.h"

/* ---- asking the server ---- */

void remote_size_init(struct remote_size *r, bool follow, int first_w, int first_h)
{
    *r = (struct remote_size){.follow = follow,
                              .first = first_w > 0,
                              .window_w = first_w,
                              .window_h = first_h,
                              .due = TICK_NEVER};
}

void remote_size_follow(struct remote_size *r, bool follow)
{
    r->follow = follow;
    r->first = false;
    r->window_w = r->window_h = 0;
    r->due = TICK_NEVER;
}

void remote_size_new_session(struct remote_size *r)
{
    r->able = false;
    r->due = TICK_NEVER;
}

void remote_size_able(struct remote_size *r, tick_t now)
{
    r->able = true;
    if (r->window_w > 0)
        r->due = now;
}

void remote_size_window(struct remote_size *r, int w, int h, tick_t now)
{
    if (!r->follow || r->first || (w == r->window_w && h == r->window_h))
        return;
    r->window_w = w;
    r->window_h = h;
    r->due = r->able && w > 0 ? now + REMOTE_SIZE_DELAY : TICK_NEVER;
}

static int remote_size_clamp(int v)
{
    return v < DESKTOP_SIDE_MIN       ? DESKTOP_SIDE_MIN
           : v > FRAMEBUFFER_MAX_SIDE ? FRAMEBUFFER_MAX_SIDE
                                      : v;
}

bool remote_size_is_due(const struct remote_size *r)
{
    return r->due != TICK_NEVER;
}

bool remote_size_take(struct remote_size *r, tick_t now, int *w, int *h)
{
    if (now < r->due)
        return false;
    r->due = TICK_NEVER;
    r->first = false;
    *w = remote_size_clamp(r->window_w);
    *h = remote_size_clamp(r->window_h);
    return true;
}

bool remote_size_is_in_vain(const struct remote_size *r, tick_t passed)
{
    return r->first && !r->able && passed >= REMOTE_SIZE_PATIENCE;
}

/* ---- what follows what ---- */

static bool sizes_are_automatic(const struct sizes *s)
{
    return s->options.scale.kind == SCALE_AUTO || s->options.scale.kind == SCALE_SYSTEM;
}

static bool sizes_follow_window(const struct sizes *s)
{
    return s->options.remote_resize && sizes_are_automatic(s);
}

void sizes_set_options(struct sizes *s, struct screen *screen, const struct sizes_options *options)
{
    *s = (struct sizes){.screen = screen, .options = *options};
    remote_size_init(&s->remote, sizes_follow_window(s), options->desktop_w, options->desktop_h);
    screen_set_scale(screen, &options->scale);
}

/* The server's screen has this size. It is its own as long as we have asked for none, or the one
 * that the user wishes. */
static void sizes_note_server(struct sizes *s, int width, int height)
{
    const bool wished = width == s->options.desktop_w && height == s->options.desktop_h;

    s->server_w = width;
    s->server_h = height;
    if (s->asked && !wished)
        return;
    s->own_w = width;
    s->own_h = height;
}

/* The server's screen has another size than its own, or will have: it was asked for one, and may
 * not have answered yet. */
static bool sizes_server_is_changed(const struct sizes *s)
{
    const struct remote_size *r = &s->remote;

    return s->own_w != s->server_w || s->own_h != s->server_h ||
           (s->asked && r->window_w > 0 && (r->window_w != s->own_w || r->window_h != s->own_h));
}

void sizes_window_changed(struct sizes *s)
{
    double by = s->options.scale.kind == SCALE_SYSTEM ? screen_system_scale(s->screen) : 1;
    int w, h;

    if (s->had_picture)
        screen_show_late(s->screen, s->own_w, s->own_h, sizes_server_is_changed(s));
    if (!screen_users_size(s->screen, &w, &h))
        w = h = 0;
    w = (int)(w / by);
    h = (int)(h / by);
    remote_size_window(&s->remote, w, h, tick_now());
}

void sizes_set_scale(struct sizes *s, struct scale scale)
{
    const struct screen_map *map = screen_get_map(s->screen);

    s->options.scale = scale;
    screen_set_scale(s->screen, &scale);
    if (s->had_picture && sizes_are_automatic(s)) /* the window may have to become larger */
        screen_follow(s->screen, map->picture_w, map->picture_h);
    remote_size_follow(&s->remote, sizes_follow_window(s));
    sizes_window_changed(s);
}

bool sizes_meet(struct sizes *s, int width, int height, bool grab)
{
    const bool first = !s->had_picture;

    remote_size_new_session(&s->remote);
    s->met_at = tick_now();
    sizes_note_server(s, width, height);
    if (first)
        screen_show(s->screen, width, height, grab);
    else
        screen_follow(s->screen, width, height);
    s->had_picture = true;
    return first;
}

void sizes_server_changed(struct sizes *s, int width, int height)
{
    sizes_note_server(s, width, height);
    if (!remote_size_is_due(&s->remote))
        screen_follow(s->screen, width, height);
}

void sizes_server_can(struct sizes *s)
{
    if (s->options.desktop_w == 0)
        sizes_window_changed(s);
    remote_size_able(&s->remote, tick_now());
}

bool sizes_ask(struct sizes *s, tick_t now, int *width, int *height)
{
    if (!remote_size_take(&s->remote, now, width, height))
        return false;
    s->asked = true;
    return true;
}

tick_t sizes_wait(const struct sizes *s)
{
    return s->remote.due;
}

bool sizes_are_in_vain(struct sizes *s, tick_t now)
{
    const bool is = s->server_w == s->options.desktop_w && s->server_h == s->options.desktop_h;

    if (s->vain_told || is || !s->had_picture ||
        !remote_size_is_in_vain(&s->remote, now - s->met_at))
        return false;
    s->vain_told = true;
    return true;
}

bool sizes_are_unwished(const struct sizes *s)
{
    const struct remote_size *r = &s->remote;
    bool follows = r->follow && r->able && r->window_w > 0;

    return sizes_are_automatic(s) && !follows && screen_map_shrinks(screen_get_map(s->screen));
}
