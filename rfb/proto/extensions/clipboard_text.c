#include "rfb/proto/extensions/clipboard_text.h"

#include <stdlib.h>
#include <string.h>

char *latin1_to_utf8(const char *latin1)
{
    char *utf8 = malloc(2 * strlen(latin1) + 1), *to = utf8;

    if (!utf8)
        return NULL;
    for (const unsigned char *s = (const unsigned char *)latin1; *s; s++) {
        if (*s < 0x80) {
            *to++ = (char)*s;
        } else {
            *to++ = (char)(0xc0 | *s >> 6);
            *to++ = (char)(0x80 | (*s & 0x3f));
        }
    }
    *to = '\0';
    return utf8;
}

char *latin1_from_utf8(const char *utf8, size_t *lost)
{
    char *latin1 = malloc(strlen(utf8) + 1), *to = latin1;
    const unsigned char *s = (const unsigned char *)utf8;

    *lost = 0;
    if (!latin1)
        return NULL;
    while (*s) {
        if (*s < 0x80) {
            *to++ = (char)*s++;
        } else if ((*s == 0xc2 || *s == 0xc3) && (s[1] & 0xc0) == 0x80) {
            *to++ = (char)((*s & 3) << 6 | (s[1] & 0x3f));
            s += 2;
        } else {
            *to++ = '?';
            ++*lost;
            for (s++; (*s & 0xc0) == 0x80; s++)
                ;
        }
    }
    *to = '\0';
    return latin1;
}

void line_ends_to_lf(char *text)
{
    char *to = text;

    for (; *text; text++) {
        if (*text != '\r')
            *to++ = *text;
        else if (text[1] != '\n')
            *to++ = '\n';
    }
    *to = '\0';
}

/* The length of the line end at `text`; 0: there is none. */
static size_t line_end(const char *text)
{
    if (*text == '\n')
        return 1;
    return *text != '\r' ? 0 : text[1] == '\n' ? 2 : 1;
}

size_t line_ends_crlf_length(const char *text)
{
    size_t length = 0;

    while (*text) {
        size_t end = line_end(text);

        length += end > 0 ? 2 : 1;
        text += end > 0 ? end : 1;
    }
    return length;
}

void line_ends_to_crlf(const char *text, char *out)
{
    while (*text) {
        size_t end = line_end(text);

        if (end == 0) {
            *out++ = *text++;
        } else {
            *out++ = '\r';
            *out++ = '\n';
            text += end;
        }
    }
    *out = '\0';
}
