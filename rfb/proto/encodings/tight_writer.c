#include "rfb/proto/encodings/tight_writer.h"

#include <stdlib.h>
#include <zlib.h>

/* Bytes of a pixel: red, green, blue. */
#define TIGHT_PIXEL 3
/* The control byte and the length, which has 7 bits in each of its bytes. */
#define TIGHT_HEAD 4
/* Fewer bytes than this are not compressed, and have no length. */
#define TIGHT_LEAST 12
/* zlib: quick. A recording is written while the session goes on. */
#define TIGHT_LEVEL 1
/* Room for what deflate makes of so many bytes at worst, with a flush behind. */
#define TIGHT_ROOM (TIGHT_MAX_PIXELS * TIGHT_PIXEL + 4096)

struct tight_writer {
    z_stream deflate;
    uint8_t colours[TIGHT_MAX_PIXELS * TIGHT_PIXEL];
    uint8_t out[TIGHT_HEAD + TIGHT_ROOM];
};

struct tight_writer *tight_writer_create(void)
{
    struct tight_writer *w = calloc(1, sizeof *w);

    if (w && deflateInit(&w->deflate, TIGHT_LEVEL) == Z_OK)
        return w;
    free(w);
    return NULL;
}

void tight_writer_destroy(struct tight_writer *w)
{
    if (!w)
        return;
    deflateEnd(&w->deflate);
    free(w);
}

static size_t tight_writer_colours(uint8_t *out, const uint32_t *pixels, int stride, struct rect r)
{
    uint8_t *end = out;

    for (int y = r.y; y < r.y + r.h; y++) {
        const uint32_t *row = pixels + (ptrdiff_t)y * stride + r.x;

        for (int x = 0; x < r.w; x++) {
            *end++ = (uint8_t)(row[x] >> 16);
            *end++ = (uint8_t)(row[x] >> 8);
            *end++ = (uint8_t)row[x];
        }
    }
    return (size_t)(end - out);
}

/* Three bytes, the lowest 7 bits first. */
static void tight_writer_length(uint8_t out[3], size_t length)
{
    out[0] = (uint8_t)((length & 0x7f) | 0x80);
    out[1] = (uint8_t)((length >> 7 & 0x7f) | 0x80);
    out[2] = (uint8_t)(length >> 14);
}

const uint8_t *tight_writer_write(struct tight_writer *w, const uint32_t *pixels, int stride,
                                  struct rect r, size_t *size)
{
    size_t bytes;

    w->out[0] = 0; /* stream 0, which goes on; no filter */
    if (r.w * r.h * TIGHT_PIXEL < TIGHT_LEAST) {
        *size = 1 + tight_writer_colours(w->out + 1, pixels, stride, r);
        return w->out;
    }
    w->deflate.next_in = w->colours;
    w->deflate.avail_in = (uInt)tight_writer_colours(w->colours, pixels, stride, r);
    w->deflate.next_out = w->out + TIGHT_HEAD;
    w->deflate.avail_out = TIGHT_ROOM;
    deflate(&w->deflate, Z_SYNC_FLUSH);
    bytes = TIGHT_ROOM - w->deflate.avail_out;
    tight_writer_length(w->out + 1, bytes);
    *size = TIGHT_HEAD + bytes;
    return w->out;
}
