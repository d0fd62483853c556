/* Draws with one of SDL's renderers: a graphics card's, or where there is none this machine's
 * processor. The picture is kept in a texture, like the session's framebuffer.
 *
 * UI thread. Value type; a zeroed one is closed. Does not own the window.
 */
#ifndef VNCHL_SCREEN_RENDERER_H
#define VNCHL_SCREEN_RENDERER_H

#include <stdbool.h>

#include <SDL_render.h>

#include "rfb/decode/framebuffer_reader.h"
#include "viewer/desktop/display/drawing/memory.h"
#include "viewer/desktop/display/drawing/screen_frame.h"

#ifdef __cplusplus
extern "C" {
#endif

struct screen_renderer {
    SDL_Renderer *renderer; /* NULL: closed */
    SDL_Texture *texture;   /* NULL before the first picture and when it was lost */
    SDL_Surface *small;     /* in the texture: a picture that the card would coarsen; else NULL */
    struct memory memory;   /* draws the small one */
};

/* Opens a graphics card's. Where there is none: screen_renderer_open_without_card(). It may make
 * the window anew. */
bool screen_renderer_open(struct screen_renderer *r, SDL_Window *window, bool vsync);

/* False on X11: drawing in memory is much cheaper there (screen_memory.h). SDL does not reach that
 * elsewhere; there its software renderer finds a way. */
bool screen_renderer_open_without_card(struct screen_renderer *r, SDL_Window *window);

/* Call ui_forget_renderer() before. */
void screen_renderer_close(struct screen_renderer *r);

/* The window's pixels. False: it is closed. */
bool screen_renderer_size(const struct screen_renderer *r, int *w, int *h);

/* The texture is lost, or its picture is gone. */
void screen_renderer_drop_picture(struct screen_renderer *r);

/* Whether there is a texture for this picture, drawn like this. */
bool screen_renderer_is_ready(const struct screen_renderer *r, const struct screen_map *map);

/* Makes that texture. False when it cannot: a picture may be larger than a card can hold. */
bool screen_renderer_make_ready(struct screen_renderer *r, const struct screen_map *map, bool dim);

/* The picture lies elsewhere in the window, or is darker. */
void screen_renderer_set_map(struct screen_renderer *r, const struct screen_map *map);
void screen_renderer_set_dim(struct screen_renderer *r, bool dim);

/* Copies what changed into the texture, which is ready. *changed: there was something. False when
 * that fails for good. */
bool screen_renderer_take(struct screen_renderer *r, const struct framebuffer_view *view,
                          const struct screen_map *map, bool *changed);

/* Draws, and brings it to the display. Waits for its next refresh when vsync is on. */
void screen_renderer_show(struct screen_renderer *r, const struct screen_frame *frame);

#ifdef __cplusplus
}
#endif
#endif
