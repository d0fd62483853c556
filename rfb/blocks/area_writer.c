#include "rfb/blocks/area_writer.h"

#include <stdlib.h>
#include <string.h>
#include <turbojpeg.h>
#include <zlib.h>

#include "rfb/blocks/pixels/palette.h"
#include "rfb/blocks/pixels/residual.h"
#include "rfb/blocks/pixels/strip_jpeg.h"

#define AREA_LEVEL     6
#define AREA_WINDOW    (-15) /* raw deflate, no head and no sum */
#define AREA_MEM_LEVEL 6
#define AREA_RGB       0xffffffu
#define AREA_SLOTS     1024 /* of the table of colours; a power of 2, more than PALETTE_MAX */

struct area_writer {
    z_stream deflate;
    tjhandle jpeg;
    uint32_t colour[PALETTE_MAX];
    int colours;
    int16_t slot[AREA_SLOTS];      /* a colour, or -1 */
    uint8_t index[BLOCK_AREA_MAX]; /* column by column */
    uint8_t bytes[2][BLOCK_AREA_MAX * RESIDUAL_PIXEL];
    uint8_t payload[STRIP_JPEG_FILE]; /* deflate makes no more of pixels */
};

struct area_writer *area_writer_create(void)
{
    struct area_writer *w = calloc(1, sizeof *w);

    if (!w)
        return NULL;
    w->jpeg = tjInitCompress();
    if (w->jpeg && deflateInit2(&w->deflate, AREA_LEVEL, Z_DEFLATED, AREA_WINDOW, AREA_MEM_LEVEL,
                                Z_DEFAULT_STRATEGY) == Z_OK)
        return w;
    area_writer_destroy(w);
    return NULL;
}

void area_writer_destroy(struct area_writer *w)
{
    if (!w)
        return;
    deflateEnd(&w->deflate); /* of one that was not begun it says so, and does nothing */
    if (w->jpeg)
        tjDestroy(w->jpeg);
    free(w);
}

/* The number of this colour; it gets one. -1: there are too many. */
static int area_colour(struct area_writer *w, uint32_t colour)
{
    unsigned slot = (colour * 2654435761u) >> 22; /* AREA_SLOTS - 1 at most */

    for (; w->slot[slot] >= 0; slot = (slot + 1) % AREA_SLOTS)
        if (w->colour[w->slot[slot]] == colour)
            return w->slot[slot];
    if (w->colours == PALETTE_MAX)
        return -1;
    w->slot[slot] = (int16_t)w->colours;
    w->colour[w->colours] = colour;
    return w->colours++;
}

/* False: it has more colours than a palette. */
static bool area_count(struct area_writer *w, const uint32_t *pixels, int stride, int width, int h)
{
    uint8_t *index = w->index;
    uint32_t last = ~0u;
    int number = 0;

    w->colours = 0;
    memset(w->slot, 0xff, sizeof w->slot); /* -1 */
    for (int x = 0; x < width; x++)
        for (int y = 0; y < h; y++) {
            uint32_t colour = pixels[(ptrdiff_t)y * stride + x] & AREA_RGB;

            if (colour != last && (number = area_colour(w, colour)) < 0)
                return false;
            last = colour;
            *index++ = (uint8_t)number;
        }
    return true;
}

/* Behind the first byte of the payload. Returns the bytes of the payload. */
static size_t area_deflate(struct area_writer *w, const uint8_t *bytes, size_t size)
{
    deflateReset(&w->deflate);
    w->deflate.next_in = (Bytef *)(uintptr_t)bytes; /* it is only read */
    w->deflate.avail_in = (uInt)size;
    w->deflate.next_out = w->payload + 1;
    w->deflate.avail_out = sizeof w->payload - 1;
    deflate(&w->deflate, Z_FINISH);
    return sizeof w->payload - w->deflate.avail_out;
}

static void area_palette(struct area_writer *w, int width, int h, struct block *out)
{
    size_t head = (size_t)w->colours * PALETTE_COLOUR;
    size_t size = head + palette_bytes(w->colours, width, h);
    uint8_t rank[PALETTE_MAX];

    palette_order(w->colour, w->colours, rank);
    palette_put(w->bytes[0], w->colour, rank, w->colours);
    palette_pack(w->bytes[0] + head, w->index, rank, w->colours, width, h);
    w->payload[0] = (uint8_t)(w->colours - 1);
    out->codec = BLOCK_PALETTE_DEFLATED;
    out->size = area_deflate(w, w->bytes[0], size);
    if (1 + size <= out->size) {
        out->codec = BLOCK_PALETTE;
        out->size = 1 + size;
        memcpy(w->payload + 1, w->bytes[0], size);
    }
}

static void area_pixels(struct area_writer *w, const uint32_t *pixels, int stride, int width, int h,
                        struct block *out)
{
    size_t size = (size_t)width * (size_t)h * RESIDUAL_PIXEL;

    residual_spread(w->bytes[0], pixels, stride, width, h);
    residual_take(w->bytes[1], w->bytes[0], width, h, RESIDUAL_PAETH);
    w->payload[0] = RESIDUAL_PAETH;
    out->codec = BLOCK_PIXELS_DEFLATED;
    out->size = area_deflate(w, w->bytes[1], size);
    if (size <= out->size) {
        uint8_t *at = w->payload;

        out->codec = BLOCK_PIXELS;
        out->size = size;
        for (int y = 0; y < h; y++)
            for (int x = 0; x < width; x++)
                at = palette_put_colour(at, pixels[(ptrdiff_t)y * stride + x]);
    }
}

/* False: it does not work. */
static bool area_jpeg(struct area_writer *w, const uint32_t *pixels, int stride, int width, int h,
                      int quality, struct block *out)
{
    out->size =
        strip_jpeg(w->jpeg, pixels, stride, width, h, quality, w->payload, sizeof w->payload);
    if (out->size == 0)
        return false;
    out->codec = quality >= BLOCK_FULL_CHROMA ? BLOCK_JPEG_444 : BLOCK_JPEG_420;
    out->quality = (uint8_t)quality;
    out->payload = w->payload + STRIP_HEADER;
    return true;
}

bool area_write(struct area_writer *w, const uint32_t *pixels, int stride, struct rect area,
                int jpeg, struct block *out)
{
    if (area.w <= 0 || area.h <= 0 || (int64_t)area.w * area.h > BLOCK_AREA_MAX || jpeg < 0 ||
        jpeg > 100)
        return false;
    pixels += (ptrdiff_t)area.y * stride + area.x;
    out->area = area;
    out->quality = 0;
    out->payload = w->payload;
    if (area_count(w, pixels, stride, area.w, area.h)) {
        if (w->colours > 1) {
            area_palette(w, area.w, area.h, out);
            return true;
        }
        out->codec = BLOCK_SOLID;
        out->size = PALETTE_COLOUR;
        palette_put_colour(w->payload, w->colour[0]);
        return true;
    }
    if (jpeg == 0 || !area_jpeg(w, pixels, stride, area.w, area.h, jpeg, out))
        area_pixels(w, pixels, stride, area.w, area.h, out);
    return true;
}
