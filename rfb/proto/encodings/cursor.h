/* Pointer shapes: the pseudo-encodings X cursor, rich cursor and cursor with alpha, to one form.
 * Pure. */
#ifndef VNCHL_RFB_CURSOR_H
#define VNCHL_RFB_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A side may not be longer: no server draws larger pointers. */
#define CURSOR_MAX_SIDE 1024

/* Bytes that follow the rectangle's header; 0 for an empty shape. */
size_t cursor_rich_size(int width, int height);
size_t cursor_x_size(int width, int height);
size_t cursor_alpha_size(int width, int height); /* raw pixels */

/* `data` as it was sent, into width * height pixels of 0xAARRGGBB. Neither size may be empty. */
void cursor_from_rich(const uint8_t *data, int width, int height, uint32_t *out);
void cursor_from_x(const uint8_t *data, int width, int height, uint32_t *out);
void cursor_from_alpha(const uint8_t *data, int width, int height, uint32_t *out);

#ifdef __cplusplus
}
#endif
#endif
