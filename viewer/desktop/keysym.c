#include "viewer/desktop/keysym.h"

#include <stddef.h>

#define XK_MISCELLANY
#define XK_XKB_KEYS
#include <rfb/keysym.h>

#include "viewer/desktop/keysym_unicode.h"

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

#define LATIN_END 0x250 /* first code point after Latin Extended-B */

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

static uint32_t keysym_look_up(SDL_Keycode key)
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
        keysym = keysym_look_up(key);
    /* The layout knows the key by a name that SDL does not: go by its place. */
    if (!keysym && !is_made_something_else(scancode, key) &&
        (key == SDLK_UNKNOWN || (key & SDLK_SCANCODE_MASK)))
        keysym = keysym_look_up(SDL_SCANCODE_TO_KEYCODE(scancode));
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
    if (scancode == SDL_SCANCODE_NONUSBACKSLASH)
        return '<';
    if (scancode == SDL_SCANCODE_SPACE)
        return ' ';
    return 0;
}

static char us_shift(char c)
{
    static const char plain[] = "`1234567890-=[]\\;',./<";
    static const char shifted[] = "~!@#$%^&*()_+{}|:\"<>?>";
    for (size_t i = 0; plain[i]; i++)
        if (plain[i] == c)
            return shifted[i];
    return c;
}

/* Simple upper case of the letters that have a key of their own on some keyboard. */
static uint32_t keysym_upper(uint32_t c)
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

uint32_t keysym_of_place(SDL_Scancode scancode, bool shift)
{
    char c = us_key(scancode);

    if (c >= 'a' && c <= 'z')
        return (uint32_t)(shift ? c - 'a' + 'A' : c);
    return (uint32_t)(unsigned char)(shift ? us_shift(c) : c);
}

/* The code point that Shift makes of the one the key types. */
static uint32_t keysym_shifted(SDL_Scancode scancode, uint32_t c)
{
    uint32_t big = keysym_upper(c);

    return big == c && c == keysym_of_place(scancode, false) ? keysym_of_place(scancode, true)
                                                             : big;
}

static uint32_t keysym_from_shortcut(const SDL_Keysym *k)
{
    const bool shift = k->mod & KMOD_SHIFT;
    uint32_t c = (uint32_t)k->sym;

    if (k->sym <= 0 || (k->sym & SDLK_SCANCODE_MASK))
        return 0;
    if (c >= LATIN_END && us_key(k->scancode))
        return keysym_of_place(k->scancode, shift);
    return keysym_from_unicode(shift ? keysym_shifted(k->scancode, c) : c);
}

static bool is_keypad(uint32_t keysym)
{
    return keysym >= XK_KP_Space && keysym <= XK_KP_Equal;
}

struct key_meaning key_meaning_of(uint32_t keysym, uint32_t character, bool shortcut)
{
    const bool types = character >= ' ' && character != 0x7f;

    return (struct key_meaning){
        keysym,
        types ? character : 0,
        keysym && (!types || shortcut || is_keypad(keysym)),
    };
}

struct key_meaning key_meaning_by_name(const SDL_Keysym *k)
{
    bool digits = !(k->mod & KMOD_NUM) == !!(k->mod & KMOD_SHIFT); /* Shift inverts NumLock */
    uint32_t keysym = keysym_from_key(k->scancode, k->sym, digits);

    bool text = !keysym || is_keypad(keysym);

    if (!keysym && (k->mod & (KMOD_CTRL | KMOD_ALT | KMOD_GUI)))
        keysym = keysym_from_shortcut(k);
    if (!keysym)
        return (struct key_meaning){0};
    /* It may type anything, and that is no news then. */
    return key_meaning_of(keysym, text ? ' ' : 0, true);
}
