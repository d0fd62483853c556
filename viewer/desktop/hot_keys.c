#include "viewer/desktop/hot_keys.h"

enum hot_key hot_key_of(const SDL_Event *e)
{
    const SDL_Keysym *k = &e->key.keysym;

    if (e->type == SDL_KEYDOWN && (k->sym == SDLK_RETURN || k->scancode == SDL_SCANCODE_KP_ENTER) &&
        (k->mod & KMOD_CTRL) && (k->mod & KMOD_ALT) && !(k->mod & (KMOD_SHIFT | KMOD_GUI)))
        return HOT_KEY_FULL_SCREEN;
    return HOT_KEY_NONE;
}
