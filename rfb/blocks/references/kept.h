/* Which tiles are kept, by their digests: at both ends of a connection, so that both forget the
 * same ones. It is a list of slots; what a slot has is its owner's.
 *
 * The bound is both ends': the viewer says it (PSEUDO_KEPT_0). What was not used for the longest
 * time makes room.
 *
 * One thread at a time.
 */
#ifndef VNCHL_KEPT_H
#define VNCHL_KEPT_H

#include <stdbool.h>
#include <stdint.h>

#include "rfb/blocks/pixels/rgb.h"
#include "rfb/blocks/references/reference.h"
#include "rfb/proto/blocks.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How many whole tiles fit in so many MiB. */
#define KEPT_TILES(mib) ((mib) * (1u << 20) / (REFERENCE_TILE * REFERENCE_TILE * RGB_PIXEL))
#define KEPT_TILES_MOST KEPT_TILES(KEPT_MIB_MOST)

struct kept {
    uint64_t key[KEPT_TILES_MOST];
    uint64_t used[KEPT_TILES_MOST]; /* when, in uses; 0: the slot is free */
    unsigned slots;                 /* those behind were never used */
    unsigned most;                  /* slots that may be used */
    uint64_t uses;
};

/* It is empty, and has room for the tiles of so many MiB; KEPT_MIB_MOST where it is more. */
void kept_init(struct kept *k, unsigned mib);

/* A digest as a number. */
uint64_t kept_key(const uint8_t digest[REFERENCE_DIGEST]);

/* The slot of this key; -1: there is none. */
int kept_find(const struct kept *k, uint64_t key);

/* It counts as used now. */
void kept_use(struct kept *k, int slot);

/* A slot for a key that has none. It was free, or what it had is forgotten. There is room for one,
 * at least (kept_has_room()). */
int kept_put(struct kept *k, uint64_t key);

/* False: nothing is kept at all. */
bool kept_has_room(const struct kept *k);

void kept_drop(struct kept *k, int slot);

#ifdef __cplusplus
}
#endif
#endif
