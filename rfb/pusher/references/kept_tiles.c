#include "rfb/pusher/references/kept_tiles.h"

#include <stdlib.h>
#include <string.h>

#include "rfb/blocks/references/kept.h"
#include "rfb/proto/blocks.h"

/* Tiles in one block: it is to fit the stream, and packets that pass everywhere. */
#define KEPT_TILES_ASKED ((BLOCK_PAYLOAD_ANYWHERE - 1) * 8)
#define KEPT_TILES_NAMED ((BLOCK_PAYLOAD_ANYWHERE - 1) / REFERENCE_DIGEST)

#define KEPT_NONE (-1)

/* A tile that is kept. */
struct kept_tile {
    uint8_t sha[RGB_DIGEST];
    struct rect at; /* where it was, or was referred to last */
    uint32_t sequence;
    bool twice; /* another one has the same name */
};

/* A place in the picture. */
struct kept_place {
    tick_t left;  /* when a block with something of it left last */
    bool known;   /* since then it was looked at, and is kept */
    bool leaves;  /* it is to be kept */
    int slot;     /* it looks as this one; KEPT_NONE */
    uint64_t key; /* which had this name then */
};

struct kept_tiles {
    struct kept list;
    struct kept_tile tile[KEPT_TILES_MOST]; /* of the slots of `list` */
    struct kept_place *place;               /* row by row */
    int columns, rows;
    bool keeps, shows; /* some are to be kept; some look as kept ones */
};

struct kept_tiles *kept_tiles_create(unsigned mib)
{
    struct kept_tiles *k = calloc(1, sizeof *k);

    if (k)
        kept_init(&k->list, mib);
    return k;
}

void kept_tiles_destroy(struct kept_tiles *k)
{
    if (!k)
        return;
    free(k->place);
    free(k);
}

bool kept_tiles_picture(struct kept_tiles *k, int width, int height)
{
    free(k->place);
    k->columns = (int)blocks_tiles(width, 1, REFERENCE_TILE);
    k->rows = (int)blocks_tiles(1, height, REFERENCE_TILE);
    k->place = calloc((size_t)k->columns * (size_t)k->rows, sizeof *k->place);
    if (!k->place)
        k->columns = k->rows = 0;
    kept_tiles_drop_found(k);
    return k->place;
}

static struct kept_place *kept_at(const struct kept_tiles *k, int column, int row)
{
    return k->place + (size_t)row * (size_t)k->columns + column;
}

static struct rect kept_area(const struct shadow *s, int column, int row)
{
    return rect_intersect((struct rect){column * REFERENCE_TILE, row * REFERENCE_TILE,
                                        REFERENCE_TILE, REFERENCE_TILE},
                          (struct rect){0, 0, s->width, s->height});
}

void kept_tiles_drop_found(struct kept_tiles *k)
{
    k->keeps = k->shows = false;
    for (int i = 0; i < k->columns * k->rows; i++) {
        k->place[i].leaves = false;
        k->place[i].slot = KEPT_NONE;
    }
}

bool kept_tiles_wait(const struct kept_tiles *k)
{
    return k->keeps || k->shows;
}

/* ---- the list ---- */

bool kept_tiles_add(struct kept_tiles *k, const uint8_t sha[RGB_DIGEST], struct rect at,
                    uint32_t sequence)
{
    uint64_t key = kept_key(sha);
    int slot = kept_find(&k->list, key);
    struct kept_tile *tile;

    if (slot >= 0) {
        tile = k->tile + slot;
        tile->twice = tile->twice || memcmp(tile->sha, sha, RGB_DIGEST) != 0;
        return false;
    }
    tile = k->tile + kept_put(&k->list, key);
    memcpy(tile->sha, sha, RGB_DIGEST);
    tile->at = at;
    tile->sequence = sequence;
    tile->twice = false;
    return true;
}

int kept_tiles_has(const struct kept_tiles *k, const uint8_t sha[RGB_DIGEST],
                   const struct kept_tiles_how *how)
{
    int slot = kept_find(&k->list, kept_key(sha));
    const struct kept_tile *tile = k->tile + (slot < 0 ? 0 : slot);

    if (slot < 0 || tile->twice || memcmp(tile->sha, sha, RGB_DIGEST) != 0)
        return KEPT_NONE;
    if (how->sure && how->arrivals && !arrivals_came(how->arrivals, tile->sequence))
        return KEPT_NONE;
    return slot;
}

void kept_tiles_refused(struct kept_tiles *k, struct rect area)
{
    for (unsigned i = 0; i < k->list.slots; i++) {
        struct rect both = rect_intersect(k->tile[i].at, area);

        if (both.w > 0 && both.h > 0)
            kept_drop(&k->list, (int)i);
    }
}

/* ---- what is found ---- */

/* How many of its cells wait, and do not move. */
static unsigned kept_waiting(const struct shadow *s, const uint8_t *waits, struct rect area)
{
    struct rect cells = shadow_cells(area);
    unsigned count = 0;

    for (int row = cells.y; row < cells.y + cells.h; row++)
        for (int column = cells.x; column < cells.x + cells.w; column++)
            count += waits[(size_t)row * (size_t)s->columns + (size_t)column] == KEPT_TILES_WAITS;
    return count;
}

static void kept_wait_no_more(const struct shadow *s, uint8_t *waits, struct rect area)
{
    struct rect cells = shadow_cells(area);

    for (int row = cells.y; row < cells.y + cells.h; row++)
        memset(waits + (size_t)row * (size_t)s->columns + cells.x, 0, (size_t)cells.w);
}

/* One colour is cheap enough. */
static bool kept_is_plain(const uint32_t *pixels, int stride, struct rect r)
{
    const uint32_t *first = pixels + (ptrdiff_t)r.y * stride + r.x;
    uint32_t differs = 0;

    for (int y = 0; y < r.h; y++)
        for (int x = 0; x < r.w; x++)
            differs |= first[(ptrdiff_t)y * stride + x] ^ *first;
    return (differs & 0xffffffu) == 0;
}

static void kept_look(struct kept_tiles *k, const struct shadow *then, const uint32_t *now,
                      struct rect area, struct kept_place *place, const struct kept_tiles_how *how)
{
    uint8_t sha[RGB_DIGEST];

    if (!place->known && how->now - place->left >= KEPT_TILES_STOOD &&
        shadow_knows(then, area, how->sure) && !kept_is_plain(then->pixels, then->width, area))
        place->leaves = k->keeps = true;
    if (k->list.slots == 0 || kept_is_plain(now, then->width, area))
        return;
    rgb_digest(now, then->width, area, sha);
    place->slot = kept_tiles_has(k, sha, how);
    place->key = kept_key(sha);
    k->shows = k->shows || place->slot != KEPT_NONE;
}

void kept_tiles_find(struct kept_tiles *k, const struct shadow *then, const uint32_t *now,
                     uint8_t *waits, const struct kept_tiles_how *how)
{
    for (int row = 0; row < k->rows && kept_has_room(&k->list); row++)
        for (int column = 0; column < k->columns; column++) {
            struct rect area = kept_area(then, column, row);
            struct kept_place *place = kept_at(k, column, row);

            if (kept_waiting(then, waits, area) < KEPT_TILES_CELLS)
                continue;
            kept_look(k, then, now, area, place, how);
            if (place->slot != KEPT_NONE)
                kept_wait_no_more(then, waits, area);
        }
}

/* ---- what leaves ---- */

/* The bits of the rows from this one on. Returns the rows that fit and have any; *any: one is to be
 * kept. */
static int kept_bits(struct kept_tiles *k, const struct shadow *then, bool sure, uint32_t sequence,
                     int row, uint8_t *bits, bool *any)
{
    int most = REFERENCE_AREA_MAX / (then->width * REFERENCE_TILE);
    unsigned tile = 0;
    int rows = 0;

    memset(bits, 0, BLOCK_PAYLOAD_MAX - 1);
    for (; row < k->rows && rows < most; row++, rows++)
        for (int column = 0; column < k->columns && tile < KEPT_TILES_ASKED; column++, tile++) {
            struct kept_place *place = kept_at(k, column, row);
            struct rect area = kept_area(then, column, row);
            uint8_t sha[RGB_DIGEST];

            if (!place->leaves)
                continue;
            place->leaves = false;
            if (!shadow_knows(then, area, sure))
                continue;
            place->known = true;
            rgb_digest(then->pixels, then->width, area, sha);
            if (kept_tiles_add(k, sha, area, sequence)) {
                bits[tile / 8] |= (uint8_t)(1u << tile % 8);
                *any = true;
            }
        }
    return rows;
}

/* A row in which something is to be kept. */
static int kept_row(const struct kept_tiles *k)
{
    for (int row = 0; row < k->rows; row++)
        for (int column = 0; column < k->columns; column++)
            if (kept_at(k, column, row)->leaves)
                return row;
    return k->rows;
}

bool kept_tiles_next_keep(struct kept_tiles *k, const struct shadow *then, bool sure,
                          uint32_t sequence, uint8_t *payload, struct block *out)
{
    while (k->keeps) {
        int row = kept_row(k), rows = 0;
        bool any = false;

        if (row < k->rows)
            rows = kept_bits(k, then, sure, sequence, row, payload + 1, &any);
        k->keeps = rows > 0;
        if (!any)
            continue;
        out->area = rect_intersect(
            (struct rect){0, row * REFERENCE_TILE, then->width, rows * REFERENCE_TILE},
            (struct rect){0, 0, then->width, then->height});
        reference_set_tiles(out, REFERENCE_KEEP, reference_tiles(out->area), payload);
        return true;
    }
    return false;
}

static bool kept_place_waits(const struct push_plan *p, struct rect area)
{
    struct rect cells = shadow_cells(area);

    for (int row = cells.y; row < cells.y + cells.h; row++)
        for (int column = cells.x; column < cells.x + cells.w; column++)
            if (push_cells_at(&p->cells, column, row)->state & PUSH_CHANGED)
                return true;
    return false;
}

/* Takes the place, if it still waits to be said that it looks as a kept tile. */
static bool kept_take(struct kept_tiles *k, const struct push_plan *p, struct kept_place *place,
                      struct rect area, uint8_t *digest)
{
    int slot = place->slot;

    place->slot = KEPT_NONE;
    if (slot == KEPT_NONE || k->list.used[slot] == 0 || k->list.key[slot] != place->key ||
        k->tile[slot].twice || !kept_place_waits(p, area))
        return false;
    memcpy(digest, k->tile[slot].sha, REFERENCE_DIGEST);
    k->tile[slot].at = area;
    kept_use(&k->list, slot);
    return true;
}

/* Tiles beside each other. */
static unsigned kept_run(struct kept_tiles *k, const struct shadow *then, const struct push_plan *p,
                         int row, uint8_t *digests, struct rect *run)
{
    unsigned tiles = 0;

    for (int column = 0; column < k->columns && tiles < KEPT_TILES_NAMED; column++) {
        struct rect area = kept_area(then, column, row);

        if (kept_take(k, p, kept_at(k, column, row), area,
                      digests + (size_t)tiles * REFERENCE_DIGEST)) {
            if (tiles++ == 0)
                *run = area;
            else
                run->w += area.w;
        } else if (tiles > 0) {
            break;
        }
    }
    return tiles;
}

bool kept_tiles_next_kept(struct kept_tiles *k, const struct shadow *then,
                          const struct push_plan *p, uint8_t *payload, struct block *out)
{
    for (int row = 0; k->shows && row < k->rows; row++) {
        unsigned tiles = kept_run(k, then, p, row, payload + 1, &out->area);

        if (tiles > 0) {
            reference_set_tiles(out, REFERENCE_KEPT, tiles, payload);
            return true;
        }
    }
    k->shows = false;
    return false;
}

void kept_tiles_left(struct kept_tiles *k, struct rect area, tick_t now)
{
    int right = area.x + area.w, bottom = area.y + area.h;

    for (int row = area.y / REFERENCE_TILE; row * REFERENCE_TILE < bottom && row < k->rows; row++)
        for (int column = area.x / REFERENCE_TILE;
             column * REFERENCE_TILE < right && column < k->columns; column++) {
            struct kept_place *place = kept_at(k, column, row);

            place->left = now;
            place->known = false;
        }
}
