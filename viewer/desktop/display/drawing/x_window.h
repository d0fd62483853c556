/* Shows memory in an X window. The X server maps the memory itself (MIT-SHM with a descriptor) and
 * copies from there to the display; on our side nothing is copied, and no page counts that is not
 * the picture's.
 *
 * UI thread. Has a connection to the X server of its own, and waits until the server has read what
 * it was told to show: then the memory may change.
 */
#ifndef VNCHL_X_WINDOW_H
#define VNCHL_X_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <SDL_surface.h>
#include <SDL_video.h>

#include "rfb/region.h"

#ifdef __cplusplus
extern "C" {
#endif

struct x_window;

/* Pixels 0x??RRGGBB, rows without a gap, in memory that the X server has mapped. */
struct x_picture {
    uint32_t segment; /* of x_window_attach() */
    size_t offset;    /* bytes from its beginning to the first pixel */
    int width, height;
};

/* The window's number, which the X server knows by now; 0 where SDL has no X server. Safe on NULL.
 */
uint32_t x_window_id(SDL_Window *window);

/* NULL where this cannot be: no X server, an old one, other pixels; or out of memory.
 */
struct x_window *x_window_open(SDL_Window *window);
void x_window_close(struct x_window *x); /* safe on NULL */

/* Has the X server map this file; the caller keeps `fd`. Returns the segment's number; 0 when the
 * server does not. */
uint32_t x_window_attach(struct x_window *x, int fd);
void x_window_detach(struct x_window *x, uint32_t segment); /* safe on NULL, and on 0 */

/* Shows parts of a picture whose upper left corner is at (left, top) of the window. False when the
 * X server has refused. */
bool x_window_show(struct x_window *x, const struct x_picture *picture, const struct rect *parts,
                   int count, int left, int top);

/* Makes the window black around `inside`. */
void x_window_blacken(struct x_window *x, int width, int height, struct rect inside);

/* Memory of this size to draw in, for what is not shown as it lies; always the same one until the
 * size changes or it is dropped. NULL when out of memory. */
SDL_Surface *x_window_canvas(struct x_window *x, int width, int height);
bool x_window_show_canvas(struct x_window *x, const SDL_Rect *parts, int count);
void x_window_drop_canvas(struct x_window *x);

#ifdef __cplusplus
}
#endif
#endif
