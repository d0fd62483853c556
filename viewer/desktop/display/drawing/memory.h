/* Draws the picture into memory that a window shows: the way without a graphics card. An OpenGL
 * that only pretends to be one costs four times as much, and some milliseconds in which nobody sees
 * the picture.
 *
 * UI thread. Knows surfaces, not windows. Draws from where the picture lies, with its framebuffer
 * locked: no copy is kept. Meanwhile the decoder goes on with the next update, and waits only when
 * it has finished that.
 */
#ifndef VNCHL_MEMORY_H
#define VNCHL_MEMORY_H

#include <stdbool.h>

#include <SDL_surface.h>

#include "rfb/decode/framebuffer_reader.h"
#include "viewer/desktop/display/drawing/shrink.h"
#include "viewer/desktop/display/screen_map.h"

#ifdef __cplusplus
extern "C" {
#endif

struct memory {
    bool dim;             /* the picture is drawn dark; draw everything when that changes */
    struct shrink shrink; /* for a picture that is drawn smaller */
};

/* How bright a dimmed picture is, of 255. Chosen: it is still readable. */
#define MEMORY_DIM 96

/* What a surface shows that was not shown before. */
struct memory_changes {
    SDL_Rect rects[REGION_MAX];
    int count;
};

void memory_drop(struct memory *m);

/* Draws the damage of the picture, or, with `all`, everything and the bars beside it. Call with the
 * framebuffer locked; `picture` NULL: there is none. Scaled where the map, which is of this
 * picture, says so; one that is enlarged, but not in whole steps, is drawn as a whole at any
 * damage. False when SDL cannot. */
bool memory_draw(struct memory *m, const struct framebuffer_view *picture, SDL_Surface *to,
                 const struct screen_map *map, bool all, struct memory_changes *changes);

#ifdef __cplusplus
}
#endif
#endif
