/* What the viewer says that it still has of a picture of an earlier connection: digests of its
 * tiles (BLOCKS_DIGESTS, rfb/proto/blocks.h). Each tile is compared once in a connection, so a
 * viewer can cause the work for one picture.
 *
 * Zeroed takes none. Its owner holds a lock.
 */
#ifndef VNCHL_VIEWER_HAD_H
#define VNCHL_VIEWER_HAD_H

#include <stdbool.h>
#include <stdint.h>

#include "rfb/blocks/references/tile_digest.h"
#include "rfb/proto/server_messages.h"

#ifdef __cplusplus
extern "C" {
#endif

struct viewer_had {
    bool keyed; /* else none are taken */
    uint8_t key[BLOCKS_KEY_BYTES];
    struct tile_digest digest;
    int width, height, side;  /* of its picture, and of the tiles; 0: nothing was said */
    unsigned bytes;           /* of a digest that it says */
    uint8_t *digests;         /* of all its tiles; NULL: none are kept */
    uint32_t heard, compared; /* tiles, of which `tiles` are expected */
    uint32_t tiles;
};

/* What is to be said of the comparison. */
struct had_answer {
    bool ends;                      /* all were compared; else: */
    struct rect area;               /* these tiles beside each other the viewer has just so */
    uint8_t sum[TILE_DIGEST_BYTES]; /* at the end, of all that were the same */
};

/* Another viewer, with a fresh key. Without random bytes it takes no digests. */
void viewer_had_begin(struct viewer_had *h);
void viewer_had_deinit(struct viewer_had *h);

/* Says that digests are taken, and the key. */
void viewer_had_show(const struct viewer_had *h, struct accelerator_shown *shown);

/* The next message. False: it is not the next one, or there is no memory. */
bool viewer_had_hear(struct viewer_had *h, const struct blocks_digests *d);

/* Whether there are digests that were not compared yet. */
bool viewer_had_waits(const struct viewer_had *h);

/* Compares on, with our picture of this size, which has no gaps between its rows. False: there is
 * nothing to say until more is heard. A picture of another size has no tile that is the same. */
bool viewer_had_answer(struct viewer_had *h, const uint32_t *pixels, int width, int height,
                       struct had_answer *out);

#ifdef __cplusplus
}
#endif
#endif
