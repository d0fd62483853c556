/* Raw pixels are what the picture holds: they are read to where they belong. */
#include <stdlib.h>

#include "rfb/decode/pixel_decoder.h"

struct raw_decoder {
    struct pixel_decoder decoder;
    struct stream *stream;
    struct picture picture;
};

static struct raw_decoder *raw_of(struct pixel_decoder *d)
{
    return (struct raw_decoder *)d; /* the decoder is its first member */
}

static void raw_use_picture(struct pixel_decoder *d, const struct picture *picture)
{
    raw_of(d)->picture = *picture;
}

static bool raw_decode(struct pixel_decoder *d, struct rect r, int32_t encoding, struct reason *why)
{
    const struct picture *p = &raw_of(d)->picture;

    (void)encoding;
    for (int y = r.y; y < r.y + r.h && r.w > 0; y++)
        if (!stream_read(raw_of(d)->stream, p->pixels + (size_t)y * (size_t)p->width + r.x,
                         (size_t)r.w * sizeof *p->pixels, why))
            return false;
    return true;
}

static void raw_destroy(struct pixel_decoder *d)
{
    free(raw_of(d));
}

static struct pixel_decoder *raw_create(struct stream *stream)
{
    struct raw_decoder *d = calloc(1, sizeof *d);

    if (!d)
        return NULL;
    d->stream = stream;
    return &d->decoder;
}

const struct pixel_decoder_ops raw_decoder = {
    .create = raw_create,
    .use_picture = raw_use_picture,
    .decode = raw_decode,
    .destroy = raw_destroy,
};
