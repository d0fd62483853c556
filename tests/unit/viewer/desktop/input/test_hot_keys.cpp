// The keys that the viewer keeps for itself.
#include "tests/catch.hpp"

#include "viewer/desktop/input/keyboard/hot_keys.h"

namespace
{

hot_key of(SDL_Scancode scancode, SDL_Keycode key, int mod, Uint32 type = SDL_KEYDOWN)
{
    SDL_Event e = {};
    e.type = type;
    e.key.keysym.scancode = scancode;
    e.key.keysym.sym = key;
    e.key.keysym.mod = static_cast<Uint16>(mod);
    return hot_key_of(&e, SDLK_F8);
}

} // namespace

TEST_CASE("Ctrl+Alt+Enter, either of each, is full screen")
{
    for (int ctrl : {KMOD_LCTRL, KMOD_RCTRL})
        for (int alt : {KMOD_LALT, KMOD_RALT}) {
            CHECK(of(SDL_SCANCODE_RETURN, SDLK_RETURN, ctrl | alt) == HOT_KEY_FULL_SCREEN);
            CHECK(of(SDL_SCANCODE_KP_ENTER, SDLK_KP_ENTER, ctrl | alt) == HOT_KEY_FULL_SCREEN);
        }
    CHECK(of(SDL_SCANCODE_RETURN, SDLK_RETURN, KMOD_LCTRL | KMOD_LALT | KMOD_NUM | KMOD_CAPS) ==
          HOT_KEY_FULL_SCREEN);
}

TEST_CASE("Ctrl+Alt+G grabs, wherever the layout has G")
{
    const int both = KMOD_LCTRL | KMOD_LALT;

    CHECK(of(SDL_SCANCODE_G, SDLK_g, both) == HOT_KEY_GRAB);
    CHECK(of(SDL_SCANCODE_I, SDLK_g, both | KMOD_CAPS) == HOT_KEY_GRAB); /* Dvorak's */
    CHECK(of(SDL_SCANCODE_G, 0x43f, both) == HOT_KEY_GRAB);              /* Russian */
    CHECK(of(SDL_SCANCODE_G, SDLK_i, both) == HOT_KEY_NONE);             /* Dvorak's i */
    CHECK(of(SDL_SCANCODE_G, SDLK_g, both | KMOD_LSHIFT) == HOT_KEY_NONE);
    CHECK(of(SDL_SCANCODE_G, SDLK_g, KMOD_LCTRL) == HOT_KEY_NONE);
}

TEST_CASE("the other letters, and the menu key alone")
{
    const int both = KMOD_LCTRL | KMOD_LALT;

    CHECK(of(SDL_SCANCODE_M, SDLK_m, both) == HOT_KEY_MENU);
    CHECK(of(SDL_SCANCODE_S, SDLK_s, both) == HOT_KEY_STATISTICS);
    CHECK(of(SDL_SCANCODE_P, SDLK_p, both) == HOT_KEY_SCREENSHOT);
    CHECK(of(SDL_SCANCODE_M, 0x44c, both) == HOT_KEY_MENU); /* Russian */
    CHECK(of(SDL_SCANCODE_M, SDLK_m, KMOD_LCTRL) == HOT_KEY_NONE);
    CHECK(of(SDL_SCANCODE_F8, SDLK_F8, 0) == HOT_KEY_MENU_KEY);
    CHECK(of(SDL_SCANCODE_F8, SDLK_F8, KMOD_NUM | KMOD_CAPS) == HOT_KEY_MENU_KEY);
    for (int mod : {+KMOD_LSHIFT, +KMOD_RCTRL, +KMOD_LALT, +KMOD_LGUI, both})
        CHECK(of(SDL_SCANCODE_F8, SDLK_F8, mod) == HOT_KEY_NONE);
    CHECK(of(SDL_SCANCODE_F9, SDLK_F9, 0) == HOT_KEY_NONE);
    CHECK(of(SDL_SCANCODE_F8, SDLK_F8, 0, SDL_KEYUP) == HOT_KEY_NONE);

    SDL_Event nameless = {};
    nameless.type = SDL_KEYDOWN;
    CHECK(hot_key_of(&nameless, SDLK_UNKNOWN) == HOT_KEY_NONE);
}

TEST_CASE("what is not quite a hot key is the server's")
{
    const int both = KMOD_LCTRL | KMOD_LALT;

    CHECK(of(SDL_SCANCODE_RETURN, SDLK_RETURN, 0) == HOT_KEY_NONE);
    CHECK(of(SDL_SCANCODE_RETURN, SDLK_RETURN, KMOD_LALT) == HOT_KEY_NONE);
    CHECK(of(SDL_SCANCODE_RETURN, SDLK_RETURN, KMOD_LCTRL) == HOT_KEY_NONE);
    CHECK(of(SDL_SCANCODE_RETURN, SDLK_RETURN, both | KMOD_LSHIFT) == HOT_KEY_NONE);
    CHECK(of(SDL_SCANCODE_RETURN, SDLK_RETURN, both | KMOD_RGUI) == HOT_KEY_NONE);
    CHECK(of(SDL_SCANCODE_F, SDLK_f, both) == HOT_KEY_NONE);
    CHECK(of(SDL_SCANCODE_RETURN, SDLK_RETURN, both, SDL_KEYUP) == HOT_KEY_NONE);
    CHECK(of(SDL_SCANCODE_RETURN, SDLK_RETURN, both, SDL_MOUSEMOTION) == HOT_KEY_NONE);
}
