#include "viewer/desktop/renderer.h"

#include <stdlib.h>
#include <string.h>

#include <SDL.h>
#include <xcb/xcb.h>

/* SDL's OpenGL headers define it, and much else. */
#define GL_RENDERER_NAME 0x1F01

static bool is_x11(void)
{
    const char *driver = SDL_GetCurrentVideoDriver();

    return driver && strcmp(driver, "x11") == 0;
}

/* A graphics card draws for an X server that hands it out, by one of these extensions. Where there
 * is none, Mesa would be loaded only to compute what a card would draw, and takes 67 MB. False also
 * where the server cannot be asked. */
static bool has_card(void)
{
    static const char *const extensions[] = {"DRI3", "DRI2", "NV-GLX"};
    enum { COUNT = sizeof extensions / sizeof *extensions };
    xcb_connection_t *x = xcb_connect(NULL, NULL);
    xcb_query_extension_cookie_t asked[COUNT];
    bool has = false;

    for (size_t i = 0; i < COUNT; i++)
        asked[i] = xcb_query_extension(x, (uint16_t)strlen(extensions[i]), extensions[i]);
    for (size_t i = 0; i < COUNT; i++) {
        xcb_query_extension_reply_t *reply = xcb_query_extension_reply(x, asked[i], NULL);

        has = has || (reply && reply->present);
        free(reply);
    }
    xcb_disconnect(x);
    return has;
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
    SDL_Renderer *r;

    if (is_x11() && !SDL_GetHint(SDL_HINT_RENDER_DRIVER) && !has_card())
        return renderer_without_card(window);
    r = SDL_CreateRenderer(window, -1, flags);
    if (r && !(is_x11() && is_computed()))
        return r;
    if (r)
        SDL_DestroyRenderer(r);
    return renderer_without_card(window);
}
