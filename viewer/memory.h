/* Draws the picture into a window's memory: the way without a graphics card. An OpenGL that only
 * pretends to be one costs four times as much, and some milliseconds in which nobody sees the
 * picture.
 *
 * UI thread; knows surfaces, not windows.
 */
#ifndef VNCHL_MEMORY_H
#define VNCHL_MEMORY_H

#include <stdbool.h>

#include <SDL_surface.h>

#include "rfb/framebuffer.h"
#include "viewer/screen_map.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a surface shows that was not shown before. */
struct memory_changes {
    SDL_Rect rects[REGION_MAX];
    int count;
};

/* Draws what is damaged of the picture, or, with `all`, everything and the bars beside it. Scaled
 * where the map says so: then all of the picture at any damage. False when SDL cannot. */
bool memory_draw(SDL_Surface *to, const struct framebuffer_view *from, const struct screen_map *map,
                 bool all, struct memory_changes *changes);

#ifdef __cplusplus
}
#endif
#endif
