#include "viewer/desktop/input/keyboard/keysym_unicode.h"

#include <stdbool.h>

#include <xkbcommon/xkbcommon.h>

/* Most control characters, and surrogates. libxkbcommon has keysyms for them, but no keyboard has
 * a key. */
static bool has_no_key(uint32_t c)
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
    return has_no_key(c) ? 0 : xkb_utf32_to_keysym(c);
}
