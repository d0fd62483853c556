#include "viewer/desktop/input/keyboard/keysym.h"

#include <stddef.h>

#include <xkbcommon/xkbcommon.h>

#define LATIN_END 0x250 /* first code point after Latin Extended-B */

/* ---- of characters ---- */

/* Most control characters, and surrogates. libxkbcommon has keysyms for them, but no keyboard has
 * a key. */
static bool keysym_is_on_no_key(uint32_t c)
{
    switch (c) {
    case '\b':
    case '\t':
    case '\r':
    case 0x1b: /* Escape */
    case 0x7f: /* Delete */
        return false;
    default:
        return c < 0x20 || (c >= 0x80 && c < 0xa0) || (c >= 0xd800 && c < 0xe000);
    }
}

uint32_t keysym_from_unicode(uint32_t c)
{
    if (c == '\n') /* libxkbcommon has Linefeed, which is on no keyboard */
        return XKB_KEY_Return;
    if (c == 0x20ac) /* libxkbcommon before 1.4.1 has one that is in no layout */
        return XKB_KEY_EuroSign;
    return keysym_is_on_no_key(c) ? 0 : xkb_utf32_to_keysym(c);
}

/* ---- of what SDL says ---- */

struct key_name {
    SDL_Keycode key;
    uint32_t keysym;
};

static const struct key_name keys[] = {
    {SDLK_RETURN, XKB_KEY_Return},
    {SDLK_RETURN2, XKB_KEY_Return},
    {SDLK_ESCAPE, XKB_KEY_Escape},
    {SDLK_BACKSPACE, XKB_KEY_BackSpace},
    {SDLK_TAB, XKB_KEY_Tab},
    {SDLK_DELETE, XKB_KEY_Delete},
    {SDLK_INSERT, XKB_KEY_Insert},
    {SDLK_HOME, XKB_KEY_Home},
    {SDLK_END, XKB_KEY_End},
    {SDLK_PAGEUP, XKB_KEY_Page_Up},
    {SDLK_PAGEDOWN, XKB_KEY_Page_Down},
    {SDLK_LEFT, XKB_KEY_Left},
    {SDLK_UP, XKB_KEY_Up},
    {SDLK_RIGHT, XKB_KEY_Right},
    {SDLK_DOWN, XKB_KEY_Down},
    {SDLK_PRINTSCREEN, XKB_KEY_Print},
    {SDLK_SYSREQ, XKB_KEY_Sys_Req},
    {SDLK_PAUSE, XKB_KEY_Pause},
    {SDLK_SCROLLLOCK, XKB_KEY_Scroll_Lock},
    {SDLK_NUMLOCKCLEAR, XKB_KEY_Num_Lock},
    {SDLK_CAPSLOCK, XKB_KEY_Caps_Lock},
    {SDLK_LSHIFT, XKB_KEY_Shift_L},
    {SDLK_RSHIFT, XKB_KEY_Shift_R},
    {SDLK_LCTRL, XKB_KEY_Control_L},
    {SDLK_RCTRL, XKB_KEY_Control_R},
    {SDLK_LALT, XKB_KEY_Alt_L},
    {SDLK_RALT, XKB_KEY_Alt_R},
    {SDLK_LGUI, XKB_KEY_Super_L},
    {SDLK_RGUI, XKB_KEY_Super_R},
    {SDLK_MODE, XKB_KEY_ISO_Level3_Shift},
    {SDLK_APPLICATION, XKB_KEY_Menu},
    {SDLK_MENU, XKB_KEY_Menu},
    {SDLK_HELP, XKB_KEY_Help},
    {SDLK_EXECUTE, XKB_KEY_Execute},
    {SDLK_SELECT, XKB_KEY_Select},
    {SDLK_STOP, XKB_KEY_Cancel},
    {SDLK_CANCEL, XKB_KEY_Cancel},
    {SDLK_AGAIN, XKB_KEY_Redo},
    {SDLK_UNDO, XKB_KEY_Undo},
    {SDLK_FIND, XKB_KEY_Find},
    {SDLK_CLEAR, XKB_KEY_Clear},
    {SDLK_PRIOR, XKB_KEY_Prior},
    {SDLK_CUT, XKB_KEY_XF86Cut},
    {SDLK_COPY, XKB_KEY_XF86Copy},
    {SDLK_PASTE, XKB_KEY_XF86Paste},
    {SDL_SCANCODE_TO_KEYCODE(SDL_SCANCODE_INTERNATIONAL2), XKB_KEY_Hiragana_Katakana},
    {SDL_SCANCODE_TO_KEYCODE(SDL_SCANCODE_INTERNATIONAL4), XKB_KEY_Henkan},
    {SDL_SCANCODE_TO_KEYCODE(SDL_SCANCODE_INTERNATIONAL5), XKB_KEY_Muhenkan},
    {SDL_SCANCODE_TO_KEYCODE(SDL_SCANCODE_LANG1), XKB_KEY_Hangul},
    {SDL_SCANCODE_TO_KEYCODE(SDL_SCANCODE_LANG2), XKB_KEY_Hangul_Hanja},
    {SDL_SCANCODE_TO_KEYCODE(SDL_SCANCODE_LANG3), XKB_KEY_Katakana},
    {SDL_SCANCODE_TO_KEYCODE(SDL_SCANCODE_LANG4), XKB_KEY_Hiragana},
    {SDL_SCANCODE_TO_KEYCODE(SDL_SCANCODE_LANG5), XKB_KEY_Zenkaku_Hankaku},
    {SDLK_MUTE, XKB_KEY_XF86AudioMute},
    {SDLK_VOLUMEUP, XKB_KEY_XF86AudioRaiseVolume},
    {SDLK_VOLUMEDOWN, XKB_KEY_XF86AudioLowerVolume},
    {SDLK_AUDIOMUTE, XKB_KEY_XF86AudioMute},
    {SDLK_AUDIONEXT, XKB_KEY_XF86AudioNext},
    {SDLK_AUDIOPREV, XKB_KEY_XF86AudioPrev},
    {SDLK_AUDIOSTOP, XKB_KEY_XF86AudioStop},
    {SDLK_AUDIOPLAY, XKB_KEY_XF86AudioPlay},
    {SDLK_AUDIOREWIND, XKB_KEY_XF86AudioRewind},
    {SDLK_AUDIOFASTFORWARD, XKB_KEY_XF86AudioForward},
    {SDLK_MEDIASELECT, XKB_KEY_XF86AudioMedia},
    {SDLK_EJECT, XKB_KEY_XF86Eject},
    {SDLK_WWW, XKB_KEY_XF86WWW},
    {SDLK_MAIL, XKB_KEY_XF86Mail},
    {SDLK_CALCULATOR, XKB_KEY_XF86Calculator},
    {SDLK_COMPUTER, XKB_KEY_XF86MyComputer},
    {SDLK_AC_SEARCH, XKB_KEY_XF86Search},
    {SDLK_AC_HOME, XKB_KEY_XF86HomePage},
    {SDLK_AC_BACK, XKB_KEY_XF86Back},
    {SDLK_AC_FORWARD, XKB_KEY_XF86Forward},
    {SDLK_AC_STOP, XKB_KEY_XF86Stop},
    {SDLK_AC_REFRESH, XKB_KEY_XF86Refresh},
    {SDLK_AC_BOOKMARKS, XKB_KEY_XF86Favorites},
    {SDLK_BRIGHTNESSDOWN, XKB_KEY_XF86MonBrightnessDown},
    {SDLK_BRIGHTNESSUP, XKB_KEY_XF86MonBrightnessUp},
    {SDLK_DISPLAYSWITCH, XKB_KEY_XF86Display},
    {SDLK_KBDILLUMTOGGLE, XKB_KEY_XF86KbdLightOnOff},
    {SDLK_KBDILLUMDOWN, XKB_KEY_XF86KbdBrightnessDown},
    {SDLK_KBDILLUMUP, XKB_KEY_XF86KbdBrightnessUp},
    {SDLK_SLEEP, XKB_KEY_XF86Sleep},
    {SDLK_POWER, XKB_KEY_XF86PowerOff},
};

/* SDL_SCANCODE_KP_1 .. KP_0, KP_PERIOD without NumLock. */
static const uint32_t keypad_moves[] = {
    XKB_KEY_KP_End,     XKB_KEY_KP_Down,   XKB_KEY_KP_Page_Down, XKB_KEY_KP_Left,
    XKB_KEY_KP_Begin,   XKB_KEY_KP_Right,  XKB_KEY_KP_Home,      XKB_KEY_KP_Up,
    XKB_KEY_KP_Page_Up, XKB_KEY_KP_Insert, XKB_KEY_KP_Delete,
};

static uint32_t keysym_from_keypad(SDL_Scancode scancode, SDL_Keycode key, bool digits)
{
    switch (scancode) {
    case SDL_SCANCODE_KP_DIVIDE:
        return XKB_KEY_KP_Divide;
    case SDL_SCANCODE_KP_MULTIPLY:
        return XKB_KEY_KP_Multiply;
    case SDL_SCANCODE_KP_MINUS:
        return XKB_KEY_KP_Subtract;
    case SDL_SCANCODE_KP_PLUS:
        return XKB_KEY_KP_Add;
    case SDL_SCANCODE_KP_ENTER:
        return XKB_KEY_KP_Enter;
    case SDL_SCANCODE_KP_EQUALS:
    case SDL_SCANCODE_KP_EQUALSAS400:
        return XKB_KEY_KP_Equal;
    case SDL_SCANCODE_KP_COMMA:
        return XKB_KEY_KP_Separator;
    default:
        break;
    }
    if (scancode < SDL_SCANCODE_KP_1 || scancode > SDL_SCANCODE_KP_PERIOD)
        return 0;
    if (!digits)
        return keypad_moves[scancode - SDL_SCANCODE_KP_1];
    if (scancode == SDL_SCANCODE_KP_PERIOD)
        return key == ',' || key == SDLK_KP_COMMA ? XKB_KEY_KP_Separator : XKB_KEY_KP_Decimal;
    if (scancode == SDL_SCANCODE_KP_0)
        return XKB_KEY_KP_0;
    return XKB_KEY_KP_1 + (uint32_t)(scancode - SDL_SCANCODE_KP_1);
}

static uint32_t keysym_look_up(SDL_Keycode key)
{
    if (key >= SDLK_F1 && key <= SDLK_F12)
        return XKB_KEY_F1 + (uint32_t)(key - SDLK_F1);
    if (key >= SDLK_F13 && key <= SDLK_F24)
        return XKB_KEY_F13 + (uint32_t)(key - SDLK_F13);
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
    if (c == 0x131) /* the Turkish dotless i. libxkbcommon 1.5 has no upper case of it. */
        return 'I';
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
    return keysym >= XKB_KEY_KP_Space && keysym <= XKB_KEY_KP_Equal;
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
