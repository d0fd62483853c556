#include "rfb/blocks/foretold/foretold.h"

#include <stdlib.h>
#include <string.h>

#include "rfb/blocks/foretold/foretold_model.h"
#include "rfb/blocks/pixels/palette.h"
#include "rfb/blocks/pixels/rgb.h"

#define FORETOLD_ANEW 1 /* the payload's first byte; else 0 */
#define FORETOLD_RGB  0xffffffu

/* Bits of a number of cells less one, of the whole picture; and of pixels of a cell that are cut
 * off at an edge. */
#define FORETOLD_CELLS 12
#define FORETOLD_EDGE  4

/* Bytes that the end of a payload takes at most. */
#define FORETOLD_END 8

/* Numbers of the first pieces have chances of their own. */
#define FORETOLD_FIRST 4

enum foretold_number { FORETOLD_X, FORETOLD_Y, FORETOLD_W, FORETOLD_H, FORETOLD_NUMBERS };

/* What is learnt beside the pixels. */
struct foretold_chances {
    chance more[FORETOLD_FIRST];
    chance place[FORETOLD_FIRST][FORETOLD_NUMBERS][1 << FORETOLD_CELLS];
    chance known;
    chance edge[FORETOLD_NUMBERS][1 << FORETOLD_EDGE];
};

struct foretold {
    struct foretold_model *model;
    struct foretold_chances chances;
    bool anew;   /* nothing was learnt, or what was is not the other end's */
    bool begins; /* the payload that is open says so */
    struct range_coder coder;
    struct undo undo;
    struct rect piece[FORETOLD_PIECES];
    unsigned pieces;
    size_t pixels; /* of all of them */
    uint32_t now[FORETOLD_AREA_MAX], before[FORETOLD_AREA_MAX];
    uint8_t rgb[FORETOLD_AREA_MAX * RGB_PIXEL];
    uint8_t payload[BLOCK_PAYLOAD_MAX];
};

struct foretold *foretold_create(void)
{
    struct foretold *f = calloc(1, sizeof *f);

    if (!f)
        return NULL;
    f->anew = true;
    f->model = foretold_model_create();
    if (f->model)
        return f;
    foretold_destroy(f);
    return NULL;
}

void foretold_destroy(struct foretold *f)
{
    if (!f)
        return;
    foretold_model_destroy(f->model);
    undo_deinit(&f->undo);
    free(f);
}

static void foretold_begin(struct foretold *f)
{
    chance *all = (chance *)&f->chances;

    foretold_model_begin(f->model);
    for (size_t i = 0; i < sizeof f->chances / sizeof *all; i++)
        all[i] = CHANCE_EVEN;
    f->anew = false;
}

unsigned foretold_pieces(const struct foretold *f, const struct rect **pieces)
{
    *pieces = f->piece;
    return f->pieces;
}

const uint8_t *foretold_rgb(const struct foretold *f)
{
    return f->rgb;
}

/* ---- both sides ---- */

/* Pixels of a part of a picture, column by column. */
static void foretold_take(uint32_t *out, const uint32_t *pixels, int stride, struct rect r)
{
    for (int x = r.x; x < r.x + r.w; x++)
        for (int y = r.y; y < r.y + r.h; y++)
            *out++ = pixels[(ptrdiff_t)y * stride + x] & FORETOLD_RGB;
}

static uint8_t *foretold_put_rgb(uint8_t *out, const uint32_t *now, int w, int h)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            out = palette_put_colour(out, now[(ptrdiff_t)x * h + y]);
    return out;
}

/* Another one, or none. */
static bool foretold_more(struct foretold *f, bool more)
{
    unsigned nth = f->pieces < FORETOLD_FIRST ? f->pieces : FORETOLD_FIRST - 1;

    return range_coder_bit(&f->coder, &f->chances.more[nth], more);
}

/* Where the next one is, in cells. */
static struct rect foretold_cells(struct foretold *f, struct rect cells)
{
    unsigned nth = f->pieces < FORETOLD_FIRST ? f->pieces : FORETOLD_FIRST - 1;
    const unsigned number[FORETOLD_NUMBERS] = {(unsigned)cells.x, (unsigned)cells.y,
                                               (unsigned)cells.w - 1, (unsigned)cells.h - 1};
    unsigned out[FORETOLD_NUMBERS];

    for (int i = 0; i < FORETOLD_NUMBERS; i++)
        out[i] = range_coder_number(&f->coder, f->chances.place[nth][i], FORETOLD_CELLS, number[i]);
    return (struct rect){(int)out[FORETOLD_X], (int)out[FORETOLD_Y], (int)out[FORETOLD_W] + 1,
                         (int)out[FORETOLD_H] + 1};
}

static int foretold_edge(struct foretold *f, enum foretold_number which, int pixels)
{
    return (int)range_coder_number(&f->coder, f->chances.edge[which], FORETOLD_EDGE,
                                   (unsigned)pixels);
}

/* What of the piece is coded. False: nothing would be. */
static bool foretold_edges(struct foretold *f, struct foretold_piece *p)
{
    if (!range_coder_bit(&f->coder, &f->chances.known, p->before)) {
        p->before = NULL;
        return true;
    }
    p->left = foretold_edge(f, FORETOLD_X, p->left);
    p->top = foretold_edge(f, FORETOLD_Y, p->top);
    p->right = p->w - foretold_edge(f, FORETOLD_W, p->w - p->right);
    p->bottom = p->h - foretold_edge(f, FORETOLD_H, p->h - p->bottom);
    return p->left < p->right && p->top < p->bottom;
}

/* ---- the far end's side ---- */

void foretold_anew(struct foretold *f)
{
    f->anew = true;
}

void foretold_open(struct foretold *f, size_t most)
{
    f->begins = f->anew;
    if (f->anew)
        foretold_begin(f);
    f->payload[0] = f->begins ? FORETOLD_ANEW : 0;
    f->pieces = 0;
    f->pixels = 0;
    range_coder_write(&f->coder, f->payload + FORETOLD_HEAD, most - FORETOLD_HEAD - FORETOLD_END,
                      &f->undo);
}

static bool foretold_same(const struct foretold_piece *p, int x, int y, int dx, int dy, int count)
{
    for (; count > 0; count--, x += dx, y += dy)
        if (p->now[(ptrdiff_t)x * p->h + y] != p->before[(ptrdiff_t)x * p->h + y])
            return false;
    return true;
}

/* Leaves out columns and rows at the edges that are as before. */
static void foretold_trim(struct foretold_piece *p)
{
    const int most = (1 << FORETOLD_EDGE) - 1;

    while (p->left < most && p->left + 1 < p->right && foretold_same(p, p->left, 0, 0, 1, p->h))
        p->left++;
    while (p->w - p->right < most && p->left + 1 < p->right &&
           foretold_same(p, p->right - 1, 0, 0, 1, p->h))
        p->right--;
    while (p->top < most && p->top + 1 < p->bottom && foretold_same(p, 0, p->top, 1, 0, p->w))
        p->top++;
    while (p->h - p->bottom < most && p->top + 1 < p->bottom &&
           foretold_same(p, 0, p->bottom - 1, 1, 0, p->w))
        p->bottom--;
}

static void foretold_write(struct foretold *f, struct foretold_piece *p, struct rect piece)
{
    foretold_more(f, true);
    foretold_cells(f, (struct rect){piece.x / BLOCK_CELL, piece.y / BLOCK_CELL,
                                    (piece.w + BLOCK_CELL - 1) / BLOCK_CELL,
                                    (piece.h + BLOCK_CELL - 1) / BLOCK_CELL});
    if (p->before)
        foretold_trim(p);
    foretold_edges(f, p);
    foretold_model_code(f->model, &f->coder, p);
}

bool foretold_add(struct foretold *f, const uint32_t *now, const uint32_t *then, int stride,
                  struct rect piece)
{
    const struct range_coder coder = f->coder;
    size_t pixels = (size_t)piece.w * (size_t)piece.h;
    struct foretold_piece p = {.w = piece.w,
                               .h = piece.h,
                               .right = piece.w,
                               .bottom = piece.h,
                               .now = f->now,
                               .before = then ? f->before : NULL};

    if (f->anew || f->pieces == FORETOLD_PIECES || f->pixels + pixels > FORETOLD_AREA_MAX ||
        piece.h > FORETOLD_H_MAX)
        return false;
    foretold_take(f->now, now, stride, piece);
    if (then)
        foretold_take(f->before, then, stride, piece);
    undo_begin(&f->undo);
    foretold_model_keep_colours(f->model);
    foretold_write(f, &p, piece);
    if (f->coder.full) {
        f->coder = coder;
        foretold_model_take_back_colours(f->model);
        f->anew = !undo_take_back(&f->undo);
        return false;
    }
    undo_keep(&f->undo);
    foretold_put_rgb(f->rgb + f->pixels * RGB_PIXEL, f->now, piece.w, piece.h);
    f->pixels += pixels;
    f->piece[f->pieces++] = piece;
    return true;
}

bool foretold_close(struct foretold *f, struct block *out)
{
    uint8_t digest[RGB_DIGEST];

    if (f->pieces == 0) {
        f->anew = f->anew || f->begins;
        return false;
    }
    f->coder.most += FORETOLD_END;
    foretold_more(f, false);
    out->codec = BLOCK_FORETOLD;
    out->quality = 0;
    out->area = f->piece[0];
    for (unsigned i = 1; i < f->pieces; i++)
        out->area = rect_bounds(out->area, f->piece[i]);
    out->payload = f->payload;
    out->size = FORETOLD_HEAD + range_coder_end(&f->coder);
    rgb_digest_bytes(f->rgb, f->pixels * RGB_PIXEL, digest);
    memcpy(f->payload + 1, digest, FORETOLD_DIGEST);
    return true;
}

/* ---- the viewer's side ---- */

/* The next piece. False: there cannot be such a one. */
static bool foretold_read_piece(struct foretold *f, const struct block *b, const uint32_t *pixels,
                                int stride)
{
    struct rect cells = foretold_cells(f, (struct rect){0, 0, 1, 1});
    struct rect r = {cells.x * BLOCK_CELL, cells.y * BLOCK_CELL, cells.w * BLOCK_CELL,
                     cells.h * BLOCK_CELL};
    struct foretold_piece p = {.now = f->now, .before = f->before};
    struct rect piece = rect_intersect(r, b->area);

    if (piece.w <= 0 || piece.h <= 0 || piece.x != r.x || piece.y != r.y ||
        piece.h > FORETOLD_H_MAX || f->pieces == FORETOLD_PIECES ||
        (int64_t)piece.w * piece.h > (int64_t)(FORETOLD_AREA_MAX - f->pixels))
        return false;
    foretold_take(f->before, pixels, stride, piece);
    memcpy(f->now, f->before, (size_t)piece.w * (size_t)piece.h * sizeof *f->now);
    p.w = p.right = piece.w;
    p.h = p.bottom = piece.h;
    if (!foretold_edges(f, &p))
        return false;
    foretold_model_code(f->model, &f->coder, &p);
    foretold_put_rgb(f->rgb + f->pixels * RGB_PIXEL, f->now, piece.w, piece.h);
    f->pixels += (size_t)piece.w * (size_t)piece.h;
    f->piece[f->pieces++] = piece;
    return !f->coder.full;
}

static bool foretold_read_all(struct foretold *f, const struct block *b, const uint32_t *pixels,
                              int stride)
{
    uint8_t digest[RGB_DIGEST];

    f->pieces = 0;
    f->pixels = 0;
    range_coder_read(&f->coder, b->payload + FORETOLD_HEAD, b->size - FORETOLD_HEAD, &f->undo);
    while (foretold_more(f, true))
        if (!foretold_read_piece(f, b, pixels, stride))
            return false;
    rgb_digest_bytes(f->rgb, f->pixels * RGB_PIXEL, digest);
    return memcmp(digest, b->payload + 1, FORETOLD_DIGEST) == 0;
}

enum foretold_read foretold_read(struct foretold *f, const struct block *b, const uint32_t *pixels,
                                 int stride, struct reason *why)
{
    if (b->size <= FORETOLD_HEAD || b->payload[0] > FORETOLD_ANEW) {
        reason_set(why, "a block of foretold text has no valid head");
        return FORETOLD_BROKEN;
    }
    if (b->payload[0] == FORETOLD_ANEW)
        foretold_begin(f);
    if (!f->anew && foretold_read_all(f, b, pixels, stride))
        return FORETOLD_GOOD;
    f->anew = true;
    return FORETOLD_REFUSED;
}

void foretold_missed(struct foretold *f)
{
    f->anew = true;
}
