#include "rfb/blocks/references/prefix.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "rfb/blocks/pixels/palette.h"
#include "rfb/blocks/pixels/rgb.h"
#include "rfb/proto/bytes.h"

#define PREFIX_LEVEL     9
#define PREFIX_WINDOW    (-15) /* raw deflate */
#define PREFIX_MEM_LEVEL 8
#define PREFIX_RGB       0xffffffu
#define PREFIX_SLOTS     1024 /* a power of 2 */

/* Colours that the prefix has not, at most. More make a palette of its own the better one. */
#define PREFIX_MORE 32

struct prefix {
    z_stream deflate, inflate;
    int colours, own;                /* all, and those of the prefix: they come first */
    uint32_t colour[PALETTE_MAX];    /* in their order */
    uint8_t rank[PALETTE_MAX];       /* by which they are sorted: the prefix's, then the others */
    int16_t slot[PREFIX_SLOTS];      /* a colour, or -1 */
    uint8_t before[PREFIX_AREA_MAX]; /* the prefix's indices, column by column */
    uint8_t index[BLOCK_AREA_MAX];
    uint8_t dictionary[PREFIX_AREA_MAX], packed[BLOCK_AREA_MAX];
    uint8_t payload[BLOCK_PAYLOAD_MAX];
    uint8_t rgb[BLOCK_AREA_MAX * RGB_PIXEL];
};

struct prefix *prefix_create(void)
{
    struct prefix *p = calloc(1, sizeof *p);

    if (!p)
        return NULL;
    if (deflateInit2(&p->deflate, PREFIX_LEVEL, Z_DEFLATED, PREFIX_WINDOW, PREFIX_MEM_LEVEL,
                     Z_DEFAULT_STRATEGY) == Z_OK &&
        inflateInit2(&p->inflate, PREFIX_WINDOW) == Z_OK)
        return p;
    prefix_destroy(p);
    return NULL;
}

void prefix_destroy(struct prefix *p)
{
    if (!p)
        return;
    deflateEnd(&p->deflate); /* of one that was not begun it says so, and does nothing */
    inflateEnd(&p->inflate);
    free(p);
}

/* The colour's number; it gets one. -1: there are `most` already. */
static int prefix_number(struct prefix *p, uint32_t colour, int most)
{
    unsigned slot = (colour * 2654435761u) >> 22; /* PREFIX_SLOTS - 1 at most */

    for (; p->slot[slot] >= 0; slot = (slot + 1) % PREFIX_SLOTS)
        if (p->colour[p->slot[slot]] == colour)
            return p->slot[slot];
    if (p->colours == most)
        return -1;
    p->slot[slot] = (int16_t)p->colours;
    p->colour[p->colours] = colour;
    return p->colours++;
}

/* The numbers of a rectangle's colours, column by column. False: they are too many. */
static bool prefix_numbers(struct prefix *p, uint8_t *out, const uint32_t *pixels, int stride,
                           struct rect r, int most)
{
    for (int x = r.x; x < r.x + r.w; x++)
        for (int y = r.y; y < r.y + r.h; y++) {
            int number = prefix_number(p, pixels[(ptrdiff_t)y * stride + x] & PREFIX_RGB, most);

            if (number < 0)
                return false;
            *out++ = (uint8_t)number;
        }
    return true;
}

/* Looks at the prefix. False: it has too many colours. */
static bool prefix_look(struct prefix *p, const uint32_t *then, int stride, struct rect from)
{
    p->colours = 0;
    memset(p->slot, 0xff, sizeof p->slot); /* -1 */
    if (!prefix_numbers(p, p->before, then, stride, from, PALETTE_MAX))
        return false;
    p->own = p->colours;
    palette_order(p->colour, p->own, p->rank);
    for (int i = p->own; i < PALETTE_MAX; i++)
        p->rank[i] = (uint8_t)i;
    return true;
}

/* What deflate is to have seen before: once all colours are known. Returns its bytes. */
static size_t prefix_dictionary(struct prefix *p, struct rect from)
{
    palette_pack(p->dictionary, p->before, p->rank, p->colours, from.w, from.h);
    return palette_bytes(p->colours, from.w, from.h);
}

/* Deflates into the payload. Returns all bytes of that; 0: it takes more than `most`. */
static size_t prefix_deflate(struct prefix *p, size_t head, size_t size, size_t dictionary,
                             size_t most)
{
    z_stream *z = &p->deflate;

    deflateReset(z);
    deflateSetDictionary(z, p->dictionary, (uInt)dictionary);
    z->next_in = p->packed;
    z->avail_in = (uInt)size;
    z->next_out = p->payload + head;
    z->avail_out = (uInt)(most - head);
    return deflate(z, Z_FINISH) == Z_STREAM_END ? most - z->avail_out : 0;
}

size_t prefix_write(struct prefix *p, const uint32_t *now, const uint32_t *then, int stride,
                    struct rect area, struct rect from, size_t most, const uint8_t **payload)
{
    uint8_t digest[RGB_DIGEST], *out = p->payload;
    int colours;

    most = most < BLOCK_PAYLOAD_MAX ? most : BLOCK_PAYLOAD_MAX;
    if (!prefix_look(p, then, stride, from))
        return 0;
    colours = p->own + PREFIX_MORE < PALETTE_MAX ? p->own + PREFIX_MORE : PALETTE_MAX;
    if (!prefix_numbers(p, p->index, now, stride, area, colours) ||
        PREFIX_HEAD + (size_t)(p->colours - p->own) * PALETTE_COLOUR >= most)
        return 0;
    rgb_digest(then, stride, from, digest);
    out = put16(put16(out, (unsigned)from.x), (unsigned)from.w);
    memcpy(out, digest, REFERENCE_DIGEST);
    out += REFERENCE_DIGEST;
    *out++ = (uint8_t)(p->colours - p->own);
    for (int i = p->own; i < p->colours; i++)
        out = palette_put_colour(out, p->colour[i]);
    palette_pack(p->packed, p->index, p->rank, p->colours, area.w, area.h);
    *payload = p->payload;
    return prefix_deflate(p, (size_t)(out - p->payload), palette_bytes(p->colours, area.w, area.h),
                          prefix_dictionary(p, from), most);
}

/* ---- the viewer's side ---- */

bool prefix_from(const struct block *b, struct rect *from, const uint8_t **digest,
                 struct reason *why)
{
    if (b->size <= PREFIX_HEAD)
        return reason_set(why, "a block with a prefix has %zu bytes", b->size);
    *from = (struct rect){(int)get16(b->payload), b->area.y, (int)get16(b->payload + 2), b->area.h};
    *digest = b->payload + 4;
    if (from->w == 0 || (int64_t)from->w * from->h > PREFIX_AREA_MAX)
        return reason_set(why, "a block has a prefix of %dx%d pixels", from->w, from->h);
    return true;
}

/* The colours that the prefix has not. Returns how many bytes they take; 0: it cannot be. */
static size_t prefix_more(struct prefix *p, const struct block *b, struct reason *why)
{
    const uint8_t *in = b->payload + PREFIX_HEAD;
    int more = b->payload[PREFIX_HEAD - 1];

    if (p->own + more > PALETTE_MAX || (size_t)more * PALETTE_COLOUR >= b->size - PREFIX_HEAD) {
        reason_set(why, "a block with a prefix has %d more colours", more);
        return 0;
    }
    for (int i = 0; i < more; i++, in += PALETTE_COLOUR)
        p->colour[p->colours++] = palette_get_colour(in);
    return (size_t)(in - b->payload);
}

static bool prefix_inflate(struct prefix *p, const uint8_t *bytes, size_t size, size_t wanted,
                           size_t dictionary)
{
    z_stream *z = &p->inflate;

    inflateReset(z);
    inflateSetDictionary(z, p->dictionary, (uInt)dictionary);
    z->next_in = (Bytef *)(uintptr_t)bytes; /* it is only read */
    z->avail_in = (uInt)size;
    z->next_out = p->packed;
    z->avail_out = (uInt)wanted;
    return inflate(z, Z_FINISH) == Z_STREAM_END && z->avail_out == 0 && z->avail_in == 0;
}

/* The colours in the order of what is packed. */
static void prefix_sort(const struct prefix *p, uint32_t sorted[PALETTE_MAX])
{
    for (int i = 0; i < p->colours; i++)
        sorted[p->rank[i]] = p->colour[i];
}

static bool prefix_draw(struct prefix *p, struct rect area, struct reason *why)
{
    uint32_t sorted[PALETTE_MAX];
    const uint8_t *index = p->index;

    prefix_sort(p, sorted);
    for (int x = 0; x < area.w; x++)
        for (int y = 0; y < area.h; y++, index++) {
            if (*index >= p->colours)
                return reason_set(why, "a block has colour %d of %d", *index, p->colours);
            palette_put_colour(p->rgb + ((size_t)y * (size_t)area.w + (size_t)x) * RGB_PIXEL,
                               sorted[*index]);
        }
    return true;
}

const uint8_t *prefix_read(struct prefix *p, const struct block *b, const uint32_t *pixels,
                           int stride, struct reason *why)
{
    const uint8_t *digest;
    struct rect from;
    size_t at;

    if (!prefix_from(b, &from, &digest, why))
        return NULL;
    if (!prefix_look(p, pixels, stride, from)) {
        reason_set(why, "a block has a prefix of too many colours");
        return NULL;
    }
    at = prefix_more(p, b, why);
    if (at == 0)
        return NULL;
    if (!prefix_inflate(p, b->payload + at, b->size - at,
                        palette_bytes(p->colours, b->area.w, b->area.h),
                        prefix_dictionary(p, from))) {
        reason_set(why, "a block with a prefix does not inflate to its size");
        return NULL;
    }
    palette_unpack(p->index, p->packed, p->colours, b->area.w, b->area.h);
    return prefix_draw(p, b->area, why) ? p->rgb : NULL;
}
