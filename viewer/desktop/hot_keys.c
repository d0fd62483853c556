#include "viewer/desktop/hot_keys.h"

#include <stdbool.h>

static bool is_enter(const SDL_Keysym *k)
{
    return k->sym == SDLK_RETURN || k->scancode == SDL_SCANCODE_KP_ENTER;
}

static bool is_g(const SDL_Keysym *k)
{
    return k->sym == SDLK_g || (k->scancode == SDL_SCANCODE_G && k->sym >= 0x80);
}

enum hot_key hot_key_of(const SDL_Event *e)
{
    const SDL_Keysym *k = &e->key.keysym;

    if (e->type != SDL_KEYDOWN || !(k->mod & KMOD_CTRL) || !(k->mod & KMOD_ALT) ||
        (k->mod & (KMOD_SHIFT | KMOD_GUI)))
        return HOT_KEY_NONE;
    return is_enter(k) ? HOT_KEY_FULL_SCREEN : is_g(k) ? HOT_KEY_GRAB : HOT_KEY_NONE;
}

const char *hot_key_name(enum hot_key key)
{
    switch (key) {
    case HOT_KEY_FULL_SCREEN:
        return "Ctrl+Alt+Enter";
    case HOT_KEY_GRAB:
        return "Ctrl+Alt+G";
    case HOT_KEY_NONE:
        break;
    }
    return "";
}
