#include "rfb/framing/server_steps.h"

#include "rfb/proto/encodings/encodings.h"

/* The upper half of the control byte. */
enum {
    TIGHT_FILL = 0x8,
    TIGHT_JPEG = 0x9,
    TIGHT_STORED = 0xa,          /* in Tight: not compressed. In Tight with PNG: a PNG */
    TIGHT_STORED_FILTERED = 0xe, /* not compressed, and with a filter */
    TIGHT_FILTERED = 0x4,        /* a bit of the others */
};

enum { FILTER_COPY, FILTER_PALETTE, FILTER_GRADIENT };

/* Less data is not compressed, and has no length then. */
#define COMPRESSED_MIN 12

#define MORE 0x80 /* a bit of a length's first two bytes */

/* Where each colour has 8 bits, a pixel is three bytes. */
static unsigned tight_pixel(const struct server_framing *f)
{
    const struct pixel_format *p = &f->format;
    bool three = p->true_colour && p->bits == 32 && p->depth == 24 && p->max[0] == 255 &&
                 p->max[1] == 255 && p->max[2] == 255;

    return three ? 3 : p->bits / 8;
}

/* Data follows, behind `skip` bytes of a palette: rows of whole bytes. */
static void tight_data(struct server_framing *f, uint64_t skip, unsigned bits)
{
    uint64_t row = ((uint64_t)f->rect.w * bits + 7) / 8, size = row * (uint64_t)f->rect.h;

    if (size < COMPRESSED_MIN)
        server_rectangle_ends(f, skip + size);
    else
        server_await(f, skip, STEP_TIGHT_LENGTH, 1);
}

static void tight_control(struct server_framing *f)
{
    unsigned how = f->in.head[0] >> 4;
    bool png = f->encoding == FOREIGN_TIGHT_PNG;

    if (how == TIGHT_FILL)
        server_rectangle_ends(f, tight_pixel(f));
    else if (how == TIGHT_JPEG || (png && how == TIGHT_STORED))
        server_await(f, 0, STEP_TIGHT_LENGTH, 1);
    else if (how > TIGHT_STORED_FILTERED || (how > TIGHT_JPEG && png) ||
             (how > TIGHT_STORED && how < TIGHT_STORED_FILTERED))
        server_unknown(f, "a Tight rectangle of unknown kind", (long)how);
    else if (how & TIGHT_FILTERED)
        server_await(f, 0, STEP_TIGHT_FILTER, 1);
    else
        tight_data(f, 0, tight_pixel(f) * 8);
}

static void tight_filter(struct server_framing *f)
{
    switch (f->in.head[0]) {
    case FILTER_COPY:
    case FILTER_GRADIENT:
        tight_data(f, 0, tight_pixel(f) * 8);
        break;
    case FILTER_PALETTE:
        server_await(f, 0, STEP_TIGHT_PALETTE, 1);
        break;
    default:
        server_unknown(f, "a Tight rectangle with unknown filter", f->in.head[0]);
    }
}

/* Two colours need a bit for each pixel, more a byte. */
static void tight_palette(struct server_framing *f)
{
    unsigned colours = f->in.head[0] + 1u;

    tight_data(f, colours * tight_pixel(f), colours <= 2 ? 1 : 8);
}

/* A length has one to three bytes. `bytes` of it are there; the first two have seven bits of it
 * each, the third has eight. */
static void length(struct server_framing *f, unsigned bytes)
{
    const uint8_t *b = f->in.head;

    f->tight_length = bytes == 1 ? 0 : f->tight_length;
    f->tight_length |= (bytes < 3 ? b[0] & ~(unsigned)MORE : b[0]) << 7 * (bytes - 1);
    if (bytes == 3 || !(b[0] & MORE))
        server_rectangle_ends(f, f->tight_length);
    else
        server_await(f, 0, bytes == 1 ? STEP_TIGHT_LENGTH_2 : STEP_TIGHT_LENGTH_3, 1);
}

void tight_begin(struct server_framing *f)
{
    server_await(f, 0, STEP_TIGHT, 1);
}

void tight_step(struct server_framing *f)
{
    switch ((enum server_step)f->step) {
    case STEP_TIGHT_FILTER:
        tight_filter(f);
        break;
    case STEP_TIGHT_PALETTE:
        tight_palette(f);
        break;
    case STEP_TIGHT_LENGTH:
        length(f, 1);
        break;
    case STEP_TIGHT_LENGTH_2:
        length(f, 2);
        break;
    case STEP_TIGHT_LENGTH_3:
        length(f, 3);
        break;
    default:
        tight_control(f);
    }
}
