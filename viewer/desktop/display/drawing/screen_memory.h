/* Draws without a renderer. A picture that is shown as it lies, pixel for pixel, goes to the
 * display from the session's memory. If a page lies above it, this holds for what changes beside an
 * opaque page only. All else is drawn in memory of the window's size first, which is kept only as
 * long as it is needed (x_window.h). Where that is not possible SDL has such memory, and keeps it.
 *
 * UI thread. Value type; a zeroed one is closed. Does not own the window.
 */
#ifndef VNCHL_SCREEN_MEMORY_H
#define VNCHL_SCREEN_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include <SDL_surface.h>
#include <SDL_video.h>

#include "rfb/decode/framebuffer_reader.h"
#include "rfb/region.h"
#include "viewer/desktop/display/drawing/memory.h"
#include "viewer/desktop/display/drawing/screen_frame.h"
#include "viewer/desktop/display/drawing/x_window.h"
#include "viewer/ui/ui.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What lies above the picture and hides it: notices, buttons and figures. A picture that changes
 * below them is drawn without them being drawn again.
 *
 * UI thread. Value type; a zeroed one is empty.
 */

struct covers {
    struct rect at[UI_COVERS]; /* in pixels of the window */
    int count;
    bool shine_through;           /* they lie over the whole window, and the picture is seen */
    SDL_Surface *kept[UI_COVERS]; /* how they look; NULL: not kept */
};

/* A part of the window into at most this many. */
#define COVERS_PIECES (4 * 4 * 4 * 4)

/* The pieces of a part of the window that they do not hide. Returns how many. */
int covers_leave(const struct covers *c, struct rect part, struct rect out[COVERS_PIECES]);

struct screen_memory {
    SDL_Window *window;
    struct x_window *x_window; /* shows memory; NULL: SDL does */
    uint32_t segment;          /* the picture's, which the X server has mapped; 0: it has not */
    struct memory memory;
    struct covers covers;          /* of the ui, as it was drawn last */
    SDL_Surface *drawn;            /* and not shown yet; NULL: nothing */
    bool whole;                    /* all of it: what lies above the picture is due, too */
    struct memory_changes changes; /* in it */
};

void screen_memory_open(struct screen_memory *m, SDL_Window *window);
void screen_memory_close(struct screen_memory *m);

/* The window's pixels. False: SDL knows, or it cannot be said now. Call when the window is shown.
 */
bool screen_memory_size(struct screen_memory *m, int *w, int *h);

/* Whether there is something to draw in. */
bool screen_memory_works(struct screen_memory *m);

/* Another picture comes, in other memory. */
void screen_memory_new_picture(struct screen_memory *m);

/* Draws what has changed. `picture`, which is locked, lies in the file `fd`; NULL: there is none.
 * False when that fails for good. */
bool screen_memory_draw(struct screen_memory *m, const struct screen_frame *frame,
                        const struct framebuffer_view *picture, int fd);

/* Brings it to the display; the picture need not be locked. False: it has to be drawn again, all of
 * it. */
bool screen_memory_show(struct screen_memory *m, const struct screen_frame *frame);

#ifdef __cplusplus
}
#endif
#endif
