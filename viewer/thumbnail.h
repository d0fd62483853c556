/* A picture made small enough to be recognised beside an address.
 *
 * Pure.
 */
#ifndef VNCHL_THUMBNAIL_H
#define VNCHL_THUMBNAIL_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define THUMBNAIL_W 320 /* pixels; no thumbnail is wider */
#define THUMBNAIL_H 200

/* The size for a picture of width x height: as large as fits, in its shape, never larger than the
 * picture, at least 1 x 1. */
void thumbnail_size(int width, int height, int *w, int *h);

/* Each pixel of `out` (w * h, 0x00RRGGBB) is the mean of those of `in` (width * height) that it
 * covers. w and h as thumbnail_size() tells. */
void thumbnail_make(const uint32_t *in, int width, int height, uint32_t *out, int w, int h);

#ifdef __cplusplus
}
#endif
#endif
