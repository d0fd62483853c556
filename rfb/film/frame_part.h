/* A part of a frame of a film: the payload of a BLOCK_FILM (docs/blocks.md).
 *
 * All parts of a frame, put together, are: which cells of the rectangle it shows, and an access
 * unit of H.264.
 *
 * Pure.
 */
#ifndef VNCHL_FILM_FRAME_PART_H
#define VNCHL_FILM_FRAME_PART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rfb/blocks/block.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes before the part's own, and of these at most. */
#define FRAME_PART_HEAD 10
#define FRAME_PART_MOST (BLOCK_PAYLOAD_ANYWHERE - FRAME_PART_HEAD)
/* Parts of a frame at most, and bytes of all of them. */
#define FRAME_PARTS_MOST 64
#define FRAME_MOST       65535

struct frame_part {
    uint32_t id;     /* of the frame: a number of blocks. Newer blocks draw over it */
    unsigned before; /* it stands on the frame whose id is less by so much; 0: on none */
    size_t frame;    /* bytes of all parts */
    unsigned index, count;
    const uint8_t *bytes; /* of this one: frame_part_size() */
};

/* How many parts so many bytes take at least. They are of one size, so that what insures them
 * against loss is no longer than it has to be. */
static inline unsigned frame_parts(size_t frame)
{
    return (unsigned)((frame + FRAME_PART_MOST - 1) / FRAME_PART_MOST);
}

/* Where this part begins in the frame, and how many bytes it has. */
size_t frame_part_at(const struct frame_part *p);
size_t frame_part_size(const struct frame_part *p);

/* Writes the payload, and returns its bytes: BLOCK_PAYLOAD_ANYWHERE at most. */
size_t frame_part_write(uint8_t *out, const struct frame_part *p);

/* The bytes of the part stay where they are. False: there is no such part. */
bool frame_part_read(struct frame_part *p, const uint8_t *payload, size_t size);

/* The cells of a frame, row by row. The first run is shown, the next one is not, and so on. A run
 * is a byte for each 255 cells, and one for those that are left. */

/* Writes runs for bits from the lowest of each byte on; `out` has room for 2 * cells + 2 bytes.
 * Returns how many it takes. */
size_t frame_shows_write(uint8_t *out, const uint8_t *bits, unsigned cells);

/* Reads runs for so many cells into bits, (cells + 7) / 8 bytes. Returns the bytes of the runs; 0:
 * they are broken. */
size_t frame_shows_read(uint8_t *bits, unsigned cells, const uint8_t *runs, size_t size);

#ifdef __cplusplus
}
#endif
#endif
