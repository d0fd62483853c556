#include "viewer/options/uri.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#define FILE_SCHEME "file://"

static int uri_digit(char c)
{
    if (!isxdigit((unsigned char)c))
        return -1;
    return c <= '9' ? c - '0' : tolower(c) - 'a' + 10;
}

bool uri_decode(const char *text, size_t length, char *out, size_t size)
{
    for (size_t i = 0; i < length; i++) {
        char c = text[i];

        if (c == '%') {
            int high = i + 2 < length ? uri_digit(text[i + 1]) : -1;
            int low = high >= 0 ? uri_digit(text[i + 2]) : -1;

            if (low < 0)
                return false;
            c = (char)(high << 4 | low);
            i += 2;
        }
        if (c == '\0' || size <= 1)
            return false;
        *out++ = c;
        size--;
    }
    *out = '\0';
    return true;
}

bool is_file_uri(const char *text)
{
    return strncasecmp(text, FILE_SCHEME, strlen(FILE_SCHEME)) == 0;
}

bool file_uri_path(const char *uri, char *path, size_t size, struct reason *why)
{
    static const char here[] = "localhost";
    const char *host = uri + strlen(FILE_SCHEME);
    size_t length = strcspn(host, "/");
    bool local = length == 0 || (length == strlen(here) && strncasecmp(host, here, length) == 0);

    if (!local)
        return reason_set(why, "'%s' is a file on another machine: copy it to this one first", uri);
    if (host[length] == '\0' || !uri_decode(host + length, strlen(host + length), path, size))
        return reason_set(why, "'%s' names no file", uri);
    return true;
}
