/* All that the rows of rfb/proto/encodings/encoding_rows.h are used for, made of other rows: raw,
 * and an encoding that there is not. */
#define VNCHL_ENCODING_ROWS_H
#define ENCODING_ROWS(FIRST, NEXT)                                                                 \
    FIRST(STRIPES, "stripes", 51, ENDS_LENGTH, 0, stripes_decoder)                                 \
    NEXT(H264, "h264", 50, ENDS_LENGTH, H264_FLAGS, raw_decoder)                                   \
    NEXT(COPYRECT, "copyrect", 1, ENDS_FIXED, COPYRECT_BYTES, raw_decoder)                         \
    NEXT(ZLIB, "zlib", 6, ENDS_LENGTH, 0, raw_decoder)                                             \
    NEXT(ZRLE, "zrle", 16, ENDS_LENGTH, 0, raw_decoder)                                            \
    NEXT(RAW, "raw", 0, ENDS_RAW, 0, raw_decoder)

#include "rfb/decode/decoder.c"
#include "rfb/framing/rectangle_framing.c"
#include "rfb/proto/encodings/encodings.c"

/* The whole decoder: each row of the rectangle has one colour, and takes a byte of it. */
struct stripes {
    struct pixel_decoder decoder;
    struct stream *stream;
    struct picture picture;
};

static struct pixel_decoder *stripes_create(struct stream *stream)
{
    struct stripes *d = calloc(1, sizeof *d);

    if (d)
        d->stream = stream;
    return &d->decoder;
}

static void stripes_use_picture(struct pixel_decoder *d, const struct picture *picture)
{
    ((struct stripes *)d)->picture = *picture;
}

static bool stripes_decode(struct pixel_decoder *decoder, struct rect r, int32_t encoding,
                           struct reason *why)
{
    struct stripes *d = (struct stripes *)decoder;
    uint8_t length[4], colour;

    if (!stream_read(d->stream, length, sizeof length, why))
        return false;
    if (get32(length) != (uint32_t)r.h)
        return reason_set(why, "the server sent a bad %s rectangle", encoding_name(encoding));
    for (int y = r.y; y < r.y + r.h; y++) {
        if (!stream_read(d->stream, &colour, 1, why))
            return false;
        for (int x = r.x; x < r.x + r.w; x++)
            d->picture.pixels[y * d->picture.width + x] = colour;
    }
    decoder->lossy = true;
    return true;
}

static void stripes_destroy(struct pixel_decoder *d)
{
    free(d);
}

const struct pixel_decoder_ops stripes_decoder = {
    .create = stripes_create,
    .use_picture = stripes_use_picture,
    .decode = stripes_decode,
    .destroy = stripes_destroy,
};
