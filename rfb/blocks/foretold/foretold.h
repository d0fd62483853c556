/* The payload of a block of text in which each pixel is foretold from what came before
 * (BLOCK_FORETOLD): of pieces of the picture, which need not be beside each other. Both ends learn
 * from each of them. So these blocks are for the stream only, and none may be left out.
 *
 * Behind what is coded nothing is believed: a digest says what the pieces look like. Where a viewer
 * gets something else, it draws nothing, and says so (BLOCKS_REFUSED). It takes no more of them
 * until one begins anew.
 *
 * One thread at a time.
 */
#ifndef VNCHL_FORETOLD_H
#define VNCHL_FORETOLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rfb/blocks/block.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Pieces of a block, and pixels of all of them, at most. The latter bounds the work for a packet.
 */
#define FORETOLD_PIECES   64
#define FORETOLD_AREA_MAX BLOCK_AREA_MAX
/* Rows of pixels of a piece at most. */
#define FORETOLD_H_MAX 1024

/* Bytes before the coded ones: whether it begins anew, and the digest. */
#define FORETOLD_DIGEST 4
#define FORETOLD_HEAD   (1 + FORETOLD_DIGEST)

struct foretold;

/* One end of a stream. NULL when out of memory. */
struct foretold *foretold_create(void);
void foretold_destroy(struct foretold *f);

/* ---- the far end's side ---- */

/* The next block begins anew: the viewer has refused one, or there is another picture. */
void foretold_anew(struct foretold *f);

/* Begins a payload of at most so many bytes, BLOCK_PAYLOAD_MAX or fewer. */
void foretold_open(struct foretold *f, size_t most);

/* Adds a piece of whole cells of the picture `now`, which has rows of `stride` pixels 0x??RRGGBB.
 * `then` is what the viewer has; NULL: that is not known. False: it does not fit, and all is as it
 * was before. */
bool foretold_add(struct foretold *f, const uint32_t *now, const uint32_t *then, int stride,
                  struct rect piece);

/* Makes the block of it: its area is around all pieces. The payload is valid until the next
 * foretold_open(). False: it has no piece. */
bool foretold_close(struct foretold *f, struct block *out);

/* The pieces of the block that was closed last. */
unsigned foretold_pieces(const struct foretold *f, const struct rect **pieces);

/* ---- the viewer's side ---- */

enum foretold_read {
    FORETOLD_BROKEN,  /* no far end makes such a block */
    FORETOLD_REFUSED, /* it is not to be drawn, and is to come again */
    FORETOLD_GOOD,
};

/* Reads a block; `pixels` is the viewer's picture, in which its area is. The pieces are those of
 * foretold_pieces(), and have the pixels of foretold_rgb(), three bytes for each (rgb.h), one piece
 * behind the other. */
enum foretold_read foretold_read(struct foretold *f, const struct block *b, const uint32_t *pixels,
                                 int stride, struct reason *why);
const uint8_t *foretold_rgb(const struct foretold *f);

/* A block was not read: what follows cannot be read before one begins anew. */
void foretold_missed(struct foretold *f);

#ifdef __cplusplus
}
#endif
#endif
