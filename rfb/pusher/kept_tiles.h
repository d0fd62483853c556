/* The tiles that the viewer was told to keep, as the far end knows them: by their digests alone. It
 * has all of SHA-256, of which the wire has the beginning. So it sees when two tiles would have the
 * same name, and refers to neither.
 *
 * Tiles are those of REFERENCE_TILE (rfb/blocks/reference.h). Its owner holds a lock.
 */
#ifndef VNCHL_KEPT_TILES_H
#define VNCHL_KEPT_TILES_H

#include <stdbool.h>
#include <stdint.h>

#include "prerequest/push/arrivals.h"
#include "prerequest/push/plan.h"
#include "rfb/blocks/reference.h"
#include "rfb/blocks/rgb.h"
#include "rfb/blocks/shadow.h"
#include "rfb/pusher/constants.h"

#ifdef __cplusplus
extern "C" {
#endif

struct kept_tiles;

/* `mib`: MiB that the viewer has for tiles. NULL when out of memory. */
struct kept_tiles *kept_tiles_create(unsigned mib);
void kept_tiles_destroy(struct kept_tiles *k);

/* The picture has this size. What is kept stays. False: out of memory. */
bool kept_tiles_picture(struct kept_tiles *k, int width, int height);

/* Which blocks have come (NULL: all do, on the stream); whether that has to be known; the time. */
struct kept_tiles_how {
    const struct arrivals *arrivals;
    bool sure;
    tick_t now;
};

/* Whether a cell waits to be sent, and whether it moves: what moves is not kept. */
enum kept_tiles_waits { KEPT_TILES_NOT, KEPT_TILES_WAITS, KEPT_TILES_MOVES };

/* Looks which tiles are to be kept before they change, and which look as kept ones. Of these no
 * cell waits any more in `waits`, a byte for each (enum kept_tiles_waits). */
void kept_tiles_find(struct kept_tiles *k, const struct shadow *then, const uint32_t *now,
                     uint8_t *waits, const struct kept_tiles_how *how);
void kept_tiles_drop_found(struct kept_tiles *k);

/* Whether something was found that has not left. */
bool kept_tiles_wait(const struct kept_tiles *k);

/* The next REFERENCE_KEEP, with this sequence number, or REFERENCE_KEPT; `payload` has
 * BLOCK_PAYLOAD_MAX bytes. False: there is none. */
bool kept_tiles_next_keep(struct kept_tiles *k, const struct shadow *then, bool sure,
                          uint32_t sequence, uint8_t *payload, struct block *out);
bool kept_tiles_next_kept(struct kept_tiles *k, const struct shadow *then,
                          const struct push_plan *p, uint8_t *payload, struct block *out);

/* The viewer is told to keep a tile with this SHA-256, by the block with this number. False: it
 * need not be told. */
bool kept_tiles_add(struct kept_tiles *k, const uint8_t sha[RGB_DIGEST], struct rect at,
                    uint32_t sequence);
/* The slot of a tile with this SHA-256 that can be referred to; -1: there is none. */
int kept_tiles_has(const struct kept_tiles *k, const uint8_t sha[RGB_DIGEST],
                   const struct kept_tiles_how *how);

/* A block has left with this area. */
void kept_tiles_left(struct kept_tiles *k, struct rect area, tick_t now);

/* The viewer has refused a block with this area: what was kept or referred to there is gone. */
void kept_tiles_refused(struct kept_tiles *k, struct rect area);

#ifdef __cplusplus
}
#endif
#endif
