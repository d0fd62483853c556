#include "viewer/desktop/input/keyboard/keymap.h"

#include <stdlib.h>

#include <xkbcommon/xkbcommon.h>

/* The modifiers' bits, the same in every layout. By convention Mod1 is Alt, and Mod4 is Super. */
enum { MOD_CONTROL = 1 << 2, MOD_ALT = 1 << 3, MOD_SUPER = 1 << 6 };
#define MODS_OF_SHORTCUTS (MOD_CONTROL | MOD_ALT | MOD_SUPER)

/* dead_longsolidusoverlay: libxkbcommon 1.6 lacks the name. */
#define LAST_DEAD 0xfe93

#define LATIN_END   0x250  /* first code point after Latin Extended-B */
#define SIGNS_BEGIN 0x2000 /* punctuation, currencies, arrows, mathematics, ... */
#define SIGNS_END   0x2c00

struct keymap {
    struct xkb_keymap *xkb;
    struct xkb_state *state; /* only to look up */
};

struct keymap *keymap_create(struct xkb_keymap *xkb)
{
    struct keymap *m = calloc(1, sizeof *m);

    if (!m)
        return NULL;
    m->xkb = xkb_keymap_ref(xkb);
    m->state = xkb_state_new(xkb);
    if (m->state)
        return m;
    keymap_destroy(m);
    return NULL;
}

void keymap_destroy(struct keymap *m)
{
    if (!m)
        return;
    xkb_state_unref(m->state);
    xkb_keymap_unref(m->xkb);
    free(m);
}

/* Layouts name keys by their place: the letter is the row from below, the number counts from the
 * left. */
static const char *const names[SDL_NUM_SCANCODES] = {
    [SDL_SCANCODE_GRAVE] = "TLDE",
    [SDL_SCANCODE_1] = "AE01",
    [SDL_SCANCODE_2] = "AE02",
    [SDL_SCANCODE_3] = "AE03",
    [SDL_SCANCODE_4] = "AE04",
    [SDL_SCANCODE_5] = "AE05",
    [SDL_SCANCODE_6] = "AE06",
    [SDL_SCANCODE_7] = "AE07",
    [SDL_SCANCODE_8] = "AE08",
    [SDL_SCANCODE_9] = "AE09",
    [SDL_SCANCODE_0] = "AE10",
    [SDL_SCANCODE_MINUS] = "AE11",
    [SDL_SCANCODE_EQUALS] = "AE12",
    [SDL_SCANCODE_INTERNATIONAL3] = "AE13",
    [SDL_SCANCODE_Q] = "AD01",
    [SDL_SCANCODE_W] = "AD02",
    [SDL_SCANCODE_E] = "AD03",
    [SDL_SCANCODE_R] = "AD04",
    [SDL_SCANCODE_T] = "AD05",
    [SDL_SCANCODE_Y] = "AD06",
    [SDL_SCANCODE_U] = "AD07",
    [SDL_SCANCODE_I] = "AD08",
    [SDL_SCANCODE_O] = "AD09",
    [SDL_SCANCODE_P] = "AD10",
    [SDL_SCANCODE_LEFTBRACKET] = "AD11",
    [SDL_SCANCODE_RIGHTBRACKET] = "AD12",
    [SDL_SCANCODE_A] = "AC01",
    [SDL_SCANCODE_S] = "AC02",
    [SDL_SCANCODE_D] = "AC03",
    [SDL_SCANCODE_F] = "AC04",
    [SDL_SCANCODE_G] = "AC05",
    [SDL_SCANCODE_H] = "AC06",
    [SDL_SCANCODE_J] = "AC07",
    [SDL_SCANCODE_K] = "AC08",
    [SDL_SCANCODE_L] = "AC09",
    [SDL_SCANCODE_SEMICOLON] = "AC10",
    [SDL_SCANCODE_APOSTROPHE] = "AC11",
    [SDL_SCANCODE_BACKSLASH] = "BKSL",
    [SDL_SCANCODE_NONUSBACKSLASH] = "LSGT",
    [SDL_SCANCODE_Z] = "AB01",
    [SDL_SCANCODE_X] = "AB02",
    [SDL_SCANCODE_C] = "AB03",
    [SDL_SCANCODE_V] = "AB04",
    [SDL_SCANCODE_B] = "AB05",
    [SDL_SCANCODE_N] = "AB06",
    [SDL_SCANCODE_M] = "AB07",
    [SDL_SCANCODE_COMMA] = "AB08",
    [SDL_SCANCODE_PERIOD] = "AB09",
    [SDL_SCANCODE_SLASH] = "AB10",
    [SDL_SCANCODE_INTERNATIONAL1] = "AB11",
    [SDL_SCANCODE_SPACE] = "SPCE",

    [SDL_SCANCODE_ESCAPE] = "ESC",
    [SDL_SCANCODE_BACKSPACE] = "BKSP",
    [SDL_SCANCODE_TAB] = "TAB",
    [SDL_SCANCODE_RETURN] = "RTRN",
    [SDL_SCANCODE_CAPSLOCK] = "CAPS",
    [SDL_SCANCODE_LSHIFT] = "LFSH",
    [SDL_SCANCODE_RSHIFT] = "RTSH",
    [SDL_SCANCODE_LCTRL] = "LCTL",
    [SDL_SCANCODE_RCTRL] = "RCTL",
    [SDL_SCANCODE_LALT] = "LALT",
    [SDL_SCANCODE_RALT] = "RALT",
    [SDL_SCANCODE_LGUI] = "LWIN",
    [SDL_SCANCODE_RGUI] = "RWIN",
    [SDL_SCANCODE_APPLICATION] = "COMP",
    [SDL_SCANCODE_INTERNATIONAL2] = "HKTG",
    [SDL_SCANCODE_INTERNATIONAL4] = "HENK",
    [SDL_SCANCODE_INTERNATIONAL5] = "MUHE",
    [SDL_SCANCODE_LANG1] = "HNGL",
    [SDL_SCANCODE_LANG2] = "HJCV",
    [SDL_SCANCODE_LANG3] = "KATA",
    [SDL_SCANCODE_LANG4] = "HIRA",

    [SDL_SCANCODE_F1] = "FK01",
    [SDL_SCANCODE_F2] = "FK02",
    [SDL_SCANCODE_F3] = "FK03",
    [SDL_SCANCODE_F4] = "FK04",
    [SDL_SCANCODE_F5] = "FK05",
    [SDL_SCANCODE_F6] = "FK06",
    [SDL_SCANCODE_F7] = "FK07",
    [SDL_SCANCODE_F8] = "FK08",
    [SDL_SCANCODE_F9] = "FK09",
    [SDL_SCANCODE_F10] = "FK10",
    [SDL_SCANCODE_F11] = "FK11",
    [SDL_SCANCODE_F12] = "FK12",
    [SDL_SCANCODE_PRINTSCREEN] = "PRSC",
    [SDL_SCANCODE_SCROLLLOCK] = "SCLK",
    [SDL_SCANCODE_PAUSE] = "PAUS",
    [SDL_SCANCODE_INSERT] = "INS",
    [SDL_SCANCODE_HOME] = "HOME",
    [SDL_SCANCODE_PAGEUP] = "PGUP",
    [SDL_SCANCODE_DELETE] = "DELE",
    [SDL_SCANCODE_END] = "END",
    [SDL_SCANCODE_PAGEDOWN] = "PGDN",
    [SDL_SCANCODE_UP] = "UP",
    [SDL_SCANCODE_LEFT] = "LEFT",
    [SDL_SCANCODE_DOWN] = "DOWN",
    [SDL_SCANCODE_RIGHT] = "RGHT",

    [SDL_SCANCODE_NUMLOCKCLEAR] = "NMLK",
    [SDL_SCANCODE_KP_DIVIDE] = "KPDV",
    [SDL_SCANCODE_KP_MULTIPLY] = "KPMU",
    [SDL_SCANCODE_KP_MINUS] = "KPSU",
    [SDL_SCANCODE_KP_PLUS] = "KPAD",
    [SDL_SCANCODE_KP_ENTER] = "KPEN",
    [SDL_SCANCODE_KP_EQUALS] = "KPEQ",
    [SDL_SCANCODE_KP_1] = "KP1",
    [SDL_SCANCODE_KP_2] = "KP2",
    [SDL_SCANCODE_KP_3] = "KP3",
    [SDL_SCANCODE_KP_4] = "KP4",
    [SDL_SCANCODE_KP_5] = "KP5",
    [SDL_SCANCODE_KP_6] = "KP6",
    [SDL_SCANCODE_KP_7] = "KP7",
    [SDL_SCANCODE_KP_8] = "KP8",
    [SDL_SCANCODE_KP_9] = "KP9",
    [SDL_SCANCODE_KP_0] = "KP0",
    [SDL_SCANCODE_KP_PERIOD] = "KPDL",
};

uint32_t keymap_code(const struct keymap *m, SDL_Scancode scancode)
{
    const char *name = scancode > 0 && scancode < SDL_NUM_SCANCODES ? names[scancode] : NULL;
    xkb_keycode_t code = name ? xkb_keymap_key_by_name(m->xkb, name) : XKB_KEYCODE_INVALID;

    return code == XKB_KEYCODE_INVALID ? 0 : code;
}

static uint32_t keymap_keysym(struct keymap *m, uint32_t code, uint32_t mods, uint32_t group)
{
    xkb_state_update_mask(m->state, mods, 0, 0, 0, 0, group);
    return xkb_state_key_get_one_sym(m->state, code);
}

/* It acts on the layout of this keyboard, or does nothing. */
static bool keymap_is_local(uint32_t keysym)
{
    if (keysym == XKB_KEY_ISO_Level3_Shift || keysym == XKB_KEY_ISO_Level5_Shift)
        return false;
    return keysym == XKB_KEY_Multi_key || keysym == XKB_KEY_VoidSymbol ||
           (keysym >= XKB_KEY_dead_grave && keysym <= LAST_DEAD) ||
           (keysym >= XKB_KEY_ISO_Lock && keysym <= XKB_KEY_ISO_Level5_Lock);
}

static bool keymap_is_latin(uint32_t keysym)
{
    uint32_t c = xkb_keysym_to_utf32(keysym);

    return c > 0x20 && c < LATIN_END;
}

static bool keymap_is_letter(uint32_t character)
{
    return character >= LATIN_END && (character < SIGNS_BEGIN || character >= SIGNS_END);
}

/* The layout has looked up a key that types a character which is not Latin. Whether that is an
 * alphabet's: the key types a letter of it alone, too. */
static bool keymap_is_foreign(const struct keymap *m, uint32_t code)
{
    xkb_layout_index_t group = xkb_state_key_get_layout(m->state, code);
    const xkb_keysym_t *alone;

    return xkb_state_key_get_level(m->state, code, group) < 2 &&
           xkb_keymap_key_get_syms_by_level(m->xkb, code, group, 0, &alone) == 1 &&
           keymap_is_letter(xkb_keysym_to_utf32(*alone));
}

/* The key that a shortcut means. */
static uint32_t keymap_latin(struct keymap *m, uint32_t code, SDL_Scancode scancode, uint32_t mods)
{
    xkb_layout_index_t group = xkb_state_key_get_layout(m->state, code);
    bool shift = xkb_state_key_get_level(m->state, code, group) == 1;

    for (xkb_layout_index_t g = 0; g < xkb_keymap_num_layouts_for_key(m->xkb, code); g++) {
        uint32_t keysym = keymap_keysym(m, code, mods, g);

        if (keymap_is_latin(keysym))
            return keysym;
    }
    return keysym_of_place(scancode, shift);
}

/* What a key is without Shift that XKB has another name for with it. */
static uint32_t keymap_plain(uint32_t keysym)
{
    switch (keysym) {
    case XKB_KEY_ISO_Left_Tab:
        return XKB_KEY_Tab;
    case XKB_KEY_Meta_L:
        return XKB_KEY_Alt_L;
    case XKB_KEY_Meta_R:
        return XKB_KEY_Alt_R;
    default:
        return keysym;
    }
}

static uint32_t keymap_without_shift(const struct keymap *m, uint32_t code, uint32_t keysym)
{
    xkb_layout_index_t group = xkb_state_key_get_layout(m->state, code);
    const xkb_keysym_t *alone;
    uint32_t plain = keymap_plain(keysym);

    if (xkb_keymap_key_get_syms_by_level(m->xkb, code, group, 0, &alone) == 1 && *alone == plain)
        return plain;
    return keysym;
}

struct key_meaning keymap_meaning(struct keymap *m, uint32_t code, SDL_Scancode scancode,
                                  uint32_t mods, uint32_t group)
{
    const uint32_t chosen_by = mods & ~(uint32_t)(MOD_CONTROL | MOD_ALT);
    const bool shortcut = mods & MODS_OF_SHORTCUTS;
    uint32_t keysym = keymap_keysym(m, code, chosen_by, group);

    if (keymap_is_local(keysym))
        return (struct key_meaning){0};
    keysym = keymap_without_shift(m, code, keysym);
    if (shortcut && xkb_keysym_to_utf32(keysym) >= LATIN_END && keymap_is_foreign(m, code)) {
        uint32_t latin = keymap_latin(m, code, scancode, chosen_by);

        keysym = latin ? latin : keysym;
    }
    return key_meaning_of(keysym, xkb_keysym_to_utf32(keysym), shortcut);
}

bool keymap_has_alt(uint32_t mods)
{
    return mods & MOD_ALT;
}
