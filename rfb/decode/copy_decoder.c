/* A rectangle that is elsewhere in the picture already: CopyRect. */
#include <stdlib.h>
#include <string.h>

#include "rfb/decode/pixel_decoder.h"
#include "rfb/proto/bytes.h"

#define COPY_BYTES 4 /* x and y of where it is */

struct copy_decoder {
    struct pixel_decoder decoder;
    struct stream *stream;
    struct picture picture;
};

static struct copy_decoder *copy_of(struct pixel_decoder *d)
{
    return (struct copy_decoder *)d; /* the decoder is its first member */
}

static void copy_use_picture(struct pixel_decoder *d, const struct picture *picture)
{
    copy_of(d)->picture = *picture;
}

/* Source and target may overlap: rows are taken in an order in which none is overwritten before. */
static void copy_pixels(const struct picture *p, int from_x, int from_y, struct rect to)
{
    bool down = from_y < to.y;

    for (int i = 0; i < to.h; i++) {
        int row = down ? to.h - 1 - i : i;

        memmove(p->pixels + (size_t)(to.y + row) * (size_t)p->width + to.x,
                p->pixels + (size_t)(from_y + row) * (size_t)p->width + from_x,
                (size_t)to.w * sizeof *p->pixels);
    }
}

static bool copy_decode(struct pixel_decoder *d, struct rect r, int32_t encoding,
                        struct reason *why)
{
    const struct picture *p = &copy_of(d)->picture;
    struct rect from = {.w = r.w, .h = r.h};
    uint8_t place[COPY_BYTES];

    (void)encoding;
    if (!stream_read(copy_of(d)->stream, place, sizeof place, why))
        return false;
    from.x = d->from_x = (int)get16(place);
    from.y = d->from_y = (int)get16(place + 2);
    if (!rect_inside(from, (struct rect){0, 0, p->width, p->height}))
        return reason_set(why, "the server copied from outside the screen: %dx%d at %d,%d", r.w,
                          r.h, from.x, from.y);
    copy_pixels(p, from.x, from.y, r);
    return true;
}

static void copy_destroy(struct pixel_decoder *d)
{
    free(copy_of(d));
}

static struct pixel_decoder *copy_create(struct stream *stream)
{
    struct copy_decoder *d = calloc(1, sizeof *d);

    if (!d)
        return NULL;
    d->stream = stream;
    return &d->decoder;
}

const struct pixel_decoder_ops copy_decoder = {
    .create = copy_create,
    .use_picture = copy_use_picture,
    .decode = copy_decode,
    .destroy = copy_destroy,
};
