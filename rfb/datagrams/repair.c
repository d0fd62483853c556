#include "rfb/datagrams/repair.h"

#include <stdlib.h>
#include <string.h>

/* A block, or a parity. Zeros follow its bytes. */
struct repair_bytes {
    size_t size; /* 0: there is none */
    uint8_t bytes[BLOCK_MAX];
};

struct repair {
    uint32_t sequence[REPAIR_BLOCKS]; /* block `n` is kept at n % REPAIR_BLOCKS */
    struct repair_bytes block[REPAIR_BLOCKS];
    struct parity parity[REPAIR_PARITIES]; /* a ring; count 0: there is none */
    struct repair_bytes sum[REPAIR_PARITIES];
    unsigned next; /* parity */
    uint32_t made[PARITY_MOST];
    unsigned mades, taken;
};

struct repair *repair_create(void)
{
    return calloc(1, sizeof(struct repair));
}

void repair_destroy(struct repair *r)
{
    free(r);
}

static void repair_keep(struct repair_bytes *b, const uint8_t *bytes, size_t size)
{
    memcpy(b->bytes, bytes, size);
    memset(b->bytes + size, 0, BLOCK_MAX - size);
    b->size = size;
}

static struct repair_bytes *repair_at(struct repair *r, uint32_t sequence)
{
    struct repair_bytes *b = r->block + sequence % REPAIR_BLOCKS;

    return b->size > 0 && r->sequence[sequence % REPAIR_BLOCKS] == sequence ? b : NULL;
}

/* ---- groups ---- */

static bool repair_same_group(const struct parity *a, const struct parity *b)
{
    return a->first == b->first && a->count == b->count && a->size == b->size;
}

/* False: a block is larger than its parity, which is no such group; or there are too few. */
static bool repair_collect(struct repair *r, const struct parity *p, struct parity_group *g)
{
    unsigned there = 0;

    *g = (struct parity_group){.count = p->count, .size = (unsigned)p->size};
    for (unsigned j = 0; j < p->count; j++) {
        const struct repair_bytes *b = repair_at(r, p->first + j);

        if (b && b->size > p->size)
            return false;
        g->block[j] = b ? b->bytes : NULL;
        there += b != NULL;
    }
    if (there == p->count)
        return false;
    for (unsigned i = 0; i < REPAIR_PARITIES; i++) {
        const struct parity *other = r->parity + i;

        if (!repair_same_group(other, p))
            continue;
        there += !g->parity[other->index];
        g->parity[other->index] = other->bytes;
    }
    return there >= p->count;
}

/* Where missing blocks will be. A newer one is not in their place: it would be missed. */
static bool repair_make_room(struct repair *r, const struct parity *p, const struct parity_group *g,
                             uint8_t **out)
{
    r->mades = r->taken = 0;
    for (unsigned j = 0; j < p->count; j++) {
        uint32_t sequence = p->first + j, at = sequence % REPAIR_BLOCKS;

        if (g->block[j])
            continue;
        if (r->mades == PARITY_MOST ||
            (r->block[at].size > 0 && (int32_t)(sequence - r->sequence[at]) < 0))
            return false;
        out[r->mades] = r->block[at].bytes;
        r->made[r->mades++] = sequence;
    }
    return true;
}

/* Makes what can be made of this parity's group. */
static void repair_group(struct repair *r, const struct parity *p)
{
    struct parity_group g;
    uint8_t *out[PARITY_MOST];
    bool made;

    if (!repair_collect(r, p, &g))
        return;
    made = repair_make_room(r, p, &g, out) && parity_restore(&g, out);
    if (!made)
        r->mades = 0;
    for (unsigned m = 0; m < r->mades; m++) {
        uint32_t at = r->made[m] % REPAIR_BLOCKS;

        memset(r->block[at].bytes + p->size, 0, BLOCK_MAX - p->size);
        r->block[at].size = block_packed_size(r->block[at].bytes, p->size);
        r->sequence[at] = r->made[m];
    }
}

/* ---- what comes ---- */

void repair_block(struct repair *r, uint32_t sequence, const uint8_t *packed, size_t size)
{
    uint32_t at = sequence % REPAIR_BLOCKS;

    r->mades = r->taken = 0;
    if (r->block[at].size > 0 && (int32_t)(sequence - r->sequence[at]) <= 0)
        return;
    repair_keep(r->block + at, packed, size);
    r->sequence[at] = sequence;
    for (unsigned i = 0; i < REPAIR_PARITIES; i++)
        if (sequence - r->parity[i].first < r->parity[i].count) {
            repair_group(r, r->parity + i);
            return;
        }
}

void repair_parity(struct repair *r, const struct parity *p)
{
    unsigned at = r->next++ % REPAIR_PARITIES;

    r->mades = r->taken = 0;
    repair_keep(r->sum + at, p->bytes, p->size);
    r->parity[at] = *p;
    r->parity[at].bytes = r->sum[at].bytes;
    repair_group(r, r->parity + at);
}

bool repair_next(struct repair *r, const uint8_t **packed, size_t *size)
{
    const struct repair_bytes *b;

    if (r->taken == r->mades)
        return false;
    b = r->block + r->made[r->taken++] % REPAIR_BLOCKS;
    *packed = b->bytes;
    *size = b->size;
    return true;
}
