#include "rfb/film/h264_contexts.h"

#include <stdlib.h>

#include "rfb/film/access_unit.h"

struct h264_context {
    struct rect area;
    struct film_decoder *decoder;
    uint64_t used; /* when, in messages */
    bool waits;    /* for a picture that stands alone, */
    bool told;     /* which was told */
    int good;      /* pictures without an error since it waits */
};

struct h264_contexts {
    struct h264_context all[H264_CONTEXTS];
    int count;
    uint64_t messages;
};

struct h264_contexts *h264_contexts_create(void)
{
    return calloc(1, sizeof(struct h264_contexts));
}

static void h264_close(struct h264_contexts *c, int i)
{
    film_decoder_destroy(c->all[i].decoder);
    c->all[i] = c->all[--c->count];
}

static void h264_close_all(struct h264_contexts *c)
{
    while (c->count > 0)
        h264_close(c, c->count - 1);
}

void h264_contexts_destroy(struct h264_contexts *c)
{
    if (!c)
        return;
    h264_close_all(c);
    free(c);
}

/* -1: there is none. */
static int h264_find(const struct h264_contexts *c, struct rect area)
{
    for (int i = 0; i < c->count; i++) {
        struct rect r = c->all[i].area;

        if (r.x == area.x && r.y == area.y && r.w == area.w && r.h == area.h)
            return i;
    }
    return -1;
}

void h264_contexts_reset(struct h264_contexts *c, struct rect area, uint32_t flags)
{
    int i = h264_find(c, area);

    if (flags & H264_RESET_ALL)
        h264_close_all(c);
    else if (flags & H264_RESET && i >= 0)
        h264_close(c, i);
}

/* That its pictures may have. */
static int64_t h264_pixels(struct rect area)
{
    return (int64_t)(area.w + H264_MARGIN) * (area.h + H264_MARGIN);
}

static void h264_close_oldest(struct h264_contexts *c)
{
    int oldest = 0;

    for (int i = 1; i < c->count; i++)
        if (c->all[i].used < c->all[oldest].used)
            oldest = i;
    h264_close(c, oldest);
}

/* False: it is too large. */
static bool h264_make_room(struct h264_contexts *c, struct rect area)
{
    int64_t pixels = h264_pixels(area);

    if (pixels > H264_PIXELS_MOST)
        return false;
    for (int i = 0; i < c->count; i++)
        pixels += h264_pixels(c->all[i].area);
    while (c->count > 0 && (pixels > H264_PIXELS_MOST || c->count == H264_CONTEXTS)) {
        h264_close_oldest(c);
        pixels = h264_pixels(area);
        for (int i = 0; i < c->count; i++)
            pixels += h264_pixels(c->all[i].area);
    }
    return true;
}

static struct h264_context *h264_open(struct h264_contexts *c, struct rect area)
{
    struct film_decoder *decoder =
        h264_make_room(c, area) ? film_decoder_create_foreign(h264_pixels(area)) : NULL;

    if (!decoder)
        return NULL;
    c->all[c->count] = (struct h264_context){.area = area, .decoder = decoder, .waits = true};
    return &c->all[c->count++];
}

static void h264_take(struct h264_context *x, const struct access_unit *u, bool decoded)
{
    x->good = decoded ? x->good + 1 : 0;
    if (!decoded)
        x->waits = true;
    else if (u->alone || x->good >= H264_PATIENCE)
        x->waits = x->told = false;
}

static enum h264_result h264_decode(struct h264_context *x, const uint8_t *bytes, size_t size,
                                    struct film_view *out)
{
    struct access_unit u;
    int pictures = 0;

    for (; access_unit_next(bytes, size, &u); bytes += u.size, size -= u.size) {
        bool right =
            pictures < H264_PICTURES_MOST && film_decode_foreign(x->decoder, bytes, u.size, out);

        if (!u.picture)
            continue;
        h264_take(x, &u, right);
        pictures++;
    }
    if (pictures > 0 && !x->waits)
        return H264_SHOWN;
    if (pictures == 0 || x->told)
        return H264_NONE;
    x->told = true;
    return H264_BROKEN;
}

enum h264_result h264_contexts_decode(struct h264_contexts *c, struct rect area,
                                      const uint8_t *bytes, size_t size, struct film_view *out)
{
    int i = h264_find(c, area);
    struct h264_context *x = i >= 0 ? &c->all[i] : NULL;

    if (size == 0 || area.w == 0 || area.h == 0)
        return H264_NONE;
    if (!x && !(x = h264_open(c, area)))
        return H264_NONE;
    x->used = ++c->messages;
    return h264_decode(x, bytes, size, out);
}

int h264_contexts_count(const struct h264_contexts *c)
{
    return c->count;
}
