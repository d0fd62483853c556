/* The contexts of Open H.264, RFB's encoding 50: a decoder for each rectangle that a server sends
 * as a stream of its own.
 *
 * A context belongs to the place and the size of its rectangle. It begins with the first bytes for
 * that, whether or not the server has said that it begins. One that is broken, or does not begin
 * with a picture that stands alone, shows nothing until there is such a picture.
 *
 * At most H264_CONTEXTS are kept, with H264_PIXELS_MOST pixels in all. The one for which nothing
 * has come for the longest time gives way. They take at most H264_MEMORY_MOST. Where one needs more
 * the others give way, H264_TURNS times in a row. To begin one costs far more than the bytes that
 * it takes, so how many begin is bounded by the bytes.
 *
 * One thread at a time.
 */
#ifndef VNCHL_H264_CONTEXTS_H
#define VNCHL_H264_CONTEXTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rfb/film/decoder.h"
#include "rfb/region.h"

#ifdef __cplusplus
extern "C" {
#endif

/* As many as the protocol wants at least. */
#define H264_CONTEXTS 64
/* So many pixels a side of a picture may be larger than its rectangle. Chosen: encoders round up to
 * 16, 32 or 64 pixels, and have a smallest size. */
#define H264_MARGIN 128
/* Pixels of the rectangles of all contexts, each with its margin. Chosen: a rectangle of 4096x4096,
 * or 64 of a screen of 3840x2160. */
#define H264_PIXELS_MOST ((4096 + H264_MARGIN) * (4096 + H264_MARGIN))
/* Bytes of all pictures that are shown, or that others stand on, and of what is noted of their
 * streams (struct film_memory). Chosen: 5 pictures of 4096x4096, 10 of 3840x2160. An encoder of a
 * screen has 3 or 4; level 5.1 of H.264 allows 7 at 3840x2160. */
#define H264_MEMORY_MOST ((int64_t)192 << 20)
/* Bytes of libavcodec for a context, without those (measured: 1.3 MB; 32 sequence parameter sets
 * take 0.2 MB). */
#define H264_CONTEXT_BYTES ((int64_t)3 << 19)
/* All of that, bytes: with what libavcodec notes about the blocks of H264_PIXELS_MOST. */
#define H264_ALL_MOST (H264_MEMORY_MOST + H264_CONTEXTS * H264_CONTEXT_BYTES + ((int64_t)8 << 20))
/* So many contexts may begin; and one more for so many bytes of H.264. Chosen: four times as many
 * as are kept; and fewer bytes than a picture that stands alone, of a screen with something on it.
 */
#define H264_BEGINNINGS      (4 * H264_CONTEXTS)
#define H264_BEGINNING_BYTES 1024
/* After so many pictures without an error a broken context shows again, though none of them stands
 * alone. Chosen: a server may send such a picture only once. What was broken has mostly been
 * painted over by then. */
#define H264_PATIENCE 90

/* So often contexts give way to one that has too little memory, with fewer than H264_CALM messages
 * shown in between. Chosen: where all of them never fit they do so every few pictures. What is
 * shown for half a minute is worth a new beginning. */
#define H264_TURNS 8
#define H264_CALM  1000

/* Pictures that are decoded of one message; what has more is broken. Chosen: PiKVM sends what has
 * come since the last request, from the newest picture that stands alone on: mostly 30 at most. */
#define H264_PICTURES_MOST 256

/* Flags of a rectangle. */
#define H264_RESET     1u /* its context begins anew */
#define H264_RESET_ALL 2u /* all do */

struct h264_contexts;

/* NULL when out of memory. */
struct h264_contexts *h264_contexts_create(void);
void h264_contexts_destroy(struct h264_contexts *c);

/* Does what the flags say. */
void h264_contexts_reset(struct h264_contexts *c, struct rect area, uint32_t flags);

enum h264_result {
    H264_SHOWN,  /* there is a picture */
    H264_NONE,   /* there is none: nothing was sent, or it still waits */
    H264_BROKEN, /* there is none: from now on it waits for a picture that stands alone */
    /* There is none, and there will be none: */
    H264_TOO_LARGE,
    H264_PIXELS_UNREAD, /* more than 8 bits, or RGB */
    H264_TOO_MUCH,      /* it needs more than H264_MEMORY_MOST */
    H264_TOO_OFTEN,     /* contexts begin too often */
    H264_GONE,          /* film_decoder_works() no longer */
    H264_RESULTS
};

/* Decodes all pictures for this rectangle. `out` is the last one, valid until the next call. */
enum h264_result h264_contexts_decode(struct h264_contexts *c, struct rect area,
                                      const uint8_t *bytes, size_t size, struct film_view *out);

/* How many there are. */
int h264_contexts_count(const struct h264_contexts *c);

#ifdef __cplusplus
}
#endif
#endif
