/* Messages from client to server, as bytes (RFB 3.8, section 7.5). Pure.
 *
 * Each function writes one whole message to `out` and returns its length.
 */
#ifndef VNCHL_WIRE_H
#define VNCHL_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rfb/proto/encodings.h"
#include "rfb/region.h"

#ifdef __cplusplus
extern "C" {
#endif

#define WIRE_MAX 128 /* no message below is longer */

size_t wire_set_pixel_format(uint8_t *out); /* 32 bits, 0x00RRGGBB, little-endian */
/* The levels must be chosen: neither may be LEVEL_AUTO. */
size_t wire_set_encodings(uint8_t *out, const struct encoding_options *options);
size_t wire_update_request(uint8_t *out, bool incremental, struct rect r);
size_t wire_key(uint8_t *out, uint32_t keysym, bool down);
size_t wire_pointer(uint8_t *out, int x, int y, unsigned buttons);

/* Of the community specification. */
size_t wire_enable_continuous_updates(uint8_t *out, struct rect r);
/* `size` is FENCE_MAX (push.h) at most. */
size_t wire_fence(uint8_t *out, uint32_t flags, const uint8_t *payload, size_t size);

/* The head of ClientCutText; `length` bytes of Latin-1 follow it. */
size_t wire_cut_text(uint8_t *out, uint32_t length);

#ifdef __cplusplus
}
#endif
#endif
