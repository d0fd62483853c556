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
    uint64_t messages, bytes, begun;
    uint64_t shown; /* messages since contexts gave way for memory, */
    unsigned turns; /* which they did in a row */
    struct film_memory memory;
};

struct h264_contexts *h264_contexts_create(void)
{
    struct h264_contexts *c = calloc(1, sizeof *c);

    if (c)
        c->memory.most = H264_MEMORY_MOST;
    return c;
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

/* H264_SHOWN: there is a context now. */
static enum h264_result h264_open(struct h264_contexts *c, struct rect area)
{
    struct film_decoder *decoder;

    if (c->begun >= H264_BEGINNINGS + c->bytes / H264_BEGINNING_BYTES)
        return H264_TOO_OFTEN;
    if (!h264_make_room(c, area))
        return H264_TOO_LARGE;
    decoder = film_decoder_create_foreign(h264_pixels(area), &c->memory);
    if (!decoder)
        return H264_NONE;
    c->begun++;
    c->all[c->count++] = (struct h264_context){.area = area, .decoder = decoder, .waits = true};
    return H264_SHOWN;
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
    static const enum h264_result refused[] = {[FILM_TOO_LARGE] = H264_TOO_LARGE,
                                               [FILM_PIXELS_UNREAD] = H264_PIXELS_UNREAD,
                                               [FILM_TOO_MUCH] = H264_TOO_MUCH};
    enum film_refusal refusal = FILM_NOT_REFUSED;
    struct access_unit u;
    int pictures = 0;

    for (; access_unit_next(bytes, size, &u); bytes += u.size, size -= u.size) {
        bool right =
            pictures < H264_PICTURES_MOST && film_decode_foreign(x->decoder, bytes, u.size, out);
        enum film_refusal now = right ? FILM_NOT_REFUSED : film_decoder_refusal(x->decoder);

        if (u.picture || now != FILM_NOT_REFUSED)
            refusal = now;
        if (!u.picture)
            continue;
        h264_take(x, &u, right);
        pictures++;
    }
    if (pictures > 0 && !x->waits)
        return H264_SHOWN;
    if (refusal != FILM_NOT_REFUSED)
        return refused[refusal];
    if (pictures == 0 || x->told)
        return H264_NONE;
    x->told = true;
    return H264_BROKEN;
}

/* The other contexts give way for this one, which has too little memory: its next picture may have
 * enough. False: they have done so too often. */
static bool h264_close_others(struct h264_contexts *c, int i)
{
    struct h264_context kept = c->all[i];

    c->turns = c->shown < H264_CALM ? c->turns + 1 : 1;
    c->shown = 0;
    if (c->turns > H264_TURNS)
        return false;
    c->all[i] = c->all[0];
    c->all[0] = kept;
    while (c->count > 1)
        h264_close(c, c->count - 1);
    return true;
}

enum h264_result h264_contexts_decode(struct h264_contexts *c, struct rect area,
                                      const uint8_t *bytes, size_t size, struct film_view *out)
{
    int i = h264_find(c, area);
    enum h264_result result = H264_SHOWN;

    c->bytes += size;
    if (size == 0 || area.w == 0 || area.h == 0)
        return H264_NONE;
    if (i < 0) {
        result = h264_open(c, area);
        i = c->count - 1;
    }
    if (!film_decoder_works())
        return H264_GONE;
    if (result != H264_SHOWN)
        return result;
    c->all[i].used = ++c->messages;
    result = h264_decode(&c->all[i], bytes, size, out);
    if (!film_decoder_works())
        return H264_GONE;
    c->shown += result == H264_SHOWN;
    if (result != H264_TOO_MUCH || c->count == 1)
        return result;
    return h264_close_others(c, i) ? H264_BROKEN : H264_TOO_MUCH;
}

int h264_contexts_count(const struct h264_contexts *c)
{
    return c->count;
}
