#include "rfb/blocks/references/reference.h"

#include <string.h>

#include "rfb/proto/blocks.h"
#include "rfb/proto/bytes.h"

static void reference_set(struct block *b, uint8_t *payload, size_t size)
{
    b->codec = BLOCK_REFERENCE;
    b->quality = 0;
    b->payload = payload;
    b->size = size;
}

void reference_set_moved(struct block *b, int from_x, int from_y,
                         const uint8_t digest[REFERENCE_DIGEST],
                         uint8_t payload[REFERENCE_MOVED_BYTES])
{
    payload[0] = REFERENCE_MOVED;
    memcpy(put16(put16(payload + 1, (unsigned)from_x), (unsigned)from_y), digest, REFERENCE_DIGEST);
    reference_set(b, payload, REFERENCE_MOVED_BYTES);
}

static size_t reference_tile_bytes(enum reference_kind kind, unsigned tiles)
{
    return 1 + (kind == REFERENCE_KEEP ? (tiles + 7) / 8 : (size_t)tiles * REFERENCE_DIGEST);
}

void reference_set_tiles(struct block *b, enum reference_kind kind, unsigned tiles,
                         uint8_t *payload)
{
    payload[0] = (uint8_t)kind;
    reference_set(b, payload, reference_tile_bytes(kind, tiles));
}

unsigned reference_tiles(struct rect area)
{
    return blocks_tiles(area.w, area.h, REFERENCE_TILE);
}

struct rect reference_tile(struct rect area, unsigned tile)
{
    unsigned columns = blocks_tiles(area.w, 1, REFERENCE_TILE);
    int x = (int)(tile % columns) * REFERENCE_TILE, y = (int)(tile / columns) * REFERENCE_TILE;

    return rect_intersect((struct rect){area.x + x, area.y + y, REFERENCE_TILE, REFERENCE_TILE},
                          area);
}

bool reference_get(const struct block *b, struct reference *out, struct reason *why)
{
    const uint8_t *p = b->payload;
    size_t size = REFERENCE_MOVED_BYTES;

    if (p[0] >= REFERENCE_KINDS)
        return reason_set(why, "a block has the unknown reference %d", p[0]);
    *out = (struct reference){.kind = (enum reference_kind)p[0]};
    if (out->kind != REFERENCE_MOVED)
        size = reference_tile_bytes(out->kind, reference_tiles(b->area));
    if (b->size != size)
        return reason_set(why, "a block has a reference of %zu bytes, not %zu", b->size, size);
    if (out->kind == REFERENCE_MOVED) {
        out->from_x = (int)get16(p + 1);
        out->from_y = (int)get16(p + 3);
        out->digests = p + 5;
        return true;
    }
    if (b->area.x % REFERENCE_TILE || b->area.y % REFERENCE_TILE)
        return reason_set(why, "a block is not of whole tiles");
    out->digests = out->bits = p + 1;
    return true;
}
