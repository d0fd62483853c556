/* Parity of blocks: packets from which any of a group's blocks that were lost are made again, as
 * many as there are parities. It is a systematic Reed-Solomon code over GF(2^8) by ISA-L: parity
 * `i` of a group of `count` blocks is the sum of its blocks, block `j` times 1 / ((count + i) ^ j).
 * Each square part of that matrix, a Cauchy matrix, can be inverted (Bloemer et al., "An XOR-Based
 * Erasure-Resilient Coding Scheme", 1995).
 *
 * A packed block says how long it is. So blocks of different sizes are taken as if zeros followed
 * them, up to the longest of the group: that many bytes has a parity. The numbers of a group's
 * blocks follow each other.
 *
 * On the wire (docs/datagrams.md): PARITY_KIND, which no block begins with (1 byte); how many
 * blocks (1); which parity (1); its own number among the blocks' (4); the group's first number (4);
 * bytes.
 *
 * Pure. All numbers are big endian.
 */
#ifndef VNCHL_PARITY_H
#define VNCHL_PARITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rfb/blocks/block.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Blocks of a group, and parities of it, at most. Chosen: few enough that to make all of them again
 * is no more work than to draw them. */
#define PARITY_BLOCKS 128
#define PARITY_MOST   96
#define PARITY_KIND   0x40
#define PARITY_HEAD   11
/* Bytes of one with its head at most. */
#define PARITY_MAX (PARITY_HEAD + BLOCK_MAX)

struct parity {
    unsigned count;       /* blocks of the group, 1..PARITY_BLOCKS */
    unsigned index;       /* below PARITY_MOST */
    uint32_t sequence;    /* its own number */
    uint32_t first;       /* number of the group's first block */
    const uint8_t *bytes; /* the sum */
    size_t size;          /* at most BLOCK_MAX */
};

/* Writes the head, and makes the bytes of these blocks: p->size of each, p->bytes is not looked at.
 * `out` has PARITY_MAX bytes. Returns how many it has become. */
size_t parity_write(const struct parity *p, const uint8_t *const *blocks, uint8_t *out);

/* Whether these bytes begin as a parity does. */
bool parity_is(const uint8_t *data, size_t size);

/* The bytes stay where they are. False: no such end may say it. */
bool parity_read(struct parity *p, const uint8_t *data, size_t size);

/* A group, some of whose blocks are missing. */
struct parity_group {
    unsigned count, size;                /* blocks; bytes of each */
    const uint8_t *block[PARITY_BLOCKS]; /* NULL: it is missing */
    const uint8_t *parity[PARITY_MOST];  /* NULL: it is missing */
};

/* Makes the missing blocks, in their order, `size` bytes each in `out`. They are right if what is
 * there is. False: there are fewer parities than that, and nothing was written. */
bool parity_restore(const struct parity_group *g, uint8_t *const *out);

#ifdef __cplusplus
}
#endif
#endif
