/* Characters and keys to X11 keysyms. Expected values: X11/keysymdef.h and XF86keysym.h. */
#include "tests/catch.hpp"

#include <vector>

#include "viewer/desktop/keysym.h"
#include "viewer/desktop/keysym_unicode.h"

TEST_CASE("Latin-1 characters are their own keysyms")
{
    for (uint32_t c = 0x20; c < 0x7f; c++)
        CHECK(keysym_from_unicode(c) == c);
    for (uint32_t c = 0xa0; c < 0x100; c++)
        CHECK(keysym_from_unicode(c) == c);
}

TEST_CASE("other characters have the name keyboard maps use, or their code point")
{
    struct {
        uint32_t c, keysym;
    } cases[] = {
        {0x0104, 0x01a1},      /* Aogonek: the first of Latin-2 */
        {0x0142, 0x01b3},      /* lstroke */
        {0x0131, 0x02b9},      /* idotless: Turkish */
        {0x03b1, 0x07e1},      /* Greek_alpha */
        {0x03a9, 0x07d9},      /* Greek_OMEGA */
        {0x03c2, 0x07f3},      /* Greek_finalsmallsigma */
        {0x0430, 0x06c1},      /* Cyrillic_a */
        {0x042f, 0x06f1},      /* Cyrillic_YA */
        {0x0451, 0x06a3},      /* Cyrillic_io */
        {0x05d0, 0x0ce0},      /* hebrew_aleph */
        {0x0627, 0x05c7},      /* Arabic_alef */
        {0x0e01, 0x0da1},      /* Thai_kokai */
        {0x30a2, 0x04b1},      /* kana_A */
        {0x20ac, 0x20ac},      /* EuroSign */
        {0x0152, 0x13bc},      /* OE */
        {0x2013, 0x0aaa},      /* endash */
        {0x201c, 0x0ad2},      /* leftdoublequotemark */
        {0x2192, 0x08fd},      /* rightarrow */
        {0x0416, 0x06f6},      /* Cyrillic_ZHE */
        {0x4e2d, 0x01004e2d},  /* a Chinese character */
        {0x1f600, 0x0101f600}, /* beyond the basic plane */
        {0x10ffff, 0x0110ffff},
    };
    for (auto t : cases) {
        CAPTURE(t.c);
        CHECK(keysym_from_unicode(t.c) == t.keysym);
    }
}

TEST_CASE("control characters that have a key give it, all others nothing")
{
    CHECK(keysym_from_unicode('\n') == 0xff0d);
    CHECK(keysym_from_unicode('\r') == 0xff0d);
    CHECK(keysym_from_unicode('\t') == 0xff09);
    CHECK(keysym_from_unicode('\b') == 0xff08);
    CHECK(keysym_from_unicode(0x1b) == 0xff1b);
    CHECK(keysym_from_unicode(0x7f) == 0xffff);
    for (uint32_t c : {0x00u, 0x01u, 0x1fu, 0x80u, 0x9fu, 0xd800u, 0xdfffu, 0x110000u, 0xffffffffu})
        CHECK(keysym_from_unicode(c) == 0);
}

TEST_CASE("two characters never share a keysym, in order of the table")
{
    std::vector<bool> seen(0x10000);
    for (uint32_t c = 0x20; c < 0x10000; c++) {
        uint32_t keysym = keysym_from_unicode(c);
        if (!keysym || keysym >= 0x10000 || c == 0x7f)
            continue;
        CAPTURE(c, keysym);
        CHECK_FALSE(seen[keysym]);
        seen[keysym] = true;
    }
}

TEST_CASE("keys that type no text")
{
    struct {
        SDL_Scancode scancode;
        SDL_Keycode key;
        uint32_t keysym;
    } cases[] = {
        {SDL_SCANCODE_RETURN, SDLK_RETURN, 0xff0d},
        {SDL_SCANCODE_ESCAPE, SDLK_ESCAPE, 0xff1b},
        {SDL_SCANCODE_TAB, SDLK_TAB, 0xff09},
        {SDL_SCANCODE_DELETE, SDLK_DELETE, 0xffff},
        {SDL_SCANCODE_F1, SDLK_F1, 0xffbe},
        {SDL_SCANCODE_F12, SDLK_F12, 0xffc9},
        {SDL_SCANCODE_F13, SDLK_F13, 0xffca},
        {SDL_SCANCODE_F24, SDLK_F24, 0xffd5},
        {SDL_SCANCODE_PAGEUP, SDLK_PAGEUP, 0xff55},
        {SDL_SCANCODE_LEFT, SDLK_LEFT, 0xff51},
        {SDL_SCANCODE_LSHIFT, SDLK_LSHIFT, 0xffe1},
        {SDL_SCANCODE_RCTRL, SDLK_RCTRL, 0xffe4},
        {SDL_SCANCODE_LALT, SDLK_LALT, 0xffe9},
        {SDL_SCANCODE_LGUI, SDLK_LGUI, 0xffeb},
        {SDL_SCANCODE_MODE, SDLK_MODE, 0xfe03},
        {SDL_SCANCODE_PRINTSCREEN, SDLK_PRINTSCREEN, 0xff61},
        {SDL_SCANCODE_APPLICATION, SDLK_APPLICATION, 0xff67},
        {SDL_SCANCODE_VOLUMEUP, SDLK_VOLUMEUP, 0x1008ff13},
        {SDL_SCANCODE_AUDIOPLAY, SDLK_AUDIOPLAY, 0x1008ff14},
        {SDL_SCANCODE_AC_BACK, SDLK_AC_BACK, 0x1008ff26},
        /* Caps Lock and Escape swapped by the layout: the name counts, not the place */
        {SDL_SCANCODE_CAPSLOCK, SDLK_ESCAPE, 0xff1b},
        /* SDL has no name for it: the place counts */
        {SDL_SCANCODE_PRINTSCREEN, SDLK_UNKNOWN, 0xff61},
        {SDL_SCANCODE_INTERNATIONAL4, SDLK_SCANCODE_MASK, 0xff23},
        /* but what every keyboard has was made something else, as by compose:caps */
        {SDL_SCANCODE_CAPSLOCK, SDLK_SCANCODE_MASK, 0},
        {SDL_SCANCODE_APPLICATION, SDLK_SCANCODE_MASK, 0},
        {SDL_SCANCODE_RCTRL, SDLK_SCANCODE_MASK, 0},
    };
    for (auto t : cases) {
        CAPTURE(t.scancode, t.key);
        CHECK(keysym_from_key(t.scancode, t.key, false) == t.keysym);
    }
    CHECK(keysym_from_key(SDL_SCANCODE_A, SDLK_a, false) == 0);
    CHECK(keysym_from_key(SDL_SCANCODE_SPACE, SDLK_SPACE, false) == 0);
    CHECK(keysym_from_key(SDL_SCANCODE_LEFTBRACKET, SDLK_SCANCODE_MASK, false) == 0); /* dead */
}

TEST_CASE("the keypad types digits or moves")
{
    for (int i = 0; i < 9; i++) {
        auto scancode = static_cast<SDL_Scancode>(SDL_SCANCODE_KP_1 + i);
        CHECK(keysym_from_key(scancode, SDLK_UNKNOWN, true) == 0xffb1u + static_cast<uint32_t>(i));
    }
    CHECK(keysym_from_key(SDL_SCANCODE_KP_0, SDLK_KP_0, true) == 0xffb0);
    CHECK(keysym_from_key(SDL_SCANCODE_KP_7, SDLK_KP_7, false) == 0xff95); /* KP_Home */
    CHECK(keysym_from_key(SDL_SCANCODE_KP_5, SDLK_KP_5, false) == 0xff9d); /* KP_Begin */
    CHECK(keysym_from_key(SDL_SCANCODE_KP_3, SDLK_KP_3, false) == 0xff9b); /* KP_Next */
    CHECK(keysym_from_key(SDL_SCANCODE_KP_0, SDLK_KP_0, false) == 0xff9e); /* KP_Insert */
    CHECK(keysym_from_key(SDL_SCANCODE_KP_PERIOD, SDLK_KP_PERIOD, false) == 0xff9f);
    CHECK(keysym_from_key(SDL_SCANCODE_KP_PERIOD, SDLK_KP_PERIOD, true) == 0xffae);
    CHECK(keysym_from_key(SDL_SCANCODE_KP_PERIOD, ',', true) == 0xffac); /* German */
    for (bool digits : {false, true}) {
        CHECK(keysym_from_key(SDL_SCANCODE_KP_ENTER, SDLK_KP_ENTER, digits) == 0xff8d);
        CHECK(keysym_from_key(SDL_SCANCODE_KP_PLUS, '+', digits) == 0xffab);
        CHECK(keysym_from_key(SDL_SCANCODE_KP_DIVIDE, '/', digits) == 0xffaf);
    }
}

namespace
{

/* Of a key that types this alone, by SDL's names, with Ctrl. */
uint32_t in_shortcut(SDL_Scancode scancode, SDL_Keycode key, bool shift)
{
    SDL_Keysym k = {};
    k.scancode = scancode;
    k.sym = key;
    k.mod = static_cast<Uint16>(KMOD_LCTRL | (shift ? KMOD_LSHIFT : 0));
    const key_meaning meaning = key_meaning_by_name(&k);
    CHECK(meaning.at_once == (meaning.keysym != 0));
    return meaning.keysym;
}

} // namespace

TEST_CASE("the key of a shortcut is its own character with Shift applied")
{
    CHECK(in_shortcut(SDL_SCANCODE_C, 'c', false) == 'c');
    CHECK(in_shortcut(SDL_SCANCODE_C, 'c', true) == 'C');
    CHECK(in_shortcut(SDL_SCANCODE_1, '1', true) == '!');
    CHECK(in_shortcut(SDL_SCANCODE_SLASH, '/', true) == '?');
    CHECK(in_shortcut(SDL_SCANCODE_GRAVE, '`', true) == '~');
    CHECK(in_shortcut(SDL_SCANCODE_BACKSLASH, '\\', true) == '|');
    /* a layout's own letters: QWERTZ, Czech, German */
    CHECK(in_shortcut(SDL_SCANCODE_Y, 'z', false) == 'z');
    CHECK(in_shortcut(SDL_SCANCODE_APOSTROPHE, 0xe4, true) == 0xc4);
    CHECK(in_shortcut(SDL_SCANCODE_3, 0x161, true) == 0x1a9); /* Scaron */
    /* not the US key: what Shift makes of it is unknown, so it stays */
    CHECK(in_shortcut(SDL_SCANCODE_MINUS, 0xdf, true) == 0xdf);
    CHECK(in_shortcut(SDL_SCANCODE_RIGHTBRACKET, '+', true) == '+');
}

TEST_CASE("a keyboard without Latin letters still has Latin shortcuts")
{
    CHECK(in_shortcut(SDL_SCANCODE_C, 0x441, false) == 'c');
    CHECK(in_shortcut(SDL_SCANCODE_C, 0x441, true) == 'C');
    CHECK(in_shortcut(SDL_SCANCODE_SEMICOLON, 0x436, false) == ';');
    CHECK(in_shortcut(SDL_SCANCODE_A, 0x3b1, false) == 'a');
}

TEST_CASE("a key without a character has no shortcut")
{
    CHECK(in_shortcut(SDL_SCANCODE_LEFTBRACKET, SDLK_SCANCODE_MASK, false) == 0);
    CHECK(in_shortcut(SDL_SCANCODE_A, SDLK_UNKNOWN, false) == 0);
}

TEST_CASE("Shift gives the upper case of letters outside ASCII")
{
    struct {
        uint32_t small, big;
    } cases[] = {{0xe9, 0xc9},   {0xff, 0x178},  {0xf7, 0xf7},   {0xdf, 0xdf},   {0x105, 0x104},
                 {0x13e, 0x13d}, {0x142, 0x141}, {0x153, 0x152}, {0x17e, 0x17d}, {0x3c9, 0x3a9},
                 {0x3c2, 0x3c2}, {0x436, 0x416}, {0x451, 0x401}, {0x45f, 0x40f}, {0x5d0, 0x5d0}};
    for (auto t : cases) {
        CAPTURE(t.small);
        for (uint32_t c : {t.small, t.big})
            CHECK(in_shortcut(SDL_SCANCODE_UNKNOWN, static_cast<SDL_Keycode>(c), true) ==
                  keysym_from_unicode(t.big));
    }
}
