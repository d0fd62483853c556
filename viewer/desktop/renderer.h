/* Who draws in the window: a graphics card, or this machine's processor.
 *
 * UI thread.
 */
#ifndef VNCHL_RENDERER_H
#define VNCHL_RENDERER_H

#include <stdbool.h>

#include <SDL_render.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The renderer of a graphics card. Where there is none: renderer_without_card(). It may make the
 * window anew. */
SDL_Renderer *renderer_open(SDL_Window *window, bool vsync);

/* On X11 NULL: the window's memory is drawn in, which is much cheaper (memory.h). SDL does not
 * reach that elsewhere; there its software renderer finds a way. */
SDL_Renderer *renderer_without_card(SDL_Window *window);

#ifdef __cplusplus
}
#endif
#endif
