#include "viewer/options/menu_key.h"

#include <stddef.h>
#include <strings.h>

#define F(n)                                                                                       \
    {                                                                                              \
        "F" #n, "F" #n, SDLK_F##n, SDL_SCANCODE_F##n                                               \
    }

static const struct menu_key keys[] = {
    F(1),
    F(2),
    F(3),
    F(4),
    F(5),
    F(6),
    F(7),
    F(8),
    F(9),
    F(10),
    F(11),
    F(12),
    {"Pause", "Pause", SDLK_PAUSE, SDL_SCANCODE_PAUSE},
    {"Scroll_Lock", "Scroll Lock", SDLK_SCROLLLOCK, SDL_SCANCODE_SCROLLLOCK},
    {"Escape", "Escape", SDLK_ESCAPE, SDL_SCANCODE_ESCAPE},
    {"Insert", "Insert", SDLK_INSERT, SDL_SCANCODE_INSERT},
    {"Delete", "Delete", SDLK_DELETE, SDL_SCANCODE_DELETE},
    {"Home", "Home", SDLK_HOME, SDL_SCANCODE_HOME},
    {"Page_Up", "Page Up", SDLK_PAGEUP, SDL_SCANCODE_PAGEUP},
    {"Page_Down", "Page Down", SDLK_PAGEDOWN, SDL_SCANCODE_PAGEDOWN},
};

bool menu_key_parse(const char *name, struct menu_key *out)
{
    *out = (struct menu_key){0};
    if (*name == '\0' || strcasecmp(name, "none") == 0)
        return true;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcasecmp(name, keys[i].name) == 0) {
            *out = keys[i];
            return true;
        }
    return false;
}

struct menu_key menu_key_default(void)
{
    struct menu_key key;

    menu_key_parse("F8", &key);
    return key;
}
