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

/* Decodes `data` into `r` of a picture of 0x00RRGGBB pixels with `stride` pixels per row. False
 * when it is no JPEG image or not exactly of the rectangle's size. */
bool jpeg_decode(struct jpeg *j, const uint8_t *data, size_t size, uint32_t *pixels, int stride,
                 struct rect r);

#ifdef __cplusplus
}
#endif
#endif
