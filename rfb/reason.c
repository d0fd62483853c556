#include "rfb/reason.h"

#include <stdarg.h>
#include <stdio.h>

/* Length of the well-formed UTF-8 sequence at `s`; 0 when it is none or stands for a control. */
static int printable_length(const unsigned char *s)
{
    int length = s[0] < 0x80                   ? 1
                 : s[0] >= 0xc2 && s[0] < 0xe0 ? 2
                 : s[0] >= 0xe0 && s[0] < 0xf0 ? 3
                 : s[0] >= 0xf0 && s[0] < 0xf5 ? 4
                                               : 0;

    if (length == 1)
        return s[0] >= 0x20 && s[0] != 0x7f;
    for (int i = 1; i < length; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    if (length == 2 && s[0] == 0xc2 && s[1] < 0xa0) /* the C1 controls */
        return 0;
    return length;
}

void sanitise(char *text)
{
    unsigned char *s = (unsigned char *)text;

    while (*s) {
        int length = printable_length(s);
        if (length == 0)
            *s++ = '?';
        else
            s += length;
    }
}

bool reason_set(struct reason *r, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(r->text, sizeof r->text, format, args);
    va_end(args);
    sanitise(r->text);
    return false;
}
