/* The pointer's shape: what the server sends, as the window's own pointer, so that it moves at
 * once however far the server is.
 *
 * UI thread. Owns a copy of the server's shape and one SDL cursor. A shape that shows nothing
 * (the server hides its pointer) becomes a small dot, if one is wanted.
 */
#ifndef VNCHL_CURSOR_H
#define VNCHL_CURSOR_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct cursor;

/* `dot`: a dot stands for a hidden pointer. NULL when out of memory. The system's pointer stays
 * until the first shape. */
struct cursor *cursor_create(bool dot);
void cursor_destroy(struct cursor *c);

/* A new shape: width * height of 0xAARRGGBB, not premultiplied; copied. 0 x 0 or NULL: hidden. */
void cursor_set_shape(struct cursor *c, const uint32_t *pixels, int width, int height, int hot_x,
                      int hot_y);

/* Window units per picture pixel; the shape is drawn as large as the picture is. */
void cursor_set_scale(struct cursor *c, double scale);

/* Shows the system's pointer instead of the shape, or the shape again. */
void cursor_set_system(struct cursor *c, bool system);

/* Pure: resamples a shape by averaging what each new pixel covers (out: new_w * new_h). */
void cursor_resample(const uint32_t *in, int width, int height, uint32_t *out, int new_width,
                     int new_height);

/* Pure: true when no pixel can be seen. */
bool cursor_is_blank(const uint32_t *pixels, int width, int height);

#ifdef __cplusplus
}
#endif
#endif
