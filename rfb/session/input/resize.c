#include "rfb/session/input/resize.h"

#include "rfb/proto/server_messages.h"

bool resize_learn(struct resize *r, const struct screen_layout *layout)
{
    bool first = !r->able;

    r->able = true;
    r->layout = *layout;
    return first;
}

void resize_want(struct resize *r, int width, int height)
{
    r->due = r->able;
    r->width = width;
    r->height = height;
}

bool resize_take(struct resize *r, int now_w, int now_h, struct screen_layout *layout)
{
    bool ask = r->due && (r->width != now_w || r->height != now_h);

    r->due = false;
    if (ask)
        *layout = screen_layout_scaled(&r->layout, now_w, now_h, r->width, r->height);
    return ask;
}

const char *resize_refusal(unsigned result)
{
    switch (result) {
    case DESKTOP_SIZE_DONE:
    case DESKTOP_SIZE_FORWARDED:
        return NULL;
    case DESKTOP_SIZE_PROHIBITED:
        return "it does not allow that";
    case DESKTOP_SIZE_NO_RESOURCES:
        return "it has no memory for it";
    case DESKTOP_SIZE_BAD_LAYOUT:
        return "its monitors cannot be placed so";
    default:
        return "it does not say why";
    }
}
