#include "rfb/proto/screen_layout.h"

#include "rfb/proto/bytes.h"

void server_screen_read(const uint8_t *bytes, struct server_screen *s)
{
    s->id = get32(bytes);
    s->at = get_rect(bytes + 4);
    s->flags = get32(bytes + 4 + RECT_BYTES);
}

uint8_t *server_screen_write(uint8_t *out, const struct server_screen *s)
{
    return put32(put_rect(put32(out, s->id), s->at), s->flags);
}

/* Where an edge at `v` of 0..from lies in 0..to. A server may tell any number. */
static int scaled(int v, int from, int to)
{
    int64_t at = (int64_t)v * to / from;

    return at > to ? to : (int)at;
}

static struct rect scaled_rect(struct rect r, int from_w, int from_h, int to_w, int to_h)
{
    int x = scaled(r.x, from_w, to_w), y = scaled(r.y, from_h, to_h);

    return (struct rect){x, y, scaled(r.x + r.w, from_w, to_w) - x,
                         scaled(r.y + r.h, from_h, to_h) - y};
}

struct screen_layout screen_layout_scaled(const struct screen_layout *l, int from_w, int from_h,
                                          int to_w, int to_h)
{
    struct screen_layout out = {.count = 0};

    for (int i = 0; i < l->count && l->count > 1 && from_w > 0 && from_h > 0; i++) {
        struct server_screen s = l->screens[i];

        s.at = scaled_rect(s.at, from_w, from_h, to_w, to_h);
        if (s.at.w > 0 && s.at.h > 0)
            out.screens[out.count++] = s;
    }
    if (out.count == 0) {
        if (l->count > 0)
            out.screens[0] = l->screens[0];
        out.screens[0].at = (struct rect){0, 0, to_w, to_h};
        out.count = 1;
    }
    return out;
}
