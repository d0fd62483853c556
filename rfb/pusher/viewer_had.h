/* What the viewer says that it still has of a picture of an earlier connection: digests of its
 * tiles (BLOCKS_DIGESTS, rfb/proto/blocks.h). Each tile is compared once in a connection, so a
 * viewer can cause the work for one picture.
 *
 * Zeroed is an empty one. Its owner holds a lock.
 */
#ifndef VNCHL_VIEWER_HAD_H
#define VNCHL_VIEWER_HAD_H

#include <stdbool.h>
#include <stdint.h>

#include "rfb/proto/blocks.h"
#include "rfb/region.h"

#ifdef __cplusplus
extern "C" {
#endif

struct viewer_had {
    int width, height;        /* of its picture; 0: nothing was said */
    uint8_t *digests;         /* of all its tiles; NULL: none are kept */
    uint32_t heard, compared; /* tiles, of which `tiles` are expected */
    uint32_t tiles;
};

void viewer_had_deinit(struct viewer_had *h);

/* The next message. False: it is not the next one, or there is no memory. */
bool viewer_had_hear(struct viewer_had *h, const struct blocks_digests *d);

/* Whether there are digests that were not compared yet. */
bool viewer_had_waits(const struct viewer_had *h);

/* Compares on, with our picture of this size, which has no gaps between its rows. True: the next
 * tiles beside each other that the viewer has just so. False: there are no more. A picture of
 * another size has none. */
bool viewer_had_next(struct viewer_had *h, const uint32_t *pixels, int width, int height,
                     struct rect *out);

/* True once, when all have been compared. */
bool viewer_had_ends(struct viewer_had *h);

#ifdef __cplusplus
}
#endif
#endif
