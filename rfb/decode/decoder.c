#include "rfb/decode/decoder.h"

#include <stdlib.h>

#include "rfb/decode/pixel_decoder.h"

struct decoder {
    struct stream *stream;
    struct framebuffer *fb;
    const struct encoding_list *offered;
    struct rect picture;                       /* all of it */
    struct pixel_decoder *rows[ENCODINGS_MAX]; /* some are the same */
    struct pixel_decoder *last;                /* that has drawn; NULL: none has yet */
    uint64_t bytes;                            /* that it took */
};

static const struct pixel_decoder_ops *const kinds[ENCODINGS_MAX] = {
#define DECODER_KIND(name, text, number, way, bytes, decoder) &decoder,
    ENCODING_ROWS(DECODER_KIND, DECODER_KIND)
#undef DECODER_KIND
};

/* The first row with a decoder of this kind has made it. */
static int decoder_first_of(int row)
{
    int i = 0;

    while (kinds[i] != kinds[row])
        i++;
    return i;
}

static bool decoder_make(struct decoder *d, int row)
{
    int first = decoder_first_of(row);

    if (first == row && (d->rows[row] = kinds[row]->create(d->stream)))
        d->rows[row]->ops = kinds[row];
    d->rows[row] = d->rows[first];
    return d->rows[row];
}

struct decoder *decoder_create(struct stream *stream, struct framebuffer *fb,
                               const struct encoding_list *offered)
{
    struct decoder *d = calloc(1, sizeof *d);
    bool ok = d;

    if (!d)
        return NULL;
    d->stream = stream;
    d->fb = fb;
    d->offered = offered;
    for (int row = 0; ok && row < ENCODINGS_MAX; row++)
        ok = decoder_make(d, row);
    if (ok)
        return d;
    decoder_destroy(d);
    return NULL;
}

void decoder_destroy(struct decoder *d)
{
    if (!d)
        return;
    for (int row = 0; row < ENCODINGS_MAX; row++)
        if (d->rows[row] && decoder_first_of(row) == row)
            kinds[row]->destroy(d->rows[row]);
    free(d);
}

void decoder_use_picture(struct decoder *d, int width, int height)
{
    const struct picture picture = {framebuffer_private(d->fb), width, height};

    d->picture = (struct rect){0, 0, width, height};
    for (int row = 0; row < ENCODINGS_MAX; row++)
        if (decoder_first_of(row) == row)
            kinds[row]->use_picture(d->rows[row], &picture);
}

bool decoder_decode(struct decoder *d, struct rect r, int32_t encoding, struct reason *why)
{
    int row = encoding_row(encoding);
    uint64_t before = stream_taken(d->stream);

    /* raw needs no offer (RFB, "FramebufferUpdate") */
    if (row < 0 || (encoding != ENCODING_RAW && !encoding_list_has(d->offered, encoding)))
        return reason_set(why, "the server sent encoding %d, which was not offered", (int)encoding);
    if (!rect_inside(r, d->picture))
        return reason_set(why, "the server sent a rectangle outside the screen: %dx%d at %d,%d",
                          r.w, r.h, r.x, r.y);
    d->last = d->rows[row];
    d->last->lossy = d->last->again = false;
    d->last->unread = NULL;
    if (d->last->ops->decode(d->last, r, encoding, why)) {
        d->bytes = stream_taken(d->stream) - before;
        framebuffer_drawn(d->fb, r);
        return true;
    }
    return stream_ended(d->stream)
               ? reason_set(why, "the server closed the connection in the middle of an update")
               : false;
}

bool decoder_was_lossy(const struct decoder *d)
{
    return d->last && d->last->lossy;
}

bool decoder_wants_again(const struct decoder *d)
{
    return d->last && d->last->again;
}

const char *decoder_unread(const struct decoder *d)
{
    return d->last ? d->last->unread : NULL;
}

uint64_t decoder_bytes(const struct decoder *d)
{
    return d->bytes;
}

void decoder_copied_from(const struct decoder *d, int *x, int *y)
{
    *x = d->last->from_x;
    *y = d->last->from_y;
}
