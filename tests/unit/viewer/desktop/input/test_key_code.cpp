// The table of keys' codes, against XT scan codes as other sources have them.
#include "tests/catch.hpp"

#include <map>

#include "viewer/desktop/input/keyboard/key_code.h"

TEST_CASE("keys have the codes of an XT keyboard")
{
    const std::map<SDL_Scancode, int> expected = {
        {SDL_SCANCODE_ESCAPE, 0x01},
        {SDL_SCANCODE_1, 0x02},
        {SDL_SCANCODE_0, 0x0b},
        {SDL_SCANCODE_Q, 0x10},
        {SDL_SCANCODE_P, 0x19},
        {SDL_SCANCODE_RETURN, 0x1c},
        {SDL_SCANCODE_A, 0x1e},
        {SDL_SCANCODE_L, 0x26},
        {SDL_SCANCODE_Z, 0x2c},
        {SDL_SCANCODE_M, 0x32},
        {SDL_SCANCODE_SPACE, 0x39},
        {SDL_SCANCODE_F1, 0x3b},
        {SDL_SCANCODE_F10, 0x44},
        {SDL_SCANCODE_F11, 0x57},
        {SDL_SCANCODE_F12, 0x58},
        {SDL_SCANCODE_NUMLOCKCLEAR, 0x45},
        {SDL_SCANCODE_KP_7, 0x47},
        {SDL_SCANCODE_KP_0, 0x52},
        {SDL_SCANCODE_NONUSBACKSLASH, 0x56},
        /* with 0xe0 in front */
        {SDL_SCANCODE_RCTRL, 0x9d},
        {SDL_SCANCODE_RALT, 0xb8},
        {SDL_SCANCODE_RIGHT, 0xcd},
        {SDL_SCANCODE_DELETE, 0xd3},
        {SDL_SCANCODE_KP_ENTER, 0x9c},
        {SDL_SCANCODE_KP_DIVIDE, 0xb5},
        {SDL_SCANCODE_APPLICATION, 0xdd},
        {SDL_SCANCODE_LGUI, 0xdb},
        /* what the protocol wants for keys with longer codes */
        {SDL_SCANCODE_PRINTSCREEN, 0x54},
        {SDL_SCANCODE_PAUSE, 0xc6},
        /* Japanese and Korean keys */
        {SDL_SCANCODE_INTERNATIONAL1, 0x73},
        {SDL_SCANCODE_INTERNATIONAL3, 0x7d},
        {SDL_SCANCODE_INTERNATIONAL4, 0x79},
        {SDL_SCANCODE_INTERNATIONAL5, 0x7b},
        {SDL_SCANCODE_LANG1, 0x72},
    };
    for (auto [scancode, code] : expected) {
        INFO("scancode " << scancode);
        CHECK(int(key_code(scancode)) == code);
    }
}

TEST_CASE("no two keys have the same code but those at the same place")
{
    std::map<int, int> owner;
    for (int s = 0; s < SDL_NUM_SCANCODES; s++) {
        int code = key_code(static_cast<SDL_Scancode>(s));
        bool again = s == SDL_SCANCODE_NONUSHASH || s == SDL_SCANCODE_AUDIOMUTE ||
                     s == SDL_SCANCODE_MUTE || s == SDL_SCANCODE_BACKSLASH;
        if (!code || again)
            continue;
        INFO("scancodes " << s << " and " << owner[code]);
        CHECK(owner[code] == 0);
        owner[code] = s;
    }
    /* every key of a PC keyboard has one */
    for (int s = SDL_SCANCODE_A; s <= SDL_SCANCODE_APPLICATION; s++)
        CHECK(int(key_code(static_cast<SDL_Scancode>(s))) != 0);
    for (int s = SDL_SCANCODE_LCTRL; s <= SDL_SCANCODE_RGUI; s++)
        CHECK(int(key_code(static_cast<SDL_Scancode>(s))) != 0);
}

TEST_CASE("what is no key has no code")
{
    CHECK(int(key_code(SDL_SCANCODE_UNKNOWN)) == 0);
    CHECK(int(key_code(SDL_NUM_SCANCODES)) == 0);
    CHECK(int(key_code(static_cast<SDL_Scancode>(-1))) == 0);
}
