/* A block: what a rectangle of the picture looks like, in one packet. The far end sends blocks; the
 * viewer draws them. A block stands alone: no other is needed to read it, but for a copy, which
 * moves what the viewer already has. docs/blocks.md has the wire form.
 *
 * Here is the head, written and read. block_writer.h makes payloads, block_reader.h draws them.
 *
 * Any thread: values and functions without state. A block owns nothing. Its payload belongs to who
 * made it.
 */
#ifndef VNCHL_BLOCK_H
#define VNCHL_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rfb/region.h"
#include "rfb/texts/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes of a block with its head at most, of the head, and of the payload at most. */
#define BLOCK_MAX         1402
#define BLOCK_HEAD        19
#define BLOCK_PAYLOAD_MAX (BLOCK_MAX - BLOCK_HEAD)
/* The same on the stream, and in a datagram that passes everywhere. */
#define BLOCK_ANYWHERE         1150
#define BLOCK_PAYLOAD_ANYWHERE (BLOCK_ANYWHERE - BLOCK_HEAD)

/* The side of a cell, in pixels. Blocks cover whole cells, but for those at the picture's right and
 * lower edge, and for copies. */
#define BLOCK_CELL 16

/* The pixels of a block at most, but for one colour, a copy, the old picture, and a film: it bounds
 * the work for a packet. */
#define BLOCK_AREA_MAX 65536
/* The same of a part of a film: 1280x720. */
#define BLOCK_FILM_AREA_MAX 921600

/* What the payload is. The numbers are the wire's. */
enum block_codec {
    BLOCK_SOLID,            /* one colour */
    BLOCK_COPY,             /* from another place of the picture */
    BLOCK_PALETTE,          /* a few colours, and which of them each pixel has */
    BLOCK_PALETTE_DEFLATED, /* the same, deflated */
    BLOCK_PIXELS,           /* the colour of each pixel */
    BLOCK_PIXELS_DEFLATED, /* each pixel's difference from what its neighbours foretell, deflated */
    BLOCK_JPEG_420,        /* entropy-coded data of a JPEG file; one colour for four pixels */
    BLOCK_JPEG_444,        /* the same, with a colour for each pixel */
    BLOCK_OLD,             /* as the viewer's old picture has it (BLOCKS_DIGESTS) */
    BLOCK_PREFIXED,        /* palette and indices, deflated behind what the viewer has (prefix.h) */
    BLOCK_REFERENCE,       /* to what the viewer has (reference.h) */
    BLOCK_FILM,            /* a part of a frame of a film (rfb/film/frame_part.h) */
    BLOCK_FORETOLD,        /* text that both ends of the stream foretell (foretold.h) */
    BLOCK_CODECS
};

struct block {
    enum block_codec codec;
    bool last;          /* with this block the picture is a whole one */
    uint8_t generation; /* of the size of the picture, modulo 256 */
    uint8_t quality;    /* 1..100 for JPEG; 0: exact */
    uint32_t sequence;  /* modulo 2^32; a later block has a higher one */
    uint16_t input;     /* the newest input that the server had before this was drawn, mod 65536 */
    struct rect area;   /* in the picture, pixels */
    const uint8_t *payload;
    size_t size; /* bytes of the payload */
};

/* Whether it refers to what the viewer has: resolver.h draws it. */
static inline bool block_is_reference(const struct block *b)
{
    return b->codec == BLOCK_PREFIXED || b->codec == BLOCK_REFERENCE || b->codec == BLOCK_FORETOLD;
}

static inline bool block_is_jpeg(const struct block *b)
{
    return b->codec == BLOCK_JPEG_420 || b->codec == BLOCK_JPEG_444;
}

/* Whether it comes with loss. */
static inline bool block_is_lossy(const struct block *b)
{
    return block_is_jpeg(b) || b->codec == BLOCK_FILM;
}

/* Whether it may have any size, and each part of it is drawn alone: one colour, a copy, and the old
 * picture. */
static inline bool block_is_plain(const struct block *b)
{
    return b->codec == BLOCK_SOLID || b->codec == BLOCK_COPY || b->codec == BLOCK_OLD;
}

/* Bytes of the payload of a copy: x and y of where it is from. */
#define BLOCK_COPY_BYTES 4

/* Makes it a copy from this place of the picture, with its payload in `payload`. */
void block_set_copy(struct block *b, int from_x, int from_y, uint8_t payload[BLOCK_COPY_BYTES]);

/* Where a copy is from. */
void block_get_copy(const struct block *b, int *from_x, int *from_y);

/* The payload of BLOCK_OLD: a byte says whether the block draws, or that no more of them come and
 * the viewer may forget its old picture. The latter draws nothing. Behind its byte is the sum of
 * the tiles that were drawn (rfb/blocks/references/tile_digest.h). */
#define BLOCK_OLD_BYTES      1
#define BLOCK_OLD_SUM        32
#define BLOCK_OLD_ENDS_BYTES (BLOCK_OLD_BYTES + BLOCK_OLD_SUM)
enum block_old { BLOCK_OLD_DRAWS, BLOCK_OLD_ENDS };

/* Makes it one of these, with its payload in `payload`. `sum`: the second; NULL: the first. */
void block_set_old(struct block *b, const uint8_t *sum, uint8_t payload[BLOCK_OLD_ENDS_BYTES]);

/* Whether it is the second of them: returns the sum. NULL: it is not. */
const uint8_t *block_ends_old(const struct block *b);

/* Writes the head and the payload of a valid block; `out` has BLOCK_MAX bytes. Returns how many. */
size_t block_pack(const struct block *b, uint8_t *out);

/* Bytes of a packed block, as its head says, at the beginning of so many bytes, BLOCK_HEAD or more:
 * no more than these. */
size_t block_packed_size(const uint8_t *packed, size_t most);

/* The sequence number of a packed block. */
uint32_t block_number(const uint8_t *packed);

/* Gives a packed block another sequence number. */
void block_renumber(uint8_t *packed, uint32_t sequence);

/* Reads a head of BLOCK_HEAD bytes. Then b->size says how many bytes of payload follow, and
 * b->payload is NULL. False: it is no valid head. */
bool block_unpack_head(struct block *b, const uint8_t *head, struct reason *why);

/* Reads a block of exactly `size` bytes. The payload stays where it is. It has not been looked at
 * yet: block_read() does. */
bool block_unpack(struct block *b, const uint8_t *data, size_t size, struct reason *why);

#ifdef __cplusplus
}
#endif
#endif
