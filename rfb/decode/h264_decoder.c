/* Open H.264: each rectangle is a stream of its own, decoded by its context. What cannot be decoded
 * is not drawn, and never ends the session: the protocol leaves it to the client. */
#include <stdlib.h>

#include "rfb/decode/pixel_decoder.h"
#include "rfb/film/h264_contexts.h"
#include "rfb/proto/bytes.h"

/* Bytes in front of the stream: their number, and flags. */
#define H264_HEAD 8
/* Bytes that are taken at a time. Chosen: four times what the largest servers send. */
#define H264_BYTES_MOST (16u << 20)
/* Such memory is kept for the next rectangle up to this size. */
#define H264_BYTES_KEPT (1u << 20)

struct h264_decoder {
    struct pixel_decoder decoder;
    struct stream *stream;
    struct picture picture;
    struct h264_contexts *contexts;
    uint8_t *bytes;
    size_t room;
};

static struct h264_decoder *h264_of(struct pixel_decoder *d)
{
    return (struct h264_decoder *)d; /* the decoder is its first member */
}

static void h264_use_picture(struct pixel_decoder *d, const struct picture *picture)
{
    h264_of(d)->picture = *picture;
}

static void h264_free_bytes(struct h264_decoder *d)
{
    free(d->bytes);
    d->bytes = NULL;
    d->room = 0;
}

static bool h264_make_room(struct h264_decoder *d, size_t size)
{
    if (size <= d->room)
        return true;
    h264_free_bytes(d);
    d->bytes = malloc(size);
    d->room = d->bytes ? size : 0;
    return d->bytes;
}

static bool h264_skip(struct h264_decoder *d, size_t size, struct reason *why)
{
    uint8_t waste[4096];

    while (size > 0) {
        size_t part = size < sizeof waste ? size : sizeof waste;

        if (!stream_read(d->stream, waste, part, why))
            return false;
        size -= part;
    }
    return true;
}

/* A picture that is larger than its rectangle is cut off at the right and at the bottom. */
static void h264_draw(const struct picture *p, struct rect r, const struct film_view *v)
{
    int w = r.w < v->w ? r.w : v->w, h = r.h < v->h ? r.h : v->h;

    for (int y = 0; y < h; y++) {
        int row = v->halved_y ? y / 2 : y;

        film_colour_row(&v->colour, v->planes.plane[0] + (ptrdiff_t)y * v->planes.stride[0],
                        v->planes.plane[1] + (ptrdiff_t)row * v->planes.stride[1],
                        v->planes.plane[2] + (ptrdiff_t)row * v->planes.stride[2], v->halved_x,
                        p->pixels + (size_t)(r.y + y) * (size_t)p->width + r.x, w);
    }
}

static bool h264_decode(struct pixel_decoder *decoder, struct rect r, int32_t encoding,
                        struct reason *why)
{
    static const char *const unread[H264_RESULTS] = {
        [H264_TOO_LARGE] = "its pictures are too large",
        [H264_PIXELS_UNREAD] = "its pixels have more than 8 bits, or are RGB",
        [H264_TOO_MUCH] = "its pictures need too much memory",
        [H264_TOO_OFTEN] = "it begins anew too often",
        [H264_GONE] = FILM_GONE,
    };
    struct h264_decoder *d = h264_of(decoder);
    uint8_t head[H264_HEAD];
    enum h264_result result;
    struct film_view view;
    size_t size;

    (void)encoding;
    if (!stream_read(d->stream, head, sizeof head, why))
        return false;
    size = get32(head);
    decoder->lossy = true;
    h264_contexts_reset(d->contexts, r, get32(head + 4));
    if (size > H264_BYTES_MOST || !h264_make_room(d, size)) {
        h264_contexts_reset(d->contexts, r, H264_RESET); /* what follows does not fit what it has */
        decoder->unread =
            size > H264_BYTES_MOST ? "a message of it has more than 16 MiB" : unread[H264_TOO_MUCH];
        return h264_skip(d, size, why);
    }
    if (!stream_read(d->stream, d->bytes, size, why))
        return false;
    result = h264_contexts_decode(d->contexts, r, d->bytes, size, &view);
    if (result == H264_SHOWN)
        h264_draw(&d->picture, r, &view);
    decoder->again = result == H264_BROKEN;
    decoder->unread = unread[result];
    if (d->room > H264_BYTES_KEPT)
        h264_free_bytes(d);
    return true;
}

static void h264_destroy(struct pixel_decoder *decoder)
{
    struct h264_decoder *d = h264_of(decoder);

    h264_contexts_destroy(d->contexts);
    free(d->bytes);
    free(d);
}

static struct pixel_decoder *h264_create(struct stream *stream)
{
    struct h264_decoder *d = calloc(1, sizeof *d);

    if (!d)
        return NULL;
    d->stream = stream;
    d->contexts = h264_contexts_create();
    if (d->contexts)
        return &d->decoder;
    free(d);
    return NULL;
}

const struct pixel_decoder_ops h264_decoder = {
    .create = h264_create,
    .use_picture = h264_use_picture,
    .decode = h264_decode,
    .destroy = h264_destroy,
};
