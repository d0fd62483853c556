/* What a session and its decoder process say to each other (rfb/worker/confined/decoder_caller.h,
 * decoder_process.h): requests and answers of fixed size on a SOCK_SEQPACKET socket. What is
 * coded, and what is decoded, is in memory that both share.
 *
 * Both are of one build. The session checks each answer: whoever coded the film may have taken the
 * decoder process over.
 */
#ifndef VNCHL_DECODER_MESSAGES_H
#define VNCHL_DECODER_MESSAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rfb/film/decoder.h"
#include "rfb/film/h264_contexts.h"
#include "rfb/worker/worker_message.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Decoders at a time: a server's, and one for a far end's film. */
#define DECODERS_MOST (H264_CONTEXTS + 1)
/* Bytes of an access unit: a message of H.264 has no more (rfb/decode/h264_decoder.c). */
#define DECODER_CODED_MOST ((size_t)16 << 20)
/* Bytes of a picture: the largest, with a value of Cb and of Cr for each pixel. */
#define DECODER_DECODED_MOST ((size_t)3 * H264_PIXELS_MOST)
/* The shared memory: what is coded, then what is decoded. */
#define DECODER_MEMORY (DECODER_CODED_MOST + DECODER_DECODED_MOST)

/* The first message, before the session reads a byte of a server. */
struct decoder_confinement {
    bool wanted;
    struct worker_layers layers; /* of the session: with fewer the process decodes nothing */
};

enum decoder_request_type {
    DECODER_CREATE,
    DECODER_CREATE_FOREIGN,
    DECODER_DESTROY,
    DECODER_DECODE, /* the types from here on are answered */
    DECODER_DECODE_FOREIGN
};

struct decoder_request {
    uint32_t type;
    uint32_t number;     /* of the decoder; the session chooses it */
    int64_t pixels_most; /* DECODER_CREATE_FOREIGN */
    uint64_t size;       /* bytes of the access unit */
    int32_t key, w, h;   /* DECODER_DECODE */
};

enum decoder_answer_type {
    DECODER_DECODED,
    DECODER_UNDECODED, /* there is no whole picture */
    DECODER_NONE       /* nor will there be one: libavcodec cannot be used */
};

/* The picture lies in the shared memory without gaps: Y, Cb, Cr. */
struct decoder_answer {
    uint32_t type, refusal;
    int32_t w, h;
    uint32_t halved_x, halved_y, matrix, full; /* as in struct film_view */
};

/* Where the planes of a picture lie. 1x1 pixels at least, and DECODER_DECODED_MOST bytes at most:
 * the caller has checked it. */
static inline void decoder_planes(struct film_view *view, const uint8_t *decoded)
{
    int w = view->halved_x ? (view->w + 1) / 2 : view->w;
    int h = view->halved_y ? (view->h + 1) / 2 : view->h;

    view->planes.plane[0] = decoded;
    view->planes.plane[1] = decoded + (size_t)view->w * (size_t)view->h;
    view->planes.plane[2] = view->planes.plane[1] + (size_t)w * (size_t)h;
    view->planes.stride[0] = view->w;
    view->planes.stride[1] = view->planes.stride[2] = w;
}

#ifdef __cplusplus
}
#endif
#endif
