#include "rfb/proto/latin1.h"

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
