#include "viewer/desktop/keysym.h"

#include <stddef.h>

#define XK_MISCELLANY
#define XK_XKB_KEYS
#include <rfb/keysym.h>

/* X.Org's keys of its vendor range, which <rfb/keysym.h> does not have. */
#define XF86_BRIGHTNESS_UP   0x1008ff02
#define XF86_BRIGHTNESS_DOWN 0x1008ff03
#define XF86_LIGHT_TOGGLE    0x1008ff04
#define XF86_LIGHT_UP        0x1008ff05
#define XF86_LIGHT_DOWN      0x1008ff06
#define XF86_LOWER_VOLUME    0x1008ff11
#define XF86_MUTE            0x1008ff12
#define XF86_RAISE_VOLUME    0x1008ff13
#define XF86_PLAY            0x1008ff14
#define XF86_STOP            0x1008ff15
#define XF86_PREVIOUS        0x1008ff16
#define XF86_NEXT            0x1008ff17
#define XF86_HOME_PAGE       0x1008ff18
#define XF86_MAIL            0x1008ff19
#define XF86_SEARCH          0x1008ff1b
#define XF86_CALCULATOR      0x1008ff1d
#define XF86_BACK            0x1008ff26
#define XF86_FORWARD         0x1008ff27
#define XF86_STOP_LOADING    0x1008ff28
#define XF86_REFRESH         0x1008ff29
#define XF86_POWER_OFF       0x1008ff2a
#define XF86_EJECT           0x1008ff2c
#define XF86_WWW             0x1008ff2e
#define XF86_SLEEP           0x1008ff2f
#define XF86_FAVORITES       0x1008ff30
#define XF86_MEDIA           0x1008ff32
#define XF86_MY_COMPUTER     0x1008ff33
#define XF86_REWIND          0x1008ff3e
#define XF86_COPY            0x1008ff57
#define XF86_CUT             0x1008ff58
#define XF86_DISPLAY         0x1008ff59
#define XF86_PASTE           0x1008ff6d
#define XF86_FAST_FORWARD    0x1008ff97

#define UNICODE_KEYSYM 0x01000000u /* + code point */
#define LATIN_END      0x250       /* first code point after Latin Extended-B */

/* Code points that X keyboard maps name by a keysym older than Unicode: `count` consecutive code
 * points map to as many consecutive keysyms. Sorted. Taken from libxkbcommon's
 * xkb_utf32_to_keysym(). */
struct keysym_run {
    uint16_t unicode, keysym;
    uint8_t count;
};

/* clang-format off */
static const struct keysym_run legacy[] = {
    {0x0100, 0x03c0, 1}, {0x0101, 0x03e0, 1}, {0x0102, 0x01c3, 1}, {0x0103, 0x01e3, 1},
    {0x0104, 0x01a1, 1}, {0x0105, 0x01b1, 1}, {0x0106, 0x01c6, 1}, {0x0107, 0x01e6, 1},
    {0x0108, 0x02c6, 1}, {0x0109, 0x02e6, 1}, {0x010a, 0x02c5, 1}, {0x010b, 0x02e5, 1},
    {0x010c, 0x01c8, 1}, {0x010d, 0x01e8, 1}, {0x010e, 0x01cf, 1}, {0x010f, 0x01ef, 1},
    {0x0110, 0x01d0, 1}, {0x0111, 0x01f0, 1}, {0x0112, 0x03aa, 1}, {0x0113, 0x03ba, 1},
    {0x0116, 0x03cc, 1}, {0x0117, 0x03ec, 1}, {0x0118, 0x01ca, 1}, {0x0119, 0x01ea, 1},
    {0x011a, 0x01cc, 1}, {0x011b, 0x01ec, 1}, {0x011c, 0x02d8, 1}, {0x011d, 0x02f8, 1},
    {0x011e, 0x02ab, 1}, {0x011f, 0x02bb, 1}, {0x0120, 0x02d5, 1}, {0x0121, 0x02f5, 1},
    {0x0122, 0x03ab, 1}, {0x0123, 0x03bb, 1}, {0x0124, 0x02a6, 1}, {0x0125, 0x02b6, 1},
    {0x0126, 0x02a1, 1}, {0x0127, 0x02b1, 1}, {0x0128, 0x03a5, 1}, {0x0129, 0x03b5, 1},
    {0x012a, 0x03cf, 1}, {0x012b, 0x03ef, 1}, {0x012e, 0x03c7, 1}, {0x012f, 0x03e7, 1},
    {0x0130, 0x02a9, 1}, {0x0131, 0x02b9, 1}, {0x0134, 0x02ac, 1}, {0x0135, 0x02bc, 1},
    {0x0136, 0x03d3, 1}, {0x0137, 0x03f3, 1}, {0x0138, 0x03a2, 1}, {0x0139, 0x01c5, 1},
    {0x013a, 0x01e5, 1}, {0x013b, 0x03a6, 1}, {0x013c, 0x03b6, 1}, {0x013d, 0x01a5, 1},
    {0x013e, 0x01b5, 1}, {0x0141, 0x01a3, 1}, {0x0142, 0x01b3, 1}, {0x0143, 0x01d1, 1},
    {0x0144, 0x01f1, 1}, {0x0145, 0x03d1, 1}, {0x0146, 0x03f1, 1}, {0x0147, 0x01d2, 1},
    {0x0148, 0x01f2, 1}, {0x014a, 0x03bd, 1}, {0x014b, 0x03bf, 1}, {0x014c, 0x03d2, 1},
    {0x014d, 0x03f2, 1}, {0x0150, 0x01d5, 1}, {0x0151, 0x01f5, 1}, {0x0152, 0x13bc, 2},
    {0x0154, 0x01c0, 1}, {0x0155, 0x01e0, 1}, {0x0156, 0x03a3, 1}, {0x0157, 0x03b3, 1},
    {0x0158, 0x01d8, 1}, {0x0159, 0x01f8, 1}, {0x015a, 0x01a6, 1}, {0x015b, 0x01b6, 1},
    {0x015c, 0x02de, 1}, {0x015d, 0x02fe, 1}, {0x015e, 0x01aa, 1}, {0x015f, 0x01ba, 1},
    {0x0160, 0x01a9, 1}, {0x0161, 0x01b9, 1}, {0x0162, 0x01de, 1}, {0x0163, 0x01fe, 1},
    {0x0164, 0x01ab, 1}, {0x0165, 0x01bb, 1}, {0x0166, 0x03ac, 1}, {0x0167, 0x03bc, 1},
    {0x0168, 0x03dd, 1}, {0x0169, 0x03fd, 1}, {0x016a, 0x03de, 1}, {0x016b, 0x03fe, 1},
    {0x016c, 0x02dd, 1}, {0x016d, 0x02fd, 1}, {0x016e, 0x01d9, 1}, {0x016f, 0x01f9, 1},
    {0x0170, 0x01db, 1}, {0x0171, 0x01fb, 1}, {0x0172, 0x03d9, 1}, {0x0173, 0x03f9, 1},
    {0x0178, 0x13be, 1}, {0x0179, 0x01ac, 1}, {0x017a, 0x01bc, 1}, {0x017b, 0x01af, 1},
    {0x017c, 0x01bf, 1}, {0x017d, 0x01ae, 1}, {0x017e, 0x01be, 1}, {0x0192, 0x08f6, 1},
    {0x02c7, 0x01b7, 1}, {0x02d8, 0x01a2, 1}, {0x02d9, 0x01ff, 1}, {0x02db, 0x01b2, 1},
    {0x02dd, 0x01bd, 1}, {0x0385, 0x07ae, 1}, {0x0386, 0x07a1, 1}, {0x0388, 0x07a2, 3},
    {0x038c, 0x07a7, 1}, {0x038e, 0x07a8, 1}, {0x038f, 0x07ab, 1}, {0x0390, 0x07b6, 1},
    {0x0391, 0x07c1, 17}, {0x03a3, 0x07d2, 1}, {0x03a4, 0x07d4, 6}, {0x03aa, 0x07a5, 1},
    {0x03ab, 0x07a9, 1}, {0x03ac, 0x07b1, 4}, {0x03b0, 0x07ba, 1}, {0x03b1, 0x07e1, 17},
    {0x03c2, 0x07f3, 1}, {0x03c3, 0x07f2, 1}, {0x03c4, 0x07f4, 6}, {0x03ca, 0x07b5, 1},
    {0x03cb, 0x07b9, 1}, {0x03cc, 0x07b7, 2}, {0x03ce, 0x07bb, 1}, {0x0401, 0x06b3, 1},
    {0x0402, 0x06b1, 2}, {0x0404, 0x06b4, 9}, {0x040e, 0x06be, 2}, {0x0410, 0x06e1, 2},
    {0x0412, 0x06f7, 1}, {0x0413, 0x06e7, 1}, {0x0414, 0x06e4, 2}, {0x0416, 0x06f6, 1},
    {0x0417, 0x06fa, 1}, {0x0418, 0x06e9, 8}, {0x0420, 0x06f2, 4}, {0x0424, 0x06e6, 1},
    {0x0425, 0x06e8, 1}, {0x0426, 0x06e3, 1}, {0x0427, 0x06fe, 1}, {0x0428, 0x06fb, 1},
    {0x0429, 0x06fd, 1}, {0x042a, 0x06ff, 1}, {0x042b, 0x06f9, 1}, {0x042c, 0x06f8, 1},
    {0x042d, 0x06fc, 1}, {0x042e, 0x06e0, 1}, {0x042f, 0x06f1, 1}, {0x0430, 0x06c1, 2},
    {0x0432, 0x06d7, 1}, {0x0433, 0x06c7, 1}, {0x0434, 0x06c4, 2}, {0x0436, 0x06d6, 1},
    {0x0437, 0x06da, 1}, {0x0438, 0x06c9, 8}, {0x0440, 0x06d2, 4}, {0x0444, 0x06c6, 1},
    {0x0445, 0x06c8, 1}, {0x0446, 0x06c3, 1}, {0x0447, 0x06de, 1}, {0x0448, 0x06db, 1},
    {0x0449, 0x06dd, 1}, {0x044a, 0x06df, 1}, {0x044b, 0x06d9, 1}, {0x044c, 0x06d8, 1},
    {0x044d, 0x06dc, 1}, {0x044e, 0x06c0, 1}, {0x044f, 0x06d1, 1}, {0x0451, 0x06a3, 1},
    {0x0452, 0x06a1, 2}, {0x0454, 0x06a4, 9}, {0x045e, 0x06ae, 2}, {0x0490, 0x06bd, 1},
    {0x0491, 0x06ad, 1}, {0x05d0, 0x0ce0, 27}, {0x060c, 0x05ac, 1}, {0x061b, 0x05bb, 1},
    {0x061f, 0x05bf, 1}, {0x0621, 0x05c1, 26}, {0x0640, 0x05e0, 19}, {0x0e01, 0x0da1, 58},
    {0x0e3e, 0x0dde, 16}, {0x0e50, 0x0df0, 10}, {0x11a8, 0x0ed4, 27}, {0x11eb, 0x0ef8, 1},
    {0x11f0, 0x0ef9, 1}, {0x11f9, 0x0efa, 1}, {0x2002, 0x0aa2, 1}, {0x2003, 0x0aa1, 1},
    {0x2004, 0x0aa3, 2}, {0x2007, 0x0aa5, 4}, {0x2012, 0x0abb, 1}, {0x2013, 0x0aaa, 1},
    {0x2014, 0x0aa9, 1}, {0x2015, 0x07af, 1}, {0x2017, 0x0cdf, 1}, {0x2018, 0x0ad0, 2},
    {0x201a, 0x0afd, 1}, {0x201c, 0x0ad2, 2}, {0x201e, 0x0afe, 1}, {0x2020, 0x0af1, 2},
    {0x2022, 0x0ae6, 1}, {0x2025, 0x0aaf, 1}, {0x2026, 0x0aae, 1}, {0x2030, 0x0ad5, 1},
    {0x2032, 0x0ad6, 2}, {0x2038, 0x0afc, 1}, {0x203e, 0x047e, 1}, {0x20a9, 0x0eff, 1},
    {0x20ac, 0x20ac, 1}, {0x2105, 0x0ab8, 1}, {0x2116, 0x06b0, 1}, {0x2117, 0x0afb, 1},
    {0x211e, 0x0ad4, 1}, {0x2122, 0x0ac9, 1}, {0x2153, 0x0ab0, 8}, {0x215b, 0x0ac3, 4},
    {0x2190, 0x08fb, 4}, {0x21d2, 0x08ce, 1}, {0x21d4, 0x08cd, 1}, {0x2202, 0x08ef, 1},
    {0x2207, 0x08c5, 1}, {0x2218, 0x0bca, 1}, {0x221a, 0x08d6, 1}, {0x221d, 0x08c1, 2},
    {0x2227, 0x08de, 2}, {0x2229, 0x08dc, 2}, {0x222b, 0x08bf, 1}, {0x2234, 0x08c0, 1},
    {0x223c, 0x08c8, 1}, {0x2243, 0x08c9, 1}, {0x2260, 0x08bd, 1}, {0x2261, 0x08cf, 1},
    {0x2264, 0x08bc, 1}, {0x2265, 0x08be, 1}, {0x2282, 0x08da, 2}, {0x22a2, 0x0bfc, 1},
    {0x22a3, 0x0bdc, 1}, {0x22a4, 0x0bc2, 1}, {0x22a5, 0x0bce, 1}, {0x2308, 0x0bd3, 1},
    {0x230a, 0x0bc4, 1}, {0x2315, 0x0afa, 1}, {0x2320, 0x08a4, 2}, {0x2395, 0x0bcc, 1},
    {0x239b, 0x08ab, 1}, {0x239d, 0x08ac, 2}, {0x23a0, 0x08ae, 1}, {0x23a1, 0x08a7, 1},
    {0x23a3, 0x08a8, 2}, {0x23a6, 0x08aa, 1}, {0x23a8, 0x08af, 1}, {0x23ac, 0x08b0, 1},
    {0x23b7, 0x08a1, 1}, {0x23ba, 0x09ef, 2}, {0x23bc, 0x09f2, 2}, {0x2409, 0x09e2, 1},
    {0x240a, 0x09e5, 1}, {0x240b, 0x09e9, 1}, {0x240c, 0x09e3, 2}, {0x2423, 0x0aac, 1},
    {0x2424, 0x09e8, 1}, {0x2500, 0x08a3, 1}, {0x2502, 0x08a6, 1}, {0x250c, 0x08a2, 1},
    {0x2510, 0x09eb, 1}, {0x2514, 0x09ed, 1}, {0x2518, 0x09ea, 1}, {0x251c, 0x09f4, 1},
    {0x2524, 0x09f5, 1}, {0x252c, 0x09f7, 1}, {0x2534, 0x09f6, 1}, {0x253c, 0x09ee, 1},
    {0x2592, 0x09e1, 1}, {0x25aa, 0x0ae7, 1}, {0x25ab, 0x0ae1, 1}, {0x25ac, 0x0adb, 1},
    {0x25ad, 0x0ae2, 1}, {0x25ae, 0x0adf, 1}, {0x25af, 0x0acf, 1}, {0x25b2, 0x0ae8, 1},
    {0x25b3, 0x0ae3, 1}, {0x25b6, 0x0add, 1}, {0x25b7, 0x0acd, 1}, {0x25bc, 0x0ae9, 1},
    {0x25bd, 0x0ae4, 1}, {0x25c0, 0x0adc, 1}, {0x25c1, 0x0acc, 1}, {0x25c6, 0x09e0, 1},
    {0x25cb, 0x0ace, 1}, {0x25cf, 0x0ade, 1}, {0x25e6, 0x0ae0, 1}, {0x2606, 0x0ae5, 1},
    {0x260e, 0x0af9, 1}, {0x2613, 0x0aca, 1}, {0x261c, 0x0aea, 1}, {0x261e, 0x0aeb, 1},
    {0x2640, 0x0af8, 1}, {0x2642, 0x0af7, 1}, {0x2663, 0x0aec, 1}, {0x2665, 0x0aee, 1},
    {0x2666, 0x0aed, 1}, {0x266d, 0x0af6, 1}, {0x266f, 0x0af5, 1}, {0x2713, 0x0af3, 1},
    {0x2717, 0x0af4, 1}, {0x271d, 0x0ad9, 1}, {0x2720, 0x0af0, 1}, {0x27e8, 0x0abc, 1},
    {0x27e9, 0x0abe, 1}, {0x3001, 0x04a4, 1}, {0x3002, 0x04a1, 1}, {0x300c, 0x04a2, 2},
    {0x309b, 0x04de, 2}, {0x30a1, 0x04a7, 1}, {0x30a2, 0x04b1, 1}, {0x30a3, 0x04a8, 1},
    {0x30a4, 0x04b2, 1}, {0x30a5, 0x04a9, 1}, {0x30a6, 0x04b3, 1}, {0x30a7, 0x04aa, 1},
    {0x30a8, 0x04b4, 1}, {0x30a9, 0x04ab, 1}, {0x30aa, 0x04b5, 2}, {0x30ad, 0x04b7, 1},
    {0x30af, 0x04b8, 1}, {0x30b1, 0x04b9, 1}, {0x30b3, 0x04ba, 1}, {0x30b5, 0x04bb, 1},
    {0x30b7, 0x04bc, 1}, {0x30b9, 0x04bd, 1}, {0x30bb, 0x04be, 1}, {0x30bd, 0x04bf, 1},
    {0x30bf, 0x04c0, 1}, {0x30c1, 0x04c1, 1}, {0x30c3, 0x04af, 1}, {0x30c4, 0x04c2, 1},
    {0x30c6, 0x04c3, 1}, {0x30c8, 0x04c4, 1}, {0x30ca, 0x04c5, 6}, {0x30d2, 0x04cb, 1},
    {0x30d5, 0x04cc, 1}, {0x30d8, 0x04cd, 1}, {0x30db, 0x04ce, 1}, {0x30de, 0x04cf, 5},
    {0x30e3, 0x04ac, 1}, {0x30e4, 0x04d4, 1}, {0x30e5, 0x04ad, 1}, {0x30e6, 0x04d5, 1},
    {0x30e7, 0x04ae, 1}, {0x30e8, 0x04d6, 6}, {0x30ef, 0x04dc, 1}, {0x30f2, 0x04a6, 1},
    {0x30f3, 0x04dd, 1}, {0x30fb, 0x04a5, 1}, {0x30fc, 0x04b0, 1}, {0x3131, 0x0ea1, 51},
    {0x316d, 0x0eef, 1}, {0x3171, 0x0ef0, 1}, {0x3178, 0x0ef1, 1}, {0x317f, 0x0ef2, 1},
    {0x3181, 0x0ef3, 1}, {0x3184, 0x0ef4, 1}, {0x3186, 0x0ef5, 1}, {0x318d, 0x0ef6, 2},
};
/* clang-format on */

struct key_name {
    SDL_Keycode key;
    uint32_t keysym;
};

static const struct key_name keys[] = {
    {SDLK_RETURN, XK_Return},
    {SDLK_RETURN2, XK_Return},
    {SDLK_ESCAPE, XK_Escape},
    {SDLK_BACKSPACE, XK_BackSpace},
    {SDLK_TAB, XK_Tab},
    {SDLK_DELETE, XK_Delete},
    {SDLK_INSERT, XK_Insert},
    {SDLK_HOME, XK_Home},
    {SDLK_END, XK_End},
    {SDLK_PAGEUP, XK_Page_Up},
    {SDLK_PAGEDOWN, XK_Page_Down},
    {SDLK_LEFT, XK_Left},
    {SDLK_UP, XK_Up},
    {SDLK_RIGHT, XK_Right},
    {SDLK_DOWN, XK_Down},
    {SDLK_PRINTSCREEN, XK_Print},
    {SDLK_SYSREQ, XK_Sys_Req},
    {SDLK_PAUSE, XK_Pause},
    {SDLK_SCROLLLOCK, XK_Scroll_Lock},
    {SDLK_NUMLOCKCLEAR, XK_Num_Lock},
    {SDLK_CAPSLOCK, XK_Caps_Lock},
    {SDLK_LSHIFT, XK_Shift_L},
    {SDLK_RSHIFT, XK_Shift_R},
    {SDLK_LCTRL, XK_Control_L},
    {SDLK_RCTRL, XK_Control_R},
    {SDLK_LALT, XK_Alt_L},
    {SDLK_RALT, XK_Alt_R},
    {SDLK_LGUI, XK_Super_L},
    {SDLK_RGUI, XK_Super_R},
    {SDLK_MODE, XK_ISO_Level3_Shift},
    {SDLK_APPLICATION, XK_Menu},
    {SDLK_MENU, XK_Menu},
    {SDLK_HELP, XK_Help},
    {SDLK_EXECUTE, XK_Execute},
    {SDLK_SELECT, XK_Select},
    {SDLK_STOP, XK_Cancel},
    {SDLK_CANCEL, XK_Cancel},
    {SDLK_AGAIN, XK_Redo},
    {SDLK_UNDO, XK_Undo},
    {SDLK_FIND, XK_Find},
    {SDLK_CLEAR, XK_Clear},
    {SDLK_PRIOR, XK_Prior},
    {SDLK_CUT, XF86_CUT},
    {SDLK_COPY, XF86_COPY},
    {SDLK_PASTE, XF86_PASTE},
    {SDL_SCANCODE_TO_KEYCODE(SDL_SCANCODE_INTERNATIONAL2), XK_Hiragana_Katakana},
    {SDL_SCANCODE_TO_KEYCODE(SDL_SCANCODE_INTERNATIONAL4), XK_Henkan},
    {SDL_SCANCODE_TO_KEYCODE(SDL_SCANCODE_INTERNATIONAL5), XK_Muhenkan},
    {SDL_SCANCODE_TO_KEYCODE(SDL_SCANCODE_LANG1), 0xff31}, /* Hangul */
    {SDL_SCANCODE_TO_KEYCODE(SDL_SCANCODE_LANG2), 0xff34}, /* Hangul_Hanja */
    {SDL_SCANCODE_TO_KEYCODE(SDL_SCANCODE_LANG3), XK_Katakana},
    {SDL_SCANCODE_TO_KEYCODE(SDL_SCANCODE_LANG4), XK_Hiragana},
    {SDL_SCANCODE_TO_KEYCODE(SDL_SCANCODE_LANG5), XK_Zenkaku_Hankaku},
    {SDLK_MUTE, XF86_MUTE},
    {SDLK_VOLUMEUP, XF86_RAISE_VOLUME},
    {SDLK_VOLUMEDOWN, XF86_LOWER_VOLUME},
    {SDLK_AUDIOMUTE, XF86_MUTE},
    {SDLK_AUDIONEXT, XF86_NEXT},
    {SDLK_AUDIOPREV, XF86_PREVIOUS},
    {SDLK_AUDIOSTOP, XF86_STOP},
    {SDLK_AUDIOPLAY, XF86_PLAY},
    {SDLK_AUDIOREWIND, XF86_REWIND},
    {SDLK_AUDIOFASTFORWARD, XF86_FAST_FORWARD},
    {SDLK_MEDIASELECT, XF86_MEDIA},
    {SDLK_EJECT, XF86_EJECT},
    {SDLK_WWW, XF86_WWW},
    {SDLK_MAIL, XF86_MAIL},
    {SDLK_CALCULATOR, XF86_CALCULATOR},
    {SDLK_COMPUTER, XF86_MY_COMPUTER},
    {SDLK_AC_SEARCH, XF86_SEARCH},
    {SDLK_AC_HOME, XF86_HOME_PAGE},
    {SDLK_AC_BACK, XF86_BACK},
    {SDLK_AC_FORWARD, XF86_FORWARD},
    {SDLK_AC_STOP, XF86_STOP_LOADING},
    {SDLK_AC_REFRESH, XF86_REFRESH},
    {SDLK_AC_BOOKMARKS, XF86_FAVORITES},
    {SDLK_BRIGHTNESSDOWN, XF86_BRIGHTNESS_DOWN},
    {SDLK_BRIGHTNESSUP, XF86_BRIGHTNESS_UP},
    {SDLK_DISPLAYSWITCH, XF86_DISPLAY},
    {SDLK_KBDILLUMTOGGLE, XF86_LIGHT_TOGGLE},
    {SDLK_KBDILLUMDOWN, XF86_LIGHT_DOWN},
    {SDLK_KBDILLUMUP, XF86_LIGHT_UP},
    {SDLK_SLEEP, XF86_SLEEP},
    {SDLK_POWER, XF86_POWER_OFF},
};

/* SDL_SCANCODE_KP_1 .. KP_0, KP_PERIOD without NumLock. */
static const uint32_t keypad_moves[] = {
    XK_KP_End,  XK_KP_Down, XK_KP_Page_Down, XK_KP_Left,   XK_KP_Begin,  XK_KP_Right,
    XK_KP_Home, XK_KP_Up,   XK_KP_Page_Up,   XK_KP_Insert, XK_KP_Delete,
};

uint32_t keysym_from_unicode(uint32_t c)
{
    if (c == '\b')
        return XK_BackSpace;
    if (c == '\t')
        return XK_Tab;
    if (c == '\n' || c == '\r')
        return XK_Return;
    if (c == 0x1b)
        return XK_Escape;
    if (c == 0x7f)
        return XK_Delete;
    if (c < 0x20 || (c >= 0x80 && c < 0xa0) || (c >= 0xd800 && c < 0xe000) || c > 0x10ffff)
        return 0;
    if (c < 0x100)
        return c;

    size_t low = 0, high = sizeof legacy / sizeof legacy[0];
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct keysym_run *run = &legacy[middle];
        if (c < run->unicode)
            high = middle;
        else if (c >= (uint32_t)run->unicode + run->count)
            low = middle + 1;
        else
            return run->keysym + (c - run->unicode);
    }
    return UNICODE_KEYSYM + c;
}

static uint32_t keysym_from_keypad(SDL_Scancode scancode, SDL_Keycode key, bool digits)
{
    switch (scancode) {
    case SDL_SCANCODE_KP_DIVIDE:
        return XK_KP_Divide;
    case SDL_SCANCODE_KP_MULTIPLY:
        return XK_KP_Multiply;
    case SDL_SCANCODE_KP_MINUS:
        return XK_KP_Subtract;
    case SDL_SCANCODE_KP_PLUS:
        return XK_KP_Add;
    case SDL_SCANCODE_KP_ENTER:
        return XK_KP_Enter;
    case SDL_SCANCODE_KP_EQUALS:
    case SDL_SCANCODE_KP_EQUALSAS400:
        return XK_KP_Equal;
    case SDL_SCANCODE_KP_COMMA:
        return XK_KP_Separator;
    default:
        break;
    }
    if (scancode < SDL_SCANCODE_KP_1 || scancode > SDL_SCANCODE_KP_PERIOD)
        return 0;
    if (!digits)
        return keypad_moves[scancode - SDL_SCANCODE_KP_1];
    if (scancode == SDL_SCANCODE_KP_PERIOD)
        return key == ',' || key == SDLK_KP_COMMA ? XK_KP_Separator : XK_KP_Decimal;
    if (scancode == SDL_SCANCODE_KP_0)
        return XK_KP_0;
    return XK_KP_1 + (uint32_t)(scancode - SDL_SCANCODE_KP_1);
}

static uint32_t look_up(SDL_Keycode key)
{
    if (key >= SDLK_F1 && key <= SDLK_F12)
        return XK_F1 + (uint32_t)(key - SDLK_F1);
    if (key >= SDLK_F13 && key <= SDLK_F24)
        return XK_F13 + (uint32_t)(key - SDLK_F13);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (keys[i].key == key)
            return keys[i].keysym;
    return 0;
}

/* The layout has made of the key what SDL has no name for. On a key that every keyboard has, that
 * is Compose or a switch of the layout, whatever is printed on it. */
static bool is_made_something_else(SDL_Scancode scancode, SDL_Keycode key)
{
    bool on_every_keyboard = scancode <= SDL_SCANCODE_APPLICATION ||
                             (scancode >= SDL_SCANCODE_LCTRL && scancode <= SDL_SCANCODE_RGUI);

    return key == SDL_SCANCODE_TO_KEYCODE(SDL_SCANCODE_UNKNOWN) && on_every_keyboard;
}

uint32_t keysym_from_key(SDL_Scancode scancode, SDL_Keycode key, bool digits)
{
    uint32_t keysym = keysym_from_keypad(scancode, key, digits);
    if (!keysym)
        keysym = look_up(key);
    /* The layout knows the key by a name that SDL does not: go by its place. */
    if (!keysym && !is_made_something_else(scancode, key) &&
        (key == SDLK_UNKNOWN || (key & SDLK_SCANCODE_MASK)))
        keysym = look_up(SDL_SCANCODE_TO_KEYCODE(scancode));
    return keysym;
}

/* What the key at this place types on a US keyboard; 0 for keys that type nothing. */
static char us_key(SDL_Scancode scancode)
{
    static const char digits[] = "1234567890";
    static const char signs[] = "-=[]\\\\;'`,./"; /* MINUS .. SLASH */

    if (scancode >= SDL_SCANCODE_A && scancode <= SDL_SCANCODE_Z)
        return (char)('a' + (scancode - SDL_SCANCODE_A));
    if (scancode >= SDL_SCANCODE_1 && scancode <= SDL_SCANCODE_0)
        return digits[scancode - SDL_SCANCODE_1];
    if (scancode >= SDL_SCANCODE_MINUS && scancode <= SDL_SCANCODE_SLASH)
        return signs[scancode - SDL_SCANCODE_MINUS];
    if (scancode == SDL_SCANCODE_SPACE)
        return ' ';
    return 0;
}

static char us_shift(char c)
{
    static const char plain[] = "`1234567890-=[]\\;',./";
    static const char shifted[] = "~!@#$%^&*()_+{}|:\"<>?";
    for (size_t i = 0; plain[i]; i++)
        if (plain[i] == c)
            return shifted[i];
    return c;
}

/* Simple upper case of the letters that have a key of their own on some keyboard. */
static uint32_t upper(uint32_t c)
{
    if ((c >= 'a' && c <= 'z') || (c >= 0xe0 && c <= 0xfe && c != 0xf7))
        return c - 0x20;
    if (c == 0xff)
        return 0x178;
    if ((c >= 0x100 && c < 0x138) || (c >= 0x14a && c < 0x178))
        return c & ~1u;
    if ((c >= 0x139 && c < 0x149) || (c >= 0x179 && c < 0x17f))
        return c - !(c & 1);
    if (c >= 0x3b1 && c <= 0x3c9 && c != 0x3c2)
        return c - 0x20;
    if (c >= 0x430 && c < 0x450)
        return c - 0x20;
    if (c >= 0x450 && c < 0x460)
        return c - 0x50;
    return c;
}

uint32_t keysym_shifted(SDL_Scancode scancode, uint32_t c)
{
    uint32_t big = upper(c);
    if (big == c && c < 0x80 && (char)c == us_key(scancode))
        big = (uint32_t)(unsigned char)us_shift((char)c);
    return big;
}

uint32_t keysym_from_shortcut(SDL_Scancode scancode, SDL_Keycode key, bool shift)
{
    if (key <= 0 || (key & SDLK_SCANCODE_MASK))
        return 0;
    uint32_t c = (uint32_t)key;
    if (c >= LATIN_END && us_key(scancode))
        c = (uint32_t)(unsigned char)us_key(scancode);
    return keysym_from_unicode(shift ? keysym_shifted(scancode, c) : c);
}
