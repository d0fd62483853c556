#include "rfb/blocks/block_reader.h"

#include <stdlib.h>
#include <string.h>
#include <turbojpeg.h>
#include <zlib.h>

#include "rfb/blocks/pixels/palette.h"
#include "rfb/blocks/pixels/residual.h"
#include "rfb/blocks/pixels/strip_jpeg.h"

#define READER_RAW (-15) /* zlib: raw deflate, any window */

struct block_reader {
    z_stream inflate;
    tjhandle jpeg;
    uint8_t bytes[BLOCK_AREA_MAX * RESIDUAL_PIXEL]; /* more than indices and a palette */
    uint8_t index[BLOCK_AREA_MAX];
    const uint32_t *old; /* the viewer's old picture; NULL: there is none */
    int old_width, old_height;
    uint8_t file[STRIP_HEADER + BLOCK_PAYLOAD_MAX + STRIP_END];
};

/* The block's rectangle in the picture. */
struct reader_place {
    uint32_t *pixels;
    int stride, w, h;
};

struct block_reader *block_reader_create(void)
{
    struct block_reader *r = calloc(1, sizeof *r);

    if (!r)
        return NULL;
    r->jpeg = tjInitDecompress();
    if (r->jpeg && inflateInit2(&r->inflate, READER_RAW) == Z_OK)
        return r;
    block_reader_destroy(r);
    return NULL;
}

void block_reader_destroy(struct block_reader *r)
{
    if (!r)
        return;
    inflateEnd(&r->inflate); /* of one that was not begun it says so, and does nothing */
    if (r->jpeg)
        tjDestroy(r->jpeg);
    free(r);
}

void block_reader_use_old(struct block_reader *r, const uint32_t *pixels, int width, int height)
{
    r->old = pixels;
    r->old_width = width;
    r->old_height = height;
}

/* Exactly so many bytes from all of the data, into r->bytes. */
static bool reader_inflate(struct block_reader *r, const uint8_t *data, size_t size, size_t wanted,
                           struct reason *why)
{
    int result;

    inflateReset(&r->inflate);
    r->inflate.next_in = (Bytef *)(uintptr_t)data; /* it is only read */
    r->inflate.avail_in = (uInt)size;
    r->inflate.next_out = r->bytes;
    r->inflate.avail_out = (uInt)wanted;
    result = inflate(&r->inflate, Z_FINISH);
    if (result != Z_STREAM_END || r->inflate.avail_out > 0)
        return reason_set(why, "a block does not inflate to its size");
    if (r->inflate.avail_in > 0)
        return reason_set(why, "a block has bytes behind its deflated data");
    return true;
}

static bool reader_solid(const struct block *b, struct reader_place c)
{
    uint32_t colour = palette_get_colour(b->payload);

    for (int y = 0; y < c.h; y++)
        for (int x = 0; x < c.w; x++)
            c.pixels[(ptrdiff_t)y * c.stride + x] = colour;
    return true;
}

/* As if all of it were read before any is written. */
static bool reader_copy(const struct block *b, uint32_t *pixels, struct reader_place c,
                        struct rect whole, struct reason *why)
{
    struct rect from = {.w = c.w, .h = c.h};
    bool down;

    block_get_copy(b, &from.x, &from.y);
    down = from.y < b->area.y;
    if (!rect_inside(from, whole))
        return reason_set(why, "a block copies from outside of the picture");
    for (int i = 0; i < c.h; i++) {
        ptrdiff_t y = down ? c.h - 1 - i : i;

        memmove(c.pixels + y * c.stride, pixels + (from.y + y) * c.stride + from.x,
                (size_t)c.w * sizeof *pixels);
    }
    return true;
}

static void reader_draw_indices(const uint8_t *index, const uint32_t *colour, struct reader_place c)
{
    for (int x = 0; x < c.w; x++)
        for (int y = 0; y < c.h; y++)
            c.pixels[(ptrdiff_t)y * c.stride + x] = colour[*index++];
}

static bool reader_palette(struct block_reader *r, const struct block *b, struct reader_place c,
                           struct reason *why)
{
    int colours = b->payload[0] + 1;
    size_t head = (size_t)colours * PALETTE_COLOUR;
    size_t size = head + palette_bytes(colours, c.w, c.h), pixels = (size_t)c.w * (size_t)c.h;
    const uint8_t *body = b->payload + 1;
    uint32_t colour[PALETTE_MAX];

    if (colours < PALETTE_MIN)
        return reason_set(why, "a block has a palette of one colour");
    if (b->codec == BLOCK_PALETTE) {
        if (b->size - 1 != size)
            return reason_set(why, "a block has %zu bytes of palette and indices, not %zu",
                              b->size - 1, size);
    } else {
        if (!reader_inflate(r, body, b->size - 1, size, why))
            return false;
        body = r->bytes;
    }
    palette_get(colour, body, colours);
    palette_unpack(r->index, body + head, colours, c.w, c.h);
    for (size_t i = 0; i < pixels; i++)
        if (r->index[i] >= colours)
            return reason_set(why, "a block has colour %d of %d", r->index[i], colours);
    reader_draw_indices(r->index, colour, c);
    return true;
}

static bool reader_pixels(const struct block *b, struct reader_place c, struct reason *why)
{
    const uint8_t *in = b->payload;

    if (b->size != (size_t)c.w * (size_t)c.h * PALETTE_COLOUR)
        return reason_set(why, "a block has %zu bytes for %dx%d pixels", b->size, c.w, c.h);
    for (int y = 0; y < c.h; y++)
        for (int x = 0; x < c.w; x++, in += PALETTE_COLOUR)
            c.pixels[(ptrdiff_t)y * c.stride + x] = palette_get_colour(in);
    return true;
}

static bool reader_residual(struct block_reader *r, const struct block *b, struct reader_place c,
                            struct reason *why)
{
    size_t size = (size_t)c.w * (size_t)c.h * RESIDUAL_PIXEL;

    if (b->payload[0] >= RESIDUAL_FILTERS)
        return reason_set(why, "a block has the unknown filter %d", b->payload[0]);
    if (!reader_inflate(r, b->payload + 1, b->size - 1, size, why))
        return false;
    residual_restore(r->bytes, c.w, c.h, (enum residual_filter)b->payload[0]);
    residual_gather(c.pixels, c.stride, r->bytes, c.w, c.h);
    return true;
}

/* Only entropy-coded data, with nothing in it that changes what it means or lets it begin again:
 * behind each 0xff comes the 0 that makes it a byte of the data. */
static bool reader_is_entropy(const uint8_t *data, size_t size)
{
    const uint8_t *end = data + size;

    while ((data = memchr(data, 0xff, (size_t)(end - data)))) {
        if (end - data < 2 || data[1] != 0)
            return false;
        data += 2;
    }
    return true;
}

static bool reader_strip(struct block_reader *r, const struct block *b, struct reader_place c,
                         struct reason *why)
{
    if (!reader_is_entropy(b->payload, b->size))
        return reason_set(why, "a block has a JPEG marker");
    strip_header_write(r->file, b->quality, b->codec == BLOCK_JPEG_444, c.w, c.h);
    memcpy(r->file + STRIP_HEADER, b->payload, b->size);
    strip_end_write(r->file + STRIP_HEADER + b->size);
    if (tjDecompress2(r->jpeg, r->file, (unsigned long)(STRIP_HEADER + b->size + STRIP_END),
                      (unsigned char *)c.pixels, c.w, c.stride * (int)sizeof *c.pixels, c.h,
                      TJPF_BGRX, TJFLAG_STOPONWARNING) != 0)
        return reason_set(why, "a block has broken JPEG data");
    return true;
}

static bool reader_old(const struct block_reader *r, const struct block *b, struct reader_place c,
                       struct rect whole, struct reason *why)
{
    if (b->payload[0] != BLOCK_OLD_DRAWS || b->size != BLOCK_OLD_BYTES)
        return reason_set(why, "a block has %d where it draws from the old picture", b->payload[0]);
    if (!r->old || r->old_width != whole.w || r->old_height != whole.h)
        return reason_set(why, "a block is of an old picture, and there is none of %dx%d", whole.w,
                          whole.h);
    for (ptrdiff_t y = 0; y < c.h; y++)
        memcpy(c.pixels + y * c.stride, r->old + (b->area.y + y) * c.stride + b->area.x,
               (size_t)c.w * sizeof *c.pixels);
    return true;
}

bool block_read(struct block_reader *r, const struct block *b, uint32_t *pixels, int width,
                int height, struct reason *why)
{
    struct rect whole = {0, 0, width, height};
    struct reader_place c = {.stride = width, .w = b->area.w, .h = b->area.h};

    if (!rect_inside(b->area, whole))
        return reason_set(why, "a block is not inside of the picture");
    c.pixels = pixels + (ptrdiff_t)b->area.y * width + b->area.x;
    switch (b->codec) {
    case BLOCK_SOLID:
        return reader_solid(b, c);
    case BLOCK_COPY:
        return reader_copy(b, pixels, c, whole, why);
    case BLOCK_PALETTE:
    case BLOCK_PALETTE_DEFLATED:
        return reader_palette(r, b, c, why);
    case BLOCK_PIXELS:
        return reader_pixels(b, c, why);
    case BLOCK_PIXELS_DEFLATED:
        return reader_residual(r, b, c, why);
    case BLOCK_JPEG_420:
    case BLOCK_JPEG_444:
        return reader_strip(r, b, c, why);
    case BLOCK_OLD:
        return reader_old(r, b, c, whole, why);
    default:
        return reason_set(why, "a block has the unknown codec %d", (int)b->codec);
    }
}
