#include "rfb/blocks/block_writer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <turbojpeg.h>
#include <zlib.h>

#include "rfb/blocks/pixels/cells.h"
#include "rfb/blocks/pixels/palette.h"
#include "rfb/blocks/pixels/residual.h"
#include "rfb/blocks/pixels/strip_jpeg.h"

/* zlib, by measurement (docs/blocks.md): level 9 saves 2 % of text, and takes twice as long. */
#define WRITER_LEVEL     6
#define WRITER_WINDOW    (-15) /* raw deflate, no head and no sum */
#define WRITER_MEM_LEVEL 6     /* a smaller table is the sooner empty again for each block */

/* What is left of pixels: looking for repetitions takes three times as long, and makes photographs
 * larger. It pays in shades without grain: where it is less than 1 for so many bytes. */
#define WRITER_EVEN 4

/* Room for a payload that turns out too large, so that it is known by how much. */
#define WRITER_ROOM (4 * BLOCK_PAYLOAD_MAX)
/* The widest strip that is given to turbojpeg. */
#define WRITER_JPEG_WIDTH (BLOCK_AREA_MAX / BLOCK_CELL)

/* Cells that may be text stay exact where that takes at most so much of what JPEG takes that can be
 * read: percent, and the quality. */
#define WRITER_TEXT_PAYS    150
#define WRITER_TEXT_QUALITY 30

#define WRITER_QUALITY_MAX 100

/* A packet that is so full is full. Percent. */
#define WRITER_FULL 80
/* What is aimed at: encoders are not foretold exactly. */
#define WRITER_AIM 93
/* Attempts at a block that fits and is full. More are made only for one that fits. */
#define WRITER_TRIES 3

/* One kind of payload: what it took of late. */
struct writer_expected {
    double bytes, cost; /* fading sums */
};

/* A payload, or an attempt at one. */
struct writer_payload {
    enum block_codec codec;
    int cells, w;
    size_t size; /* more than WRITER_ROOM: it is not known how much */
    uint8_t room[WRITER_ROOM];
};

struct block_writer {
    z_stream text, grain; /* deflate: with a look for repetitions, and without */
    tjhandle jpeg;
    size_t room; /* bytes of a payload at most */
    uint64_t tries, blocks;
    struct writer_expected palette[9]; /* by bits of an index */
    struct writer_expected pixels;
    struct writer_expected strip[WRITER_QUALITY_MAX + 1]; /* by quality */
    struct cells cells, look;
    struct writer_payload payload[2]; /* one that fits, and an attempt */
    int kept;                         /* which of them fits */
    uint8_t bytes[2][BLOCK_AREA_MAX * RESIDUAL_PIXEL];
    uint8_t file[STRIP_JPEG_FILE];
};

/* What is to be encoded. */
struct writer_job {
    const uint32_t *pixels; /* of the first cell */
    int stride, w, h;       /* of the run */
    int quality;            /* of JPEG */
    int cells;
    struct writer_expected *expected;
    /* Encodes the first p->cells cells, p->w pixels wide. False: it does not work. */
    bool (*encode)(struct block_writer *w, const struct writer_job *job, struct writer_payload *p);
};

/* What it takes as long as nothing is known: of a change in text, and of a cell of a picture. Only
 * the first blocks depend on it. */
static void writer_expect(struct block_writer *w)
{
    for (size_t i = 0; i < sizeof w->palette / sizeof *w->palette; i++)
        w->palette[i] = (struct writer_expected){.bytes = 0.2, .cost = 1};
    w->pixels = (struct writer_expected){.bytes = 300, .cost = 1};
    for (int quality = 0; quality <= WRITER_QUALITY_MAX; quality++)
        w->strip[quality] = (struct writer_expected){.bytes = 5 + 0.5 * quality, .cost = 1};
}

struct block_writer *block_writer_create(void)
{
    struct block_writer *w = calloc(1, sizeof *w);

    if (!w)
        return NULL;
    writer_expect(w);
    w->room = BLOCK_PAYLOAD_ANYWHERE;
    w->jpeg = tjInitCompress();
    if (w->jpeg &&
        deflateInit2(&w->text, WRITER_LEVEL, Z_DEFLATED, WRITER_WINDOW, WRITER_MEM_LEVEL,
                     Z_DEFAULT_STRATEGY) == Z_OK &&
        deflateInit2(&w->grain, WRITER_LEVEL, Z_DEFLATED, WRITER_WINDOW, WRITER_MEM_LEVEL,
                     Z_HUFFMAN_ONLY) == Z_OK)
        return w;
    block_writer_destroy(w);
    return NULL;
}

void block_writer_destroy(struct block_writer *w)
{
    if (!w)
        return;
    deflateEnd(&w->text); /* of one that was not begun it says so, and does nothing */
    deflateEnd(&w->grain);
    if (w->jpeg)
        tjDestroy(w->jpeg);
    free(w);
}

void block_writer_give_room(struct block_writer *w, size_t bytes)
{
    w->room = bytes;
}

void block_writer_tries(const struct block_writer *w, uint64_t *tries, uint64_t *blocks)
{
    *tries = w->tries;
    *blocks = w->blocks;
}

/* Deflates behind the first `at` bytes of the payload. */
static void writer_deflate(z_stream *z, const uint8_t *bytes, size_t size, struct writer_payload *p,
                           size_t at)
{
    deflateReset(z);
    z->next_in = (Bytef *)(uintptr_t)bytes; /* it is only read */
    z->avail_in = (uInt)size;
    z->next_out = p->room + at;
    z->avail_out = (uInt)(WRITER_ROOM - at);
    p->size = deflate(z, Z_FINISH) == Z_STREAM_END ? WRITER_ROOM - z->avail_out : WRITER_ROOM + 1;
}

static bool writer_palette(struct block_writer *w, const struct writer_job *job,
                           struct writer_payload *p)
{
    int colours = w->cells.colours_to[p->cells - 1];
    size_t head = (size_t)colours * PALETTE_COLOUR;
    size_t size = head + palette_bytes(colours, p->w, job->h);
    uint8_t rank[PALETTE_MAX];

    if (colours == 1) { /* the run has more, but its first cells have not */
        p->codec = BLOCK_SOLID;
        p->size = PALETTE_COLOUR;
        palette_put_colour(p->room, w->cells.colour[0]);
        return true;
    }
    palette_order(w->cells.colour, colours, rank);
    palette_put(w->bytes[0], w->cells.colour, rank, colours);
    palette_pack(w->bytes[0] + head, w->cells.index, rank, colours, p->w, job->h);
    p->room[0] = (uint8_t)(colours - 1);
    p->codec = BLOCK_PALETTE_DEFLATED;
    writer_deflate(&w->text, w->bytes[0], size, p, 1);
    if (1 + size <= p->size && 1 + size <= WRITER_ROOM) {
        p->codec = BLOCK_PALETTE;
        p->size = 1 + size;
        memcpy(p->room + 1, w->bytes[0], size);
    }
    return true;
}

/* The filter that leaves least, and how much. What it leaves is in w->bytes[1] then. */
static enum residual_filter writer_filter(struct block_writer *w, int width, int h, uint32_t *least)
{
    enum residual_filter best = RESIDUAL_LEFT;

    *least = UINT32_MAX;
    for (int filter = 0; filter < RESIDUAL_FILTERS; filter++) {
        uint32_t weight;

        residual_take(w->bytes[1], w->bytes[0], width, h, (enum residual_filter)filter);
        weight = residual_weight(w->bytes[1], width, h);
        if (weight <= *least) {
            *least = weight;
            best = (enum residual_filter)filter;
        }
    }
    if (best != RESIDUAL_FILTERS - 1)
        residual_take(w->bytes[1], w->bytes[0], width, h, best);
    return best;
}

static bool writer_pixels(struct block_writer *w, const struct writer_job *job,
                          struct writer_payload *p)
{
    size_t size = (size_t)p->w * (size_t)job->h * RESIDUAL_PIXEL;
    uint32_t weight;

    residual_spread(w->bytes[0], job->pixels, job->stride, p->w, job->h);
    p->room[0] = (uint8_t)writer_filter(w, p->w, job->h, &weight);
    p->codec = BLOCK_PIXELS_DEFLATED;
    writer_deflate(weight * WRITER_EVEN < size ? &w->text : &w->grain, w->bytes[1], size, p, 1);
    if (size <= p->size && size <= WRITER_ROOM) {
        uint8_t *out = p->room;

        p->codec = BLOCK_PIXELS;
        p->size = size;
        for (int y = 0; y < job->h; y++)
            for (int x = 0; x < p->w; x++)
                out = palette_put_colour(out, job->pixels[(ptrdiff_t)y * job->stride + x]);
    }
    return true;
}

/* A JPEG file of the first `width` pixels of the run, in w->file. Returns the bytes of its
 * entropy-coded data; 0: it does not work. */
static size_t writer_jpeg(struct block_writer *w, const struct writer_job *job, int width,
                          int quality)
{
    return strip_jpeg(w->jpeg, job->pixels, job->stride, width, job->h, quality, w->file,
                      sizeof w->file);
}

static bool writer_strip(struct block_writer *w, const struct writer_job *job,
                         struct writer_payload *p)
{
    p->size = writer_jpeg(w, job, p->w, job->quality);
    if (p->size == 0)
        return false;
    p->codec = job->quality >= BLOCK_FULL_CHROMA ? BLOCK_JPEG_444 : BLOCK_JPEG_420;
    if (p->size <= WRITER_ROOM)
        memcpy(p->room, w->file + STRIP_HEADER, p->size);
    return true;
}

/* The pixels of the first n cells of a run. */
static int writer_width(const struct writer_job *job, int n)
{
    return n == job->cells ? job->w : n * BLOCK_CELL;
}

/* What they should cost. Of text it is what changes in them; cells of a picture are all the same.
 */
static double writer_cost(const struct block_writer *w, const struct writer_job *job, int n)
{
    return job->encode == writer_palette ? (double)w->cells.cost_to[n - 1] : n;
}

/* How many cells cost so much at most. */
static int writer_within(const struct block_writer *w, const struct writer_job *job, double cost)
{
    int low = 1, high = job->cells;

    while (low < high) {
        int middle = (low + high + 1) / 2;

        if (writer_cost(w, job, middle) <= cost)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

static void writer_learn(struct writer_expected *e, double bytes, double cost)
{
    e->bytes = e->bytes * 0.75 + bytes;
    e->cost = e->cost * 0.75 + cost;
}

static int writer_clamp(int n, int least, int most)
{
    return n < least ? least : n > most ? most : n;
}

/* Encodes as many cells of the run as fit and are needed to make the packet full. False: not even
 * one does, or it does not work. Else the payload is w->payload[w->kept]. */
static bool writer_fit(struct block_writer *w, const struct writer_job *job)
{
    const double aim = (double)w->room * WRITER_AIM / 100.0;
    int fit = 0, over = job->cells + 1;
    int n = writer_within(w, job, aim * job->expected->cost / job->expected->bytes);

    for (int i = 0; fit + 1 < over && (fit == 0 || i < WRITER_TRIES); i++) {
        struct writer_payload *p = &w->payload[!w->kept];
        double cost = writer_cost(w, job, n);

        p->cells = n;
        p->w = writer_width(job, n);
        if (!job->encode(w, job, p))
            return fit > 0;
        w->tries++;
        writer_learn(job->expected, (double)p->size, cost);
        if (p->size > w->room) {
            over = n;
        } else {
            fit = n;
            w->kept = !w->kept;
            if (p->size * 100 >= w->room * WRITER_FULL)
                break;
        }
        n = writer_clamp(writer_within(w, job, cost * aim / (double)p->size), fit + 1, over - 1);
    }
    return fit > 0;
}

/* Whether the run, as it is, is more than a packet holds. */
static bool writer_is_plenty(const struct block_writer *w, const struct writer_expected *e,
                             double cost)
{
    return cost * e->bytes > 1.5 * (double)w->room * e->cost;
}

static int writer_cell_width(struct rect strip, int x)
{
    return strip.w - x < BLOCK_CELL ? strip.w - x : BLOCK_CELL;
}

/* The cells at the strip's left that are text or of one colour. */
static void writer_run_of_text(struct block_writer *w, const uint32_t *pixels, int stride,
                               struct rect strip)
{
    struct cells *c = &w->cells;

    cells_begin(c, strip.h);
    while (c->w < strip.w) {
        enum cell_kind kind = cells_add(c, pixels + c->w, stride, writer_cell_width(strip, c->w));

        if (kind == CELL_PICTURE || kind == CELL_FULL ||
            writer_is_plenty(w, &w->palette[palette_bits(c->colours)], c->changes))
            break;
    }
}

/* The pixels of the cells at the strip's left that are a picture. The first `sure` of them are, and
 * there is one at least. */
static int writer_run_of_picture(struct block_writer *w, const uint32_t *pixels, int stride,
                                 struct rect strip, int sure, const struct writer_expected *e)
{
    int x = 0;

    cells_begin(&w->look, strip.h);
    for (int n = 0; x < strip.w && !writer_is_plenty(w, e, n); n++) {
        int width = writer_cell_width(strip, x);

        if (n >= sure && cells_add(&w->look, pixels + x, stride, width) != CELL_PICTURE)
            break;
        x += width;
    }
    return x;
}

static int writer_cells(int width)
{
    return (width + BLOCK_CELL - 1) / BLOCK_CELL;
}

/* The payload that is kept becomes a block. */
static bool writer_give(struct block_writer *w, int quality, struct block *out)
{
    const struct writer_payload *p = &w->payload[w->kept];

    out->codec = p->codec;
    out->quality = (uint8_t)quality;
    out->area.w = p->w;
    out->payload = p->room;
    out->size = p->size;
    w->blocks++;
    return true;
}

static bool writer_do(struct block_writer *w, struct writer_job job, int quality, struct block *out)
{
    job.cells = writer_cells(job.w);
    return writer_fit(w, &job) && writer_give(w, quality, out);
}

/* The first `sure` cells are a picture; those behind them may be. */
static bool writer_do_picture(struct block_writer *w, struct writer_job job, struct rect strip,
                              int sure, struct block *out)
{
    if (job.quality > 0) {
        job.expected = &w->strip[job.quality];
        job.encode = writer_strip;
        job.w = writer_run_of_picture(w, job.pixels, job.stride, strip, sure, job.expected);
        if (writer_do(w, job, job.quality, out))
            return true;
    }
    job.expected = &w->pixels;
    job.encode = writer_pixels;
    job.w = writer_run_of_picture(w, job.pixels, job.stride, strip, sure, job.expected);
    return writer_do(w, job, 0, out);
}

/* Whether cells that may be text, and have been encoded as such, are to stay so. */
static bool writer_text_pays(struct block_writer *w, const struct writer_job *job)
{
    const struct writer_payload *p = &w->payload[w->kept];
    int quality = job->quality > WRITER_TEXT_QUALITY ? job->quality : WRITER_TEXT_QUALITY;
    size_t jpeg;

    if (job->quality == 0 || p->cells <= w->cells.sure)
        return true;
    w->tries++;
    jpeg = writer_jpeg(w, job, p->w, quality);
    return jpeg == 0 || p->size * 100 <= jpeg * WRITER_TEXT_PAYS;
}

static bool writer_do_text(struct block_writer *w, struct writer_job job, struct rect strip,
                           struct block *out)
{
    job.w = w->cells.w;
    job.expected = &w->palette[palette_bits(w->cells.colours)];
    job.encode = writer_palette;
    if (!writer_do(w, job, 0, out))
        return false;
    if (writer_text_pays(w, &job))
        return true;
    w->blocks--;
    if (w->cells.doubtful > 0)
        return writer_do_picture(w, job, strip, w->cells.doubtful, out);
    job.w = w->cells.width_to[w->cells.sure - 1];
    return writer_do(w, job, 0, out);
}

static bool writer_do_solid(struct block_writer *w, struct block *out)
{
    struct writer_payload *p = &w->payload[w->kept];

    palette_put_colour(p->room, w->cells.colour[0]);
    out->codec = BLOCK_SOLID;
    out->quality = 0;
    out->area.w = w->cells.w;
    out->payload = p->room;
    out->size = PALETTE_COLOUR;
    w->tries++;
    w->blocks++;
    return true;
}

static bool writer_is_row(struct rect strip, int jpeg)
{
    return strip.w > 0 && strip.h > 0 && strip.h <= BLOCK_CELL && strip.x % BLOCK_CELL == 0 &&
           strip.y % BLOCK_CELL == 0 && jpeg >= 0 && jpeg <= WRITER_QUALITY_MAX;
}

/* How many pixels of the strip's height are rows of a picture, of so many rows at most. */
static int writer_picture_height(struct block_writer *w, const uint32_t *pixels, int stride,
                                 struct rect strip, int rows)
{
    for (int y = 0; y < strip.h; y += BLOCK_CELL) {
        if (y / BLOCK_CELL == rows)
            return y;
        cells_begin(&w->look, strip.h - y < BLOCK_CELL ? strip.h - y : BLOCK_CELL);
        for (int x = 0; x < strip.w; x += BLOCK_CELL)
            if (cells_add(&w->look, pixels + (ptrdiff_t)y * stride + x, stride,
                          writer_cell_width(strip, x)) != CELL_PICTURE)
                return y;
    }
    return strip.h;
}

/* How many rows of so many cells a packet holds, by what they took of late. */
static int writer_rows(const struct block_writer *w, const struct writer_expected *e, int cells)
{
    double row = cells * e->bytes / e->cost,
           most = BLOCK_AREA_MAX / (cells * BLOCK_CELL * BLOCK_CELL);

    return (int)fmin((double)w->room * WRITER_AIM / 100.0 / row, most);
}

bool block_write_rows(struct block_writer *w, const uint32_t *pixels, int stride, struct rect strip,
                      int most_h, int jpeg, struct block *out)
{
    struct writer_job job = {.stride = stride, .quality = jpeg};
    struct writer_payload *p = &w->payload[!w->kept];
    struct writer_expected *e;
    int rows;

    if (!writer_is_row(strip, jpeg) || jpeg == 0 || most_h <= strip.h ||
        strip.w > WRITER_JPEG_WIDTH)
        return false;
    e = &w->strip[jpeg];
    p->cells = writer_cells(strip.w);
    p->w = strip.w;
    rows = writer_rows(w, e, p->cells);
    job.pixels = pixels + (ptrdiff_t)strip.y * stride + strip.x;
    strip.h = most_h;
    job.h = rows < 2 ? 0 : writer_picture_height(w, job.pixels, stride, strip, rows);
    if (job.h <= BLOCK_CELL || !writer_strip(w, &job, p))
        return false;
    w->tries++;
    writer_learn(e, (double)p->size, p->cells * writer_cells(job.h));
    if (p->size > w->room)
        return false;
    w->kept = !w->kept;
    strip.h = job.h;
    out->area = strip;
    return writer_give(w, jpeg, out);
}

bool block_write_strip(struct block_writer *w, const uint32_t *pixels, int stride,
                       struct rect strip, int jpeg, struct block *out)
{
    struct writer_job job = {.stride = stride, .h = strip.h, .quality = jpeg};

    if (!writer_is_row(strip, jpeg))
        return false;
    job.pixels = pixels + (ptrdiff_t)strip.y * stride + strip.x;
    out->area = strip;
    if (strip.w > WRITER_JPEG_WIDTH)
        strip.w = WRITER_JPEG_WIDTH;
    writer_run_of_text(w, job.pixels, stride, strip);
    if (w->cells.count == 0)
        return writer_do_picture(w, job, strip, 1, out);
    if (w->cells.colours == 1)
        return writer_do_solid(w, out);
    return writer_do_text(w, job, strip, out);
}
