#include "rfb/film/encoder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <x264.h>

/* Pictures that are kept to stand on: the most that H.264 has. So a picture is found that the
 * viewer has, though all of a round trip's were lost. Only the newest of them is looked at. */
#define ENCODER_KEPT 16
/* Pictures' bytes that one picture may take. Chosen: so long a key frame may hold up the next
 * frame; less makes it coarse. */
#define ENCODER_BURST 2.0
/* The coarsest step of quantisation, of 51. Measured (640x360, 30 fps, the lab's film): at 780
 * bytes a picture has 28.1 dB where 51 is allowed, and 31.7 dB with 867 bytes at 42. What is
 * coarser saves hardly anything; such pictures come less often. */
#define ENCODER_COARSEST 42
/* How much x264 tries to find what takes fewer bytes (its "subme"), and up to how many bytes and
 * macroblocks of 16x16 pixels of a picture it does. Measured (640x360, 30 fps, the lab's film): at
 * a quantiser of 42 it takes 719 bytes and 35.3 dB of brightness in 2.9 ms, else 836 bytes and 34.8
 * dB in 1.3 ms. Where there are more bytes it wins less, and takes longer. */
#define ENCODER_THOROUGH       6
#define ENCODER_THOROUGH_BYTES 2.0 /* for each macroblock */
#define ENCODER_THOROUGH_MOST  1200
/* The rate is another one when it differs by so much, a share. */
#define ENCODER_OTHER 0.05
/* Bytes of a picture at least. */
#define ENCODER_LEAST 400

struct film_encoder {
    x264_t *x264;
    x264_param_t param;
    double fps, kbit; /* as it was told */
    int quick;        /* the preset's effort */
    uint8_t *bytes;
    size_t room;
};

bool film_encoder_works(void)
{
    return true;
}

struct film_encoder *film_encoder_create(void)
{
    return calloc(1, sizeof(struct film_encoder));
}

static void encoder_close(struct film_encoder *e)
{
    if (e->x264)
        x264_encoder_close(e->x264);
    e->x264 = NULL;
}

void film_encoder_destroy(struct film_encoder *e)
{
    if (!e)
        return;
    encoder_close(e);
    free(e->bytes);
    free(e);
}

/* kbit/s at `e->fps`. */
static double encoder_kbit(const struct film_encoder *e, const struct film_demand *d)
{
    double bytes = d->bytes > ENCODER_LEAST ? (double)d->bytes : ENCODER_LEAST;

    return bytes * 8e-3 * e->fps;
}

static void encoder_rate(struct film_encoder *e, double kbit)
{
    e->kbit = kbit;
    e->param.rc.i_bitrate = e->param.rc.i_vbv_max_bitrate = (int)fmax(1, kbit);
    e->param.rc.i_vbv_buffer_size = (int)fmax(1, ENCODER_BURST * kbit / e->fps);
}

/* Where bytes are few each is worth more time. */
static void encoder_effort(struct film_encoder *e, const struct film_demand *d)
{
    int blocks = e->param.i_width / FILM_STEP * (e->param.i_height / FILM_STEP);
    bool thorough =
        blocks <= ENCODER_THOROUGH_MOST && (double)d->bytes <= ENCODER_THOROUGH_BYTES * blocks;

    e->param.analyse.i_subpel_refine = thorough ? ENCODER_THOROUGH : e->quick;
}

/* Main or High, as the preset has it: libavcodec reads all. */
static bool encoder_open(struct film_encoder *e, int w, int h, const struct film_demand *d)
{
    x264_param_t *p = &e->param;

    encoder_close(e);
    if (x264_param_default_preset(p, "superfast", "zerolatency") < 0)
        return false;
    e->fps = fmin(fmax(d->fps, 1), 120);
    p->i_threads = 1;
    p->b_sliced_threads = 0;
    p->i_width = w;
    p->i_height = h;
    p->i_csp = X264_CSP_I420;
    p->b_vfr_input = 0;
    p->i_fps_num = (uint32_t)(e->fps * 1000);
    p->i_fps_den = 1000;
    p->i_keyint_max = X264_KEYINT_MAX_INFINITE;
    p->i_scenecut_threshold = 0;
    p->i_frame_reference = 1;
    p->i_dpb_size = ENCODER_KEPT;
    p->analyse.i_weighted_pred = X264_WEIGHTP_NONE;
    p->analyse.b_psy = 0; /* near to the picture, not to its grain */
    p->b_repeat_headers = 1;
    p->b_annexb = 1;
    p->i_log_level = X264_LOG_NONE;
    p->vui.b_fullrange = 1;
    p->vui.i_colmatrix = 6; /* BT.601 */
    p->rc.i_rc_method = X264_RC_ABR;
    p->rc.i_qp_max = ENCODER_COARSEST;
    e->quick = p->analyse.i_subpel_refine;
    encoder_effort(e, d);
    encoder_rate(e, encoder_kbit(e, d));
    e->x264 = x264_encoder_open(p);
    return e->x264;
}

/* The bytes of the picture alone: what x264 says of itself is left out. */
static bool encoder_keep(struct film_encoder *e, const x264_nal_t *nal, int count, size_t *size)
{
    size_t room = 0;

    *size = 0;
    for (int i = 0; i < count; i++)
        room += (size_t)nal[i].i_payload;
    if (room > e->room) {
        uint8_t *more = realloc(e->bytes, room);

        if (!more)
            return false;
        e->bytes = more;
        e->room = room;
    }
    for (int i = 0; i < count; i++) {
        if (nal[i].i_type == NAL_SEI)
            continue;
        memcpy(e->bytes + *size, nal[i].p_payload, (size_t)nal[i].i_payload);
        *size += (size_t)nal[i].i_payload;
    }
    return true;
}

static bool encoder_follow(struct film_encoder *e, const struct film_demand *d)
{
    double kbit = encoder_kbit(e, d);

    if (d->forgets && !d->key && x264_encoder_invalidate_reference(e->x264, d->forget_from) < 0)
        return false;
    if (fabs(kbit - e->kbit) <= ENCODER_OTHER * e->kbit)
        return true;
    encoder_rate(e, kbit);
    encoder_effort(e, d);
    return x264_encoder_reconfig(e->x264, &e->param) == 0;
}

static void encoder_set_picture(x264_picture_t *in, const struct film_picture *p,
                                const struct film_demand *d)
{
    const struct film_planes planes = film_picture_planes(p);

    x264_picture_init(in);
    in->img.i_csp = X264_CSP_I420;
    in->img.i_plane = 3;
    for (int i = 0; i < 3; i++) {
        in->img.plane[i] = (uint8_t *)(uintptr_t)planes.plane[i]; /* it is only read */
        in->img.i_stride[i] = planes.stride[i];
    }
    in->i_pts = d->number;
    in->i_type = d->key ? X264_TYPE_IDR : X264_TYPE_AUTO;
}

bool film_encode(struct film_encoder *e, const struct film_picture *p, const struct film_demand *d,
                 struct film_coded *out)
{
    x264_picture_t in, made;
    x264_nal_t *nal;
    int count;

    if (!e->x264 || e->param.i_width != p->w || e->param.i_height != p->h) {
        if (!d->key || !encoder_open(e, p->w, p->h, d))
            return false;
    } else if (!encoder_follow(e, d)) {
        return false;
    }
    encoder_set_picture(&in, p, d);
    if (x264_encoder_encode(e->x264, &nal, &count, &in, &made) <= 0 ||
        !encoder_keep(e, nal, count, &out->size))
        return false;
    out->bytes = e->bytes;
    out->key = made.i_type == X264_TYPE_IDR;
    out->qp = made.i_qpplus1 > 1 ? made.i_qpplus1 - 1 : 1;
    return true;
}
