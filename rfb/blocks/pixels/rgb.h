/* Pixels as bytes that do not depend on the machine: red, green, blue; row by row, without gaps.
 * And the digest of these.
 *
 * Any thread: functions without state.
 */
#ifndef VNCHL_RGB_H
#define VNCHL_RGB_H

#include <stddef.h>
#include <stdint.h>

#include "rfb/region.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RGB_PIXEL  3  /* bytes */
#define RGB_DIGEST 32 /* bytes of SHA-256 */

/* The bytes of a rectangle of a picture of pixels 0x??RRGGBB in rows of `stride`. Returns how many.
 */
size_t rgb_take(uint8_t *out, const uint32_t *pixels, int stride, struct rect r);

/* SHA-256 of the same, and of bytes that were taken. */
void rgb_digest(const uint32_t *pixels, int stride, struct rect r, uint8_t out[RGB_DIGEST]);
void rgb_digest_bytes(const uint8_t *bytes, size_t size, uint8_t out[RGB_DIGEST]);

#ifdef __cplusplus
}
#endif
#endif
