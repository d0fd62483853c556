#include "viewer/desktop/display/remote_size.h"

#include "rfb/decode/picture_memory.h"
#include "viewer/options/window_options.h"

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
