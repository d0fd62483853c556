#include "rfb/texts/utf8.h"

#include <string.h>

int utf8_decode(const char *text, uint32_t *character)
{
    const unsigned char *s = (const unsigned char *)text;
    int length = s[0] < 0x80                   ? 1
                 : s[0] >= 0xc2 && s[0] < 0xe0 ? 2
                 : s[0] >= 0xe0 && s[0] < 0xf0 ? 3
                 : s[0] >= 0xf0 && s[0] < 0xf5 ? 4
                                               : 0;
    /* the second byte of some is limited further */
    unsigned char low = s[0] == 0xe0 ? 0xa0 : s[0] == 0xf0 ? 0x90 : 0x80;
    unsigned char high = s[0] == 0xed ? 0x9f : s[0] == 0xf4 ? 0x8f : 0xbf;

    *character = length < 2 ? s[0] : s[0] & (0x7fu >> length);
    for (int i = 1; i < length; i++) {
        if (s[i] < low || s[i] > high)
            return 0;
        *character = *character << 6 | (s[i] & 0x3f);
        low = 0x80;
        high = 0xbf;
    }
    return length;
}

bool utf8_valid(const char *text)
{
    while (*text) {
        uint32_t character;
        int length = utf8_decode(text, &character);

        if (length == 0)
            return false;
        text += length;
    }
    return true;
}

static bool utf8_continues(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

void utf8_repair(char *text)
{
    char *to = text;

    while (*text) {
        uint32_t character;
        int length = utf8_decode(text, &character);

        if (length > 0) {
            memmove(to, text, (size_t)length);
            to += length;
            text += length;
        } else {
            *to++ = '?';
            for (text++; utf8_continues(*text); text++)
                ;
        }
    }
    *to = '\0';
}
