#include "viewer/desktop/input/keyboard/hot_keys.h"

#include <stdbool.h>
#include <stddef.h>

static const struct letter {
    SDL_Keycode key;
    SDL_Scancode scancode;
    enum hot_key means;
} letters[] = {
    {SDLK_g, SDL_SCANCODE_G, HOT_KEY_GRAB},
    {SDLK_m, SDL_SCANCODE_M, HOT_KEY_MENU},
    {SDLK_p, SDL_SCANCODE_P, HOT_KEY_SCREENSHOT},
    {SDLK_s, SDL_SCANCODE_S, HOT_KEY_STATISTICS},
};

static bool is_enter(const SDL_Keysym *k)
{
    return k->sym == SDLK_RETURN || k->scancode == SDL_SCANCODE_KP_ENTER;
}

static enum hot_key of_letter(const SDL_Keysym *k)
{
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
        if (k->sym == letters[i].key || (k->scancode == letters[i].scancode && k->sym >= 0x80))
            return letters[i].means;
    return HOT_KEY_NONE;
}

enum hot_key hot_key_of(const SDL_Event *e, SDL_Keycode menu)
{
    const SDL_Keysym *k = &e->key.keysym;

    if (e->type != SDL_KEYDOWN)
        return HOT_KEY_NONE;
    if (menu != SDLK_UNKNOWN && k->sym == menu &&
        !(k->mod & (KMOD_CTRL | KMOD_ALT | KMOD_SHIFT | KMOD_GUI)))
        return HOT_KEY_MENU_KEY;
    if (!(k->mod & KMOD_CTRL) || !(k->mod & KMOD_ALT) || (k->mod & (KMOD_SHIFT | KMOD_GUI)))
        return HOT_KEY_NONE;
    return is_enter(k) ? HOT_KEY_FULL_SCREEN : of_letter(k);
}

const char *hot_key_name(enum hot_key key)
{
    switch (key) {
    case HOT_KEY_FULL_SCREEN:
        return "Ctrl+Alt+Enter";
    case HOT_KEY_GRAB:
        return "Ctrl+Alt+G";
    case HOT_KEY_MENU:
        return "Ctrl+Alt+M";
    case HOT_KEY_STATISTICS:
        return "Ctrl+Alt+S";
    case HOT_KEY_SCREENSHOT:
        return "Ctrl+Alt+P";
    case HOT_KEY_MENU_KEY: /* the user's choice */
    case HOT_KEY_NONE:
        break;
    }
    return "";
}
