/* What decodes the rectangles of one encoding, or of several, into the private picture.
 *
 * rfb/decode/decoder.c has one of each kind, chooses by the rows of
 * rfb/proto/encodings/encoding_rows.h, and looks before whether a rectangle was offered and lies
 * inside the picture. Nothing else of the rectangle is checked there. A decoder embeds `struct
 * pixel_decoder` in a struct of its own and fills in the table of operations. Receiver thread.
 */
#ifndef VNCHL_PIXEL_DECODER_H
#define VNCHL_PIXEL_DECODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rfb/net/stream.h"
#include "rfb/proto/encodings/encoding_rows.h"
#include "rfb/region.h"
#include "rfb/texts/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The private picture: pixels 0x00RRGGBB in rows of `width`. */
struct picture {
    uint32_t *pixels;
    int width, height;
};

struct pixel_decoder;

struct pixel_decoder_ops {
    /* It reads from this stream, which outlives it. NULL when out of memory. */
    struct pixel_decoder *(*create)(struct stream *stream);
    /* The picture is another one, or has another size. */
    void (*use_picture)(struct pixel_decoder *d, const struct picture *picture);
    /* Reads the rest of a rectangle, whose head has been read, and draws it; nothing outside of it.
     * False when the stream has ended, is cut, or the rectangle is not what it has to be; `why`
     * is a whole sentence then. */
    bool (*decode)(struct pixel_decoder *d, struct rect r, int32_t encoding, struct reason *why);
    void (*destroy)(struct pixel_decoder *d);
};

struct pixel_decoder {
    const struct pixel_decoder_ops *ops;
    bool lossy; /* the rectangle decoded last is not exactly what the server has */
    bool again; /* it could not be drawn, and is to come again */
    /* Why it could not be drawn, nor can what comes later; NULL: there is no such reason. A static
     * text, for behind "the server's H.264 cannot be shown: ". */
    const char *unread;
    int from_x, from_y; /* CopyRect: where it was copied from */
};

/* All that the rows name. */
#define PIXEL_DECODER(name, text, number, way, bytes, decoder)                                     \
    extern const struct pixel_decoder_ops decoder;
ENCODING_ROWS(PIXEL_DECODER, PIXEL_DECODER)
#undef PIXEL_DECODER

#ifdef __cplusplus
}
#endif
#endif
