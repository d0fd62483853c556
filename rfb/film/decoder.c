#include "rfb/film/decoder.h"

#include <dlfcn.h>
#include <libavcodec/avcodec.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define LIBRARY "libavcodec.so." AV_STRINGIFY(LIBAVCODEC_VERSION_MAJOR)

/* What is used of it, and of libavutil, which it brings. */
#define DECODER_CALLS                                                                              \
    CALL(av_frame_alloc);                                                                          \
    CALL(av_frame_free);                                                                           \
    CALL(av_frame_ref);                                                                            \
    CALL(av_frame_unref);                                                                          \
    CALL(av_log_set_level);                                                                        \
    CALL(av_packet_alloc);                                                                         \
    CALL(av_packet_free);                                                                          \
    CALL(avcodec_alloc_context3);                                                                  \
    CALL(avcodec_find_decoder);                                                                    \
    CALL(avcodec_flush_buffers);                                                                   \
    CALL(avcodec_free_context);                                                                    \
    CALL(avcodec_open2);                                                                           \
    CALL(avcodec_receive_frame);                                                                   \
    CALL(avcodec_send_packet);

static struct {
    bool loaded;
#define CALL(name) __typeof__(&name) name
    DECODER_CALLS
#undef CALL
} library;

struct film_decoder {
    AVCodecContext *codec;
    AVPacket *packet;
    AVFrame *given; /* what libavcodec gives out, which is not used */
    AVFrame *drawn; /* the picture that was decoded, */
    int rows;       /* and how many rows of it were, from its top on */
};

static bool decoder_find(void *handle, const char *name, void *call)
{
    void *found = dlsym(handle, name);

    memcpy(call, &found, sizeof found);
    return found;
}

void film_decoder_load(void)
{
    void *handle = library.loaded ? NULL : dlopen(LIBRARY, RTLD_LAZY | RTLD_LOCAL);
    bool all = handle;

    if (!handle)
        return;
#define CALL(name) all = decoder_find(handle, #name, &library.name) && all
    DECODER_CALLS
#undef CALL
    library.loaded = all && library.avcodec_find_decoder(AV_CODEC_ID_H264);
    if (!library.loaded)
        dlclose(handle);
}

bool film_decoder_works(void)
{
    return library.loaded;
}

void film_decoder_destroy(struct film_decoder *d)
{
    if (!d)
        return;
    library.avcodec_free_context(&d->codec);
    library.av_packet_free(&d->packet);
    library.av_frame_free(&d->given);
    library.av_frame_free(&d->drawn);
    free(d);
}

/* Rows of the picture are decoded. libavcodec gives pictures out in the order in which they are to
 * be shown. That it computes from their numbers, and takes a gap in these for a step back where
 * they begin anew (frame_num, modulo 32): then it gives nothing out. Here it is seen in the order
 * of decoding, and no row is missed where a slice is broken. */
static void decoder_drew(AVCodecContext *codec, const AVFrame *frame,
                         int offset[AV_NUM_DATA_POINTERS], int y, int type, int height)
{
    struct film_decoder *d = codec->opaque;

    if (y == 0) {
        library.av_frame_unref(d->drawn);
        d->rows = library.av_frame_ref(d->drawn, frame) == 0 ? height : 0;
    } else if (y == d->rows) {
        d->rows += height;
    }
}

/* Nothing is to be drawn that was not sent: no concealment. Frames that were left out are no error:
 * what comes does not stand on them. */
static bool decoder_open(struct film_decoder *d)
{
    const AVCodec *h264 = library.avcodec_find_decoder(AV_CODEC_ID_H264);

    d->codec = h264 ? library.avcodec_alloc_context3(h264) : NULL;
    d->packet = library.av_packet_alloc();
    d->given = library.av_frame_alloc();
    d->drawn = library.av_frame_alloc();
    if (!d->codec || !d->packet || !d->given || !d->drawn)
        return false;
    d->codec->thread_count = 1;
    d->codec->flags |= AV_CODEC_FLAG_LOW_DELAY | AV_CODEC_FLAG_OUTPUT_CORRUPT;
    d->codec->err_recognition = AV_EF_EXPLODE;
    d->codec->error_concealment = 0;
    d->codec->max_pixels = FILM_PIXELS_MOST;
    d->codec->opaque = d;
    d->codec->draw_horiz_band = decoder_drew;
    d->codec->slice_flags = SLICE_FLAG_CODED_ORDER;
    return library.avcodec_open2(d->codec, h264, NULL) == 0;
}

struct film_decoder *film_decoder_create(void)
{
    struct film_decoder *d = library.loaded ? calloc(1, sizeof *d) : NULL;

    if (!d)
        return NULL;
    library.av_log_set_level(AV_LOG_QUIET);
    if (decoder_open(d))
        return d;
    film_decoder_destroy(d);
    return NULL;
}

static bool decoder_frame_is_right(const struct film_decoder *d, int w, int h)
{
    const AVFrame *f = d->drawn;

    return d->rows >= film_side(h) && f->width == film_side(w) && f->height == film_side(h) &&
           (f->format == AV_PIX_FMT_YUV420P || f->format == AV_PIX_FMT_YUVJ420P);
}

static bool decoder_take(struct film_decoder *d, const uint8_t *bytes, size_t size)
{
    int ret;

    if (size == 0 || size > INT_MAX)
        return false;
    d->packet->data = (uint8_t *)(uintptr_t)bytes; /* it is copied */
    d->packet->size = (int)size;
    if (library.avcodec_send_packet(d->codec, d->packet) != 0)
        return false;
    while ((ret = library.avcodec_receive_frame(d->codec, d->given)) == 0)
        ;
    return ret == AVERROR(EAGAIN);
}

bool film_decode(struct film_decoder *d, const uint8_t *bytes, size_t size, bool key, int w, int h,
                 struct film_planes *out)
{
    if (key)
        library.avcodec_flush_buffers(d->codec);
    d->rows = 0;
    if (!decoder_take(d, bytes, size) || !decoder_frame_is_right(d, w, h))
        return false;
    for (int i = 0; i < 3; i++) {
        out->plane[i] = d->drawn->data[i];
        out->stride[i] = d->drawn->linesize[i];
    }
    return true;
}
