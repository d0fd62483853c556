/* Reads messages from the server: their boundaries, pseudo-encodings, everything but pixels.
 *
 * Receiver thread. Rectangles of pixels go to rfb/decode/decoder.h. What a message means is told to
 * the handlers (source.h), in the order in which it comes.
 */
#ifndef VNCHL_MESSAGES_H
#define VNCHL_MESSAGES_H

#include <stdbool.h>
#include <stdint.h>

#include "rfb/blocks/block_newest.h"
#include "rfb/blocks/resolver.h"
#include "rfb/datagrams/repair.h"
#include "rfb/decode/decoder.h"
#include "rfb/proto/encodings/encodings.h"
#include "rfb/session/pictures/picture_film.h"
#include "rfb/session/pictures/source.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where messages come from, and where their pixels go. */
struct message_source {
    struct stream *stream;
    struct decoder *decoder; /* reads the same stream */
    struct framebuffer *fb;
    bool extended_clipboard; /* it was offered: a cut text may have a negative length */
    bool sound;              /* it was offered */
    bool screens;            /* the server has told which it has */
    bool video;              /* it has sent H.264 before it did that */
    /* Pushed blocks; NULL: they were not offered. */
    struct block_reader *blocks;
    struct newest *newest;
    struct resolver *resolver;
    struct repair *repair;
    struct picture_film *film; /* NULL: films were not offered */
    uint8_t generation;        /* of the picture's size */
    bool sized;                /* packets say it, and there is no stream (preview.h) */
};

/* Waits for one message and handles it. False when the connection has ended or must end. */
bool message_receive(struct message_source *source, const struct source_handlers *h,
                     struct reason *why);

/* Gives the framebuffer and the decoder a new size. */
bool message_resize(struct message_source *source, int width, int height, struct reason *why);

/* Makes a source (source.h) of them, with a decoder of its own, for a picture of this size. Stream
 * and framebuffer must outlive it. False, with a reason; *out is to be destroyed then, too, if it
 * has a `destroy`. */
bool message_source_open(struct source *out, struct stream *stream, struct framebuffer *fb,
                         const struct encoding_options *offered, int width, int height,
                         struct reason *why);

#ifdef __cplusplus
}
#endif
#endif
