#include "rfb/film/avcodec_decoder.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <libavcodec/avcodec.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rfb/film/access_unit.h"

#define AVCODEC "libavcodec.so." AV_STRINGIFY(LIBAVCODEC_VERSION_MAJOR)

/* What is used of it, and of libavutil, which it brings. */
#define DECODER_CALLS                                                                              \
    CALL(av_buffer_create);                                                                        \
    CALL(av_buffer_unref);                                                                         \
    CALL(av_frame_alloc);                                                                          \
    CALL(av_frame_free);                                                                           \
    CALL(av_frame_ref);                                                                            \
    CALL(av_frame_unref);                                                                          \
    CALL(av_log_set_level);                                                                        \
    CALL(av_packet_alloc);                                                                         \
    CALL(av_packet_free);                                                                          \
    CALL(avcodec_alloc_context3);                                                                  \
    CALL(avcodec_default_get_buffer2);                                                             \
    CALL(avcodec_find_decoder);                                                                    \
    CALL(avcodec_flush_buffers);                                                                   \
    CALL(avcodec_free_context);                                                                    \
    CALL(avcodec_open2);                                                                           \
    CALL(avcodec_receive_frame);                                                                   \
    CALL(avcodec_send_packet);

static struct {
#define CALL(name) __typeof__(&name) name
    DECODER_CALLS
#undef CALL
} library;

/* For a film of the far end, bytes: 20 pictures of the largest size. */
#define DECODER_FILM_MEMORY (20 * 3 * (int64_t)FILM_PIXELS_MOST)
/* Bytes of what libavcodec notes about a block of 16 x 16 pixels, for the pictures that stand on
 * it: kinds, motion, references (151 in libavcodec 59). */
#define DECODER_BLOCK_NOTES 160
/* What libavcodec keeps of a stream until its end, bytes: for each picture parameter set, with what
 * that brings (180 kB in libavcodec 59), which each picture may keep, too; for each NAL unit of one
 * access unit, and for each byte that only kept a start code from coming about in any of them. */
#define DECODER_SET_NOTES  (184 << 10)
#define DECODER_UNIT_NOTES 384
#define DECODER_PLACE      4
/* So many of those bytes have their place in each unit before they come. Then it doubles. */
#define DECODER_PLACES 1024
/* Pixels by which libavcodec's pictures are larger at the right and at the bottom. */
#define DECODER_EDGE 64

struct film_decoder {
    AVCodecContext *codec;
    struct film_memory own, *memory;
    int64_t live, charged; /* bytes of pictures and notes: now, and at most at a time until now */
    struct access_unit_notes notes; /* the most of each until now, */
    int64_t noted;                  /* and their bytes */
    enum film_refusal refusal;
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

static void decoder_destroy(struct film_decoder *d)
{
    library.avcodec_free_context(&d->codec);
    library.av_packet_free(&d->packet);
    library.av_frame_free(&d->given);
    library.av_frame_free(&d->drawn);
    d->memory->used -= d->charged; /* libavcodec keeps for the next picture what is free */
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

/* False: its pixels are of a kind that is not read. */
static bool decoder_shape(int format, struct film_view *out)
{
    switch (format) {
    case AV_PIX_FMT_YUV420P:
    case AV_PIX_FMT_YUVJ420P:
        out->halved_x = out->halved_y = true;
        return true;
    case AV_PIX_FMT_YUV422P:
    case AV_PIX_FMT_YUVJ422P:
        out->halved_x = true;
        out->halved_y = false;
        return true;
    case AV_PIX_FMT_YUV444P:
    case AV_PIX_FMT_YUVJ444P:
        out->halved_x = out->halved_y = false;
        return true;
    default:
        return false;
    }
}

/* ---- what a picture may take ---- */

/* libavcodec asks before it allocates anything for pictures of this size and kind. */
static enum AVPixelFormat decoder_choose(AVCodecContext *codec, const enum AVPixelFormat *formats)
{
    struct film_decoder *d = codec->opaque;
    struct film_view view;

    if ((int64_t)codec->coded_width * codec->coded_height > codec->max_pixels) {
        d->refusal = FILM_TOO_LARGE;
        return AV_PIX_FMT_NONE;
    }
    for (; *formats != AV_PIX_FMT_NONE; formats++)
        if (decoder_shape(*formats, &view))
            return *formats;
    d->refusal = FILM_PIXELS_UNREAD;
    return AV_PIX_FMT_NONE;
}

static int64_t decoder_picture_bytes(const AVFrame *f)
{
    int64_t w = film_side(f->width) + DECODER_EDGE, h = film_side(f->height) + DECODER_EDGE;
    int64_t pixels = w * h, colours = 2 * pixels;
    struct film_view view;

    if (decoder_shape(f->format, &view))
        colours = colours >> view.halved_x >> view.halved_y;
    return pixels + colours + pixels / (FILM_STEP * FILM_STEP) * DECODER_BLOCK_NOTES +
           DECODER_SET_NOTES;
}

/* Returns the bytes, or 0: there is no room for them. */
static int64_t decoder_charge(struct film_decoder *d, int64_t bytes)
{
    int64_t more = d->live + bytes - d->charged;

    if (more > d->memory->most - d->memory->used)
        return 0;
    if (more > 0) {
        d->charged += more;
        d->memory->used += more;
    }
    d->live += bytes;
    return bytes;
}

static size_t decoder_most(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Also a copy of the unit, for which libavcodec takes a sixteenth more than it needs. */
static int64_t decoder_notes_bytes(const struct access_unit_notes *n)
{
    int64_t places = (int64_t)decoder_most(DECODER_PLACES, 2 * n->escapes);

    return (int64_t)(n->bytes + n->bytes / 16) +
           (int64_t)n->units * (DECODER_UNIT_NOTES + DECODER_PLACE * places) +
           (int64_t)n->sets * DECODER_SET_NOTES;
}

/* False: there is no room for what will be noted. */
static bool decoder_note(struct film_decoder *d, const struct access_unit_notes *n)
{
    const struct access_unit_notes all = {.bytes = decoder_most(d->notes.bytes, n->bytes),
                                          .units = decoder_most(d->notes.units, n->units),
                                          .escapes = decoder_most(d->notes.escapes, n->escapes),
                                          .sets = decoder_most(d->notes.sets, n->sets)};
    int64_t more = decoder_notes_bytes(&all) - d->noted;

    if (more > 0 && decoder_charge(d, more) == 0) {
        d->refusal = FILM_TOO_MUCH;
        return false;
    }
    d->notes = all;
    d->noted += more;
    return true;
}

/* Nobody has the picture any more. */
static void decoder_freed(void *user, uint8_t *bytes)
{
    struct film_decoder *d = user;

    d->live -= *(int64_t *)(void *)bytes;
    free(bytes);
}

/* Memory for a picture. A reference of ours goes with it, which tells when it is free. */
static int decoder_allocate(AVCodecContext *codec, AVFrame *frame, int flags)
{
    struct film_decoder *d = codec->opaque;
    int64_t *bytes = malloc(sizeof *bytes);
    AVBufferRef *held = NULL;
    int ret = AVERROR(ENOMEM);

    if (bytes)
        held = library.av_buffer_create((uint8_t *)bytes, sizeof *bytes, decoder_freed, d, 0);
    if (!held) {
        free(bytes);
        return ret;
    }
    *bytes = decoder_charge(d, decoder_picture_bytes(frame));
    if (*bytes > 0)
        ret = library.avcodec_default_get_buffer2(codec, frame, flags);
    else
        d->refusal = FILM_TOO_MUCH;
    if (ret < 0)
        library.av_buffer_unref(&held);
    else
        frame->opaque_ref = held;
    return ret;
}

/* ---- from the beginning to the end ---- */

/* Nothing is to be drawn that was not sent: no concealment. Frames that were left out are no error:
 * what comes does not stand on them. */
static bool decoder_open(struct film_decoder *d, int64_t pixels_most, int err_recognition)
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
    d->codec->err_recognition = err_recognition;
    d->codec->error_concealment = 0;
    d->codec->max_pixels = pixels_most;
    d->codec->opaque = d;
    d->codec->get_format = decoder_choose;
    d->codec->get_buffer2 = decoder_allocate;
    d->codec->draw_horiz_band = decoder_drew;
    d->codec->slice_flags = SLICE_FLAG_CODED_ORDER;
    return library.avcodec_open2(d->codec, h264, NULL) == 0;
}

static struct film_decoder *decoder_create(int64_t pixels_most, int err_recognition,
                                           struct film_memory *memory)
{
    struct film_decoder *d = calloc(1, sizeof *d);

    if (!d)
        return NULL;
    d->own.most = DECODER_FILM_MEMORY;
    d->memory = memory ? memory : &d->own;
    library.av_log_set_level(AV_LOG_QUIET);
    if (decoder_open(d, pixels_most, err_recognition))
        return d;
    decoder_destroy(d);
    return NULL;
}

static struct film_decoder *decoder_create_film(void)
{
    return decoder_create(FILM_PIXELS_MOST, AV_EF_EXPLODE, NULL);
}

/* What is wrong in messages beside the pixels is not looked at: hardware encoders do not always
 * write them well. Where pixels are broken, rows are missing. */
static struct film_decoder *decoder_create_foreign(int64_t pixels_most, struct film_memory *memory)
{
    return decoder_create(pixels_most, 0, memory);
}

static bool decoder_frame_is_right(const struct film_decoder *d, int w, int h)
{
    const AVFrame *f = d->drawn;

    return d->rows >= film_side(h) && f->width == film_side(w) && f->height == film_side(h) &&
           (f->format == AV_PIX_FMT_YUV420P || f->format == AV_PIX_FMT_YUVJ420P);
}

/* libavcodec copies what it is given. */
static bool decoder_give(struct film_decoder *d, uint8_t *bytes, size_t size)
{
    d->packet->data = bytes;
    d->packet->size = (int)size;
    return library.avcodec_send_packet(d->codec, d->packet) == 0;
}

static bool decoder_take(struct film_decoder *d, const uint8_t *bytes, size_t size)
{
    uint8_t *units = size > 0 && size <= INT_MAX ? malloc(size) : NULL;
    struct access_unit_notes notes;
    bool given;
    int ret;

    if (!units)
        return false;
    access_unit_copy(units, bytes, size, &notes);
    given = notes.bytes > 0 && decoder_note(d, &notes) && decoder_give(d, units, notes.bytes);
    free(units);
    if (!given)
        return false;
    while ((ret = library.avcodec_receive_frame(d->codec, d->given)) == 0)
        ;
    return ret == AVERROR(EAGAIN);
}

static bool decoder_decode(struct film_decoder *d, const uint8_t *bytes, size_t size, bool key,
                           int w, int h, struct film_planes *out)
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

/* Without a word of the stream's: BT.601 in the limited range, as encoders make it that were told
 * nothing. */
static struct film_colour decoder_colour(const AVFrame *f)
{
    struct film_colour c = {FILM_BT601, f->color_range == AVCOL_RANGE_JPEG};

    if (f->colorspace == AVCOL_SPC_BT709)
        c.matrix = FILM_BT709;
    else if (f->colorspace == AVCOL_SPC_BT2020_NCL)
        c.matrix = FILM_BT2020;
    return c;
}

/* What the stream cuts off at the left and at the top is of whole values of Cb and Cr. */
static bool decoder_view(const AVFrame *f, struct film_view *out)
{
    size_t left = f->crop_left, top = f->crop_top;

    if (!decoder_shape(f->format, out) || left + f->crop_right >= (size_t)f->width ||
        top + f->crop_bottom >= (size_t)f->height)
        return false;
    out->w = f->width - (int)(left + f->crop_right);
    out->h = f->height - (int)(top + f->crop_bottom);
    out->colour = decoder_colour(f);
    for (int i = 0; i < 3; i++) {
        size_t x = i > 0 && out->halved_x ? left / 2 : left;
        size_t y = i > 0 && out->halved_y ? top / 2 : top;

        out->planes.plane[i] = f->data[i] + y * (size_t)f->linesize[i] + x;
        out->planes.stride[i] = f->linesize[i];
    }
    return true;
}

static bool decoder_decode_foreign(struct film_decoder *d, const uint8_t *bytes, size_t size,
                                   struct film_view *out)
{
    d->rows = 0;
    d->refusal = FILM_NOT_REFUSED;
    return decoder_take(d, bytes, size) && d->rows > 0 && d->rows >= d->codec->height &&
           decoder_view(d->drawn, out);
}

static enum film_refusal decoder_refusal(const struct film_decoder *d)
{
    return d->refusal;
}

/* ---- the library ---- */

static bool decoder_loaded(void)
{
    return true;
}

const struct film_decoder_calls *avcodec_decoder_load(void)
{
    static const struct film_decoder_calls calls = {
        .works = decoder_loaded,
        .create = decoder_create_film,
        .create_foreign = decoder_create_foreign,
        .destroy = decoder_destroy,
        .decode = decoder_decode,
        .decode_foreign = decoder_decode_foreign,
        .refusal = decoder_refusal,
    };
    void *handle = dlopen(AVCODEC, RTLD_LAZY | RTLD_LOCAL);
    bool all = handle;

    if (!handle)
        return NULL;
#define CALL(name) all = decoder_find(handle, #name, &library.name) && all
    DECODER_CALLS
#undef CALL
    if (all && library.avcodec_find_decoder(AV_CODEC_ID_H264))
        return &calls;
    dlclose(handle);
    return NULL;
}

static bool decoder_is_in(const char *folder)
{
    char path[PATH_MAX];

    snprintf(path, sizeof path, "%s/" AVCODEC, folder);
    return access(path, R_OK) == 0;
}

/* In a folder that is searched for each library: LD_LIBRARY_PATH, and the system's own. */
static bool decoder_is_in_folders(void)
{
#ifdef RTLD_DI_SERINFO
    void *self = dlopen(NULL, RTLD_LAZY);
    Dl_serinfo size = {0}, *all = NULL;
    bool found = false;

    if (self && dlinfo(self, RTLD_DI_SERINFOSIZE, &size) == 0)
        all = calloc(1, size.dls_size);
    if (all) {
        *all = size;
        if (dlinfo(self, RTLD_DI_SERINFO, all) != 0)
            all->dls_cnt = 0;
    }
    for (unsigned i = 0; all && !found && i < all->dls_cnt; i++)
        found = decoder_is_in(all->dls_serpath[i].dls_name);
    free(all);
    if (self)
        dlclose(self);
    return found;
#else
    return decoder_is_in("/usr/lib") || decoder_is_in("/usr/local/lib");
#endif
}

/* In a folder that only the system's list of libraries names. */
static bool decoder_is_in_cache(void)
{
    static const char name[] = "/" AVCODEC; /* with the NUL behind it */
    int fd = open("/etc/ld.so.cache", O_RDONLY | O_CLOEXEC);
    struct stat s;
    void *all = MAP_FAILED;
    bool found = false;

    if (fd >= 0 && fstat(fd, &s) == 0 && s.st_size > 0)
        all = mmap(NULL, (size_t)s.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (all != MAP_FAILED) {
        found = memmem(all, (size_t)s.st_size, name, sizeof name);
        munmap(all, (size_t)s.st_size);
    }
    if (fd >= 0)
        close(fd);
    return found;
}

bool avcodec_decoder_is_installed(void)
{
    return decoder_is_in_folders() || decoder_is_in_cache();
}
