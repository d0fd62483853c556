#include "rfb/blocks/resolver.h"

#include <stdlib.h>
#include <string.h>

#include "rfb/blocks/foretold/foretold.h"
#include "rfb/blocks/pixels/rgb.h"
#include "rfb/blocks/references/kept.h"
#include "rfb/blocks/references/prefix.h"
#include "rfb/proto/blocks.h"

struct resolver_tile {
    uint8_t *rgb; /* of w * h pixels; NULL: the slot was never used */
    int w, h;
};

/* A block that was drawn. */
struct resolver_drawn {
    enum block_codec codec;
    uint32_t sequence;
    struct rect area; /* empty: none */
    size_t size;
    uint8_t payload[BLOCK_PAYLOAD_MAX];
};

/* So many are remembered. Chosen: more than leave again under another number. */
#define RESOLVER_DRAWN 32

struct resolver {
    struct resolver_drawn drawn[RESOLVER_DRAWN];
    unsigned newest; /* of them; all before it are older, in a ring */
    struct prefix *prefix;
    struct foretold *foretold;
    struct kept kept;
    struct resolver_tile tile[KEPT_TILES_MOST]; /* of the slots of `kept` */
    struct resolver_counts counts;
};

/* What is drawn, and where. */
struct resolving {
    struct resolver *r;
    struct newest *newest;
    struct block_reader *reader;
    const struct block *b;
    uint32_t *pixels;
    int width, height;
    struct reason *why;
};

struct resolver *resolver_create(unsigned kept_mib)
{
    struct resolver *r = calloc(1, sizeof *r);

    if (!r)
        return NULL;
    kept_init(&r->kept, kept_mib);
    r->prefix = prefix_create();
    r->foretold = foretold_create();
    if (r->prefix && r->foretold)
        return r;
    resolver_destroy(r);
    return NULL;
}

void resolver_destroy(struct resolver *r)
{
    if (!r)
        return;
    prefix_destroy(r->prefix);
    foretold_destroy(r->foretold);
    for (unsigned i = 0; i < r->kept.slots; i++)
        free(r->tile[i].rgb);
    free(r);
}

unsigned resolver_pieces(const struct resolver *r, const struct rect **pieces)
{
    return foretold_pieces(r->foretold, pieces);
}

struct resolver_counts resolver_counts(const struct resolver *r)
{
    return r->counts;
}

static bool resolver_inside(const struct resolving *d, struct rect r)
{
    return rect_inside(r, (struct rect){0, 0, d->width, d->height}) ||
           reason_set(d->why, "a block refers to what is outside of the picture");
}

static bool resolver_is(const struct resolving *d, struct rect r,
                        const uint8_t digest[REFERENCE_DIGEST])
{
    uint8_t is[RGB_DIGEST];

    rgb_digest(d->pixels, d->width, r, is);
    return memcmp(is, digest, REFERENCE_DIGEST) == 0;
}

static bool resolver_draw_plain(const struct resolving *d, const struct block *plain,
                                enum newest_cells *drawn)
{
    return newest_draw(d->newest, d->reader, plain, d->pixels, drawn, d->why);
}

/* These pixels, three bytes for each. */
static bool resolver_draw_pixels(const struct resolving *d, struct rect area, const uint8_t *rgb,
                                 enum newest_cells *drawn)
{
    struct block plain = *d->b;

    plain.codec = BLOCK_PIXELS;
    plain.area = area;
    plain.payload = rgb;
    plain.size = (size_t)area.w * (size_t)area.h * RGB_PIXEL;
    return resolver_draw_plain(d, &plain, drawn);
}

static bool resolver_moved(const struct resolving *d, const struct reference *ref,
                           enum newest_cells *drawn)
{
    const struct rect from = {ref->from_x, ref->from_y, d->b->area.w, d->b->area.h};
    uint8_t payload[BLOCK_COPY_BYTES];
    struct block copy = *d->b;

    if (!resolver_inside(d, from))
        return false;
    *drawn = NEWEST_GONE;
    if (!resolver_is(d, from, ref->digests))
        return true;
    block_set_copy(&copy, from.x, from.y, payload);
    if (!resolver_draw_plain(d, &copy, drawn))
        return false;
    d->r->counts.moved += *drawn != NEWEST_GONE;
    return true;
}

/* ---- tiles ---- */

static bool resolver_keep_tile(const struct resolving *d, struct rect area)
{
    uint8_t rgb[REFERENCE_TILE * REFERENCE_TILE * RGB_PIXEL], digest[RGB_DIGEST];
    size_t size = rgb_take(rgb, d->pixels, d->width, area);
    struct kept *kept = &d->r->kept;
    struct resolver_tile *tile;
    uint64_t key;
    int slot;

    rgb_digest_bytes(rgb, size, digest);
    key = kept_key(digest);
    slot = kept_find(kept, key);
    if (slot < 0)
        slot = kept_put(kept, key);
    kept_use(kept, slot);
    tile = &d->r->tile[slot];
    if (!tile->rgb)
        tile->rgb = malloc(sizeof rgb);
    if (!tile->rgb)
        return reason_set(d->why, "out of memory");
    memcpy(tile->rgb, rgb, size);
    tile->w = area.w;
    tile->h = area.h;
    return true;
}

/* It keeps what the far end saw when it made the block: no newer block may have drawn there. */
static bool resolver_keep(const struct resolving *d, const struct reference *ref,
                          enum newest_cells *drawn)
{
    unsigned tiles = reference_tiles(d->b->area);

    *drawn = NEWEST_NONE;
    for (unsigned i = 0; i < tiles && kept_has_room(&d->r->kept); i++) {
        struct rect area = reference_tile(d->b->area, i);

        if (!reference_keeps(ref, i))
            continue;
        if (!newest_has(d->newest, area, d->b->sequence))
            *drawn = NEWEST_GONE;
        else if (!resolver_keep_tile(d, area))
            return false;
    }
    return true;
}

/* NULL: there is none of this size. */
static const uint8_t *resolver_tile(const struct resolving *d, const uint8_t *digest,
                                    struct rect area)
{
    int slot = kept_find(&d->r->kept, kept_key(digest));
    const struct resolver_tile *tile = d->r->tile + (slot < 0 ? 0 : slot);

    if (slot < 0 || tile->w != area.w || tile->h != area.h)
        return NULL;
    kept_use(&d->r->kept, slot);
    return tile->rgb;
}

static bool resolver_kept(const struct resolving *d, const struct reference *ref,
                          enum newest_cells *drawn)
{
    const uint8_t *rgb[REFERENCE_KEPT_MOST];
    unsigned tiles = reference_tiles(d->b->area);
    enum newest_cells most = NEWEST_NONE;

    *drawn = NEWEST_GONE;
    for (unsigned i = 0; i < tiles; i++) {
        rgb[i] = resolver_tile(d, ref->digests + (size_t)i * REFERENCE_DIGEST,
                               reference_tile(d->b->area, i));
        if (!rgb[i])
            return true;
    }
    for (unsigned i = 0; i < tiles; i++) {
        if (!resolver_draw_pixels(d, reference_tile(d->b->area, i), rgb[i], drawn))
            return false;
        most = *drawn > most ? *drawn : most;
    }
    *drawn = most == NEWEST_ALL ? NEWEST_SOME : most; /* of the other tiles it is not known */
    d->r->counts.kept++;
    return true;
}

/* ---- a prefix ---- */

static bool resolver_prefixed(const struct resolving *d, enum newest_cells *drawn)
{
    const uint8_t *digest, *rgb;
    struct rect from;

    if (!prefix_from(d->b, &from, &digest, d->why) || !resolver_inside(d, from))
        return false;
    *drawn = NEWEST_GONE;
    if (!resolver_is(d, from, digest))
        return true;
    rgb = prefix_read(d->r->prefix, d->b, d->pixels, d->width, d->why);
    d->r->counts.prefixed++;
    return rgb && resolver_draw_pixels(d, d->b->area, rgb, drawn);
}

/* ---- foretold text ---- */

static bool resolver_foretold(const struct resolving *d, enum newest_cells *drawn)
{
    struct foretold *f = d->r->foretold;
    enum newest_cells most = NEWEST_NONE;
    const struct rect *piece;
    const uint8_t *rgb = foretold_rgb(f);
    enum foretold_read read = foretold_read(f, d->b, d->pixels, d->width, d->why);
    unsigned pieces = foretold_pieces(f, &piece);

    *drawn = NEWEST_GONE;
    if (read != FORETOLD_GOOD)
        return read == FORETOLD_REFUSED;
    for (unsigned i = 0; i < pieces; i++) {
        if (!resolver_draw_pixels(d, piece[i], rgb, drawn))
            return false;
        most = *drawn > most ? *drawn : most;
        rgb += (size_t)piece[i].w * (size_t)piece[i].h * RGB_PIXEL;
    }
    *drawn = most == NEWEST_ALL ? NEWEST_SOME : most; /* between them is what was not drawn */
    d->r->counts.foretold++;
    return true;
}

static bool resolver_do(const struct resolving *d, enum newest_cells *drawn)
{
    struct reference ref;

    if (d->b->codec == BLOCK_PREFIXED)
        return resolver_prefixed(d, drawn);
    if (d->b->codec == BLOCK_FORETOLD)
        return resolver_foretold(d, drawn);
    if (!reference_get(d->b, &ref, d->why))
        return false;
    switch (ref.kind) {
    case REFERENCE_MOVED:
        return resolver_moved(d, &ref, drawn);
    case REFERENCE_KEEP:
        return resolver_keep(d, &ref, drawn);
    default:
        return resolver_kept(d, &ref, drawn);
    }
}

/* ---- a block that leaves again under another number ----
 *
 * What it is from may have been drawn over by the first one. So it is known by what it says. */

static struct resolver_drawn *resolver_find(struct resolver *r, const struct block *b)
{
    for (unsigned i = 0; i < RESOLVER_DRAWN; i++) {
        struct resolver_drawn *was = r->drawn + i;

        if (was->codec == b->codec && was->size == b->size &&
            memcmp(&was->area, &b->area, sizeof b->area) == 0 &&
            memcmp(was->payload, b->payload, b->size) == 0)
            return was;
    }
    return NULL;
}

/* Whether the picture is as the first one drew it. Then it is as this one would draw it. */
static bool resolver_has_drawn(struct resolver *r, struct newest *n, const struct block *b)
{
    struct resolver_drawn *was = resolver_find(r, b);

    if (!was || !newest_is(n, b->area, was->sequence))
        return false;
    newest_take(n, b);
    was->sequence = b->sequence;
    return true;
}

static void resolver_remember(struct resolver *r, const struct block *b)
{
    struct resolver_drawn *was = r->drawn + r->newest;

    r->newest = (r->newest + 1) % RESOLVER_DRAWN;
    was->codec = b->codec;
    was->sequence = b->sequence;
    was->area = b->area;
    was->size = b->size;
    memcpy(was->payload, b->payload, b->size);
}

/* A block that is older than all of its cells draws nothing, and is not looked at. What it should
 * have kept, or what was to be learnt from it, is gone. */
bool resolver_draw(struct resolver *r, struct newest *n, struct block_reader *reader,
                   const struct block *b, uint32_t *pixels, int width, int height,
                   enum newest_cells *drawn, struct reason *why)
{
    const struct resolving d = {r, n, reader, b, pixels, width, height, why};
    bool keeps = b->codec == BLOCK_REFERENCE && b->payload[0] == REFERENCE_KEEP;
    bool learns = b->codec == BLOCK_FORETOLD;
    bool ok;

    if (newest_ask(n, b) == NEWEST_NONE) {
        ok = newest_draw(n, reader, b, pixels, drawn, why);
        *drawn = ok && (keeps || learns) ? NEWEST_GONE : NEWEST_NONE;
        if (learns)
            foretold_missed(r->foretold);
    } else if (!learns && resolver_has_drawn(r, n, b)) {
        ok = true;
        *drawn = NEWEST_NONE;
    } else {
        ok = resolver_do(&d, drawn);
        *drawn = ok ? *drawn : NEWEST_NONE;
        if (*drawn >= NEWEST_SOME && !learns)
            resolver_remember(r, b);
    }
    r->counts.refused += *drawn == NEWEST_GONE;
    return ok;
}
