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

/* Pixels that an image in several scans may have, times its scans. Each scan takes as long as an
 * image in one, and all of them are kept: 6 bytes a pixel. VNC servers send one scan. */
#define JPEG_SCANNED_MAX (1 << 25)

/* Decodes `data` into `r` of a picture of 0x00RRGGBB pixels with `stride` pixels per row. False
 * when it is no JPEG image, not exactly of the rectangle's size, or too much work. */
bool jpeg_decode(struct jpeg *j, const uint8_t *data, size_t size, uint32_t *pixels, int stride,
                 struct rect r);

#ifdef __cplusplus
}
#endif
#endif
