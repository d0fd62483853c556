/* Which tiles are kept, by their digests: at both ends of a connection, so that both forget the
 * same ones. It is a list of slots; what a slot has is its owner's.
 *
 * The bound is both ends': KEPT_TILES. What was not used for the longest time makes room.
 *
 * Zeroed is an empty one. One thread at a time.
 */
#ifndef VNCHL_KEPT_H
#define VNCHL_KEPT_H

#include <stdint.h>

#include "rfb/blocks/reference.h"

#ifdef __cplusplus
extern "C" {
#endif

/* 30 MiB of whole tiles: five pictures of 1920x1080. */
#define KEPT_TILES 2560

struct kept {
    uint64_t key[KEPT_TILES];
    uint64_t used[KEPT_TILES]; /* when, in uses; 0: the slot is free */
    unsigned slots;            /* those behind were never used */
    uint64_t uses;
};

/* A digest as a number. */
uint64_t kept_key(const uint8_t digest[REFERENCE_DIGEST]);

/* The slot of this key; -1: there is none. */
int kept_find(const struct kept *k, uint64_t key);

/* It counts as used now. */
void kept_use(struct kept *k, int slot);

/* A slot for a key that has none. It was free, or what it had is forgotten. */
int kept_put(struct kept *k, uint64_t key);

void kept_drop(struct kept *k, int slot);

#ifdef __cplusplus
}
#endif
#endif
