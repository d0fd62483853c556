#include "rfb/datagrams/parity.h"

#include <isa-l/erasure_code.h>

#include "rfb/proto/bytes.h"

/* Bytes of ISA-L's table for a coefficient. */
#define PARITY_TABLE 32

_Static_assert(PARITY_BLOCKS + PARITY_MOST <= 256, "each row of the matrix is another one");
_Static_assert(PARITY_KIND >= BLOCK_CODECS && PARITY_KIND < 0x80, "no block begins so");

static uint8_t parity_coefficient(unsigned count, unsigned index, unsigned block)
{
    return gf_inv((uint8_t)((count + index) ^ block));
}

/* The sum of `count` parts times their coefficients. */
static void parity_sum(uint8_t *coefficients, const uint8_t *const *parts, unsigned count,
                       size_t size, uint8_t *out)
{
    uint8_t tables[PARITY_TABLE * PARITY_BLOCKS];

    ec_init_tables((int)count, 1, coefficients, tables);
    ec_encode_data((int)size, (int)count, 1, tables, (uint8_t **)parts, &out);
}

/* ---- the wire ---- */

size_t parity_write(const struct parity *p, const uint8_t *const *blocks, uint8_t *out)
{
    uint8_t coefficients[PARITY_BLOCKS], *at = out;

    *at++ = PARITY_KIND;
    *at++ = (uint8_t)p->count;
    *at++ = (uint8_t)p->index;
    at = put32(put32(at, p->sequence), p->first);
    for (unsigned j = 0; j < p->count; j++)
        coefficients[j] = parity_coefficient(p->count, p->index, j);
    parity_sum(coefficients, blocks, p->count, p->size, at);
    return PARITY_HEAD + p->size;
}

bool parity_is(const uint8_t *data, size_t size)
{
    return size > 0 && data[0] == PARITY_KIND;
}

bool parity_read(struct parity *p, const uint8_t *data, size_t size)
{
    if (!parity_is(data, size) || size < PARITY_HEAD + BLOCK_HEAD || size > PARITY_MAX)
        return false;
    *p = (struct parity){.count = data[1],
                         .index = data[2],
                         .sequence = get32(data + 3),
                         .first = get32(data + 7),
                         .bytes = data + PARITY_HEAD,
                         .size = size - PARITY_HEAD};
    return p->count > 0 && p->count <= PARITY_BLOCKS && p->index < PARITY_MOST;
}

/* ---- what is missing ---- */

/* What there is to make the missing blocks of. */
struct parity_parts {
    unsigned missing, lacks[PARITY_MOST]; /* these blocks, */
    unsigned index[PARITY_MOST];          /* by as many parities */
    uint8_t inverse[PARITY_MOST * PARITY_MOST];
    const uint8_t *part[PARITY_BLOCKS]; /* the blocks that are there, then those parities */
};

/* False: there are too few parities. */
static bool parity_collect(const struct parity_group *g, struct parity_parts *p)
{
    unsigned there = 0, parities = 0;

    p->missing = 0;
    for (unsigned j = 0; j < g->count; j++) {
        if (g->block[j])
            p->part[there++] = g->block[j];
        else if (p->missing < PARITY_MOST)
            p->lacks[p->missing++] = j;
        else
            return false;
    }
    for (unsigned i = 0; i < PARITY_MOST && parities < p->missing; i++)
        if (g->parity[i]) {
            p->part[there++] = g->parity[i];
            p->index[parities++] = i;
        }
    return parities == p->missing;
}

/* The part of the matrix by which the missing blocks are in these parities, inverted. */
static bool parity_invert(const struct parity_group *g, struct parity_parts *p)
{
    uint8_t matrix[PARITY_MOST * PARITY_MOST];

    for (unsigned r = 0; r < p->missing; r++)
        for (unsigned m = 0; m < p->missing; m++)
            matrix[r * p->missing + m] = parity_coefficient(g->count, p->index[r], p->lacks[m]);
    return gf_invert_matrix(matrix, p->inverse, (int)p->missing) == 0;
}

/* How a missing block is the sum of the parts. */
static void parity_solve(const struct parity_group *g, const struct parity_parts *p, unsigned which,
                         uint8_t *coefficients)
{
    const uint8_t *row = p->inverse + which * p->missing;
    unsigned there = 0;

    for (unsigned j = 0; j < g->count; j++) {
        uint8_t sum = 0;

        if (!g->block[j])
            continue;
        for (unsigned r = 0; r < p->missing; r++)
            sum ^= gf_mul(row[r], parity_coefficient(g->count, p->index[r], j));
        coefficients[there++] = sum;
    }
    for (unsigned r = 0; r < p->missing; r++)
        coefficients[there++] = row[r];
}

bool parity_restore(const struct parity_group *g, uint8_t *const *out)
{
    uint8_t coefficients[PARITY_BLOCKS];
    struct parity_parts p;

    if (!parity_collect(g, &p) || !parity_invert(g, &p))
        return false;
    for (unsigned m = 0; m < p.missing; m++) {
        parity_solve(g, &p, m, coefficients);
        parity_sum(coefficients, p.part, g->count, g->size, out[m]);
    }
    return true;
}
