/* The payload of a block that refers to what the viewer has (BLOCK_REFERENCE): a part of its
 * picture that is moved, or tiles that it was told to keep. What is meant is named by a digest, so
 * a viewer that has something else draws nothing, and says so (BLOCKS_REFUSED).
 *
 * A digest is the first bytes of SHA-256 of pixels, three bytes for each: red, green, blue; row by
 * row, without gaps (rgb.h).
 *
 * Any thread: values and functions without state.
 */
#ifndef VNCHL_REFERENCE_H
#define VNCHL_REFERENCE_H

#include "rfb/blocks/block.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Pixels of a reference at most: it bounds the work for a packet. All of 1920x1080. */
#define REFERENCE_AREA_MAX (1 << 21)

#define REFERENCE_DIGEST 8  /* bytes */
#define REFERENCE_TILE   64 /* pixels, the side of a tile that may be kept */

/* The first byte of the payload. The numbers are the wire's. */
enum reference_kind {
    REFERENCE_MOVED, /* the block looks as another rectangle of the picture does */
    REFERENCE_KEEP,  /* nothing is drawn: these tiles of the picture are to be kept */
    REFERENCE_KEPT,  /* the block looks as tiles that were kept */
    REFERENCE_KINDS
};

/* Bytes of a REFERENCE_MOVED: kind, x and y of where it is from, and the digest of that. */
#define REFERENCE_MOVED_BYTES (1 + 4 + REFERENCE_DIGEST)

/* Of a REFERENCE_KEEP: kind, and a bit for each tile of the rectangle, row by row, the lowest of a
 * byte first. Of a REFERENCE_KEPT: kind, and a digest for each tile. Both have whole tiles
 * (REFERENCE_TILE). So many tiles fit: */
#define REFERENCE_KEEP_MOST ((BLOCK_PAYLOAD_MAX - 1) * 8)
#define REFERENCE_KEPT_MOST ((BLOCK_PAYLOAD_MAX - 1) / REFERENCE_DIGEST)

struct reference {
    enum reference_kind kind;
    int from_x, from_y;     /* MOVED */
    const uint8_t *digests; /* MOVED: one; KEPT: one for each tile */
    const uint8_t *bits;    /* KEEP */
};

/* Makes the block a REFERENCE_MOVED, with its payload in `payload`. */
void reference_set_moved(struct block *b, int from_x, int from_y,
                         const uint8_t digest[REFERENCE_DIGEST],
                         uint8_t payload[REFERENCE_MOVED_BYTES]);

/* Makes the block a REFERENCE_KEEP or KEPT of so many tiles: payload[0] is written here, and what
 * follows is there already. */
void reference_set_tiles(struct block *b, enum reference_kind kind, unsigned tiles,
                         uint8_t *payload);

/* Reads the payload of a BLOCK_REFERENCE, which stays where it is. False: it is no valid one. */
bool reference_get(const struct block *b, struct reference *out, struct reason *why);

/* Tiles of a rectangle of whole tiles: how many, and where one is. */
unsigned reference_tiles(struct rect area);
struct rect reference_tile(struct rect area, unsigned tile);

static inline bool reference_keeps(const struct reference *r, unsigned tile)
{
    return r->bits[tile / 8] >> tile % 8 & 1;
}

#ifdef __cplusplus
}
#endif
#endif
