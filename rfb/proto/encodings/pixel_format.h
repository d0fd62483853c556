/* PIXEL_FORMAT: how the bits of a pixel are its colour (RFB 3.8, section 7.4). The server names its
 * own in ServerInit, the client chooses one with SetPixelFormat. Pure.
 */
#ifndef VNCHL_PIXEL_FORMAT_H
#define VNCHL_PIXEL_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rfb/texts/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PIXEL_FORMAT_BYTES 16

struct pixel_format {
    uint8_t bits;     /* of a pixel: 8, 16 or 32 */
    uint8_t depth;    /* how many of them are used */
    bool big_endian;  /* the order of a pixel's bytes */
    bool true_colour; /* false: a pixel is a place in the colour map, and the rest has no meaning */
    uint16_t max[3];  /* the largest red, green and blue: 2^N - 1 */
    uint8_t shift[3]; /* the place of the lowest bit of each */
};

/* What this client asks for: 32 bits, 0x00RRGGBB, little-endian. */
extern const struct pixel_format pixel_format_xrgb;

/* Writes PIXEL_FORMAT_BYTES and returns their number. */
size_t pixel_format_write(uint8_t *out, const struct pixel_format *f);

/* Reads PIXEL_FORMAT_BYTES. Fails when no pixel can look so; then *f is not to be used. */
bool pixel_format_read(const uint8_t *bytes, struct pixel_format *f, struct reason *why);

#ifdef __cplusplus
}
#endif
#endif
