/* What lies above the picture and hides it: notices, buttons and figures. A picture that changes
 * below them is drawn without them being drawn again.
 *
 * UI thread. Value type; a zeroed one is empty.
 */
#ifndef VNCHL_COVERS_H
#define VNCHL_COVERS_H

#include <stdbool.h>

#include <SDL_surface.h>

#include "rfb/region.h"
#include "viewer/ui/ui.h"

#ifdef __cplusplus
extern "C" {
#endif

struct covers {
    struct rect at[UI_COVERS]; /* in pixels of the window */
    int count;
    bool shine_through;           /* they lie over the whole window, and the picture is seen */
    SDL_Surface *kept[UI_COVERS]; /* how they look; NULL: not kept */
};

void covers_drop(struct covers *c);

/* The ui has been drawn in this memory: takes from there how it looks. */
void covers_keep(struct covers *c, const struct ui *ui, SDL_Surface *from);

/* Puts them back, after a picture was drawn over them. */
void covers_restore(const struct covers *c, SDL_Surface *to);

/* A part of the window into at most this many. */
#define COVERS_PIECES (4 * 4 * 4 * 4)

/* The pieces of a part of the window that they do not hide. Returns how many. */
int covers_leave(const struct covers *c, struct rect part, struct rect out[COVERS_PIECES]);

#ifdef __cplusplus
}
#endif
#endif
