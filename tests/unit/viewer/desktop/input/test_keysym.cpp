/* Characters and keys to X11 keysyms. Expected values: X11/keysymdef.h and XF86keysym.h. */
#include "tests/catch.hpp"

#include <vector>

#include "viewer/desktop/input/keyboard/keysym.h"

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
        {0x0301, 0x01000301},  /* an accent that combines is no dead key */
        {0x10fffd, 0x0110fffd},
    };
    for (auto t : cases) {
        CAPTURE(t.c);
        CHECK(keysym_from_unicode(t.c) == t.keysym);
    }
}

TEST_CASE("characters with a keysym older than Unicode have that one")
{
    /* In the keysym's order, which is that of a character set of its time. A dot has none, or
     * shares a character with a lower keysym. Left out are U+22A2, U+22A3 and U+3181: versions of
     * libxkbcommon differ there. */
    struct {
        uint32_t first;
        const char32_t *characters;
    } pages[] = {
        {0x1a0, U".Ą˘Ł.ĽŚ..ŠŞŤŹ.ŽŻ"},
        {0x1b0, U".ą˛ł.ľśˇ.šşťź˝žż"},
        {0x1c0, U"Ŕ..Ă.ĹĆ.Č.Ę.Ě..Ď"},
        {0x1d0, U"ĐŃŇ..Ő..ŘŮ.Ű..Ţ."},
        {0x1e0, U"ŕ..ă.ĺć.č.ę.ě..ď"},
        {0x1f0, U"đńň..ő..řů.ű..ţ˙"},
        {0x2a0, U".Ħ....Ĥ..İ.ĞĴ..."},
        {0x2b0, U".ħ....ĥ..ı.ğĵ..."},
        {0x2c0, U".....ĊĈ........."},
        {0x2d0, U".....Ġ..Ĝ....ŬŜ."},
        {0x2e0, U".....ċĉ........."},
        {0x2f0, U".....ġ..ĝ....ŭŝ."},
        {0x3a0, U"..ĸŖ.ĨĻ...ĒĢŦ..."},
        {0x3b0, U"...ŗ.ĩļ...ēģŧŊ.ŋ"},
        {0x3c0, U"Ā......Į....Ė..Ī"},
        {0x3d0, U".ŅŌĶ.....Ų...ŨŪ."},
        {0x3e0, U"ā......į....ė..ī"},
        {0x3f0, U".ņōķ.....ų...ũū."},
        {0x47e, U"\u203e"},
        {0x4a0, U".。「」、・ヲァィゥェォャュョッ"},
        {0x4b0, U"ーアイウエオカキクケコサシスセソ"},
        {0x4c0, U"タチツテトナニヌネノハヒフヘホマ"},
        {0x4d0, U"ミムメモヤユヨラリルレロワン\u309b\u309c"},
        {0x5ac, U"\u060c..............\u061b...\u061f"},
        {0x6a0, U".ђѓёєѕіїјљњћќґўџ"},
        {0x6b0, U"\u2116ЂЃЁЄЅІЇЈЉЊЋЌҐЎЏ"},
        {0x6c0, U"юабцдефгхийклмно"},
        {0x6d0, U"пярстужвьызшэщчъ"},
        {0x6e0, U"ЮАБЦДЕФГХИЙКЛМНО"},
        {0x6f0, U"ПЯРСТУЖВЬЫЗШЭЩЧЪ"},
        {0x7a0, U".ΆΈΉΊΪ.ΌΎΫ.Ώ..\u0385\u2015"},
        {0x7b0, U".άέήίϊΐόύϋΰώ...."},
        {0x7c0, U".ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟ"},
        {0x7d0, U"ΠΡΣ.ΤΥΦΧΨΩ......"},
        {0x7e0, U".αβγδεζηθικλμνξο"},
        {0x7f0, U"πρσςτυφχψω......"},
        {0x8a1, U"\u23b7\u250c\u2500\u2320\u2321\u2502\u23a1\u23a3\u23a4\u23a6\u239b\u239d\u239e"},
        {0x8ae, U"\u23a0\u23a8\u23ac...........\u2264\u2260\u2265\u222b"},
        {0x8c0, U"\u2234\u221d\u221e..\u2207..\u223c\u2243...\u21d4\u21d2\u2261"},
        {0x8d0, U"......\u221a...\u2282\u2283\u2229\u222a\u2227\u2228"},
        {0x8ef, U"\u2202......ƒ....\u2190\u2191\u2192\u2193"},
        {0x9e0, U"\u25c6\u2592\u2409\u240c\u240d\u240a..\u2424\u240b\u2518\u2510.\u2514\u253c"},
        {0x9ef, U"\u23ba\u23bb.\u23bc\u23bd\u251c\u2524\u2534\u252c"},
        {0xaa1, U"\u2003\u2002\u2004\u2005\u2007\u2008\u2009\u200a\u2014\u2013"},
        {0xaac, U"\u2423.\u2026\u2025"},
        {0xab0, U"\u2153\u2154\u2155\u2156\u2157\u2158\u2159\u215a\u2105..\u2012\u27e8.\u27e9"},
        {0xac3, U"\u215b\u215c\u215d\u215e..\u2122\u2613.\u25c1\u25b7\u25cb\u25af"},
        {0xad0, U"\u2018\u2019\u201c\u201d\u211e\u2030\u2032\u2033"},
        {0xad9, U"\u271d.\u25ac\u25c0\u25b6\u25cf\u25ae"},
        {0xae0, U"\u25e6\u25ab\u25ad\u25b3\u25bd\u2606\u2022\u25aa"},
        {0xae8, U"\u25b2\u25bc\u261c\u261e\u2663\u2666\u2665"},
        {0xaf0, U"\u2720\u2020\u2021\u2713\u2717\u266f\u266d\u2642"},
        {0xaf8, U"\u2640\u260e\u2315\u2117\u2038\u201a\u201e"},
        {0xbc2, U"\u22a4.\u230a.....\u2218.\u2395.\u22a5....\u2308"},
        {0xcdf, U"\u2017"},
        {0xeef, U"\u316d\u3171\u3178\u317f.\u3184\u3186\u318d\u318e\u11eb\u11f0\u11f9....\u20a9"},
        {0x13bc, U"ŒœŸ"},
        {0x20ac, U"€"},
    };
    for (const auto &page : pages)
        for (uint32_t i = 0; page.characters[i]; i++) {
            CAPTURE(page.first + i);
            if (page.characters[i] != '.')
                CHECK(keysym_from_unicode(page.characters[i]) == page.first + i);
        }

    struct {
        uint32_t first, last, keysym;
    } alphabets[] = {
        {0x05d0, 0x05ea, 0x0ce0}, /* Hebrew */
        {0x0621, 0x063a, 0x05c1}, /* Arabic */
        {0x0640, 0x0652, 0x05e0}, /* Arabic, with the vowels */
        {0x0e01, 0x0e3a, 0x0da1}, /* Thai */
        {0x0e3e, 0x0e4d, 0x0dde}, /* Thai, with the tones */
        {0x0e50, 0x0e59, 0x0df0}, /* Thai digits */
        {0x11a8, 0x11c2, 0x0ed4}, /* Korean: ends of syllables */
        {0x3131, 0x3163, 0x0ea1}, /* Korean letters */
    };
    for (const auto &a : alphabets)
        for (uint32_t c = a.first; c <= a.last; c++) {
            CAPTURE(c);
            CHECK(keysym_from_unicode(c) == a.keysym + (c - a.first));
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
    for (uint32_t c :
         {0x00u, 0x01u, 0x0bu, 0x1fu, 0x80u, 0x9fu, 0xd800u, 0xdfffu, 0x110000u, 0xffffffffu})
        CHECK(keysym_from_unicode(c) == 0);
}

TEST_CASE("two characters never share a keysym")
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

TEST_CASE("keys of multimedia keyboards, and of Korean ones")
{
    struct {
        SDL_Keycode key;
        uint32_t keysym;
    } cases[] = {
        {SDLK_BRIGHTNESSUP, 0x1008ff02},
        {SDLK_BRIGHTNESSDOWN, 0x1008ff03},
        {SDLK_KBDILLUMTOGGLE, 0x1008ff04},
        {SDLK_KBDILLUMUP, 0x1008ff05},
        {SDLK_KBDILLUMDOWN, 0x1008ff06},
        {SDLK_VOLUMEDOWN, 0x1008ff11},
        {SDLK_MUTE, 0x1008ff12},
        {SDLK_AUDIOMUTE, 0x1008ff12},
        {SDLK_VOLUMEUP, 0x1008ff13},
        {SDLK_AUDIOPLAY, 0x1008ff14},
        {SDLK_AUDIOSTOP, 0x1008ff15},
        {SDLK_AUDIOPREV, 0x1008ff16},
        {SDLK_AUDIONEXT, 0x1008ff17},
        {SDLK_AC_HOME, 0x1008ff18},
        {SDLK_MAIL, 0x1008ff19},
        {SDLK_AC_SEARCH, 0x1008ff1b},
        {SDLK_CALCULATOR, 0x1008ff1d},
        {SDLK_AC_BACK, 0x1008ff26},
        {SDLK_AC_FORWARD, 0x1008ff27},
        {SDLK_AC_STOP, 0x1008ff28},
        {SDLK_AC_REFRESH, 0x1008ff29},
        {SDLK_POWER, 0x1008ff2a},
        {SDLK_EJECT, 0x1008ff2c},
        {SDLK_WWW, 0x1008ff2e},
        {SDLK_SLEEP, 0x1008ff2f},
        {SDLK_AC_BOOKMARKS, 0x1008ff30},
        {SDLK_MEDIASELECT, 0x1008ff32},
        {SDLK_COMPUTER, 0x1008ff33},
        {SDLK_AUDIOREWIND, 0x1008ff3e},
        {SDLK_COPY, 0x1008ff57},
        {SDLK_CUT, 0x1008ff58},
        {SDLK_DISPLAYSWITCH, 0x1008ff59},
        {SDLK_PASTE, 0x1008ff6d},
        {SDLK_AUDIOFASTFORWARD, 0x1008ff97},
        {SDL_SCANCODE_TO_KEYCODE(SDL_SCANCODE_LANG1), 0xff31},
        {SDL_SCANCODE_TO_KEYCODE(SDL_SCANCODE_LANG2), 0xff34},
    };
    for (auto t : cases) {
        CAPTURE(t.key);
        CHECK(keysym_from_key(SDL_SCANCODE_UNKNOWN, t.key, false) == t.keysym);
    }
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
                 {0x3c2, 0x3c2}, {0x436, 0x416}, {0x451, 0x401}, {0x45f, 0x40f}, {0x5d0, 0x5d0},
                 {0x131, 'I'},   {0x130, 0x130}};
    for (auto t : cases) {
        CAPTURE(t.small);
        for (uint32_t c : {t.small, t.big})
            CHECK(in_shortcut(SDL_SCANCODE_UNKNOWN, static_cast<SDL_Keycode>(c), true) ==
                  keysym_from_unicode(t.big));
    }
}
