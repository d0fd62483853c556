/* Draws the picture into a window's memory: the way without a graphics card. An OpenGL that only
 * pretends to be one costs four times as much, and some milliseconds in which nobody sees the
 * picture.
 *
 * UI thread. Knows surfaces, not windows. The framebuffer is locked only while what changed is
 * copied; scaling takes longer.
 */
#ifndef VNCHL_MEMORY_H
#define VNCHL_MEMORY_H

#include <stdbool.h>

#include <SDL_surface.h>

#include "rfb/decode/framebuffer_reader.h"
#include "viewer/desktop/screen_map.h"
#include "viewer/desktop/shrink.h"

#ifdef __cplusplus
extern "C" {
#endif

struct memory {
    SDL_Surface *picture; /* NULL before the first */
    struct region damage; /* not drawn yet */
    bool dim;             /* memory_set_dim() */
    struct shrink shrink; /* for a picture that is drawn smaller */
};

/* How bright a dimmed picture is, of 255. Chosen: it is still readable. */
#define MEMORY_DIM 96

/* What a surface shows that was not shown before. */
struct memory_changes {
    SDL_Rect rects[REGION_MAX];
    int count;
};

/* Copies what is damaged; call with the framebuffer locked. False when out of memory. */
bool memory_take(struct memory *m, const struct framebuffer_view *view);
void memory_drop(struct memory *m);

/* Whether the picture is drawn dark from now on. Draw everything afterwards. */
void memory_set_dim(struct memory *m, bool dim);

/* Draws what was taken, or, with `all`, everything and the bars beside it. Scaled where the map
 * says so; one that is enlarged, but not in whole steps, is drawn as a whole at any damage. False
 * when SDL cannot. The map's picture has the size of the one that was taken. */
bool memory_draw(struct memory *m, SDL_Surface *to, const struct screen_map *map, bool all,
                 struct memory_changes *changes);

#ifdef __cplusplus
}
#endif
#endif
