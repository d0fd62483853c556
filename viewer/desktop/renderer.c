#include "viewer/desktop/renderer.h"

#include <string.h>

#include <SDL.h>

/* SDL's OpenGL headers define it, and much else. */
#define GL_RENDERER_NAME 0x1F01

static bool is_x11(void)
{
    const char *driver = SDL_GetCurrentVideoDriver();

    return driver && strcmp(driver, "x11") == 0;
}

/* Without a graphics card Mesa computes what a card would draw. */
static bool is_computed(void)
{
    static const char *const computed[] = {"llvmpipe", "softpipe", "swrast", "Software Rasterizer"};
    const char *(*get_string)(unsigned) = NULL;
    const char *name;

    if (SDL_GL_GetCurrentContext())
        get_string = (const char *(*)(unsigned))(uintptr_t)SDL_GL_GetProcAddress("glGetString");
    name = get_string ? get_string(GL_RENDERER_NAME) : NULL;
    for (size_t i = 0; name && i < sizeof computed / sizeof *computed; i++)
        if (strstr(name, computed[i]))
            return true;
    return false;
}

SDL_Renderer *renderer_without_card(SDL_Window *window)
{
    if (!is_x11())
        return SDL_CreateRenderer(window, -1, SDL_RENDERER_SOFTWARE);
    SDL_SetHint(SDL_HINT_FRAMEBUFFER_ACCELERATION, "0");
    return NULL;
}

SDL_Renderer *renderer_open(SDL_Window *window, bool vsync)
{
    uint32_t flags = SDL_RENDERER_ACCELERATED | (vsync ? SDL_RENDERER_PRESENTVSYNC : 0);
    SDL_Renderer *r = SDL_CreateRenderer(window, -1, flags);

    if (r && !(is_x11() && is_computed()))
        return r;
    if (r)
        SDL_DestroyRenderer(r);
    return renderer_without_card(window);
}
