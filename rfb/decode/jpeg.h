/* A JPEG image into a rectangle of a picture, by turbojpeg. */
#ifndef VNCHL_JPEG_H
#define VNCHL_JPEG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rfb/region.h"

#ifdef __cplusplus
extern "C" {
#endif

struct jpeg; /* a decoder; belongs to one thread */

struct jpeg *jpeg_create(void);
void jpeg_destroy(struct jpeg *j);

/* The pixels of an image that the decoder goes over several times, times how often. Each pass takes
 * as long as a whole image in one scan, and meanwhile 6 bytes a pixel are kept. VNC servers send
 * images that need one pass. */
#define JPEG_PASSED_MAX (1 << 25)

/* Decodes `data` into `r` of a picture of 0x00RRGGBB pixels with `stride` pixels per row. NULL when
 * it was drawn. Else what is wrong: it is no JPEG image, not exactly of the rectangle's size, too
 * much work, or broken (then part of the rectangle may have been drawn). */
const char *jpeg_decode(struct jpeg *j, const uint8_t *data, size_t size, uint32_t *pixels,
                        int stride, struct rect r);

#ifdef __cplusplus
}
#endif
#endif
