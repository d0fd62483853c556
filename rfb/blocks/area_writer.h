/* Makes one block of a whole rectangle, as Tight encodes one: by its colours. One colour is solid,
 * up to PALETTE_MAX are a palette; more are JPEG where that is allowed, else pixels. What was
 * encoded before does not matter: deflate begins anew. So it can be measured whether a rectangle
 * fits a packet. block_writer.h decides by itself how much one takes.
 *
 * One thread at a time. No memory is taken for a block but by turbojpeg.
 */
#ifndef VNCHL_AREA_WRITER_H
#define VNCHL_AREA_WRITER_H

#include <stdbool.h>
#include <stdint.h>

#include "rfb/blocks/block.h"

#ifdef __cplusplus
extern "C" {
#endif

struct area_writer;

/* NULL when out of memory. */
struct area_writer *area_writer_create(void);
void area_writer_destroy(struct area_writer *w);

/* Encodes `area` of a picture of pixels 0x??RRGGBB in rows of `stride`: BLOCK_AREA_MAX pixels at
 * most. `jpeg`: the quality of what may come with loss, 1..100; 0: all is exact.
 *
 * Sets codec, quality, area and payload of `out`, and nothing else of it. out->size may be more
 * than BLOCK_PAYLOAD_ANYWHERE, or BLOCK_PAYLOAD_MAX: then the rectangle does not fit a packet, and
 * has to be cut. A cell always fits the first: it has no more colours than a palette. The payload
 * is valid until the next call. False: the area is empty, or too large. */
bool area_write(struct area_writer *w, const uint32_t *pixels, int stride, struct rect area,
                int jpeg, struct block *out);

#ifdef __cplusplus
}
#endif
#endif
