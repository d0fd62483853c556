#include "rfb/session/recorder.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "rfb/net/stream.h"
#include "rfb/proto/bytes.h"
#include "rfb/proto/encodings/encodings.h"
#include "rfb/proto/encodings/pixel_format.h"
#include "rfb/proto/encodings/tight_writer.h"
#include "rfb/proto/server_messages.h"
#include "rfb/system/clock.h"
#include "rfb/system/log.h"

/* A longer name of a desktop is cut in a recording. */
#define RECORDER_NAME_MAX 1024

struct recorder {
    struct recording *recording; /* NULL: none */
    struct events *events;
    /* receiver: */
    unsigned part;
    struct tight_writer *writer; /* NULL: what comes is recorded as it comes */
    struct region drawn;         /* and was not recorded yet */

    pthread_mutex_t lock;
    bool on;
};

struct recorder *recorder_create(struct recording *recording, struct events *events)
{
    struct recorder *r = calloc(1, sizeof *r);

    if (!r)
        return NULL;
    r->recording = recording ? recording_share(recording) : NULL;
    r->events = events;
    pthread_mutex_init(&r->lock, NULL);
    return r;
}

void recorder_destroy(struct recorder *r)
{
    if (!r)
        return;
    tight_writer_destroy(r->writer);
    recording_release(r->recording);
    pthread_mutex_destroy(&r->lock);
    free(r);
}

/* ---- the beginning ---- */

/* The message ServerInit, which a part begins with. Returns the bytes. */
static size_t recorder_write_init(uint8_t *out, int width, int height, const char *name)
{
    size_t length = strnlen(name, RECORDER_NAME_MAX);
    uint8_t *p = out;

    p = put16(p, (unsigned)width);
    p = put16(p, (unsigned)height);
    p += pixel_format_write(p, &pixel_format_xrgb);
    p = put32(p, (uint32_t)length);
    memcpy(p, name, length);
    return (size_t)(p - out) + length;
}

static bool recorder_start(struct recorder *r, struct stream *stream)
{
    if (stream)
        stream_record(stream, r->recording, r->part);
    else if (!(r->writer = tight_writer_create()))
        return false;
    return true;
}

void recorder_begin(struct recorder *r, int width, int height, const char *name,
                    struct stream *stream)
{
    uint8_t init[4 + PIXEL_FORMAT_BYTES + 4 + RECORDER_NAME_MAX];
    size_t size;

    if (!r->recording)
        return;
    size = recorder_write_init(init, width, height, name);
    r->part = recording_begin(r->recording, init, size, tick_now());
    if (r->part == 0 || !recorder_start(r, stream))
        return;
    pthread_mutex_lock(&r->lock);
    r->on = true;
    pthread_mutex_unlock(&r->lock);
    log_debug("recording part %u", r->part);
}

/* ---- pictures ---- */

static void recorder_add(struct recorder *r, const void *bytes, size_t size)
{
    recording_add(r->recording, r->part, bytes, size, tick_now());
}

static void recorder_add_rectangle(struct recorder *r, struct rect area, int32_t encoding)
{
    uint8_t head[RECTANGLE_HEAD];

    recorder_add(r, head, server_write_rectangle(head, area, encoding));
}

static void recorder_add_update(struct recorder *r, unsigned rectangles)
{
    uint8_t head[SERVER_UPDATE_HEAD];

    recorder_add(r, head, server_write_update(head, rectangles));
}

/* How the encoding allows an area to be cut: pieces of the size of *piece, left over smaller ones.
 */
static unsigned recorder_pieces(struct rect area, struct rect *piece)
{
    piece->w = area.w < TIGHT_MAX_WIDTH ? area.w : TIGHT_MAX_WIDTH;
    piece->h = TIGHT_MAX_PIXELS / piece->w;
    return (unsigned)((area.w + piece->w - 1) / piece->w) *
           (unsigned)((area.h + piece->h - 1) / piece->h);
}

static void recorder_add_area(struct recorder *r, const uint32_t *pixels, int stride,
                              struct rect area)
{
    struct rect step, piece;
    size_t size;

    recorder_pieces(area, &step);
    for (piece.y = area.y; piece.y < area.y + area.h; piece.y += step.h)
        for (piece.x = area.x; piece.x < area.x + area.w; piece.x += step.w) {
            const uint8_t *payload;

            piece.w = step.w;
            piece.h = step.h;
            piece = rect_intersect(piece, area);
            payload = tight_writer_write(r->writer, pixels, stride, piece, &size);
            recorder_add_rectangle(r, piece, ENCODING_TIGHT);
            recorder_add(r, payload, size);
        }
}

void recorder_drawn(struct recorder *r, struct rect part)
{
    if (r->writer)
        region_add(&r->drawn, part);
}

void recorder_shown(struct recorder *r, struct framebuffer *fb)
{
    unsigned pieces = 0;
    struct rect step;
    int width, height;

    if (!r->writer || r->drawn.count == 0)
        return;
    framebuffer_size(fb, &width, &height);
    for (int i = 0; i < r->drawn.count; i++)
        pieces += recorder_pieces(r->drawn.rects[i], &step);
    recorder_add_update(r, pieces);
    for (int i = 0; i < r->drawn.count; i++)
        recorder_add_area(r, framebuffer_private(fb), width, r->drawn.rects[i]);
    region_clear(&r->drawn);
}

void recorder_resized(struct recorder *r, int width, int height)
{
    struct rect size = {0, 0, width, height};

    if (!r->writer)
        return;
    region_clear(&r->drawn);
    recorder_add_update(r, 1);
    recorder_add_rectangle(r, size, PSEUDO_DESKTOP_SIZE);
}

/* ---- the end ---- */

void recorder_look(struct recorder *r)
{
    struct reason why;
    bool on = recorder_is_on(r);

    if (!on || !recording_failed(r->recording, &why))
        return;
    pthread_mutex_lock(&r->lock);
    r->on = false;
    pthread_mutex_unlock(&r->lock);
    events_notice(r->events, "%s", why.text);
}

bool recorder_is_on(struct recorder *r)
{
    bool on;

    pthread_mutex_lock(&r->lock);
    on = r->on;
    pthread_mutex_unlock(&r->lock);
    return on;
}
