#include "rfb/film/decoder.h"

#include <libavcodec/avcodec.h>
#include <limits.h>
#include <stdlib.h>

struct film_decoder {
    AVCodecContext *codec;
    AVPacket *packet;
    AVFrame *frame;
};

bool film_decoder_works(void)
{
    return avcodec_find_decoder(AV_CODEC_ID_H264);
}

void film_decoder_destroy(struct film_decoder *d)
{
    if (!d)
        return;
    avcodec_free_context(&d->codec);
    av_packet_free(&d->packet);
    av_frame_free(&d->frame);
    free(d);
}

/* Nothing is to be drawn that was not sent: no concealment. Frames that were left out are no error:
 * what comes does not stand on them. */
static bool decoder_open(struct film_decoder *d)
{
    const AVCodec *h264 = avcodec_find_decoder(AV_CODEC_ID_H264);

    d->codec = h264 ? avcodec_alloc_context3(h264) : NULL;
    d->packet = av_packet_alloc();
    d->frame = av_frame_alloc();
    if (!d->codec || !d->packet || !d->frame)
        return false;
    d->codec->thread_count = 1;
    d->codec->flags |= AV_CODEC_FLAG_LOW_DELAY | AV_CODEC_FLAG_OUTPUT_CORRUPT;
    d->codec->error_concealment = 0;
    d->codec->max_pixels = FILM_PIXELS_MOST;
    return avcodec_open2(d->codec, h264, NULL) == 0;
}

struct film_decoder *film_decoder_create(void)
{
    struct film_decoder *d = calloc(1, sizeof *d);

    av_log_set_level(AV_LOG_QUIET);
    if (d && decoder_open(d))
        return d;
    film_decoder_destroy(d);
    return NULL;
}

static bool decoder_frame_is_right(const AVFrame *f, int w, int h)
{
    return (f->format == AV_PIX_FMT_YUV420P || f->format == AV_PIX_FMT_YUVJ420P) &&
           f->width == film_side(w) && f->height == film_side(h) && f->decode_error_flags == 0;
}

bool film_decode(struct film_decoder *d, const uint8_t *bytes, size_t size, bool key, int w, int h,
                 struct film_planes *out)
{
    const AVFrame *f = d->frame;

    if (key)
        avcodec_flush_buffers(d->codec);
    d->packet->data = (uint8_t *)(uintptr_t)bytes; /* it is copied */
    d->packet->size = size <= INT_MAX ? (int)size : 0;
    if (size == 0 || size > INT_MAX || avcodec_send_packet(d->codec, d->packet) != 0 ||
        avcodec_receive_frame(d->codec, d->frame) != 0 || !decoder_frame_is_right(f, w, h))
        return false;
    for (int i = 0; i < 3; i++) {
        out->plane[i] = f->data[i];
        out->stride[i] = f->linesize[i];
    }
    return true;
}
