/* Writes rectangles of pixels in the encoding Tight, without loss: "basic compression" with no
 * filter, the colours of each pixel through one deflate stream. For recordings of what did not come
 * as RFB; any viewer can read it.
 *
 * One thread at a time.
 */
#ifndef VNCHL_TIGHT_WRITER_H
#define VNCHL_TIGHT_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rfb/region.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A larger rectangle is to be cut: Tight itself allows no wider one, and its length has 22 bits. */
#define TIGHT_MAX_WIDTH  2048
#define TIGHT_MAX_PIXELS 65536

struct tight_writer;

/* NULL when out of memory. */
struct tight_writer *tight_writer_create(void);
void tight_writer_destroy(struct tight_writer *w);

/* The payload of this rectangle of a picture with pixels 0x??RRGGBB in rows of `stride` pixels:
 * what follows the rectangle's head. Rectangles are to be sent in the order in which they were
 * written. Valid until the next one; *size bytes. */
const uint8_t *tight_writer_write(struct tight_writer *w, const uint32_t *pixels, int stride,
                                  struct rect r, size_t *size);

#ifdef __cplusplus
}
#endif
#endif
