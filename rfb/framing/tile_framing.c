#include "rfb/framing/server_steps.h"

#include "rfb/proto/bytes.h"
#include "rfb/proto/encodings/encodings.h"

#define TILE 16 /* pixels, each side */

/* What a Hextile tile has. */
enum {
    HEXTILE_RAW = 1,
    HEXTILE_BACKGROUND = 2,
    HEXTILE_FOREGROUND = 4,
    HEXTILE_PARTS = 8,
    HEXTILE_COLOURED = 16, /* each part has its own pixel */
    ZLIBHEX_RAW = 32,
    ZLIBHEX_ZLIB = 64,
};
#define HEXTILE_PART 2 /* bytes: place and size */
#define ZLIB_LENGTH  2

/* Kinds of a TRLE tile; 2..16 are packed with a palette of so many colours. */
enum {
    TRLE_RAW = 0,
    TRLE_SOLID = 1,
    TRLE_PACKED_MAX = 16,
    TRLE_PACKED_AGAIN = 127, /* with the palette of the tile before */
    TRLE_RUNS = 128,
    TRLE_PALETTE_RUNS_AGAIN = 129,
    TRLE_PALETTE_RUNS = 128, /* and more: so many colours */
};
#define RUN_FOLLOWS 0x80 /* a bit of a place in the palette */
#define RUN_GOES_ON 255

static int tile_smaller(int a, int b)
{
    return a < b ? a : b;
}

static unsigned tile_width(const struct server_framing *f)
{
    return (unsigned)tile_smaller(TILE, f->rect.w - f->tile_x);
}

static unsigned tile_height(const struct server_framing *f)
{
    return (unsigned)tile_smaller(TILE, f->rect.h - f->tile_y);
}

static unsigned tile_area(const struct server_framing *f)
{
    return tile_width(f) * tile_height(f);
}

static void await_tile(struct server_framing *f, uint64_t skip)
{
    server_await(f, skip, f->encoding == FOREIGN_TRLE ? STEP_TRLE : STEP_HEXTILE, 1);
}

void tile_begin(struct server_framing *f)
{
    f->tile_x = f->tile_y = 0;
    f->tile_palette = 0;
    if (f->rect.w > 0 && f->rect.h > 0)
        await_tile(f, 0);
    else
        server_rectangle_ends(f, 0);
}

/* Passes `skip` bytes over; then the tile has ended. */
static void tile_ends(struct server_framing *f, uint64_t skip)
{
    f->tile_x += TILE;
    if (f->tile_x >= f->rect.w) {
        f->tile_x = 0;
        f->tile_y += TILE;
    }
    if (f->tile_y < f->rect.h)
        await_tile(f, skip);
    else
        server_rectangle_ends(f, skip);
}

/* ---- Hextile ---- */

static void tile_hextile(struct server_framing *f)
{
    unsigned kind = f->in.head[0];
    uint64_t colours = 0;

    f->tile_kind = (uint8_t)kind;
    if (f->encoding == FOREIGN_ZLIBHEX && kind & (ZLIBHEX_RAW | ZLIBHEX_ZLIB)) {
        server_await(f, 0, STEP_HEXTILE_ZLIB, ZLIB_LENGTH);
        return;
    }
    if (kind & HEXTILE_RAW) {
        tile_ends(f, tile_area(f) * server_pixel_bytes(f));
        return;
    }
    if (kind & HEXTILE_BACKGROUND)
        colours += server_pixel_bytes(f);
    if (kind & HEXTILE_FOREGROUND)
        colours += server_pixel_bytes(f);
    if (kind & HEXTILE_PARTS)
        server_await(f, colours, STEP_HEXTILE_COUNT, 1);
    else
        tile_ends(f, colours);
}

static void hextile_parts(struct server_framing *f)
{
    size_t part = HEXTILE_PART + (f->tile_kind & HEXTILE_COLOURED ? server_pixel_bytes(f) : 0);

    tile_ends(f, f->in.head[0] * part);
}

/* ---- TRLE ---- */

/* A pixel is three bytes where its colours are in three of its four. */
static size_t trle_pixel(const struct server_framing *f)
{
    const struct pixel_format *p = &f->format;
    uint64_t used = 0;

    if (p->bits != 32 || !p->true_colour || p->depth > 24)
        return server_pixel_bytes(f);
    for (int i = 0; i < 3; i++)
        used |= (uint64_t)p->max[i] << p->shift[i];
    return used < 1u << 24 || (used & 0xff) == 0 ? 3 : 4;
}

/* Pixels as places in a palette, behind `skip` bytes of it: rows of whole bytes. */
static void trle_packed(struct server_framing *f, uint64_t skip)
{
    unsigned colours = f->tile_palette;
    unsigned bits = colours <= 1 ? 0 : colours <= 2 ? 1 : colours <= 4 ? 2 : 4;

    tile_ends(f, skip + (tile_width(f) * bits + 7) / 8 * tile_height(f));
}

static void await_run(struct server_framing *f, uint64_t skip)
{
    server_await(f, skip, STEP_TRLE_PIXEL, f->tile_kind == TRLE_RUNS ? trle_pixel(f) : 1);
}

static void tile_trle(struct server_framing *f)
{
    uint8_t kind = f->in.head[0];
    size_t pixel = trle_pixel(f);

    f->tile_kind = kind;
    f->tile_left = tile_area(f);
    if (kind == TRLE_RAW) {
        tile_ends(f, tile_area(f) * pixel);
    } else if (kind <= TRLE_PACKED_MAX) { /* one colour: no bits for a pixel */
        f->tile_palette = kind;
        trle_packed(f, kind * pixel);
    } else if (kind == TRLE_PACKED_AGAIN && f->tile_palette > 0 &&
               f->tile_palette <= TRLE_PACKED_MAX) {
        trle_packed(f, 0);
    } else if (kind == TRLE_RUNS || (kind == TRLE_PALETTE_RUNS_AGAIN && f->tile_palette > 1)) {
        await_run(f, 0);
    } else if (kind > TRLE_PALETTE_RUNS_AGAIN) {
        f->tile_palette = (uint8_t)(kind - TRLE_PALETTE_RUNS);
        await_run(f, f->tile_palette * pixel);
    } else {
        server_hostile(f, "a TRLE tile of impossible kind", kind);
    }
}

/* So many pixels of the tile have come. */
static void run_of(struct server_framing *f, unsigned pixels, bool goes_on)
{
    if (pixels > f->tile_left) {
        server_hostile(
            f, "a TRLE run that is too long for its tile, pixels left:", (long)f->tile_left);
        return;
    }
    f->tile_left -= pixels;
    if (goes_on)
        server_await(f, 0, STEP_TRLE_RUN, 1);
    else if (f->tile_left > 0)
        await_run(f, 0);
    else
        tile_ends(f, 0);
}

/* The first pixel of a run; its length says how many more there are. */
static void trle_first(struct server_framing *f)
{
    run_of(f, 1, f->tile_kind == TRLE_RUNS || f->in.head[0] & RUN_FOLLOWS);
}

void tile_step(struct server_framing *f)
{
    switch ((enum server_step)f->step) {
    case STEP_HEXTILE:
        tile_hextile(f);
        break;
    case STEP_HEXTILE_COUNT:
        hextile_parts(f);
        break;
    case STEP_HEXTILE_ZLIB:
        tile_ends(f, get16(f->in.head));
        break;
    case STEP_TRLE_PIXEL:
        trle_first(f);
        break;
    case STEP_TRLE_RUN:
        run_of(f, f->in.head[0], f->in.head[0] == RUN_GOES_ON);
        break;
    default:
        tile_trle(f);
    }
}
